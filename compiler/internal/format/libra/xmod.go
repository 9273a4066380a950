package libra

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
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

// models reads the local models and skips the learner's records besides them.
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
