package infer_test

import (
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestBestMethod answers by method best, exactly where that fits the limits.
func TestBestMethod(t *testing.T) {
	x := &model.Model{Name: "pairs", Kind: model.Markov}
	for v := range model.VarID(4) {
		x.NewVar(fmt.Sprint("x", v), "0", "1")
		for u := range v {
			more := .01 * float64(3*v+u)
			x.Factors = append(x.Factors, &model.Factor{Scope: []model.VarID{u, v}, Child: -1,
				Dist: &model.Table{Values: []float64{1.1 + more, 2.1 + more, 2.2 + more, 1.2 + more}}})
		}
	}
	for _, c := range []struct {
		table       int
		approximate bool
	}{{0, false}, {4, true}} {
		e, err := infer.New(t.Context(), x, infer.Options{Method: compiler.Named(compiler.Best), MaxTable: c.table})
		if err != nil {
			t.Fatal(err)
		}
		m, err := e.Marginals(t.Context(), nil)
		if err != nil || len(m.List) == 0 || e.Approximate() != c.approximate {
			t.Errorf("max table %d: approximate is %v, error %v; want %v", c.table, e.Approximate(), err, c.approximate)
		}
	}
}
