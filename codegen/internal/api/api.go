// Package api writes the declarations of a package that are the same for all kinds of queries: the
// identifiers and types of a model's variables, evidence and the functions that enter it, and
// access by names.
package api

import (
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// API is the state of the declarations of one package.
type API struct {
	*source.Writer
	Model   *model.Model
	Program *ir.Program
	Names   *Identifiers
	loads   []Loader   // one for each set of inputs that entries read
	Ranges  *ir.Ranges // the ranges of loops that evidence narrows
	form    Form
}

// Form is what the declarations of a package depend on besides the model and the program.
type Form struct {
	Arrays  bool // posteriors are arrays in JSON, not objects with the names of states
	Tables  bool // evidence is entered by tables, as for large models
	Counted bool // the Engine counts queries
	NoLogP  bool // some query does not find the probability of the evidence
}

// NewAPI returns the API of a package for p, a program of m. Name must come before its other
// methods that write.
func NewAPI(w *source.Writer, m *model.Model, p *ir.Program, form Form) *API {
	return &API{Writer: w, Model: m, Program: p, form: form}
}

// Name assigns the identifiers, and names a loader for each set of inputs that entries read. The
// variables have shared types or not, and the identifiers that the user chose, by "variable" or
// "variable.state".
func (g *API) Name(types string, chosen map[string]string, reserved ...string) (err error) {
	if g.Names, err = nameModel(g.Model, types, chosen, reserved...); err != nil {
		return err
	}
	for i := range g.Program.Spans {
		if s := &g.Program.Spans[i]; s.Role == ir.RoleIn && g.Model.IsReal(s.Var) && s.Len == model.MeasuredWidth {
			g.Names.Of(s.Var).Measured = true
		}
	}
	g.findLoads()
	return nil
}

// VarParams reports whether there are parameters that can be replaced.
func (g *API) VarParams() bool {
	isParam := func(s ir.Span) bool { return s.Role.IsParam() }
	return g.Program.Params == ir.Var && slices.ContainsFunc(g.Program.Spans, isParam)
}

// Entry returns the first entry of the kind, or nil.
func (g *API) Entry(k ir.QueryKind) *ir.Entry {
	for i := range g.Program.Entries {
		if g.Program.Entries[i].Query.Kind == k {
			return &g.Program.Entries[i]
		}
	}
	return nil
}

// Out returns the posterior of v among the answers of e, or NoSpan.
func Out(p *ir.Program, e *ir.Entry, v model.VarID) ir.SpanID {
	for _, id := range e.Outs {
		if p.Spans[id].Var == v {
			return id
		}
	}
	return ir.NoSpan
}

// MovesLogZ reports whether ln Z depends on parameters that can be replaced.
func (g *API) MovesLogZ() bool { return g.VarParams() && g.Model.Kind == model.Markov }

// maxMarginals returns the entry of a loop that chooses states and also computes max-marginals, or
// nil.
func (g *API) maxMarginals() *ir.Entry {
	i := slices.IndexFunc(g.Program.Entries, func(e ir.Entry) bool { return e.Query.Kind == ir.Decoding && e.Query.MaxMarginals() })
	if i < 0 {
		return nil
	}
	return &g.Program.Entries[i]
}

// Measures reports whether the program takes measurements of a real variable.
func (g *API) Measures() bool {
	return slices.ContainsFunc(g.Names.vars, func(x *Variable) bool { return x != nil && x.Measured })
}

// CountRun returns the statement that counts a query. It is empty if nothing needs the count.
func (g *API) CountRun() string {
	if g.form.Counted {
		return "e.runs++\n"
	}
	return ""
}
