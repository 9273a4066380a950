package method

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// CheckQueries adds an error if p has queries of other methods. The method's own is asked for by
// word.
func CheckQueries(name, word string, p *ir.Problem, list *diag.List) {
	for _, q := range p.Queries {
		if q.Method != name {
			list.Errorf(diag.Pos{File: p.Model.File}, "method %s answers the query %s alone, and not %s; %s", name, word, q.Word(), Others(p.Model))
			return
		}
	}
}

// CheckExact says why an exact method can't do the problem: it has a query of a method that is not
// exact.
func CheckExact(name string, p *ir.Problem) diag.List {
	var list diag.List
	pos := diag.Pos{File: p.Model.File}
	for _, q := range p.Queries {
		if q.Method != "" {
			list.Errorf(pos, "method %s is exact and does not answer %s; try %v", name, q.Word(), By(q.Method))
		}
	}
	return list
}

// By is the option that chooses the method of that name, as an argument of messages.
func By(name string) diag.Option { return diag.Option{Name: "method", Value: name} }

// ConstParams is the advice of methods whose parameters cannot change.
var ConstParams = diag.Errorf("leave out %v", diag.Option{Name: "params", Value: "var"})

// Others says in messages which methods answer what a method that iterates or samples does not.
func Others(m *model.Model) *diag.Message {
	switch m.Kind {
	case model.Dependency:
		return diag.Errorf("nothing does for a dependency network, which has no joint distribution; its marginals come by %v or gibbs", By("meanfield"))
	case model.Forest:
		return diag.Errorf("nothing does for a latent dependency forest model, the sum of whose weights is #P-hard; its marginals come by %v", By("ldfm"))
	}
	return diag.Errorf("try %v or circuit", By("jointree"))
}
