package filter_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir"
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

// projection is the algorithm of Boyen and Koller by enumeration: belief is a table of all
// variables that persist, which a projection replaces by the product of the marginals of clusters
// over that of their separators.
type projection struct {
	m                    *model.Model
	clusters, separators [][]int // by places among the variables that persist
	belief               []float64
}

// states returns the states of the variables that persist in joint state i.
func (x *projection) states(i int) []int {
	before := x.m.Transition.Before
	list := make([]int, len(before))
	for k := len(list) - 1; k >= 0; k-- {
		n := x.m.Card(before[k])
		list[k], i = i%n, i/n
	}
	return list
}

// step enters evidence, and returns the posteriors of the slice and the probability of the
// evidence.
func (x *projection) step(seen map[model.VarID]int) (posteriors [][]float64, p float64) {
	first, before := *x.m, x.m.Transition.Before
	first.Transition = nil
	step, old := &first, []float64{1}
	if x.belief != nil {
		step, old = x.m.Step(), x.belief
	}
	size, _ := x.m.TableSize(before)
	next := make([]float64, size)
	for _, v := range x.m.Vars {
		posteriors = append(posteriors, make([]float64, x.m.Card(v.ID)))
	}
	var vars []model.VarID
	for _, v := range x.m.Vars {
		vars = append(vars, v.ID)
	}
	all, _ := x.m.TableSize(vars)
	for i, prior := range old {
		state := make([]int, len(step.Vars))
		if x.belief != nil {
			copy(state[len(x.m.Vars):], x.states(i))
		}
		for range all {
			w := prior
			for _, f := range step.Factors {
				w *= step.Value(f, state)
			}
			for v, s := range seen {
				if state[v] != s {
					w = 0
				}
			}
			at := 0
			for _, v := range before {
				at = at*x.m.Card(v) + state[v]
			}
			next[at] += w
			p += w
			for v := range posteriors {
				posteriors[v][state[v]] += w
			}
			x.m.Next(vars, state)
		}
	}
	for _, d := range append(posteriors, next) {
		for k := range d {
			d[k] /= p
		}
	}
	x.belief = make([]float64, size)
	for i := range next {
		x.belief[i] = 1
		for _, c := range x.clusters {
			x.belief[i] *= x.marginal(next, c, i)
		}
		for _, c := range x.separators {
			if q := x.marginal(next, c, i); q > 0 {
				x.belief[i] /= q
			}
		}
	}
	return posteriors, p
}

// marginal returns the probability of the states that some variables have in joint state i.
func (x *projection) marginal(of []float64, places []int, i int) (sum float64) {
	at := x.states(i)
	for k, p := range of {
		here := x.states(k)
		if !slices.ContainsFunc(places, func(v int) bool { return here[v] != at[v] }) {
			sum += p
		}
	}
	return sum
}

// freeway returns a network of cars on a road: the state of the road persists, and so does the
// state of each car, which depends on the road and on the car in front. Each car is seen through a
// sensor. Some states of cars are impossible.
func freeway(seed uint64, cars int) *model.Model {
	r := rand.New(rand.NewPCG(seed, 15))
	m := &model.Model{Transition: &model.Transition{}}
	road := m.NewVar("Z", "clear", "jam").ID
	table := func(zero bool, scope ...model.VarID) *model.Factor {
		d, rows := &model.Table{}, 1
		for _, v := range scope[:len(scope)-1] {
			rows *= m.Card(v)
		}
		for range rows {
			p, q := r.Float64(), r.Float64()
			if zero && r.IntN(4) == 0 {
				q = 0
			}
			d.Values = append(d.Values, p/(p+q+.3), q/(p+q+.3), .3/(p+q+.3))
			if n := len(d.Values); m.Card(scope[len(scope)-1]) == 2 {
				d.Values = append(d.Values[:n-3], p, 1-p)
			}
		}
		return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: d}
	}
	m.Transition.Before = []model.VarID{road}
	for i := range cars {
		m.Transition.Before = append(m.Transition.Before, m.NewVar(fmt.Sprint("Y", i), "a", "b", "c").ID)
		m.NewVar(fmt.Sprint("O", i), "0", "1")
	}
	before := func(k int) model.VarID { return model.VarID(2*cars + 1 + k) }
	card := m.Vars
	for k := range m.Transition.Before { // the cards of variables of the slice before, while tables are made
		m.Vars = append(m.Vars, m.Vars[m.Transition.Before[k]])
	}
	m.Factors = append(m.Factors, table(false, road))
	m.Transition.Factors = append(m.Transition.Factors, table(false, before(0), road))
	for i := range cars {
		y := model.VarID(1 + 2*i)
		m.Factors = append(m.Factors, table(true, road, y), table(false, y, y+1))
		scope := []model.VarID{before(1 + i), road, y}
		if i > 0 {
			scope = []model.VarID{before(1 + i), before(i), road, y}
		}
		m.Transition.Factors = append(m.Transition.Factors, table(true, scope...), table(false, y, y+1))
	}
	m.Vars = card
	return m
}

