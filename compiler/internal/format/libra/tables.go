package libra

import (
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// table returns the factor of a list with a line for every joint state. It adds two lines for one
// state, as Libra adds all weights.
func (p *parser) table(list []feature, pos diag.Pos) (*model.Factor, bool) {
	s := &scope{}
	if len(list) > 0 {
		for _, l := range list[0].literals {
			if l.v != p.child {
				s.of(l.v)
			}
		}
	}
	if p.child >= 0 {
		s.of(p.child)
	}
	size, ok := p.m.TableSize(s.vars)
	if !ok || size > p.opt.MaxEntries {
		p.Errorf(pos, "the table has e^%.1f joint states; the limit is %d", p.m.LogTableSize(s.vars), p.opt.MaxEntries)
		return nil, false
	}
	index := make([]int, len(list))
	known := make([]bool, min(size, len(list)+1))
	for i, x := range list {
		if index[i], ok = p.index(s, x); !ok {
			return nil, false
		}
		if index[i] < len(known) {
			known[index[i]] = true
		}
	}
	for i := range known {
		if !known[i] {
			p.Errorf(pos, "the table has no line for %s; want one for each joint state, -inf if it is impossible", p.jointState(s, i))
			return nil, false
		}
	}
	return p.fill(s, list, index, make([]float64, size), pos)
}

// fill adds up the lines of a table and takes exponentials.
func (p *parser) fill(s *scope, list []feature, index []int, values []float64, pos diag.Pos) (*model.Factor, bool) {
	at := make([]diag.Pos, len(values))
	for i, x := range list {
		k := index[i]
		if at[k].Line > 0 {
			p.Warnf(x.pos, "second line for %s; it is added to the first, at %v", p.jointState(s, k), at[k])
		} else {
			at[k] = x.pos
		}
		values[k] += x.log
	}
	for k, x := range values {
		if x > maxLog {
			p.Errorf(at[k], "%v is too large for a logarithm; want at most %d, so that its exponential is a number", x, maxLog)
			return nil, false
		}
		values[k] = math.Exp(x)
	}
	f := p.newFactor(s, &model.Table{Values: values}, pos)
	row := len(values)
	if p.child >= 0 {
		row = p.m.Card(p.child)
	}
	for k := 0; k < len(values); k += row {
		f.RowPos = append(f.RowPos, at[k])
	}
	return f, true
}

// index returns the row-major index of the joint state of a line of a table.
func (p *parser) index(s *scope, x feature) (index int, ok bool) {
	state := make([]int, len(s.vars))
	seen := make([]bool, len(s.vars))
	for _, l := range x.literals {
		axis := s.of(l.v)
		if axis >= len(seen) || seen[axis] {
			p.Errorf(x.pos, "line of a table that names v%d twice, or names it where the first line does not; want each variable once", l.v)
			return 0, false
		}
		seen[axis] = true
		state[axis] = int(l.state)
		if l.not {
			if p.m.Card(l.v) != 2 {
				p.Errorf(x.pos, "line of a table with -v%d_%d, which leaves open which state; want one of %d", l.v, l.state, p.m.Card(l.v))
				return 0, false
			}
			state[axis] = 1 - state[axis]
		}
	}
	for axis, v := range s.vars {
		if !seen[axis] {
			p.Errorf(x.pos, "line of a table without v%d; want a state of each variable, or a features block", v)
			return 0, false
		}
		index = index*p.m.Card(v) + state[axis]
	}
	return index, true
}

// jointState returns joint state i of s for a message and shortens a long list.
func (p *parser) jointState(s *scope, i int) string {
	const most = 8
	text := make([]string, len(s.vars))
	for axis := len(s.vars) - 1; axis >= 0; axis-- {
		card := p.m.Card(s.vars[axis])
		text[axis] = fmt.Sprintf("+v%d_%d", s.vars[axis], i%card)
		i /= card
	}
	if len(text) > most {
		text = append(text[:most], "...")
	}
	return strings.Join(text, " ")
}
