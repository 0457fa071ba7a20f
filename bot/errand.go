package bot

import "slices"

// Errands are how a thought is shared: the parts of it that anyone can do who
// knows the record of the seat, the player and the seed. What an errand finds
// depends on nothing else, and reports are added up as whole numbers or taken in
// the order of the errands. So a player finds the same turn whoever does them, in
// whatever order, alone or with any number of helpers.

// errand is a part of a thought: playouts of some lines, or, where looks is above
// 0, the best answers to them.
type errand[M comparable] struct {
	lines    []line[M]
	from, to int // the numbers of the playouts of each line
	looks    int // positions that may be looked at, in all
}

// report is what was found on an errand.
type report struct {
	results []result // of each line, as far as looks went
	looked  []int    // positions that were looked at for each answer
	cut     bool     // time was up: nothing of it counts
}

// playouts is how many playouts an errand is about.
func (e *errand[M]) playouts() int {
	if e.looks > 0 {
		return 0
	}
	return len(e.lines) * (e.to - e.from)
}

// do does an errand.
func (x *searcher[S, M]) do(e *errand[M]) (r report) {
	if e.looks > 0 {
		return x.doAnswers(e)
	}
	for i := range e.lines {
		var sum result
		for n := e.from; n < e.to; n++ {
			if x.stop() {
				return report{cut: true}
			}
			sum.add(x.playout(&e.lines[i], uint64(n)))
		}
		r.results = append(r.results, sum)
	}
	return r
}

// doAnswers finds the best answers to lines, as far as looks go.
func (x *searcher[S, M]) doAnswers(e *errand[M]) (r report) {
	left := e.looks
	for i := range e.lines {
		before := left
		brings, ok := x.bestAnswer(&e.lines[i], &left)
		if x.stopped {
			return report{cut: true}
		}
		if !ok {
			break
		}
		r.results = append(r.results, brings)
		r.looked = append(r.looked, before-left)
	}
	return r
}

// send has errands done, by whoever helps or on the spot, and gives the reports
// in their order. It tells whether there was time for all of them.
func (x *searcher[S, M]) send(list []errand[M]) ([]report, bool) {
	if x.helped != nil {
		reports := x.helped(list)
		x.stopped = x.stopped || slices.ContainsFunc(reports, func(r report) bool { return r.cut })
		for i := range list {
			x.mind.played += list[i].playouts()
		}
		return reports, !x.stopped
	}
	reports := make([]report, len(list))
	for i := range list {
		if reports[i] = x.do(&list[i]); reports[i].cut {
			return nil, false
		}
	}
	return reports, true
}

// playAll makes playouts number from to to of every candidate, and gives what
// each brought. It tells whether there was time for all of them.
func (x *searcher[S, M]) playAll(list []candidate[M], from, to int) ([]result, bool) {
	lines := make([]line[M], len(list))
	for i := range list {
		lines[i] = list[i].line
	}
	sums := make([]result, len(list))
	errands := divide(lines, from, to, x.pieces)
	reports, ok := x.send(errands)
	if !ok {
		return nil, false
	}
	first := 0 // of the lines of an errand
	for i, r := range reports {
		for j, result := range r.results {
			sums[first+j].add(result)
		}
		if first += len(errands[i].lines); first == len(list) {
			first = 0
		}
	}
	return sums, true
}

// divide makes about so many errands of playouts, as long as each other: of some
// of the lines each or, where there are few, of some of the playouts of all lines.
func divide[M comparable](lines []line[M], from, to, pieces int) []errand[M] {
	var list []errand[M]
	if len(lines) >= pieces {
		pieces = max(pieces, 1)
		for i := range pieces {
			some := lines[i*len(lines)/pieces : (i+1)*len(lines)/pieces]
			list = append(list, errand[M]{lines: some, from: from, to: to})
		}
		return list
	}
	pieces = min(pieces, to-from)
	for i := range pieces {
		list = append(list, errand[M]{lines: lines, from: from + i*(to-from)/pieces, to: from + (i+1)*(to-from)/pieces})
	}
	return list
}
