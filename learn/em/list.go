package em

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/mle"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Lister lists the completions of rows that miss few values, with their probabilities. It is faster
// than inference, since only the factors with a missing variable differ between completions. One
// goroutine may use it at a time.
type Lister struct {
	m      *model.Model
	tables [][]float64 // by factor, over its scope
	of     [][]int     // by variable: the factors whose scopes contain it

	// The current row:
	open  []model.VarID
	parts []listPart // by factor
	p     []float64
	count []int
}

// listPart describes how a factor depends on the missing variables.
type listPart struct {
	at     int   // index of its number with the missing variables at their first states
	stride []int // by missing variable; empty if the factor has none
}

// NewLister returns a lister for the parameters of m, a Bayesian network.
func NewLister(m *model.Model) (*Lister, error) {
	l := &Lister{m: m, of: make([][]int, len(m.Vars)), parts: make([]listPart, len(m.Factors))}
	for i, f := range m.Factors {
		for _, v := range f.Scope {
			l.of[v] = append(l.of[v], i)
		}
	}
	tables, err := tabulate(m)
	l.tables = tables
	return l, err
}

// tabulate returns the tables of all factors.
func tabulate(m *model.Model) ([][]float64, error) {
	var tables [][]float64
	for _, f := range m.Factors {
		values, err := m.Tabulate(f, compiler.DefaultMaxTable)
		if err != nil {
			return nil, err
		}
		tables = append(tables, values)
	}
	return tables, nil
}

// MostCompletions returns the largest number of completions of any row, up to a limit. column holds
// the column of each variable, or -1.
func MostCompletions(m *model.Model, s *data.Set, column []int, limit int) int {
	most := 0
	state := make([]int, len(m.Vars))
	for row := range s.Len() {
		mle.States(s, row, column, state)
		size := 1
		for v, x := range state {
			if x == data.Missing {
				size = min(limit, size*m.Card(model.VarID(v)))
			}
		}
		most = max(most, size)
	}
	return most
}

// List computes the probabilities of all completions of a row, in row-major order of its missing
// variables. logP is the log-probability of the row, -Inf if it is impossible. ok is false if there
// are more completions than most.
func (l *Lister) List(state []int, most int) (p []float64, logP float64, ok bool) {
	l.open = l.open[:0]
	size := 1
	for v, s := range state {
		if s == data.Missing {
			l.open = append(l.open, model.VarID(v))
			if size *= l.m.Card(model.VarID(v)); size > most {
				return nil, 0, false
			}
		}
	}
	if cap(l.p) < size {
		l.p = make([]float64, size)
	}
	l.p = l.p[:size]
	for k := range l.p {
		l.p[k] = 1
	}
	for i := range l.parts {
		l.place(i, state)
	}
	for i := range l.parts {
		logP += l.multiply(i)
	}
	return l.p, logP + l.normalize(), true
}

// Open returns the missing variables of the row.
func (l *Lister) Open() []model.VarID { return l.open }

// place computes the indices of a factor's numbers.
func (l *Lister) place(i int, state []int) {
	part := &l.parts[i]
	part.at, part.stride = 0, part.stride[:0]
	scope := l.m.Factors[i].Scope
	step := 1
	for k := len(scope) - 1; k >= 0; k-- {
		if v := scope[k]; state[v] != data.Missing {
			part.at += step * state[v]
		} else {
			for len(part.stride) < len(l.open) {
				part.stride = append(part.stride, 0)
			}
			for o, u := range l.open {
				if u == v {
					part.stride[o] = step
				}
			}
		}
		step *= l.m.Card(scope[k])
	}
}

// walk visits the completions in order, in runs along the last missing variable. It calls do with
// the first completion of a run and the index of the factor's number there.
func (l *Lister) walk(i, run int, do func(k, at int)) {
	part := &l.parts[i]
	at := part.at
	l.count = append(l.count[:0], make([]int, len(l.open))...)
	for k := 0; k < len(l.p); k += run {
		do(k, at)
		for o := len(l.open) - 2; o >= 0; o-- {
			l.count[o]++
			at += part.stride[o]
			if l.count[o] < l.m.Card(l.open[o]) {
				break
			}
			at -= l.count[o] * part.stride[o]
			l.count[o] = 0
		}
	}
}

// run returns the length of the runs of walk, and the distance of the factor's numbers within a
// run.
func (l *Lister) run(i int) (length, step int) {
	last := len(l.open) - 1
	return l.m.Card(l.open[last]), l.parts[i].stride[last]
}

// multiply multiplies the completions by the numbers of a factor. It rescales them and returns the
// logarithm of the scale.
func (l *Lister) multiply(i int) float64 {
	if len(l.parts[i].stride) == 0 {
		return pgmrt.Ln(l.tables[i][l.parts[i].at])
	}
	largest, table := 0.0, l.tables[i]
	n, step := l.run(i)
	l.walk(i, n, func(k, at int) {
		for j := range l.p[k : k+n] {
			x := l.p[k+j] * table[at+j*step]
			l.p[k+j] = x
			if x > largest {
				largest = x
			}
		}
	})
	if largest > 1e-100 || largest == 0 { // the next factor cannot cause underflow
		return 0
	}
	_, exp := math.Frexp(largest)
	for k := range l.p {
		l.p[k] = math.Ldexp(l.p[k], -exp)
	}
	return float64(exp) * math.Ln2
}

// normalize divides the numbers by their sum and returns the logarithm of the sum.
func (l *Lister) normalize() float64 {
	sum := 0.0
	for _, x := range l.p {
		sum += x
	}
	if sum > 0 {
		for k := range l.p {
			l.p[k] /= sum
		}
	}
	return pgmrt.Ln(sum)
}

// Count adds the expected counts of the row, times its weight, to tables by factor.
func (l *Lister) Count(weight float64, to [][]float64) {
	for i, table := range to {
		if len(l.parts[i].stride) == 0 {
			table[l.parts[i].at] += weight
			continue
		}
		n, step := l.run(i)
		l.walk(i, n, func(k, at int) {
			for j, p := range l.p[k : k+n] {
				table[at+j*step] += weight * p
			}
		})
	}
}
