package uai

import (
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ReadQuery reads the variables of a marginal MAP query, in the order of the file: a count and the
// numbers of the variables, on one line (.query of the competitions) or on lines of their own after
// a # comment (.map of the PASCAL2 benchmark).
func ReadQuery(src *format.Source, m *model.Model) (vars []model.VarID, list diag.List) {
	r := numbers.New(src, numbers.Hash|numbers.CLine|numbers.Block)
	r.Next()
	at := r.Word
	n, ok := r.Int(0, len(m.Vars), "the number of variables of the query")
	if !ok || !r.Claim(at, n, "variables") {
		return nil, r.List
	}
	seen := make([]bool, len(m.Vars))
	for range n {
		at := r.Word
		v, ok := r.Int(0, maxNumber, "the number of a variable")
		switch {
		case !ok:
			return nil, r.List
		case v >= len(m.Vars):
			r.Errorf(r.PosOf(at), "found variable %d; %s", v, haveVariables(m))
		case seen[v]:
			r.Errorf(r.PosOf(at), "found variable %d for the second time; want it once", v)
		default:
			seen[v] = true
			vars = append(vars, model.VarID(v))
		}
	}
	r.Done()
	if r.HasErrors() {
		return nil, r.List
	}
	return vars, r.List
}
