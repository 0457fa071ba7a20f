package load

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// sitting is a table that is played at for as long as the load lasts: when a game
// ends another is set.
type sitting struct {
	run  *run
	no   int
	game int // how many were begun

	venue   *venue
	streams [players]*stream
	news    chan news
	done    chan struct{}
	last    [players]int // what each player has heard last
	sent    int

	moves []sample
	bytes int64 // of events
	heard int64
	games int // that ended
	late  int // moves that were sent a whole beat too late
}

// sample is a move: when it was sent, and how long it took to reach the other
// player.
type sample struct {
	sent time.Time
	took time.Duration
}

// unheard is how much may come while a move is on its way.
const unheard = 64

// begin sets a table, has both players listen, and starts the game.
func (s *sitting) begin(ctx context.Context) error {
	s.game++
	var doors [players]*connections
	for seat := range players {
		doors[seat] = s.run.door(s.no, seat)
	}
	venue, err := s.run.target.set(ctx, doors, s.run.Seed<<32|uint64(s.no)<<8|uint64(s.game))
	if err != nil {
		return err
	}
	s.venue, s.news, s.done = venue, make(chan news, unheard), make(chan struct{})
	s.last, s.sent = [players]int{-1, -1}, 0
	for seat := range players {
		if s.streams[seat], err = doors[seat].listen(ctx, venue.streams[seat], venue.cookies[seat], seat, s.news, s.done); err != nil {
			return fmt.Errorf("a stream: %w", err)
		}
	}
	if err := s.await(ctx, 0, nil); err != nil { // both are there
		return err
	}
	number, err := venue.begin(ctx)
	if err != nil {
		return fmt.Errorf("the start: %w", err)
	}
	return s.await(ctx, number, nil)
}

// end hangs up.
func (s *sitting) end() {
	if s.done != nil {
		close(s.done)
		s.done = nil
	}
	for seat, x := range s.streams {
		if x != nil {
			x.close()
			s.streams[seat] = nil
		}
	}
}

// await listens until both players have heard an entry, and everything that has
// arrived with it. each is told what a player heard.
func (s *sitting) await(ctx context.Context, number int, each func(n *news, number int)) error {
	var slow *time.Timer
	defer func() {
		if slow != nil {
			slow.Stop()
		}
	}()
	for {
		var n news
		select {
		case n = <-s.news:
		default:
			if s.last[0] >= number && s.last[1] >= number && s.last[0] == s.last[1] {
				return nil
			}
			if slow == nil {
				slow = time.NewTimer(patience)
			}
			select {
			case n = <-s.news:
			case <-slow.C:
				return fmt.Errorf("entry %d was not heard within %v: the players are at %v", number, patience, s.last)
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if n.err != nil {
			return fmt.Errorf("a stream broke off: %w", n.err)
		}
		heard, err := s.venue.play.hear(n.seat, n.event, n.data)
		if err != nil {
			return err
		}
		if n.event == "entry" && heard != s.last[n.seat]+1 {
			return fmt.Errorf("seat %d heard entry %d after %d", n.seat, heard, s.last[n.seat])
		}
		s.last[n.seat] = heard
		if each != nil {
			each(&n, heard)
		}
	}
}

// play moves until it is told to stop. At a pace, moves are due at fixed times,
// whatever became of those before.
func (s *sitting) play(ctx context.Context, stop <-chan struct{}, first time.Time, beat time.Duration) {
	timer := time.NewTimer(time.Until(first))
	defer timer.Stop()
	for due := first; ; {
		if beat > 0 {
			timer.Reset(time.Until(due))
			select {
			case <-timer.C:
			case <-stop:
				return
			}
			if time.Since(due) > beat {
				s.late++
			}
			due = due.Add(beat)
		}
		select {
		case <-stop:
			return
		default:
		}
		if err := s.move(ctx); err != nil {
			if ctx.Err() != nil {
				return
			}
			s.run.fault(err)
			s.renew(ctx)
		}
	}
}

// renew begins another game, after the last has ended or gone wrong.
func (s *sitting) renew(ctx context.Context) {
	for ctx.Err() == nil {
		s.end()
		err := s.begin(ctx)
		if err == nil {
			return
		}
		s.run.fault(err)
		select { // a server that is gone is not asked without a pause
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
}

// move makes one move and waits until both have heard it.
func (s *sitting) move(ctx context.Context) error {
	seat, body, over, err := s.venue.play.next(s.last[0])
	if err != nil {
		return err
	}
	if over {
		s.games++
		s.renew(ctx)
		return s.move(ctx)
	}
	s.sent++
	sent, took, next := time.Now(), time.Duration(0), s.last[0]+1
	raw, _, err := s.run.door(s.no, seat).ask(ctx, request{method: "POST", path: s.venue.moves, cookie: s.venue.cookies[seat], key: strconv.Itoa(s.sent), body: body})
	if err != nil {
		return fmt.Errorf("a move: %w", err)
	}
	number, err := readNumber(raw)
	if err != nil {
		return err
	}
	err = s.await(ctx, number, func(n *news, number int) {
		s.bytes, s.heard = s.bytes+int64(len(n.data)), s.heard+1
		if n.seat != seat && number >= next && took == 0 {
			took = n.at.Sub(sent)
		}
	})
	if err == nil && took == 0 {
		err = errors.New("a move was not heard by the other player")
	}
	if err != nil {
		return err
	}
	s.moves = append(s.moves, sample{sent, took})
	s.run.count.Add(1)
	return nil
}
