package cpt

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Decision adds the decision that is the child of t, which knows the parents. It reports false
// after an error. A decision that was added with the same parents is left as it is: aGrUM writes
// some twice.
func (f *File) Decision(t *Table) (ok bool) {
	if i := slices.IndexFunc(t.Parents, func(n Name) bool { return n.Text == t.Child.Text }); i >= 0 {
		f.List.Errorf(t.Parents[i].Pos, "decision %s knows itself; want only what is known before it", text.Quote(t.Child.Text))
		return false
	}
	family, ok := f.Family(t)
	if !ok {
		return false
	}
	v, known := family.ChildVar(), family.Parents()
	if x := f.Model.Decides(v); x == nil || !slices.Equal(x.Known, known) {
		d := f.diagram()
		d.Decisions = append(d.Decisions, &model.Decision{Var: v, Known: known, Pos: t.Pos})
	}
	return true
}

// Utility adds the utility t, whose child is no variable. It reports false after an error.
func (f *File) Utility(t *Table) (ok bool) {
	u := &model.Utility{Name: t.Child.Text, Values: t.Values, Pos: t.Pos}
	for _, name := range t.Parents {
		v, known := f.Names[name.Text]
		if !known || slices.Contains(u.Scope, v) {
			f.List.Errorf(name.Pos, "found %s; want a variable that is declared, once", text.Quote(name.Text))
			return false
		}
		u.Scope = append(u.Scope, v)
	}
	if n, fits := f.Model.TableSize(u.Scope); !fits || n != len(t.Values) {
		f.List.Errorf(t.Pos, "found %d numbers of the utility %s; want %.0f, one for each joint state of its parents", len(t.Values), text.Quote(u.Name), math.Exp(f.Model.LogTableSize(u.Scope)))
		return false
	}
	d := f.diagram()
	d.Utilities = append(d.Utilities, u)
	return true
}

// WeightedSums adds utilities that are sums of others, which are their parents, with the values as
// weights. All utilities that are none must have been added. It reports false after an error.
func (f *File) WeightedSums(tables []*Table) (ok bool) {
	d, sums := f.diagram(), make([]*model.Utility, len(tables))
	for i, t := range tables {
		sums[i] = &model.Utility{Name: t.Child.Text, Pos: t.Pos, Function: &model.Func{}}
		d.Utilities = append(d.Utilities, sums[i])
	}
	names := d.FunctionNames()
	for i, t := range tables {
		if len(t.Values) != len(t.Parents) || len(t.Parents) == 0 {
			f.List.Errorf(t.Pos, "found %d weights of the utility %s; want %d, one for each of its parents, and at least one", len(t.Values), text.Quote(t.Child.Text), len(t.Parents))
			return false
		}
		var nodes []model.FuncNode
		add := func(n model.FuncNode) int32 {
			nodes = append(nodes, n)
			return int32(len(nodes) - 1)
		}
		sum := int32(-1)
		for k, name := range t.Parents {
			axis, known := names.Axis(name.Text)
			if !known {
				f.List.Errorf(name.Pos, "found %s; want a utility", text.Quote(name.Text))
				return false
			}
			w := add(model.FuncNode{Op: model.FuncNumber, Value: t.Values[k]})
			u := add(model.FuncNode{Op: model.FuncVar, Axis: axis})
			term := add(model.FuncNode{Op: model.FuncMul, A: w, B: u})
			if sum >= 0 {
				term = add(model.FuncNode{Op: model.FuncAdd, A: sum, B: term})
			}
			sum = term
		}
		sums[i].Function.Nodes = nodes
	}
	return true
}

// diagram returns the diagram of the model, which it makes if there is none.
func (f *File) diagram() *model.Diagram {
	if f.Model.Diagram == nil {
		f.Model.Diagram = &model.Diagram{}
	}
	return f.Model.Diagram
}
