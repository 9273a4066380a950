package codegen_test

import (
	"bytes"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestFormula checks that a linear signature is computed from its arguments alone, by the back-end
// of straight-line code and not by others. Variables may have the names that its local variables
// have.
func TestFormula(t *testing.T) {
	for _, c := range []struct {
		backend string
		want    bool
	}{{"auto", true}, {"unroll", true}, {"tape", false}} {
		r := compiled(t, line("v0", "v1", "v2"), `"v2" | "v0", "v1"`)
		pkg, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "m", Backend: c.backend})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range pkg.Files {
			if f.Name == "m.go" && bytes.Contains(f.Data, []byte("out.Mean = ")) != c.want {
				t.Errorf("back-end %s: a formula is %v; want %v:\n%s", c.backend, !c.want, c.want, f.Data)
			}
		}
	}
}

// line returns a chain of linear Gaussian variables.
func line(names ...string) *model.Model {
	m := &model.Model{Name: "line", Kind: model.Bayes}
	for i, name := range names {
		v := m.NewReal(name)
		g := &model.Gaussian{Mean: []float64{1}, Var: []float64{float64(i + 1)}}
		f := &model.Factor{Scope: []model.VarID{v.ID}, Child: 0, Dist: g}
		if i > 0 {
			g.Coef = []float64{.5}
			f.Scope, f.Child = []model.VarID{v.ID - 1, v.ID}, 1
		}
		m.Factors = append(m.Factors, f)
	}
	return m
}
