package answer

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// A path ends with the identifier of a decision, since names of the model may hold any characters.

// BestRoutes returns the path of a Best.
func (g *Methods) BestRoutes(e *ir.Entry) []api.Route {
	x, names := g.Names.Of(e.Query.Targets[0]), g.choiceNames(e)
	what := fmt.Sprintf("The option of %s with the largest mean utility, given what is known, and the mean utility of each.", source.Quote(x.Var.Name))
	return []api.Route{g.AnswerRoute("/best/"+x.ID, what, false, "(*Engine)."+names.ask, [2]string{x.JSON, "string"}, [2]string{g.utilitiesKey(x), "object"})}
}

// InformationRoutes returns the path of an Information.
func (g *Methods) InformationRoutes(e *ir.Entry) []api.Route {
	x := g.Names.Of(e.Query.Targets[0])
	var members [][2]string
	for _, v := range e.Query.Targets[1:] {
		members = append(members, [2]string{g.Names.Of(v).JSON, "number"})
	}
	what := fmt.Sprintf("By how much the mean utility grows if a variable is known before %s.", source.Quote(x.Var.Name))
	return []api.Route{g.AnswerRoute("/information/"+x.ID, what, false, "(*Engine)."+g.choiceNames(e).ask, members...)}
}

// FollowRoutes returns the path of a Follow.
func (g *Methods) FollowRoutes(*ir.Entry) []api.Route {
	const what = "The posterior of every variable if decisions follow the best strategy, and the mean and the variance of the utilities."
	return []api.Route{g.AnswerRoute("/follow", what, true, "(*Engine).Follow", [2]string{g.utilitiesKey(g.Names.Observable()...), "object"})}
}

// PolicyRoutes returns the path of each policy, and declares the functions that answer requests.
// Those of sequences, which depend on several slices, have none.
func (g *Methods) PolicyRoutes(e *ir.Entry) (list []api.Route) {
	for i, d := range e.Decisions {
		if d.Stage != nil {
			return nil
		}
		x, fn := g.Names.Of(d.Decision), "http"+g.policies[i]
		var names, fields, args []string
		missing := ""
		for _, v := range d.Known {
			k := g.Names.Of(v)
			names, fields, args = append(names, k.Var.Name), append(fields, fmt.Sprintf("%s: ev.%[1]s", k.ID)), append(args, "ev."+k.ID)
			missing += fmt.Sprintf("if ev.%s == %s {\n\treturn names.Refuse(%d, %q)\n}\n", k.ID, k.Port.None(), k.Index, " is not observed, and the policy depends on it; want a state")
		}
		what := "The choice of " + source.Quote(x.Var.Name)
		if len(names) > 0 {
			what += fmt.Sprintf(", given the states of %q and no other evidence", names)
		}
		g.Func(source.Doc(fn+" answers a request. It refuses evidence that the policy does not look at."),
			fmt.Sprintf("%s(_ *Engine, ev *Evidence, soft *Soft, out *map[string]%s) error", fn, x.Port.Field()), fmt.Sprintf(`
if *ev != (Evidence{%s}) || soft != nil && *soft != (Soft{}) {
	return names.Fail(%q, ErrState)
}
%schoice, ok := %s(%s)
if !ok {
	return ErrImpossible
}
*out = map[string]%s{%q: choice}
return nil`, strings.Join(fields, ", "), fmt.Sprintf("the policy of %q depends on %q only; want no other evidence", x.Var.Name, names), missing,
				g.policies[i], strings.Join(args, ", "), x.Port.Field(), x.JSON))
		list = append(list, g.AnswerRoute("/policy/"+x.ID, what+".", false, fn, [2]string{x.JSON, "string"}))
	}
	return list
}
