package particle

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// partial is what a particle knows of real variables in the middle of a slice.
type partial struct {
	*gauss.Moments
	log     circuit.Node // ln of the density of evidence that its weight does not have yet
	defined circuit.Node // 0 if a function is not defined at the values of its variables, and else 1
}

// clone returns a copy.
func (s *partial) clone() *partial {
	m := &gauss.Moments{Scope: slices.Clone(s.Scope), Mean: slices.Clone(s.Mean)}
	for _, row := range s.Cov {
		m.Cov = append(m.Cov, slices.Clone(row))
	}
	return &partial{m, s.log, s.defined}
}

// nodes returns all numbers, in the same order for all that have the same variables.
func (s *partial) nodes() []*circuit.Node {
	list := []*circuit.Node{&s.log, &s.defined}
	for i := range s.Mean {
		list = append(list, &s.Mean[i])
	}
	for _, row := range s.Cov {
		for j := range row {
			list = append(list, &row[j])
		}
	}
	return list
}

// logNode is the place of the log among the nodes.
const logNode = 0

// between reports whether a place among the nodes is the covariance of two variables, and returns
// them.
func (s *partial) between(at int) (v, w model.VarID, ok bool) {
	at -= 2 + len(s.Mean)
	for i := range s.Cov {
		if at >= 0 && at < i {
			return s.Scope[i], s.Scope[at], true
		}
		at -= i + 1
	}
	return 0, 0, false
}

// without returns the moments of other variables than v.
func without(m *gauss.Moments, v model.VarID) *gauss.Moments {
	at := slices.Index(m.Scope, v)
	cut := func(list []circuit.Node) []circuit.Node { return slices.Delete(slices.Clone(list), at, at+1) }
	out := &gauss.Moments{Scope: slices.Delete(slices.Clone(m.Scope), at, at+1), Mean: cut(m.Mean)}
	for i, row := range m.Cov {
		switch {
		case i < at:
			out.Cov = append(out.Cov, row)
		case i > at:
			out.Cov = append(out.Cov, cut(row))
		}
	}
	return out
}

// choose returns the partial of branches, of which there is one for each joint state of the
// variables over, that belongs to the states.
func (p *pass) choose(branches []*partial, over []model.VarID) *partial {
	out := branches[0].clone()
	var all [][]*circuit.Node
	for _, b := range branches {
		all = append(all, b.nodes())
	}
	apart := p.separate(branches)
	for at, to := range out.nodes() {
		var different []circuit.Node
		for _, nodes := range all {
			if n := *nodes[at]; !slices.Contains(different, n) {
				different = append(different, n)
			}
		}
		v, w, ok := out.between(at)
		switch {
		case ok && apart[v] != apart[w]:
			*to = circuit.Zero
			continue
		case len(different) == 1:
			continue
		}
		*to = circuit.Zero
		for _, n := range different {
			where := make([]float64, len(branches))
			for u, nodes := range all {
				if *nodes[at] == n {
					where[u] = 1
				}
			}
			*to = p.c.Sum(*to, p.c.Prod(p.column(p.c, over, where), n))
		}
	}
	return out
}

// separate returns the kept variables that a proposal takes to be independent of the others from
// now on: those that depend on a drawn variable in some branches, not in all. Each landmark would
// otherwise depend on all others after two measurements.
func (p *pass) separate(branches []*partial) map[model.VarID]bool {
	apart := map[model.VarID]bool{}
	if !p.spread {
		return apart
	}
	for _, v := range branches[0].Scope {
		for _, w := range branches[0].Scope {
			if p.isDrawn(v) || !p.isDrawn(w) {
				continue
			}
			none := 0
			for _, b := range branches {
				if b.Between(v, w) == circuit.Zero {
					none++
				}
			}
			if none > 0 && none < len(branches) {
				apart[v] = true
			}
		}
	}
	return apart
}

// store writes the numbers of partials to a table, each once.
func (p *pass) store(list []*partial) (numbers [][]gauss.Number) {
	plan := &gauss.Plan{S: p.d.Schedule}
	w := plan.NewWriter(p.c, p.d.Temp("moments"))
	known := map[circuit.Node]gauss.Number{}
	for _, s := range list {
		var of []gauss.Number
		for _, n := range s.nodes() {
			x, ok := known[*n]
			if !ok {
				x = w.Write(*n)
				known[*n] = x
			}
			of = append(of, x)
		}
		numbers = append(numbers, of)
	}
	return numbers
}

// read makes the nodes of s those of stored numbers in the code under construction.
func (p *pass) read(s *partial, numbers []gauss.Number) {
	for i, n := range s.nodes() {
		*n = p.c.Read(numbers[i])
	}
}

// column returns constants by joint states of variables.
func (p *pass) column(c *gauss.Code, over []model.VarID, x []float64) circuit.Node {
	scope, key := fmt.Sprint(over), fmt.Sprint(over, x)
	number, ok := p.columns[key]
	if !ok {
		if p.tables[scope] == nil {
			p.tables[scope] = gauss.NewColumns(p.d.Schedule, "states of "+p.d.Names(over), over)
		}
		n := p.tables[scope].Read(c, x)
		if c.Op(n) == circuit.Const {
			return n
		}
		number = c.Source(n)
		p.columns[key] = number
	}
	return c.Read(number)
}
