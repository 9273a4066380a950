package codegen_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestSteady compares the steps of packages whose covariances come again with those of the whole
// program, bit by bit.
func TestSteady(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for i, c := range []struct {
		name, sensors, given string
		mod                  *model.Model
		cycles               bool   // covariances go round cycles
		steps                string // by what Steps runs
	}{
		{"track", `"zx", "zy"`, ``, track(), false, codegen.Rows},
		{"space", `"z0", "z1", "z2"`, ``, space(), true, codegen.Assembly},
		{"driven", `"y"`, `"u"`, driven(), false, codegen.Rows},
		{"nile", `"flow"`, ``, nile(), false, codegen.Rows},
	} {
		r, err := compiler.Compile(t.Context(), c.mod, compiler.Options{Queries: []string{"filter"}})
		if err != nil {
			t.Fatal(err)
		}
		pkg := m.emit(r.Model, r.Program, codegen.Options{Package: c.name})
		if b := pkg.Report.Batches; len(b) != 1 || b[0].By != c.steps {
			t.Errorf("%s: Steps runs by %+v; want %s", c.name, b, c.steps)
		}
		m.check(c.name, strings.NewReplacer("PACKAGE", c.name, "SENSORS", c.sensors, "GIVEN", c.given, "SEED", fmt.Sprint(i),
			"STEPS", fmt.Sprint(irtest.Count(t, 20_000, 1_000_000)), "CYCLES", fmt.Sprint(c.cycles)).Replace(checkText(t, "steady")))
	}
	m.test()
}

// space returns constant velocity along three axes whose accelerations are correlated. Rounded
// covariances go round cycles.
func space() *model.Model {
	m := &model.Model{Name: "space", Transition: &model.Transition{}}
	for i := range 3 {
		p, v, z := m.NewReal(fmt.Sprint("p", i)).ID, m.NewReal(fmt.Sprint("v", i)).ID, m.NewReal(fmt.Sprint("z", i)).ID
		sensor := linearCPD(1, []float64{1}, p, z)
		m.Factors = append(m.Factors, linearCPD(10, nil, p), linearCPD(10, nil, v), sensor)
		before := model.VarID(9 + 2*i) // the velocity before, then the position before
		m.Transition.Before = append(m.Transition.Before, v, p)
		drift := linearCPD(.1, []float64{1}, before, v)
		if i > 0 { // half the acceleration along the axis before
			drift = linearCPD(.075, []float64{1, .5, -.5}, before, v-3, before-2, v)
		}
		m.Transition.Factors = append(m.Transition.Factors, drift, linearCPD(.01, []float64{.5, 1, .5}, before, before+1, v, p), sensor)
	}
	return m
}

// driven returns a number that decays and that a given one pushes, with a measurement.
func driven() *model.Model {
	m := &model.Model{Name: "driven"}
	x, y, u := m.NewReal("x").ID, m.NewReal("y").ID, m.NewReal("u").ID
	m.Vars[u].Given = true
	sensor := linearCPD(.5, []float64{1}, x, y)
	m.Factors = []*model.Factor{linearCPD(1, nil, x), sensor}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{linearCPD(.1, []float64{.9, .3}, 3, u, x), sensor}}
	return m
}

// TestSteadyLeftOut checks that steps remain whole whose covariances depend on values, and those
// of parameters that may be replaced.
func TestSteadyLeftOut(t *testing.T) {
	scaled := driven()
	scaled.Transition.Factors[0] = &model.Factor{Scope: []model.VarID{3, 2, 0}, Child: 2, Dist: product(t)}
	for name, c := range map[string]struct {
		mod *model.Model
		opt compiler.Options
	}{
		"ekf":   {curve(t), compiler.Options{Method: compiler.Named("ekf")}},
		"given": {scaled, compiler.Options{}},
	} {
		c.opt.Queries = []string{"filter"}
		r, err := compiler.Compile(t.Context(), c.mod, c.opt)
		if err != nil {
			t.Fatal(name, err)
		}
		pkg, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "m"})
		if err != nil {
			t.Fatal(name, err)
		}
		for _, f := range pkg.Files {
			if bytes.Contains(f.Data, []byte("phase")) {
				t.Errorf("%s: %s keeps gains", name, f.Name)
			}
		}
	}
}

// product returns the distribution of a number that is the one before times a given one, with
// noise.
func product(t *testing.T) model.Dist {
	nodes, err := model.ParseFunc("x*u", model.FuncNames{Axis: func(name string) (int, bool) { return strings.Index("xu", name), true }})
	if err != nil {
		t.Fatal(err)
	}
	return &model.Func{Nodes: nodes, Var: []float64{.1}}
}
