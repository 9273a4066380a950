package api

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// timing says which evidence may be there when a decision is taken.
type timing struct {
	decision model.VarID
	*model.Timing
}

// timingOf returns the timing of a query about a decision, or nil for other entries.
func (g *API) timingOf(e *ir.Entry) *timing {
	if e.Query.Kind != ir.Best && e.Query.Kind != ir.Information {
		return nil
	}
	return &timing{e.Query.Targets[0], g.Model.Timing(e.Query.Targets[0])}
}

// same reports whether two entries take the same evidence.
func (t *timing) same(other *timing) bool {
	return t == nil && other == nil || t != nil && other != nil && t.decision == other.decision
}

// Timely returns the statements observe, which enter the observation of x. Before them it refuses
// evidence that there cannot be, or without a value that l needs.
func (g *API) Timely(l *Loader, x *Variable, observe string) string {
	if l.timing == nil {
		return g.Required(l, x) + observe
	}
	v, observed := x.Var.ID, x.Port.Observed("ev."+x.ID)
	refuse := func(condition, why string) string {
		return fmt.Sprintf("if %s {\n\treturn names.Refuse(%d, %s)\n}\n", condition, x.Index, why)
	}
	switch {
	case slices.Contains(l.timing.Earlier, v):
		return g.Required(l, x) + observe
	case v == l.timing.decision, slices.Contains(l.timing.After[v], l.timing.decision):
		return refuse(observed, g.untimely(l.timing, x))
	}
	text := ""
	for _, d := range l.timing.After[v] {
		open := g.Names.Of(d)
		text += refuse(fmt.Sprintf("%s && ev.%s == %s", observed, open.ID, open.Port.None()), g.dependsOn(d))
	}
	return text + observe
}

// untimely returns the expression of why there is no likelihood of x when a decision is taken; it
// is empty if there may be one. Only earlier decisions have one, and what does not depend on others.
func (g *API) untimely(t *timing, x *Variable) string {
	if t == nil {
		return ""
	}
	switch v := x.Var.ID; {
	case v == t.decision:
		return g.RT("AskedFor")
	case slices.Contains(t.After[v], t.decision):
		return g.dependsOn(t.decision)
	case slices.Contains(t.Later, v):
		return g.RT("OpenLater")
	case t.After[v] != nil:
		return g.dependsOn(t.After[v][0])
	}
	return ""
}

// dependsOn returns the expression of why evidence after an open decision is refused.
func (g *API) dependsOn(decision model.VarID) string {
	return fmt.Sprintf("%s(%q)", g.RT("DependsOn"), g.Model.Vars[decision].Name)
}
