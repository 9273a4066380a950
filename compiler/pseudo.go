package compiler

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// posed returns the network of the pseudo-likelihood if opt asks a dependency network for nothing
// but most probable completions, and otherwise m. The pseudo-likelihood has no partition function.
func posed(m *model.Model, opt Options) (*model.Model, Options) {
	if m.Pseudo {
		opt.Unnormalised = true
	}
	if m.Kind != model.Dependency {
		return m, opt
	}
	specs := opt.Queries
	if x, err := FindMethod(opt.MethodName()); err == nil && len(specs) == 0 && x.Answers != nil {
		specs = []string{x.Answers.Word}
	}
	queries, err := ParseQueries(specs, m)
	if err != nil || len(queries) == 0 || slices.ContainsFunc(queries, func(q *ir.Query) bool {
		return !slices.Contains([]ir.QueryKind{ir.MPE, ir.KMPE, ir.Decoding, ir.Climb}, q.Kind)
	}) {
		return m, opt
	}
	opt.Unnormalised = true
	return m.PseudoLikelihood(), opt
}
