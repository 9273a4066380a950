package libra

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// looksLikeXML reports whether src starts with a tag.
func looksLikeXML(src *format.Source) bool {
	return bytes.HasPrefix(bytes.TrimLeft(src.Data, "\ufeff \t\r\n"), []byte("<"))
}

// notebook reads the XML of WinMine.
type notebook struct {
	diag.List
	*xmltext.Decoder
	opt    format.ReadOptions
	m      *model.Model
	byName map[string]model.VarID
	types  map[string][]string // states of the types of variables
	budget *numbers.Budget     // of states of variables
	cells  *numbers.Budget     // of branches in trees; one word may stand for many
	open   [][]bool            // by variable: the states that the tests above allow; nil for all
}

// readXMOD reads a network. If its parents form a cycle, it is a dependency network.
func readXMOD(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	x := &notebook{
		opt:    opt.WithDefaults(),
		m:      &model.Model{Kind: model.Bayes, File: src.Name},
		byName: map[string]model.VarID{},
		types:  map[string][]string{},
		budget: numbers.NewBudget(len(src.Data)),
		cells:  newCells(src),
	}
	x.Decoder = xmltext.New(src.Name, src.Data, &x.List)
	x.MaxDepth = maxDepth
	if root, ok := x.Root(); ok {
		x.notebook(root)
		x.End()
	}
	if !x.HasErrors() && len(x.m.Vars) > 0 && x.m.Topological() == nil {
		x.m.Kind = model.Dependency
	}
	return x.m, x.List
}

// notebook reads <AnalysisNotebook>.
func (x *notebook) notebook(root xmltext.Element) {
	if root.Name != "AnalysisNotebook" {
		x.Errorf(root.Pos, "found <%s>; want <AnalysisNotebook>", root.Name)
		return
	}
	models := 0
	for {
		e, ok := x.Child(root)
		if !ok {
			break
		}
		switch e.Name {
		case "Variables":
			x.variables(e)
		case "Model":
			models++
			if models > 1 {
				x.Errorf(e.Pos, "found a second <Model>; want one")
				return
			}
			x.m.Name, _ = e.Attr("name")
			x.models(e)
		}
	}
	if models == 0 && !x.HasErrors() {
		x.Errorf(root.Pos, "found no <Model>; want one")
	}
}

// attr returns the value of a required attribute.
func (x *notebook) attr(e xmltext.Element, name string) (string, bool) {
	value, ok := e.Attr(name)
	if !ok {
		x.Errorf(e.Pos, "<%s> has no %s; want one", e.Name, name)
	}
	return value, ok
}

// variables reads <Variables>. Its <TypeVariables> declares the states of many variables at once.
func (x *notebook) variables(e xmltext.Element) {
	for {
		v, ok := x.Child(e)
		if !ok {
			return
		}
		switch v.Name {
		case "TypeVariables":
			x.typeVariables(v)
		case "Variable":
			x.variable(v)
		}
	}
}

func (x *notebook) typeVariables(e xmltext.Element) {
	for {
		v, ok := x.Child(e)
		if !ok {
			return
		}
		if v.Name == "Variable" {
			if name, ok := x.attr(v, "name"); ok {
				x.types[name] = x.states(v)
			}
		}
	}
}

func (x *notebook) variable(e xmltext.Element) {
	name, ok := x.attr(e, "name")
	if !ok {
		return
	}
	var states []string
	if of, typed := e.Attr("typeVariable"); typed {
		if states, ok = x.types[of]; !ok {
			x.Errorf(e.Pos, "variable %s is of the type %s; want one of <TypeVariables>", text.Quote(name), text.Quote(of))
			return
		}
		if !x.budget.Take(len(states)) {
			x.Errorf(e.Pos, "the variables so far have more states than a file of this size may declare")
			return
		}
	} else {
		states = x.states(e)
	}
	v := x.m.NewVar(name, states...)
	v.Pos = e.Pos
	x.byName[name] = v.ID
}

// states reads the <State index="0" name="no"/> of a variable or type, in any order.
func (x *notebook) states(e xmltext.Element) []string {
	type state struct {
		index int
		name  string
	}
	var list []state
	for {
		s, ok := x.Child(e)
		if !ok {
			break
		}
		if s.Name != "State" {
			continue
		}
		name, named := x.attr(s, "name")
		index, numbered := x.attr(s, "index")
		if !named || !numbered {
			continue
		}
		i, err := strconv.Atoi(index)
		if err != nil {
			x.Errorf(s.Pos, "state %s has the index %s; want a number", text.Quote(name), text.Quote(index))
			continue
		}
		list = append(list, state{i, name})
	}
	slices.SortStableFunc(list, func(a, b state) int { return a.index - b.index })
	names := make([]string, len(list))
	for i, s := range list {
		if s.index != i {
			x.Errorf(e.Pos, "the indices of the states are not 0 to %d, each once", len(list)-1)
			break
		}
		names[i] = s.name
	}
	return names
}

// models reads the local models and skips what the learner records besides them.
func (x *notebook) models(e xmltext.Element) {
	x.open = make([][]bool, len(x.m.Vars))
	for {
		l, ok := x.Child(e)
		if !ok {
			return
		}
		if l.Name != "LocalModels" {
			continue
		}
		for {
			c, ok := x.Child(l)
			if !ok || x.Full() {
				break
			}
			if c.Name == "LocalModel" && !x.localModel(c) {
				return
			}
		}
	}
}

// ref returns the variable that an attribute names.
func (x *notebook) ref(e xmltext.Element, attr string) (model.VarID, bool) {
	name, ok := x.attr(e, attr)
	if !ok {
		return 0, false
	}
	v, ok := x.byName[name]
	if !ok {
		x.Errorf(e.Pos, "<%s> names %s; want one of the variables", e.Name, text.Quote(name))
	}
	return v, ok
}

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
