package codegen_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestBatchesOfReals checks that batches of a linear Gaussian network whose lanes pay are assembly,
// that a named back-end has lane code, and that a network of a few variables is answered row by
// row.
func TestBatchesOfReals(t *testing.T) {
	for _, c := range []struct {
		vars    int
		backend string
		want    string
	}{{20, "", codegen.Assembly}, {20, "tape", codegen.Lanes}, {2, "", codegen.Rows}} {
		m := &model.Model{Name: "net"}
		for i := range c.vars {
			v := m.NewReal(fmt.Sprintf("x%d", i)).ID
			var scope []model.VarID
			for k := range min(i, 3) {
				scope = append(scope, v-model.VarID(k)-1)
			}
			d := &model.Gaussian{Mean: []float64{1}, Coef: []float64{.5, -.25, .125}[:len(scope)], Var: []float64{2}}
			m.Factors = append(m.Factors, &model.Factor{Scope: append(scope, v), Child: len(scope), Dist: d})
		}
		r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{"marginals", "batch"}})
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "net", Source: "net", Backend: c.backend})
		if err != nil {
			t.Fatal(err)
		}
		if b := pkg.Report.Batches; len(b) == 0 || b[0].By != c.want {
			t.Errorf("%d variables by %q: %+v; want %s", c.vars, c.backend, b, c.want)
		}
		written := slices.ContainsFunc(pkg.Files, func(f codegen.File) bool {
			return f.Name == "net_amd64.s" && bytes.Contains(f.Data, []byte("TEXT ·laneBatch"))
		})
		if written != (c.want == codegen.Assembly) {
			t.Errorf("%d variables by %q: assembly is written: %v", c.vars, c.backend, written)
		}
	}
}
