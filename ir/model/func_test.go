package model_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// tracker returns a model of the distance z to a point x, y, with noise that depends on the
// weather.
func tracker() (*model.Model, *model.Factor) {
	m := &model.Model{}
	w, x, y, z := m.NewVar("the weather", "dry", "rain"), m.NewReal("x"), m.NewReal("y 2"), m.NewReal("z")
	f := &model.Factor{Scope: []model.VarID{w.ID, x.ID, y.ID, z.ID}, Child: 3}
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{w.ID}, Dist: &model.Table{Values: []float64{.75, .25}}},
		{Scope: []model.VarID{x.ID}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}},
		{Scope: []model.VarID{y.ID}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}},
		f,
	}
	return m, f
}

func TestFunc(t *testing.T) {
	m, f := tracker()
	x, y := 3.0, -4.0
	for _, c := range []struct {
		text, want string // want is empty if the text prints as it is
		value      float64
	}{
		{"sqrt(x^2 + `y 2`^2)", "", 5},
		{"x - (`y 2` + 1) - 2", "", 4},
		{"x-`y 2`-2", "x - `y 2` - 2", 5},
		{"x/(2*`y 2`)", "", -.375},
		{"x / 2 * `y 2`", "x/2*`y 2`", -6},
		{"-x^2", "", -9},
		{"(-2)^2 + (-x)^2", "", 13},
		{"2^-x", "", .125},
		{"--x", "x", 3},
		{"+ - 2", "-2", -2},
		{"-(2)", "", -2},
		{"x - -2", "", 5},
		{"x*-2", "", -6},
		{"(x + 1)*2", "", 8},
		{"2^(x^2)", "2^x^2", 512},
		{"2^x^2", "", 512},
		{"(2^x)^2", "", 64},
		{"1.5e-1*x + .5E+1", "0.15*x + 5", 5.45},
		{`if(` + "`the weather`" + ` = "rain", x, min(x, 1))*2`, "", 6},
		{`if(` + "`the weather`" + ` = "dry", x, min(x, 1))*2`, "", 2},
		{"exp(log(x)) + sin(0) + cos(0) + tan(0) + tanh(0) + abs(`y 2`) + atan2(0, 1) + max(x, 7)", "", 3 + 1 + 4 + 7},
	} {
		nodes, err := model.ParseFunc(c.text, m.ScopeNames(f))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		d := &model.Func{Nodes: nodes, Var: []float64{1, 4}}
		f.Dist = d
		if list := m.Check(); list.HasErrors() {
			t.Errorf("%s: %v", c.text, list.Err())
		}
		irtest.CloseTo(t, d.Eval(f, []int{1, 0, 0, 0}, []float64{0, x, y, 0}, make([]float64, len(nodes))), c.value, 1e-15)
		want := c.want
		if want == "" {
			want = c.text
		}
		got, err := d.Text(m, f)
		if err != nil || got != want {
			t.Errorf("%s: printed as %s, %v; want %s", c.text, got, err, want)
		}
		again, err := model.ParseFunc(got, m.ScopeNames(f))
		if err != nil || !reflect.DeepEqual(again, nodes) {
			t.Errorf("%s: read back %v, %v; want %v", c.text, again, err, nodes)
		}
	}
}

