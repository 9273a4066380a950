package infer_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// growthOf returns how the belief of a filter grows of which most histories are kept.
func growthOf(t *testing.T, m *model.Model, most int) *compiler.Growth {
	t.Helper()
	ctx := context.Background()
	r, err := compiler.Compile(ctx, m, compiler.Options{Queries: []string{"filter"}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := compiler.GrowthOf(ctx, r.Model, r.Program, most)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGrowth compares the slices that histories suffice for with those that a filter makes before
// it fails.
func TestGrowth(t *testing.T) {
	both := reversing()
	both.Factors[1] = &model.Factor{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Gaussian{Mean: []float64{1, 2}, Var: []float64{.2, .3}}}
	forth := reversing() // mode 1 stays: a history for each slice in which it may have begun
	forth.Transition.Factors[0].Dist = &model.Table{Values: []float64{.7, .3, 0, 1}}
	forth.Factors[0].Dist = &model.Table{Values: []float64{1, 0}}
	for name, x := range map[string]struct {
		m    *model.Model
		want map[int]int // slices by histories
	}{
		"reversing": {both, map[int]int{31: 4, 32: 5}},
		"one way":   {forth, map[int]int{20: 20}},
	} {
		for most, want := range x.want {
			g := growthOf(t, x.m, most)
			if g.Slices != want {
				t.Errorf("%s: %d histories suffice for %d slices; want %d", name, most, g.Slices, want)
			}
			steps(t, name, x.m, most, want)
		}
	}
	if g := growthOf(t, manyModes(300), 1000); g.Slices != 1 {
		t.Errorf("1000 histories of 300 modes suffice for %d slices; want 1", g.Slices)
	}
	g := growthOf(t, reversing(), 20)
	if !slices.Equal(g.Real, []string{"x"}) || !slices.Equal(g.Discrete, []string{"mode"}) || len(g.Ways) != 5 || !(g.Ways[0].Operations > 0) {
		t.Errorf("evidence on %v or %v keeps histories few, and there are the filters %v", g.Real, g.Discrete, g.Ways)
	}
}

// manyModes returns a walk with a number of modes, none of which rules out another.
func manyModes(n int) *model.Model {
	m := &model.Model{Name: "modes"}
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint(i))
	}
	mode, x := m.NewVar("mode", names...).ID, m.NewReal("x").ID
	same := slices.Repeat([]float64{1 / float64(n)}, n)
	m.Factors = []*model.Factor{{Scope: []model.VarID{mode}, Dist: &model.Table{Values: same}},
		{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}}
	ones := slices.Repeat([]float64{1}, n)
	m.Transition = &model.Transition{Before: []model.VarID{mode, x}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, mode}, Child: 1, Dist: &model.Table{Values: slices.Repeat(same, n)}},
		{Scope: []model.VarID{mode, 3, x}, Child: 2, Dist: &model.Gaussian{Mean: slices.Clone(ones), Coef: ones, Var: slices.Clone(ones)}}}}
	return m
}

// steps checks that a filter which keeps a number of histories fails after a number of slices.
func steps(t *testing.T, name string, m *model.Model, most, want int) {
	t.Helper()
	ctx := context.Background()
	e, err := infer.New(ctx, m, infer.Options{MaxTable: most})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for range want {
		if _, err := f.Step(ctx, infer.Evidence{"y": .5}); err != nil {
			t.Fatalf("%s, %d histories: slice %d: %v", name, most, f.Len(), err)
		}
	}
	if _, err := f.Step(ctx, infer.Evidence{"y": .5}); err == nil || !strings.Contains(err.Error(), "suffice for at least") {
		t.Errorf("%s, %d histories: slice %d leaves %d, and the error %v", name, most, want, f.Histories(), err)
	}
}

// TestGrowthRandom checks that filters of random templates make the slices that their histories
// suffice for at least.
func TestGrowthRandom(t *testing.T) {
	ctx := context.Background()
	found := 0
	for _, seed := range irtest.Cases(t, 6, 60) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{Reals: true, Mixed: true, Latent: seed%2 == 0})
		const n, most = 5, 40
		g := growthOf(t, m, most)
		if g == nil {
			continue
		}
		e, err := infer.New(ctx, m, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Filter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		sequence, _ := irtest.RandomSequence(m, n, seed)
		for slice, given := range sequence {
			if _, err := f.Step(ctx, infer.Evidence(given)); err != nil {
				t.Fatal(seed, err)
			}
			if found++; f.Histories() > most && (g.Slices < 0 || slice < g.Slices) {
				t.Errorf("seed %d: %d histories after slice %d; %d suffice for %d slices", seed, f.Histories(), slice, most, g.Slices)
			}
		}
	}
	if found == 0 {
		t.Error("no template has histories")
	}
}
