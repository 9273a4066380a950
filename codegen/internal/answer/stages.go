package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// seen is a variable that was known some slices ago.
type seen struct {
	v   model.VarID
	ago int
}

// stages declares the function of a decision of a sequence: a switch over slices, each with a
// decision table. Its arguments are what the choice may depend on in some slice.
func (g *Methods) stages(tables []*ir.DecisionTable) {
	x := g.Names.Of(tables[0].Decision)
	name := g.Names.Scope.Decls.Claim(x.ID + "Policy")
	slice, args, known, params := g.arguments(knownIn(tables))
	given := ""
	if len(known) > 0 {
		given = ", given " + strings.Join(known, ", ")
	}
	last := tables[len(tables)-1].Stage.Last
	text := []string{
		fmt.Sprintf("%s returns the choice of %s in a slice, from 0 to %d%s. The policies maximise the mean utility of all slices.", name, source.Quote(x.Var.Name), last, given),
		"It infers nothing. It returns false for a case that cannot occur, for a value that is no state, and for another slice.",
	}
	var b strings.Builder
	b.WriteString("switch {\n")
	for _, d := range tables {
		s := d.Stage
		if s.First == s.Last {
			fmt.Fprintf(&b, "case %s == %d:\n", slice, s.First)
		} else {
			fmt.Fprintf(&b, "case %d <= %s && %[2]s <= %d:\n", s.First, slice, s.Last)
		}
		var names []string
		for i, v := range d.Known {
			names = append(names, params[seen{v, s.Ago[i]}])
		}
		if len(d.Choice) > ir.MaxSwitch {
			b.WriteString(g.policyTable(fmt.Sprintf("%sFrom%d", name, s.First), d, names) + "\n")
			continue
		}
		w := &policySwitch{names: g.Names, d: d, params: names, choice: x.Enum}
		w.from(0, 0)
		b.WriteString(w.String())
	}
	b.WriteString("}\nreturn " + x.Enum.Unset() + ", false")
	g.Func(source.Doc(text...), fmt.Sprintf("%s(%s) (%s, bool)", name, strings.Join(args, ", "), x.Port.Field()), b.String())
}

// arguments names the parameters of a policy of a sequence: the slice, and what is known, with a
// description of each.
func (g *Methods) arguments(list []seen) (slice string, args, known []string, params map[seen]string) {
	var taken []string
	for _, k := range list {
		taken = append(taken, g.Names.Of(k.v).Param)
	}
	claim := func(name string) string {
		for slices.Contains(taken, name) {
			name += "_"
		}
		taken = append(taken, name)
		return name
	}
	slice, params = claim("slice"), map[seen]string{}
	args = []string{slice + " int"}
	for _, k := range list {
		y := g.Names.Of(k.v)
		text := source.Quote(y.Var.Name)
		switch params[k] = y.Param; {
		case k.ago == 1:
			params[k], text = claim(y.Param+"Before"), text+" of the slice before"
		case k.ago > 1:
			params[k], text = claim(fmt.Sprintf("%sBefore%d", y.Param, k.ago)), fmt.Sprintf("%s of %d slices before", text, k.ago)
		}
		args, known = append(args, params[k]+" "+y.Port.Field()), append(known, text)
	}
	return slice, args, known, params
}

// knownIn returns what some table depends on: the variables in their order, the latest first.
func knownIn(tables []*ir.DecisionTable) (list []seen) {
	for _, d := range tables {
		for i, v := range d.Known {
			if k := (seen{v, d.Stage.Ago[i]}); !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	slices.SortFunc(list, func(a, b seen) int {
		if a.v != b.v {
			return int(a.v - b.v)
		}
		return a.ago - b.ago
	})
	return list
}
