package picture

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/structure"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// chain returns a network a -> b -> c of two states each.
func chain() *model.Model {
	m := &model.Model{Name: "chain"}
	for _, name := range []string{"a", "b", "c"} {
		m.NewVar(name, "no", "yes")
	}
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Dist: &model.Table{Values: []float64{.75, .25}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Table{Values: []float64{1, 0, .5, .5}}},
		{Scope: []model.VarID{1, 2}, Child: 1, Dist: &model.Table{Values: []float64{.5, .5, .5, .5}}},
	}
	return m
}

// TestMutualInformation compares the strengths with those computed by hand: of a and b it is that
// of the joint distribution .75, 0, .125, .125, and b and c are independent.
func TestMutualInformation(t *testing.T) {
	m := chain()
	b, err := Ask(t.Context(), &cli.App{Quiet: true}, "m", m, compiler.Options{}, infer.NewFindings(3))
	if err != nil {
		t.Fatal(err)
	}
	g := structure.Graph(m, model.NewGraph(m))
	if err := b.MutualInformation(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	want := .75*math.Log(.75/(.75*.875)) + .125*math.Log(.125/(.25*.875)) + .125*math.Log(.125/(.25*.125))
	if !strings.Contains(g.Edges[0].Note, "a, b: mutual information ") || g.Edges[0].Width != thickest || g.Edges[1].Width != thinnest {
		t.Errorf("found %+v", g.Edges)
	}
	strength := []float64{0, 0}
	for s, p := range b.After.Of("a").P {
		given, err := b.engine.Marginals(t.Context(), b.Known.With(0, s))
		if err != nil {
			t.Fatal(err)
		}
		strength[0] += p * divergence(given, b.After, "b")
	}
	if math.Abs(strength[0]-want) > 1e-12 {
		t.Errorf("found %v nats; want %v", strength[0], want)
	}
}

// TestFill checks the bars before and after evidence.
func TestFill(t *testing.T) {
	m := chain()
	known := infer.NewFindings(3)
	known.State[1] = 1
	b, err := Ask(t.Context(), &cli.App{Quiet: true}, "m", m, compiler.Options{}, known)
	if err != nil {
		t.Fatal(err)
	}
	g := structure.Graph(m, model.NewGraph(m))
	b.Fill(g)
	if x := g.Nodes[0].Bars[1]; x != (draw.Bar{Label: "yes", P: 1, Was: .25}) || g.Nodes[1].Tone != draw.Amber || g.Nodes[0].Tone != draw.Blue {
		t.Errorf("found %+v", g.Nodes)
	}
}

// TestBars checks that the least probable of many states share a bar.
func TestBars(t *testing.T) {
	d := &infer.Distribution{P: []float64{.01, .2, .05, .1, .1, .1, .1, .1, .14, .1}}
	for range d.P {
		d.States = append(d.States, "s")
	}
	list := bars(d, nil)
	if last := list[len(list)-1]; len(list) != mostBars || last.Label != "3 others" || math.Abs(last.P-.16) > 1e-15 {
		t.Errorf("found %+v", list)
	}
}

// TestCompare compares a -> b -> c with b -> a, a -> c, b -> c and a variable more.
func TestCompare(t *testing.T) {
	first, second := chain(), chain()
	second.NewVar("d", "no", "yes")
	second.Factors = []*model.Factor{
		{Scope: []model.VarID{1}},
		{Scope: []model.VarID{1, 0}, Child: 1},
		{Scope: []model.VarID{0, 2}, Child: 1},
		{Scope: []model.VarID{3}},
	}
	g, d := Compare(first, second)
	if want := (Difference{Common: 0, Missing: 1, Added: 1, Turned: 1}); d != want || len(g.Nodes) != 4 || len(g.Edges) != 3 || len(g.Key) != 3 {
		t.Errorf("found %+v and %+v; want %+v", d, g, want)
	}
}
