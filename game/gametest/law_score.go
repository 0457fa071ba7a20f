package gametest

import (
	"fmt"
	"slices"

	"copse/game"
)

func lawStanding[S, M comparable](p *moment[S, M]) error {
	truth := p.rules.Standing(&p.s)
	if err := p.scored("the truth", &truth, &truth); err != nil {
		return err
	}
	for seat := range p.set.Seats {
		score := &truth.Seats[seat]
		if score.Total == game.Unknown {
			return fmt.Errorf("the truth does not know the score of seat %d", seat)
		}
		better := int32(0)
		for other := range p.set.Seats {
			if truth.Seats[other].Rank < score.Rank {
				better++
			}
		}
		if score.Rank != better+1 {
			return fmt.Errorf("seat %d has rank %d and %d are before it", seat, score.Rank, better)
		}
	}
	for i, viewer := range p.viewers {
		known := p.rules.Standing(&p.views[i])
		if err := p.scored(fmt.Sprintf("the view of %v", viewer), &known, &truth); err != nil {
			return err
		}
		if !p.closely {
			continue
		}
		if twin, ok := p.twin(i); ok {
			other := p.rules.Standing(&twin)
			if err := p.scored(fmt.Sprintf("the view of %v, which fits another world too,", viewer), &known, &other); err != nil {
				return err
			}
		}
	}
	return nil
}

// scored makes sure that what is known of a standing is right and adds up.
func (p *moment[S, M]) scored(name string, known, truth *game.Standing) error {
	if known.Over != (p.by == game.None) {
		return fmt.Errorf("%s says that the game is over: %t, but %v is to act", name, known.Over, p.by)
	}
	for seat, score := range known.Seats {
		if seat >= p.set.Seats {
			if score != (game.Score{}) {
				return fmt.Errorf("%s scores seat %d, which is not at the table: %+v", name, seat, score)
			}
			continue
		}
		total := game.Points(0)
		for i, points := range score.Parts {
			switch {
			case points != game.Unknown && points != truth.Seats[seat].Parts[i]:
				return fmt.Errorf("%s gives seat %d %d points in part %d, and the world %d",
					name, seat, points, i, truth.Seats[seat].Parts[i])
			case i >= len(p.def.Parts) && points != 0:
				return fmt.Errorf("%s gives seat %d points in part %d, which has no name", name, seat, i)
			case points == game.Unknown:
				total = game.Unknown
			case total != game.Unknown:
				total += points
			}
		}
		if score.Total != total {
			return fmt.Errorf("%s gives seat %d a total of %d, and its parts %v add up to %d",
				name, seat, score.Total, score.Parts, total)
		}
		if score.Rank != 0 && score.Rank != truth.Seats[seat].Rank {
			return fmt.Errorf("%s gives seat %d rank %d, and the world %d", name, seat, score.Rank, truth.Seats[seat].Rank)
		}
	}
	return nil
}

func lawTies[S, M comparable](p *moment[S, M]) error {
	breaker := any(p.rules).(game.TieBreaker[S])
	st := p.rules.Standing(&p.s)
	for seat := range game.Seat(p.set.Seats) {
		for other := range game.Seat(p.set.Seats) {
			if seat == other || st.Seats[seat].Total != st.Seats[other].Total || st.Seats[seat].Rank > st.Seats[other].Rank {
				continue
			}
			key, args := breaker.TieBreak(&p.s, seat, other)
			if err := p.declared(key, args); err != nil {
				return fmt.Errorf("what breaks a tie: %w", err)
			}
			if rule, _ := args["rule"].(string); args["seat"] != seat || args["other"] != other || rule == "" {
				return fmt.Errorf("%s of seats %v and %v says %v", key, seat, other, args)
			}
			if st.Seats[seat].Rank != st.Seats[other].Rank {
				continue
			}
			if back, _ := breaker.TieBreak(&p.s, other, seat); back != key {
				return fmt.Errorf("seats %v and %v share a rank, by %s or by %s", seat, other, key, back)
			}
		}
	}
	return nil
}

func lawSheet[S, M comparable](p *moment[S, M]) error {
	return p.explained("the truth", p.s)
}

func lawSheetOfViews[S, M comparable](p *moment[S, M]) error {
	for _, o := range p.outlooks()[1:] {
		if err := p.explained(o.name, o.s); err != nil {
			return err
		}
	}
	return nil
}

// explained makes sure that a sheet explains its standing.
func (p *moment[S, M]) explained(name string, s S) error {
	standing := p.rules.Standing(&s)
	sheet := p.rules.Sheet(&s)
	for _, line := range sheet {
		if len(line.Points) != p.set.Seats {
			return fmt.Errorf("%s: line %s has points for %d seats", name, line.Key, len(line.Points))
		}
		if !slices.Contains(p.def.Parts, line.Part) {
			return fmt.Errorf("%s: line %s is of part %q, and a score has %q", name, line.Key, line.Part, p.def.Parts)
		}
	}
	for i, part := range p.def.Parts {
		for seat := range p.set.Seats {
			sum := game.Points(0)
			for _, line := range sheet {
				switch {
				case line.Part != part || sum == game.Unknown:
				case line.Points[seat] == game.Unknown:
					sum = game.Unknown
				default:
					sum += line.Points[seat]
				}
			}
			if now := standing.Seats[seat].Parts[i]; sum != now {
				return fmt.Errorf("%s: the sheet of seat %d adds up to %d in %s, and the standing says %d", name, seat, sum, part, now)
			}
		}
	}
	return nil
}
