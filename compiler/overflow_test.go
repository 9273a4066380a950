package compiler_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestOverflow compiles networks with products beyond float64 by each method, which answers or
// refuses: such products must not reach a program.
func TestOverflow(t *testing.T) {
	circuit := &model.Circuit{Nodes: []model.CircuitNode{{Op: model.CircuitNumber, Value: 1e300}, {Op: model.CircuitProduct, Args: []int32{0, 0}}}}
	large := &model.Table{Values: []float64{1e300, 1e300}}
	for _, dists := range [][]model.Dist{{circuit}, {large, large}} {
		m := &model.Model{Kind: model.Markov}
		m.NewVar("a", "x", "y")
		for _, d := range dists {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0}, Child: -1, Dist: d})
		}
		refused := 0
		for _, x := range compiler.Methods {
			_, err := compiler.Compile(t.Context(), m, compiler.Options{Method: compiler.Named(x.Name)})
			switch {
			case errors.Is(err, ir.ErrOverflow) || err != nil && strings.Contains(err.Error(), "exceeds float64"):
				refused++
			case err != nil && strings.Contains(err.Error(), "finite number"):
				t.Errorf("%s: %v", x.Name, err)
			}
		}
		if dists[0] == circuit && refused < 10 { // tables are balanced
			t.Errorf("%d methods refuse the circuit for its numbers", refused)
		}
	}
}

// TestOverflowOfMeans compiles a chain whose prior means and variances exceed float64: no method
// ends in an internal error.
func TestOverflowOfMeans(t *testing.T) {
	m := &model.Model{}
	for i := range 14 {
		v := m.NewReal("x" + strconv.Itoa(i)).ID
		f := &model.Factor{Scope: []model.VarID{v}, Dist: &model.Gaussian{Mean: []float64{1e30}, Var: []float64{1}}}
		if i > 0 {
			f = &model.Factor{Scope: []model.VarID{v - 1, v}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1e30}, Var: []float64{1}}}
		}
		m.Factors = append(m.Factors, f)
	}
	refused := 0
	for _, x := range compiler.Methods {
		_, err := compiler.Compile(t.Context(), m, compiler.Options{Method: compiler.Named(x.Name)})
		switch {
		case errors.Is(err, ir.ErrOverflow):
			refused++
		case err != nil && strings.Contains(err.Error(), "finite number"):
			t.Errorf("%s: %v", x.Name, err)
		}
	}
	if refused == 0 {
		t.Error("no method refuses the chain for its numbers")
	}
}