func TestFuncErrors(t *testing.T) {
	m, f := tracker()
	for text, want := range map[string]string{
		"":                                "column 1: found the end of the expression; want a number, a variable, a function or \"(\"",
		"x +":                             "column 4: found the end of the expression; want a number, a variable, a function or \"(\"",
		"x y":                             `column 3: found "y"; want an operator or the end of the expression`,
		"u":                               `column 1: found "u"; want a parent`,
		"(x":                              `column 3: found the end of the expression; want ")"`,
		"sqrt(x, x)":                      `column 7: found ","; want ")"`,
		"min(x)":                          `column 6: found ")"; want ","`,
		"f(x)":                            `column 1: found "f"; want a function: sqrt, exp, log, sin, cos, tan, tanh, abs, atan2, min, max, pow or if`,
		"1.2.3":                           `column 1: found "1.2.3"; want a number`,
		"1e999":                           `column 1: found "1e999"; want a number that a float64 can hold`,
		"x & x":                           `column 3: found "&"; want an expression`,
		"`x":                              "column 1: found a name without end; want ` after it",
		`if(x = "dry", 1, 2)`:             `column 8: found "\"dry\""; want a state of the variable, in double quotes`,
		strings.Repeat("(", 1000) + "x":   `column 501: found an expression with more than 500 levels; want fewer`,
		strings.Repeat("2^", 1000) + "x":  `column 1000: found an expression with more than 500 levels; want fewer`,
		strings.Repeat("x+", 1<<14) + "x": `column 16386: found an expression with more than 16384 numbers, variables and operations; want fewer`,
	} {
		if _, err := model.ParseFunc(text, m.ScopeNames(f)); err == nil || err.Error() != want {
			t.Errorf("%.40s: %v; want %s", text, err, want)
		}
	}
}

func TestFuncLinear(t *testing.T) {
	m, f := tracker()
	for _, c := range []struct {
		text     string
		constant float64
		x, y     float64
		ok       bool
	}{
		{"3 - 0.5*x", 3, -.5, 0, true},
		{"2*(x - `y 2`/4 + 1) - (x + sqrt(4))", 0, 1, -.5, true},
		{"-(x*3)*2 + x", 0, -5, 0, true},
		{"x*x", 0, 0, 0, false},
		{"1/x", 0, 0, 0, false},
		{"sqrt(x)", 0, 0, 0, false},
	} {
		nodes, err := model.ParseFunc(c.text, m.ScopeNames(f))
		if err != nil {
			t.Fatal(err)
		}
		constant, coef, ok := (&model.Func{Nodes: nodes}).Linear(3)
		if ok != c.ok || ok && (constant != c.constant || coef[1] != c.x || coef[2] != c.y) {
			t.Errorf("%s: %v, %v, %v", c.text, constant, coef, ok)
		}
	}
}

// The density is normal around the value, and 0 outside the domain of the expression.
func TestFuncDensity(t *testing.T) {
	m, f := tracker()
	nodes, err := model.ParseFunc("sqrt(x)", m.ScopeNames(f))
	if err != nil {
		t.Fatal(err)
	}
	f.Dist = &model.Func{Nodes: nodes, Var: []float64{1, 4}}
	x := []float64{0, 9, 0, 5}
	irtest.CloseTo(t, m.LogFactor(f, []int{1, 0, 0, 0}, x), -.5*(2*2/4.0+math.Log(2*math.Pi*4)), 1e-15)
	x[1] = -1
	irtest.CloseTo(t, m.LogFactor(f, []int{1, 0, 0, 0}, x), math.Inf(-1), 0)
}

// FuzzParseFunc checks that no text makes the parser panic, and that what it reads prints and reads
// back as the same nodes.
func FuzzParseFunc(f *testing.F) {
	for _, text := range []string{"sqrt(x^2 + `y 2`^2)", `if(` + "`the weather`" + ` = "rain", -x, 2^-1e-3)`, "((x)", "-(2)--x*-3/x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, factor := tracker()
		nodes, err := model.ParseFunc(text, m.ScopeNames(factor))
		if err != nil {
			return
		}
		factor.Dist = &model.Func{Nodes: nodes, Var: []float64{1, 4}}
		if list := m.Check(); list.HasErrors() {
			return // a choice by a real variable, or a large number
		}
		printed, err := factor.Dist.(*model.Func).Text(m, factor)
		if err != nil {
			t.Fatal(err)
		}
		again, err := model.ParseFunc(printed, m.ScopeNames(factor))
		if err != nil || !reflect.DeepEqual(again, nodes) {
			t.Fatalf("%q printed as %q: %v", text, printed, err)
		}
	})
}
