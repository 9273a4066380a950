package libra

import (
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// localModel reads the CPD of a variable.
func (x *notebook) localModel(e xmltext.Element) bool {
	child, ok := x.ref(e, "variable")
	if !ok {
		return false
	}
	s := &scope{}
	var f *model.Factor
	for {
		c, ok := x.Child(e)
		if !ok {
			break
		}
		if f != nil {
			x.Errorf(c.Pos, "found <%s> after the distribution of %s; want nothing more", c.Name, text.Quote(x.m.Vars[child].Name))
			return false
		}
		switch c.Name {
		case "Inputs":
			ok = x.inputs(c, s, child)
		case "Table":
			f, ok = x.table(c, s, child)
		case "DecisionTree":
			f, ok = x.decisionTree(c, s, child)
		default:
			f, ok = x.treeFactor(c, s, child)
		}
		if !ok {
			return false
		}
	}
	if f == nil {
		if !x.Broken() {
			x.Errorf(e.Pos, "<LocalModel> of %s has no distribution; want <DecisionTree> or <Table>", text.Quote(x.m.Vars[child].Name))
		}
		return false
	}
	f.Pos = e.Pos
	x.m.Factors = append(x.m.Factors, f)
	return true
}

// inputs reads the parents.
func (x *notebook) inputs(e xmltext.Element, s *scope, child model.VarID) bool {
	for {
		in, ok := x.Child(e)
		if !ok {
			return !x.Broken()
		}
		v, ok := x.ref(in, "variable")
		if !ok {
			return false
		}
		if axis := s.of(v); v == child || axis < len(s.vars)-1 {
			x.Errorf(in.Pos, "input %s is the variable itself or occurs twice", text.Quote(x.m.Vars[v].Name))
			return false
		}
	}
}

// factor returns the CPD of child, which becomes the last of its scope.
func (x *notebook) factor(s *scope, child model.VarID, d model.Dist) *model.Factor {
	return &model.Factor{Child: s.of(child), Scope: s.vars, Dist: d}
}

// table reads a <TableEntry> for each joint state of the inputs.
func (x *notebook) table(e xmltext.Element, s *scope, child model.VarID) (*model.Factor, bool) {
	card := x.m.Card(child)
	rows, ok := x.m.TableSize(s.vars)
	if !ok || card == 0 || rows > x.opt.MaxEntries/card {
		x.Errorf(e.Pos, "the table has e^%.1f rows; the limit is %d numbers", x.m.LogTableSize(s.vars), x.opt.MaxEntries)
		return nil, false
	}
	type entry struct {
		index int
		probs []float64
		pos   diag.Pos
	}
	var list []entry
	for {
		c, ok := x.Child(e)
		if !ok {
			break
		}
		row := entry{pos: c.Pos}
		if row.index, row.probs, ok = x.tableEntry(c, s, child); !ok {
			return nil, false
		}
		list = append(list, row)
	}
	slices.SortStableFunc(list, func(a, b entry) int { return a.index - b.index })
	if x.Broken() {
		return nil, false
	}
	if len(list) != rows {
		x.Errorf(e.Pos, "the table has %d entries; want %d, one for each joint state of the inputs", len(list), rows)
		return nil, false
	}
	d := &model.Table{}
	f := x.factor(s, child, d)
	for i, row := range list {
		if row.index != i {
			x.Errorf(row.pos, "second entry for the same states of the inputs; want one")
			return nil, false
		}
		d.Values = append(d.Values, row.probs...)
		f.RowPos = append(f.RowPos, row.pos)
	}
	return f, true
}

// tableEntry reads the states of the inputs and the row of probabilities for them.
func (x *notebook) tableEntry(e xmltext.Element, s *scope, child model.VarID) (index int, probs []float64, ok bool) {
	states := 0
	for {
		c, more := x.Child(e)
		if !more {
			break
		}
		switch c.Name {
		case "InputStates":
			ok = true
			_, clean := x.Words(c, func(w string, off int) bool {
				if states == len(s.vars) {
					x.Errorf(x.Decoder.Pos(off), "found more states than inputs; want %d", len(s.vars))
					ok = false
					return false
				}
				v := s.vars[states]
				n, isState := x.state(w, v, off)
				index = index*x.m.Card(v) + n
				states++
				ok = ok && isState
				return isState
			})
			if !ok || !clean {
				return 0, nil, false
			}
		case "Multinomial":
			if probs, ok = x.multinomial(c, child); !ok {
				return 0, nil, false
			}
		}
	}
	if x.Broken() {
		return 0, nil, false
	}
	if states != len(s.vars) || probs == nil {
		x.Errorf(e.Pos, "<%s> has %d states of inputs and %d probabilities; want %d and %d", e.Name, states, len(probs), len(s.vars), x.m.Card(child))
		return 0, nil, false
	}
	return index, probs, true
}

// state reads a state as its index, which is how this format refers to states.
func (x *notebook) state(w string, v model.VarID, off int) (int, bool) {
	n, err := strconv.Atoi(w)
	if err != nil || n < 0 || n >= x.m.Card(v) {
		x.Errorf(x.Decoder.Pos(off), "found %s; want the index of a state of %s, 0 to %d", text.Quote(w), text.Quote(x.m.Vars[v].Name), x.m.Card(v)-1)
		return 0, false
	}
	return n, true
}

// multinomial reads <Probs> in <Multinomial> and skips the counts behind them.
func (x *notebook) multinomial(e xmltext.Element, child model.VarID) (probs []float64, ok bool) {
	card := x.m.Card(child)
	for {
		c, more := x.Child(e)
		if !more {
			break
		}
		if c.Name != "Probs" || probs != nil {
			continue
		}
		good := true
		end, clean := x.Words(c, func(w string, off int) bool {
			p, err := text.Number(w)
			if good = err == nil && p >= 0 && len(probs) < card; !good {
				x.Errorf(x.Decoder.Pos(off), "found %s after %d probabilities; want %d numbers of at least 0", text.Quote(w), len(probs), card)
				return false
			}
			probs = append(probs, p)
			return true
		})
		if !good || !clean {
			return nil, false
		}
		if len(probs) != card {
			x.Errorf(x.Decoder.Pos(end), "found %d probabilities; want %d, one for each state of %s", len(probs), card, text.Quote(x.m.Vars[child].Name))
			return nil, false
		}
	}
	if probs == nil && !x.Broken() {
		x.Errorf(e.Pos, "<%s> has no <Probs>; want them", e.Name)
	}
	return probs, probs != nil
}
