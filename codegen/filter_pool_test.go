package codegen_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestFilterPools follows long sequences and steps a million filters by several goroutines, with
// packages of a hidden Markov model, of linear Gaussian systems and of a switching one. With few
// filters it does so under the detector of races.
func TestFilterPools(t *testing.T) {
	if !irtest.Long(t) {
		t.Skip("packages of random templates take fewer steps; set PGMC_LONG=1 for 10^7")
	}
	t.Parallel()
	text, err := os.ReadFile("testdata/poolcheck.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	m := newModule(t, "")
	for _, c := range []struct {
		name, method string
		mod          *model.Model
		cycle        []map[string]any
	}{
		{"casino", "", casino(), slicesOf("roll", "1", "6", "6", "3", "2", "6", "5")},
		{"nile", "", nile(), slicesOf("flow", 1120., 1160., 963., 1210., 840.)},
		{"track", "", track(), []map[string]any{{"zx": 1.5, "zy": -3.}, {"zx": .5}, {"zy": -2.}, {}, {"zx": 2., "zy": -2.5}, {"zx": 1., "zy": -3.5}}},
		{"jumps", "imm", jumping(), slicesOf("y", .3, -1.2, 2., -2.5, 0.)},
	} {
		opt := compiler.Options{Queries: []string{"filter"}}
		if c.method != "" {
			opt.Method = compiler.Named(c.method)
		}
		cycle, err := json.Marshal(c.cycle)
		if err != nil {
			t.Fatal(err)
		}
		m.add(t, c.name, "auto", c.mod, opt, func(*compiler.Result) string {
			return strings.NewReplacer("PACKAGE", c.name, "CYCLE", fmt.Sprintf("%q", cycle)).Replace(string(text))
		})
	}
	m.test()
	if strings.TrimSpace(m.run(nil, "env", "CGO_ENABLED")) == "1" {
		m.run(nil, "test", "-race", "-short", "-vet=off", ".")
	}
}

// slicesOf returns slices of one observation each.
func slicesOf[V any](name string, values ...V) (list []map[string]any) {
	for _, x := range values {
		list = append(list, map[string]any{name: x})
	}
	return list
}

// linearCPD returns the distribution of the last variable of scope: a sum of the others with noise.
func linearCPD(variance float64, coef []float64, scope ...model.VarID) *model.Factor {
	return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: coef, Var: []float64{variance}}}
}

// track returns constant velocity in the plane, with positions that are measured.
func track() *model.Model {
	m := &model.Model{Name: "track", Transition: &model.Transition{}}
	for i, axis := range []string{"x", "y"} {
		p, v, z := m.NewReal("p"+axis).ID, m.NewReal("v"+axis).ID, m.NewReal("z"+axis).ID
		sensor := linearCPD(1, []float64{1}, p, z)
		m.Factors = append(m.Factors, linearCPD(100, nil, p), linearCPD(1, nil, v), sensor)
		before := model.VarID(6 + 2*i) // the velocity before, then the position before
		m.Transition.Before = append(m.Transition.Before, v, p)
		m.Transition.Factors = append(m.Transition.Factors, linearCPD(.1, []float64{1}, before, v),
			linearCPD(.01, []float64{.5, 1, .5}, before, before+1, v, p), sensor)
	}
	return m
}

// jumping returns a number that a mode keeps or reverses, with a measurement.
func jumping() *model.Model {
	m := &model.Model{Name: "jumps"}
	x, y, mode := m.NewReal("x").ID, m.NewReal("y").ID, m.NewVar("mode", "a", "b").ID
	sensor := linearCPD(.5, []float64{1}, x, y)
	m.Factors = []*model.Factor{linearCPD(1, nil, x), sensor, {Scope: []model.VarID{mode}, Dist: &model.Table{Values: []float64{.9, .1}}}}
	m.Transition = &model.Transition{Before: []model.VarID{x, mode}, Factors: []*model.Factor{
		{Scope: []model.VarID{mode, 3, x}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{.9, -.5}, Var: []float64{.1, 1}}},
		sensor, {Scope: []model.VarID{4, mode}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .2, .8}}}}}
	return m
}