// TestOverlappingClusters compares beliefs in clusters that overlap with projections of tables of
// all variables that persist: example 15.5 of Koller and Friedman, cars given the road, a chain of
// clusters, and random templates.
func TestOverlappingClusters(t *testing.T) {
	type clusters struct{ all, separators [][]int }
	star := clusters{[][]int{{1, 0}, {0, 2}, {0, 3}}, [][]int{{0}, {0}}}
	chain := clusters{[][]int{{2, 3}, {0, 1}, {1, 2}}, [][]int{{1}, {2}}}
	wide := clusters{[][]int{{3, 0, 2}, {1, 2, 0}}, [][]int{{0, 2}}}
	some := clusters{[][]int{{0, 2}, {3, 0}, {1}}, [][]int{{0}}}
	three := []clusters{{[][]int{{0, 1}, {1, 2}}, [][]int{{1}}}, {[][]int{{2, 0}, {1, 2}}, [][]int{{2}}}}
	compared, differ := 0, 0.0
	for _, seed := range irtest.Cases(t, 14, 80) {
		m, c := freeway(seed, 3), []clusters{star, chain, wide, some}[seed%4]
		if seed%3 == 0 {
			m, c = irtest.RandomTemplate(seed, irtest.TemplateOptions{}), three[seed%2]
		}
		if len(m.Transition.Before) < 3 {
			continue
		}
		compared++
		var text []string
		for _, k := range c.all {
			var names []string
			for _, i := range k {
				names = append(names, m.Vars[m.Transition.Before[i]].Name)
			}
			text = append(text, strings.Join(names, ","))
		}
		sequence, _ := irtest.RandomSequence(m, 5, seed)
		got, exact := steps(t, m, strings.Join(text, ";"), sequence), steps(t, m, "", sequence)
		x, logP := &projection{m: m, clusters: c.all, separators: c.separators}, 0.0
		for i := range got {
			seen := map[model.VarID]int{}
			for name, state := range sequence[i] {
				v, _ := m.VarByName(name)
				seen[v.ID] = slices.Index(m.States(v.ID), state.(string))
			}
			want, p := x.step(seen)
			if logP += math.Log(p); math.Abs(got[i].LogProb-logP) > 1e-12*(1+math.Abs(logP)) {
				t.Errorf("seed %d, slice %d: ln P %v; want %v", seed, i, got[i].LogProb, logP)
			}
			for _, d := range got[i].List {
				v, _ := m.VarByName(d.Var)
				for s, p := range want[v.ID] {
					if math.Abs(d.P[s]-p) > 1e-12 {
						t.Errorf("seed %d, slice %d: P(%s=%s) is %v; want %v", seed, i, d.Var, d.States[s], d.P[s], p)
					}
					differ = max(differ, math.Abs(exact[i].Of(d.Var).P[s]-p))
				}
			}
		}
	}
	if compared < 8 || differ < 1e-3 {
		t.Errorf("%d models, at most %v from exact beliefs; want 8 at least, and some that are not exact", compared, differ)
	}
}

// TestClustersRefused checks messages about clusters.
func TestClustersRefused(t *testing.T) {
	m := irtest.RandomTemplate(4, irtest.TemplateOptions{})
	name := m.Vars[m.Transition.Before[0]].Name
	for _, c := range []struct{ clusters, query, want string }{
		{"none", "filter", `found "none" in a cluster; want variables that persist: `},
		{name + ";" + name, "filter", "all variables of cluster \"" + name + "\" are in cluster \"" + name + "\"; want only the larger one"},
		{name + "," + name, "filter", "found \"" + name + "\" in cluster \"" + name + "," + name + "\" twice; want it once"},
		{name, "smooth", "a belief by clusters has no answer of smooth; want filter"},
	} {
		_, err := compiler.Compile(context.Background(), m, compiler.Options{Method: filter.Options{Clusters: c.clusters}, Queries: []string{c.query}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %s", c.clusters, err, c.want)
		}
	}
	m = freeway(1, 2)
	opt := compiler.Options{Method: filter.Options{Clusters: "Y1,Z;Z,Y0"}, Queries: []string{"filter"}}
	r, err := compiler.Compile(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	var text, again strings.Builder
	if err := r.Program.Print(&text); err != nil {
		t.Fatal(err)
	}
	p, err := ir.Parse(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Print(&again); err != nil || again.String() != text.String() || !strings.Contains(text.String(), " stream cluster v3 v0 cluster v0 v1 ") {
		t.Errorf("error %v; read back is\n%s\nwant\n%s", err, again.String(), text.String())
	}
	const want = `clusters "Y1,Z", "Z,Y0" and "Y0,Y1" form a loop; want clusters with a tree in which all that have a variable are connected, such as these joined to one`
	_, err = compiler.Compile(context.Background(), m, compiler.Options{Method: filter.Options{Clusters: "Z,Y0;Y0,Y1;Y1,Z"}, Queries: []string{"filter"}})
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v; want %s", err, want)
	}
}
