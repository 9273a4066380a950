package method

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// CheckQueries appends an error to list if p has a query that belongs to another method. Method
// name answers the query word only.
func CheckQueries(name, word string, p *ir.Problem, list *diag.List) {
	for _, q := range p.Queries {
		if q.Method != name {
			list.Errorf(diag.Pos{File: p.Model.File}, "method %s answers only the query %s; found %s; %s", name, word, q.Word(), Alternatives(p.Model))
			return
		}
	}
}

// CheckExact returns an error for each query of p that belongs to an approximate method, since the
// exact method name does not answer it.
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

// By returns the option that selects the method of that name, as an argument of messages.
func By(name string) diag.Option { return diag.Option{Name: "method", Value: name} }

// ConstParams is the advice of methods that do not support variable parameters.
var ConstParams = diag.Errorf("leave out %v", diag.Option{Name: "params", Value: "var"})

// Alternatives returns the part of a message that names methods which answer the queries that an
// iterating or sampling method does not.
func Alternatives(m *model.Model) *diag.Message {
	switch m.Kind {
	case model.Dependency:
		return diag.Errorf("there is no method: a dependency network has no joint distribution; for marginals try %v or gibbs", By("meanfield"))
	case model.Forest:
		return diag.Errorf("there is no method: the sum of the weights of a latent dependency forest model is #P-hard; for marginals try %v", By("ldfm"))
	}
	return diag.Errorf("try %v or circuit", By("jointree"))
}
