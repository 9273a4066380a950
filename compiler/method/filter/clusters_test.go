package filter_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// steps filters a sequence with clusters.
func steps(t *testing.T, m *model.Model, clusters string, sequence []map[string]any) (list []*infer.Marginals) {
	t.Helper()
	ctx := context.Background()
	e, err := infer.New(ctx, m, infer.Options{Method: filter.Options{Clusters: clusters}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sequence {
		one, err := f.Step(ctx, infer.Evidence(sequence[i]))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, one)
	}
	return list
}

// TestClusters compares a belief in one cluster with the exact one, bit by bit, and a step of one
// in several with a network in which the variables of the slice before have their marginals as
// priors.
func TestClusters(t *testing.T) {
	compared := 0
	for _, seed := range irtest.Cases(t, 12, 200) {
		m := irtest.RandomTemplate(seed, irtest.TemplateOptions{})
		sequence, _ := irtest.RandomSequence(m, 3, seed)
		var names []string
		for _, v := range m.Transition.Before {
			names = append(names, m.Vars[v].Name)
		}
		if len(names) < 2 {
			continue
		}
		compared++
		exact, one := steps(t, m, "", sequence), steps(t, m, strings.Join(names, ","), sequence)
		for i := range exact {
			if fmt.Sprint(*exact[i]) != fmt.Sprint(*one[i]) {
				t.Errorf("seed %d, slice %d: one cluster gives %v; want %v", seed, i, *one[i], *exact[i])
			}
		}
		got := steps(t, m, strings.Join(names, ";"), sequence)
		for i := 1; i < len(got); i++ {
			step := m.Step()
			step.Factors = append([]*model.Factor{}, step.Factors...)
			for k, v := range m.Transition.Before {
				own := *step.Vars[len(m.Vars)+k]
				own.Given = false
				step.Vars[len(m.Vars)+k] = &own
				step.Factors = append(step.Factors, &model.Factor{Scope: []model.VarID{own.ID}, Dist: &model.Table{Values: got[i-1].Of(m.Vars[v].Name).P}})
			}
			e, err := infer.New(context.Background(), step, infer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := e.Marginals(context.Background(), infer.Evidence(sequence[i]))
			if err != nil {
				t.Fatal(err)
			}
			if off := got[i].LogProb - got[i-1].LogProb - want.LogProb; math.Abs(off) > 1e-10 {
				t.Errorf("seed %d, slice %d: ln P of the slice differs by %v", seed, i, off)
			}
			for _, d := range got[i].List {
				for s, p := range want.Of(d.Var).P {
					if math.Abs(d.P[s]-p) > 1e-10 {
						t.Errorf("seed %d, slice %d: P(%s=%s) is %v; want %v", seed, i, d.Var, d.States[s], d.P[s], p)
					}
				}
			}
		}
	}
	if compared < 3 {
		t.Errorf("%d templates; want 3 at least", compared)
	}
}

// TestClustersRefused checks messages about clusters.
func TestClustersRefused(t *testing.T) {
	m := irtest.RandomTemplate(4, irtest.TemplateOptions{})
	name := m.Vars[m.Transition.Before[0]].Name
	for _, c := range []struct{ clusters, query, want string }{
		{"none", "filter", `found "none" in a cluster; want variables that persist: `},
		{name + ";" + name, "filter", "in clusters twice"},
		{name, "smooth", "a belief by clusters has no answer of smooth; want filter"},
	} {
		_, err := compiler.Compile(context.Background(), m, compiler.Options{Method: filter.Options{Clusters: c.clusters}, Queries: []string{c.query}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %s", c.clusters, err, c.want)
		}
	}
}
