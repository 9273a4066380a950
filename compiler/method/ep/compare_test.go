package ep_test

import (
	"context"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/ep"
	"github.com/pgmc-go/pgmc/ir/model"
)

// expression returns a network with a switch, two real variables of deviation 2, and Y with an
// expression of them as mean and variance 1.
func expression(t *testing.T, text string) *model.Model {
	t.Helper()
	m := &model.Model{}
	d := m.NewVar("D", "off", "on").ID
	a, b, y := m.NewReal("A").ID, m.NewReal("B").ID, m.NewReal("Y").ID
	f := &model.Factor{Scope: []model.VarID{d, a, b, y}, Child: 3}
	nodes, err := model.ParseFunc(text, m.ScopeNames(f))
	if err != nil {
		t.Fatal(err)
	}
	f.Dist = &model.Func{Nodes: nodes, Var: []float64{1, 1}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{d}, Child: 0, Dist: &model.Table{Values: []float64{.5, .5}}}}
	for _, v := range []model.VarID{a, b} {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Child: 0, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{4}}})
	}
	m.Factors = append(m.Factors, f)
	return m
}

// TestCompare checks the notes about rules. The distance of two variables of deviation 2 has the
// mean 2.50663 and the variance 1.71681 (Rayleigh), beside the noise, which the default rule finds.
func TestCompare(t *testing.T) {
	const distance = "sqrt(A^2 + B^2)"
	right := `2.50663 and 2.717 by 1152 points`
	for _, c := range []struct {
		text string
		opt  func(x *ep.Options)
		want string
	}{
		{distance, nil, ""},
		{"A + 2*B", func(x *ep.Options) { x.Rule = "taylor" }, ""},
		{"3", func(x *ep.Options) { x.Rule = "unscented" }, ""},
		{"log(A) + B", func(x *ep.Options) { x.Rule = "unscented" }, ""}, // undefined below 0
		{distance, func(x *ep.Options) { x.Rule = "unscented" }, `"Y" has mean 2.3094 and variance 3.667 under its parents' priors by 5 points, and ` + right},
		{distance, func(x *ep.Options) { x.Rule = "precision5" }, `"Y" has mean 2.08393 and variance 4.657 under its parents' priors by 9 points, and ` + right},
		{distance, func(x *ep.Options) { x.Rule = "taylor" }, `"Y" has mean 0 and variance 1 under its parents' priors by its tangent, and ` + right},
		{`if(D = "on", A, ` + distance + `)`, func(x *ep.Options) { x.Points = 4 },
			`"Y" has mean 2.60324 and variance 2.223 under its parents' priors by 16 points, and ` + right},
	} {
		opt := *ep.NewOptions()
		if c.opt != nil {
			c.opt(&opt)
		}
		r, err := compiler.Compile(context.Background(), expression(t, c.text), compiler.Options{Method: opt})
		if err != nil {
			t.Fatal(err)
		}
		if r.Note != c.want {
			t.Errorf("%s: note %q; want %q", c.text, r.Note, c.want)
		}
	}
}
