package uai

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ReadQuery reads the variables that an MMAP task asks for: their number, then each by number. Lines of # are comments.
func ReadQuery(src *format.Source, m *model.Model) ([]model.VarID, diag.List) {
	r := numbers.New(src, numbers.Hash)
	r.Next()
	at := r.Word
	n, ok := r.Int(1, len(m.Vars), "the number of variables of the query")
	if !ok || !r.Claim(at, n, "variables") {
		return nil, r.List
	}
	vars := make([]model.VarID, 0, n)
	for range n {
		at := r.Word
		v, ok := r.Int(0, len(m.Vars)-1, "the number of a variable")
		if !ok {
			return nil, r.List
		}
		if slices.Contains(vars, model.VarID(v)) {
			r.Errorf(r.PosOf(at), "found variable %s for the second time; want each once", text.Quote(at.Text))
			return nil, r.List
		}
		vars = append(vars, model.VarID(v))
	}
	r.Done()
	if r.HasErrors() {
		return nil, r.List
	}
	return vars, r.List
}
