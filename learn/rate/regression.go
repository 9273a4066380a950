package rate

import "github.com/pgmc-go/pgmc/ir/model"

// regression is a CPD as a list of weighted conjunctions, which are looked at once for all states of the child.
type regression struct {
	m     *model.Model
	f     *model.Factor
	child model.VarID
	terms []conjunction
	row   []float64 // scratch: by state of the child, the sum of its weights
}

// conjunction is a feature, with the tests of the child apart from the others.
type conjunction struct {
	others []literal
	states []int // of the child in which it holds
	weight float64
}

// literal is a test of a variable.
type literal struct {
	v     model.VarID
	state int
	not   bool
}

func newRegression(m *model.Model, f *model.Factor, d *model.Features) *regression {
	t := &regression{m: m, f: f, child: f.ChildVar(), row: make([]float64, m.Card(f.ChildVar()))}
	for _, x := range d.List {
		c := conjunction{weight: x.Weight}
		for s := range t.row {
			if holds(x.Literals, f.Child, s) {
				c.states = append(c.states, s)
			}
		}
		for _, l := range x.Literals {
			if l.Axis != f.Child {
				c.others = append(c.others, literal{f.Scope[l.Axis], int(l.State), l.Not})
			}
		}
		t.terms = append(t.terms, c)
	}
	return t
}

// log is that of the model's value: of a row whose states are all forbidden, minus infinity.
func (t *regression) log(state []int) float64 {
	clear(t.row)
next:
	for i := range t.terms {
		c := &t.terms[i]
		for _, l := range c.others {
			if (state[l.v] == l.state) == l.not {
				continue next
			}
		}
		for _, s := range c.states {
			t.row[s] += c.weight
		}
	}
	return conditional(t.row, state[t.child])
}

func (t *regression) flip(state []int, flips [][]float64) {
	for _, v := range t.f.Scope {
		was := state[v]
		for s := range flips[v] {
			state[v] = s
			flips[v][s] += t.log(state)
		}
		state[v] = was
	}
}

func (t *regression) cost() int {
	values := 0
	for _, v := range t.f.Scope {
		values += t.m.Card(v)
	}
	return values * len(t.terms)
}
