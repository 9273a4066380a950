package probmodelxml

import (
	"errors"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// valuation returns the utilities that potentials are, or says why one of them cannot be one.
func (b *builder) valuation(potentials []*potential) (list []*model.Utility, ok bool) {
	functions := map[*model.Utility]*potential{}
	for _, q := range potentials {
		u := &model.Utility{Name: q.vars[0].name, Criterion: b.criterion(q.vars[0]), Pos: q.pos}
		if slices.ContainsFunc(q.vars[1:], b.isUtility) {
			functions[u] = q
		} else if !b.utility(u, q) {
			return nil, false
		}
		list = append(list, u)
	}
	names := (&model.Diagram{Utilities: list}).FunctionNames()
	for _, u := range list {
		if q := functions[u]; q != nil {
			nodes := b.function(q, names)
			if nodes == nil {
				return nil, false
			}
			u.Function = &model.Func{Nodes: nodes}
		}
	}
	return list, true
}

// function returns a sum, a product or another function of utilities, or nil.
func (b *builder) function(q *potential, names model.FuncNames) (nodes []model.FuncNode) {
	name, op := text.Quote(q.vars[0].name), model.FuncAdd
	switch q.kind {
	case "Function":
		nodes, err := model.ParseFunc(backquoted(q.function), names)
		var where *model.FuncError
		if errors.As(err, &where) {
			b.leave(q.pos, "in the function of %s, %s", name, where.Msg)
			return nil
		}
		return nodes
	case "Product":
		op = model.FuncMul
	case "Sum":
	default:
		b.leave(q.pos, "%s depends on utilities, and is of the type %s; want Sum, Product or Function", name, text.Quote(q.kind))
		return nil
	}
	for i, r := range q.vars[1:] {
		axis, ok := names.Axis(r.name)
		if !ok {
			b.leave(r.pos, "%s is a %s of %s, which is no utility of the same slices", name, strings.ToLower(q.kind), text.Quote(r.name))
			return nil
		}
		nodes = append(nodes, model.FuncNode{Op: model.FuncVar, Axis: axis})
		if n := int32(len(nodes)); i > 0 {
			nodes = append(nodes, model.FuncNode{Op: op, A: n - 2, B: n - 1})
		}
	}
	return nodes
}

// backquoted writes the names of a function, which OpenMarkov has in braces, in backquotes.
func backquoted(function string) string {
	return strings.NewReplacer("{", "`", "}", "`").Replace(function)
}

// utility makes u the table that a potential is, or says why it cannot be one.
func (b *builder) utility(u *model.Utility, q *potential) bool {
	if bad := q.find(func(x *potential) bool { return !utility.takes(x) }); bad != nil {
		b.leave(bad.pos, "%s is of the type %s; want %s", text.Quote(u.Name), text.Quote(bad.kind), kinds[utility])
		return false
	}
	f := b.family(utility, &node{name: u.Name, states: []string{u.Name}}, q)
	if f == nil || !f.check(q) {
		return false
	}
	size := 1
	if !f.fits(q, &size) {
		b.leave(q.pos, "%s and the tables before it would have more than %d numbers", text.Quote(u.Name), min(maxTable, b.most))
		return false
	}
	u.Scope = f.variables()
	for more := true; more && !b.HasErrors(); more = f.advance() {
		x := f.value(q)
		if !finite(x) {
			if f.possible() {
				b.Errorf(q.pos, "utility %s is %v%s; want a finite number", text.Quote(u.Name), x, f.where())
			}
			x = 0
		}
		u.Values = append(u.Values, x)
	}
	return !b.HasErrors()
}

// find returns the first of a potential and those in its branches for which is returns true.
func (q *potential) find(is func(*potential) bool) *potential {
	if is(q) {
		return q
	}
	for _, x := range q.branches {
		if found := x.potential.find(is); found != nil {
			return found
		}
	}
	return nil
}
