package uai

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxObserved bounds the product of the numbers of samples and variables: 32 MB.
const maxObserved = 1 << 22

// ReadEvidence reads evidence of one or several samples. A sample has the number of a state for
// each variable of m, and -1 for a variable that is not observed. Four layouts are in use:
//
//	n v x v x ...             n pairs of a variable and its state, possibly over several lines
//	                          or after /* Evidence */
//	s, then s times that      s samples, each on a line
//	v x v x ...               pairs without a count (2008)
//	an empty file             nothing is observed
//
// Numbers on a single line that fit the first layout have the first layout. If the numbers fit
// several layouts otherwise, and the variables and states of m do not decide, the lines do: a count
// of samples is the first line, and each other line is a sample. If that does not decide, the file
// is an error.
func ReadEvidence(src *format.Source, m *model.Model) (samples [][]int, list diag.List) {
	e := &evidence{Reader: numbers.New(src, numbers.Hash|numbers.CLine|numbers.Block), m: m}
	if !e.read() {
		return nil, e.List
	}
	for _, pairs := range e.choose() {
		sample := make([]int, len(m.Vars))
		for i := range sample {
			sample[i] = -1
		}
		for k := 0; k < len(pairs); k += 2 {
			sample[pairs[k].n] = pairs[k+1].n
		}
		samples = append(samples, sample)
	}
	return samples, e.List
}

// number is a number of the file.
type number struct {
	n  int
	at numbers.Word
}

// evidence holds the numbers of a file.
type evidence struct {
	*numbers.Reader
	m    *model.Model
	all  []number
	rows []int // the number of numbers on each line that has any
}

// read reads all numbers.
func (e *evidence) read() bool {
	for e.Next(); !e.AtEnd(); {
		at := e.Word
		n, ok := e.Int(0, maxNumber, "a number of evidence")
		if !ok {
			return false
		}
		e.all = append(e.all, number{n, at})
		if at.FirstOfRow {
			e.rows = append(e.rows, 0)
		}
		e.rows[len(e.rows)-1]++
	}
	return !e.HasErrors()
}

// maxNumber bounds the numbers of variables and states, and counts.
const maxNumber = 1<<31 - 1

// layout is an interpretation of the numbers: the pairs of each sample, and whether the line breaks
// agree with it.
type layout struct {
	name    string
	samples [][]number
	lines   bool
	counted bool // one count, then pairs
}

// choose returns the pairs of each sample, or reports an error if they are ambiguous.
func (e *evidence) choose() [][]number {
	if len(e.all) == 0 {
		return [][]number{nil}
	}
	var could []layout // possible by the number of numbers
	for _, take := range []func() (layout, bool){e.counted, e.sampled, e.bare} {
		if l, ok := take(); ok {
			could = append(could, l)
		}
	}
	switch {
	case len(could) == 0:
		const want = "a count and as many pairs of a variable and a state, or a number of samples and that for each"
		e.Errorf(e.PosOf(e.all[0].at), "found %d numbers, the first %d; want %s", len(e.all), e.all[0].n, want)
		return nil
	case could[0].counted && could[0].lines:
		could = could[:1] // most files are written this way
	}
	var fit []layout // also possible by the variables and states
	for _, l := range could {
		if problem, _ := e.misfit(l); problem == "" {
			fit = append(fit, l)
		}
	}
	if len(fit) == 0 {
		problem, at := e.misfit(byLines(could)[0])
		e.Errorf(e.PosOf(at), "%s", problem)
		return nil
	}
	if fit = byLines(fit); len(fit) > 1 {
		e.Errorf(e.PosOf(e.all[0].at), "found numbers that can be %s or %s; want a line for each sample, after one with their number",
			fit[0].name, fit[1].name)
		return nil
	}
	return fit[0].samples
}

// byLines returns the first layout that agrees with the line breaks, or all if none does.
func byLines(ls []layout) []layout {
	for _, l := range ls {
		if l.lines {
			return []layout{l}
		}
	}
	return ls
}

// counted interprets the numbers as a count and pairs.
func (e *evidence) counted() (layout, bool) {
	n := e.all[0].n
	ok := n <= len(e.all)/2 && len(e.all) == 1+2*n
	return layout{
		name:    "one sample",
		samples: [][]number{e.all[1:]},
		lines:   e.rowsAre(len(e.all)) || e.rows[0] == 1 && even(e.rows[1:]),
		counted: true,
	}, ok
}

// sampled interprets the numbers as samples, each with a count and pairs.
func (e *evidence) sampled() (layout, bool) {
	l := layout{name: fmt.Sprint(e.all[0].n, " samples")}
	rest, rows := e.all[1:], []int{1}
	for range min(e.all[0].n, len(e.all)) {
		if len(rest) == 0 || rest[0].n > len(rest)/2 || 1+2*rest[0].n > len(rest) {
			return layout{}, false
		}
		size := 1 + 2*rest[0].n
		l.samples = append(l.samples, rest[1:size])
		rows = append(rows, size)
		rest = rest[size:]
	}
	l.lines = e.rowsAre(rows...)
	return l, len(rest) == 0 && len(l.samples) > 0
}

// bare interprets the numbers as pairs.
func (e *evidence) bare() (layout, bool) {
	return layout{name: "pairs without a count", samples: [][]number{e.all}, lines: even(e.rows)}, len(e.all)%2 == 0
}

// rowsAre reports whether the lines have the given numbers of numbers.
func (e *evidence) rowsAre(want ...int) bool { return slices.Equal(e.rows, want) }

// even reports whether each line has an even number of numbers.
func even(rows []int) bool {
	return !slices.ContainsFunc(rows, func(n int) bool { return n%2 != 0 })
}

// misfit returns the first entry of a layout that does not fit the model, and its position. The
// problem is empty if all fit.
func (e *evidence) misfit(l layout) (problem string, at numbers.Word) {
	if n := len(e.m.Vars); len(l.samples)*n > maxObserved {
		return fmt.Sprintf("found %s; want %d at most for %d variables", l.name, maxObserved/n, n), e.all[0].at
	}
	seen := make([]int, len(e.m.Vars)) // by variable: 1 + the last sample with it
	for i, pairs := range l.samples {
		for k := 0; k < len(pairs); k += 2 {
			v, s := pairs[k], pairs[k+1]
			if v.n >= len(e.m.Vars) {
				return fmt.Sprintf("found variable %d; %s", v.n, haveVariables(e.m)), v.at
			}
			if e.m.IsReal(model.VarID(v.n)) {
				return fmt.Sprintf("found a state of variable %d, which is real; want states of discrete variables", v.n), v.at
			}
			if card := e.m.Card(model.VarID(v.n)); s.n >= card {
				return fmt.Sprintf("found state %d of variable %d; want 0 to %d", s.n, v.n, card-1), s.at
			}
			if seen[v.n] == i+1 {
				return fmt.Sprintf("found variable %d for the second time in a sample; want it once", v.n), v.at
			}
			seen[v.n] = i + 1
		}
	}
	return "", numbers.Word{}
}

// haveVariables describes the variables of m for a message.
func haveVariables(m *model.Model) string {
	if len(m.Vars) == 0 {
		return "the model has no variables"
	}
	return fmt.Sprintf("want 0 to %d", len(m.Vars)-1)
}
