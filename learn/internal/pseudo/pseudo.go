package pseudo

import (
	"math"
	"math/bits"
	"sync"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Feature is a conjunction of tests with the logarithm of its factor.
type Feature struct {
	Tests  []rowset.Test
	Weight float64
}

// use is a feature in the distribution of one variable: if the tests of all other variables hold,
// it adds its weight to some of the variable's states.
type use struct {
	feature int
	others  []rowset.Test
	states  []int
}

// Problem is a data set with features and their weights, which are fitted. One goroutine may use it
// at a time; it runs several itself.
type Problem struct {
	rows   *data.Set // the rows, equal ones merged
	sets   *rowset.Data
	all    []uint64
	weight float64 // total weight of the rows
	cores  int
	count  int // number of features

	uses   [][]use // by variable
	slopes [][]float64
	values []float64 // by variable: its part of the last pseudo-log-likelihood
	memory sync.Pool // a pool of *scratch
}

// scratch is the memory for one variable's part.
type scratch struct {
	rows []uint64
	log  [][]float64 // by state and row: the sum of the weights that apply, then the slope by it
}

// New prepares features for the rows of a set.
func New(s *data.Set, features []Feature, cores int) *Problem {
	s = s.Merged()
	p := &Problem{rows: s, sets: rowset.New(s), cores: cores, count: len(features), uses: make([][]use, len(s.Vars)), slopes: make([][]float64, len(s.Vars)), values: make([]float64, len(s.Vars))}
	p.all = p.sets.All()
	for i := range s.Len() {
		p.weight += s.Weight(i)
	}
	for i, f := range features {
		for k, t := range f.Tests {
			if !asks(f.Tests[:k], t.Var) {
				p.note(i, f.Tests, t.Var)
			}
		}
	}
	for v, list := range p.uses {
		p.slopes[v] = make([]float64, len(list))
	}
	return p
}

// asks reports whether one of the tests is of variable v.
func asks(tests []rowset.Test, v int) bool {
	for _, t := range tests {
		if t.Var == v {
			return true
		}
	}
	return false
}

// note adds the use of a feature for v, unless it is the same for all states of v.
func (p *Problem) note(feature int, tests []rowset.Test, v int) {
	u := use{feature: feature}
	row := make([]int, len(p.rows.Vars))
	for s := range p.rows.Vars[v].States {
		row[v] = s
		holds := true
		for _, t := range tests {
			holds = holds && (t.Var != v || t.Holds(row))
		}
		if holds {
			u.states = append(u.states, s)
		}
	}
	if len(u.states) == 0 || len(u.states) == len(p.rows.Vars[v].States) {
		return
	}
	for _, t := range tests {
		if t.Var != v {
			u.others = append(u.others, t)
		}
	}
	p.uses[v] = append(p.uses[v], u)
}

// Rows returns the total weight of the rows.
func (p *Problem) Rows() float64 { return p.weight }

// Log returns the pseudo-log-likelihood of the rows. If slope is not nil, it receives the
// derivative by each weight. The result is minus infinity if a variable's state in some row is
// impossible given the others.
func (p *Problem) Log(weights, slope []float64) float64 {
	learner.Each(p.cores, len(p.uses), func(v int) { p.values[v] = p.part(v, weights, slope != nil) })
	sum := 0.0
	for _, x := range p.values {
		sum += x
	}
	if slope == nil {
		return sum
	}
	clear(slope)
	for v, list := range p.uses {
		for i := range list {
			slope[list[i].feature] += p.slopes[v][i]
		}
	}
	return sum
}

// Parts returns the variables' parts of the last pseudo-log-likelihood.
func (p *Problem) Parts() []float64 { return p.values }

// part computes the part of v.
func (p *Problem) part(v int, weights []float64, slopes bool) float64 {
	m, _ := p.memory.Get().(*scratch)
	if m == nil {
		m = &scratch{rows: make([]uint64, len(p.all))}
	}
	defer p.memory.Put(m)
	card := len(p.rows.Vars[v].States)
	for len(m.log) < card {
		m.log = append(m.log, make([]float64, p.rows.Len()))
	}
	log := m.log[:card]
	for _, row := range log {
		clear(row)
	}
	for i := range p.uses[v] {
		u := &p.uses[v][i]
		if w := weights[u.feature]; w != 0 {
			rows := p.where(m, u.others)
			for _, s := range u.states {
				add(log[s], rows, w)
			}
		}
	}
	value := p.residuals(v, log)
	if !slopes {
		return value
	}
	for i := range p.uses[v] {
		u := &p.uses[v][i]
		rows, sum := p.where(m, u.others), 0.0
		for _, s := range u.states {
			sum += total(log[s], rows)
		}
		p.slopes[v][i] = sum
	}
	return value
}

// where returns the set of the rows in which all tests hold.
func (p *Problem) where(m *scratch, tests []rowset.Test) []uint64 {
	copy(m.rows, p.all)
	for _, t := range tests {
		p.sets.And(m.rows, t)
	}
	return m.rows
}

func add(to []float64, rows []uint64, x float64) {
	for i, w := range rows {
		for ; w != 0; w &= w - 1 {
			to[64*i+bits.TrailingZeros64(w)] += x
		}
	}
}

func total(of []float64, rows []uint64) (sum float64) {
	for i, w := range rows {
		for ; w != 0; w &= w - 1 {
			sum += of[64*i+bits.TrailingZeros64(w)]
		}
	}
	return sum
}

// residuals replaces log-odds by the slopes of the pseudo-log-likelihood and returns the part of v.
// The slope of a row for a state is the row's weight times 1-p if the row has the state, and times
// -p if not; p is the state's probability.
func (p *Problem) residuals(v int, log [][]float64) float64 {
	col := p.rows.Column(v)
	sum := 0.0
	for r := range p.rows.Len() {
		x, w := col.At(r), p.rows.Weight(r)
		if x == data.Missing || w == 0 {
			for _, row := range log {
				row[r] = 0
			}
			continue
		}
		most := math.Inf(-1)
		for _, row := range log {
			most = max(most, row[r])
		}
		here := log[x][r]
		if math.IsInf(here, -1) {
			return here
		}
		all := 0.0
		for _, row := range log {
			row[r] = math.Exp(row[r] - most)
			all += row[r]
		}
		for _, row := range log {
			row[r] *= -w / all
		}
		log[x][r] += w
		sum += w * (here - most - pgmrt.Ln(all))
	}
	return sum
}
