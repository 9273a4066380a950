package probmodelxml

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// utilities adds the utilities, or returns why one of them cannot be one.
func (b *builder) utilities(d *model.Diagram) (problem string) {
	functions := map[*model.Utility]*potential{}
	for _, q := range b.parser.potentials {
		if !b.about(q) {
			continue
		}
		if q = b.childFirst(q, q.own); len(q.vars) == 0 {
			b.Errorf(q.pos, "found a potential without variables; want at least the one that it is about")
			continue
		}
		if slices.ContainsFunc(d.Utilities, func(u *model.Utility) bool { return u.Name == q.vars[0].name }) {
			b.Errorf(q.pos, "found a second potential of the utility %s; want one", text.Quote(q.vars[0].name))
			continue
		}
		if q.kind == "Sum" || q.kind == "Product" || q.kind == "Function" {
			u := &model.Utility{Name: q.vars[0].name, Criterion: b.criterion(q.vars[0]), Pos: q.pos}
			d.Utilities, functions[u] = append(d.Utilities, u), q
			continue
		}
		u, problem := b.utility(q)
		if problem != "" {
			return problem
		}
		if u != nil {
			d.Utilities = append(d.Utilities, u)
		}
	}
	names := d.FunctionNames()
	for _, u := range d.Utilities {
		if q := functions[u]; q != nil {
			nodes, problem := b.function(q, names)
			if problem != "" {
				return problem
			}
			u.Function = &model.Func{Nodes: nodes}
		}
	}
	return ""
}

// function returns a sum, a product or another function of utilities.
func (b *builder) function(q *potential, names model.FuncNames) (nodes []model.FuncNode, problem string) {
	name := text.Quote(q.vars[0].name)
	if q.kind == "Function" {
		nodes, err := model.ParseFunc(backquoted(q.function), names)
		var where *model.FuncError
		if errors.As(err, &where) {
			return nil, fmt.Sprintf("in the function of %s, %s", name, where.Msg)
		}
		return nodes, ""
	}
	op := model.FuncAdd
	if q.kind == "Product" {
		op = model.FuncMul
	}
	if len(q.vars) == 1 {
		return nil, fmt.Sprintf("%s is a %s of nothing", name, strings.ToLower(q.kind))
	}
	for i, r := range q.vars[1:] {
		axis, ok := names.Axis(r.name)
		if !ok {
			return nil, fmt.Sprintf("%s is a %s of %s, which is no utility", name, strings.ToLower(q.kind), text.Quote(r.name))
		}
		nodes = append(nodes, model.FuncNode{Op: model.FuncVar, Axis: axis})
		if n := int32(len(nodes)); i > 0 {
			nodes = append(nodes, model.FuncNode{Op: op, A: n - 2, B: n - 1})
		}
	}
	return nodes, ""
}

// backquoted writes the names of a function, which OpenMarkov has in braces, in backquotes.
func backquoted(function string) string {
	return strings.NewReplacer("{", "`", "}", "`").Replace(function)
}

// utility returns the utility that a potential is, a table, or why it cannot be one.
func (b *builder) utility(q *potential) (u *model.Utility, problem string) {
	name := q.vars[0].name
	f := &family{builder: b, child: &node{name: name, states: []string{name}}, refs: q.vars[1:]}
	u = &model.Utility{Name: name, Criterion: b.criterion(q.vars[0]), Pos: q.pos}
	size := 1
	for _, r := range f.refs {
		p := b.byName[r.name]
		if p == nil || b.isUtility(r) {
			return nil, fmt.Sprintf("%s depends on %s", text.Quote(name), text.Quote(r.name))
		}
		f.parents, u.Scope = append(f.parents, p), append(u.Scope, p.ID)
		if size *= len(p.states); size > maxTable {
			return nil, fmt.Sprintf("%s has more than %d numbers", text.Quote(name), maxTable)
		}
	}
	if !table(q) && q.kind != "Tree/ADD" && q.kind != "Uniform" {
		return nil, fmt.Sprintf("%s is of the type %s", text.Quote(name), text.Quote(q.kind))
	}
	f.state = make([]int, len(f.parents))
	if !f.check(q) {
		return nil, ""
	}
	row := make([]float64, 1)
	for more := true; more && !b.HasErrors(); more = f.advance() {
		if q.kind == "Uniform" {
			row[0] = 0
		} else {
			f.row(q, row)
		}
		u.Values = append(u.Values, row[0])
	}
	return u, ""
}

// criterion returns the criterion of a utility. OpenMarkov writes dashes for none.
func (b *builder) criterion(r ref) string {
	if v := b.declared[r.id]; v != nil && strings.Trim(v.criterion, "- ") != "" {
		return strings.TrimSpace(v.criterion)
	}
	return ""
}
