package rate_test

import (
	"context"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// goodnessModel returns a network a -> b, and c by itself; b depends on a by strength.
func goodnessModel(strength float64) *model.Model {
	m := &model.Model{Kind: model.Bayes, Name: "goodness"}
	for _, name := range []string{"a", "b", "c"} {
		m.NewVar(name, "no", "yes")
	}
	p, q := .5+strength/2, .5-strength/2
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Child: 0, Dist: &model.Table{Values: []float64{.4, .6}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Table{Values: []float64{p, q, q, p}}},
		{Scope: []model.VarID{2}, Child: 0, Dist: &model.Table{Values: []float64{.3, .7}}},
	}
	return m
}

// goodnessRows draws n rows of m, in which every seventh misses c.
func goodnessRows(t *testing.T, m *model.Model, n int, seed uint64) *data.Set {
	e, err := infer.New(context.Background(), m, infer.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := e.Sample(context.Background(), nil, n)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < n; i += 7 {
		rows[i][2] = data.Missing
	}
	s, err := data.New(data.VarsOf(m), rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCompareDrawn checks the statistics of rows by hand, that rows of the model itself have
// p-values as uniform ones, and that rows of another model do not.
func TestCompareDrawn(t *testing.T) {
	m, opt := goodnessModel(.4), rate.GoodnessOptions{Sets: 99, Seed: 5}
	small := 0
	for seed := range uint64(60) {
		g, err := rate.CompareDrawn(context.Background(), m, goodnessRows(t, m, 140, seed), opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Pairs) != 3 || g.LogLik == nil {
			t.Fatalf("got %+v; want three pairs and a log-likelihood", g)
		}
		if g.LogLik.P <= .2 {
			small++
		}
	}
	if small < 4 || small > 22 { // binomial of 60 and .2: outside with a probability of .005
		t.Errorf("%d of 60 p-values are at most .2; want about 12", small)
	}
	rows := goodnessRows(t, goodnessModel(0), 140, 1)
	g, err := rate.CompareDrawn(context.Background(), m, rows, opt)
	if err != nil {
		t.Fatal(err)
	}
	first := g.Pairs[0]
	if first.A != "a" || first.B != "b" || math.Abs(first.P-.02) > 1e-12 || !(first.Value < first.Low && first.Low < first.High) {
		t.Errorf("got %+v first; want a and b, below all of the sets", first)
	}
	var n [2][2]float64
	a, b := rows.Column(0), rows.Column(1)
	for i := range rows.Len() {
		n[a.At(i)][b.At(i)]++
	}
	want, all := 0.0, float64(rows.Len())
	for i := range 2 {
		for k := range 2 {
			want += n[i][k] / all * math.Log(n[i][k]*all/((n[i][0]+n[i][1])*(n[0][k]+n[1][k])))
		}
	}
	if math.Abs(first.Value-want) > 1e-12 {
		t.Errorf("mutual information %v; want %v", first.Value, want)
	}
}
