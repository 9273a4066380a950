package model_test

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// trailText returns the active trail for a question such as "a, b | c": names and arrows, or
// "separated".
func trailText(t *testing.T, m *model.Model, question string) string {
	t.Helper()
	left, right, _ := strings.Cut(question, "|")
	ids := func(list string) (out []model.VarID) {
		for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
			v, ok := m.VarByName(name)
			if !ok {
				t.Fatalf("no variable %q", name)
			}
			out = append(out, v.ID)
		}
		return out
	}
	g, pair := model.NewGraph(m), ids(left)
	trail := g.ActiveTrail(pair[0], pair[1], ids(right))
	if trail == nil {
		return "separated"
	}
	text := m.Vars[trail[0]].Name
	for i, v := range trail[1:] {
		sign := " - "
		if g.Kind == model.Bayes && slices.Contains(g.Parents[v], trail[i]) {
			sign = " > "
		} else if g.Kind == model.Bayes {
			sign = " < "
		}
		text += sign + m.Vars[v].Name
	}
	return text
}

// TestActiveTrail checks statements from the literature.
func TestActiveTrail(t *testing.T) {
	for _, c := range []struct {
		m              *model.Model
		question, want string
	}{
		// Koller and Friedman, section 3.2 and example 3.3.
		{irtest.Student(), "letter, sat", "letter < grade < intelligence > sat"},
		{irtest.Student(), "letter, sat | intelligence", "separated"},
		{irtest.Student(), "letter, sat | grade", "separated"},
		{irtest.Student(), "difficulty, intelligence", "separated"},
		{irtest.Student(), "difficulty, sat", "separated"},
		{irtest.Student(), "difficulty, sat | letter", "difficulty > grade < intelligence > sat"},
		{irtest.Student(), "difficulty, sat | letter, intelligence", "separated"},
		{irtest.Student(), "difficulty, letter | grade", "separated"},
		// Koller and Friedman, section 4.3: the four students who talk in pairs.
		{irtest.Misconception(), "A, C", "A - B - C"},
		{irtest.Misconception(), "A, C | B", "A - D - C"},
		{irtest.Misconception(), "A, C | B, D", "separated"},
		{irtest.Misconception(), "B, D | A, C", "separated"},
		// Lauritzen and Spiegelhalter 1988.
		{irtest.Asia(), "smoke, xray | either", "separated"},
		{irtest.Asia(), "tub, smoke", "separated"},
		{irtest.Asia(), "asia, smoke | xray", "asia > tub > either < lung < smoke"},
		{irtest.Asia(), "asia, smoke | dysp, either", "asia > tub > either < lung < smoke"},
		{irtest.Asia(), "asia, smoke | tub, lung, dysp", "separated"},
	} {
		if got := trailText(t, c.m, c.question); got != c.want {
			t.Errorf("%s: %s: found %s; want %s", c.m.Name, c.question, got, c.want)
		}
	}
}

// TestAsiaStatements checks the independences of asia that another program lists, and statements
// that it reports as false.
func TestAsiaStatements(t *testing.T) {
	for _, c := range []struct {
		file        string
		independent bool
		statements  int
	}{{"asia.ind", true, 30}, {"asia.not.ind", false, 80}} {
		file, err := os.Open(filepath.Join(irtest.Shared(t), "data", "uai-bn", c.file))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		n, g := 0, model.NewGraph(irtest.Asia())
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var ids []model.VarID
			text, ok := strings.CutPrefix(lines.Text(), "ind ")
			if !ok {
				continue
			}
			for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '|' }) {
				var v model.VarID
				if _, err := fmt.Sscan(word, &v); err != nil {
					t.Fatal(err)
				}
				ids = append(ids, v)
			}
			n++
			if trail := g.ActiveTrail(ids[0], ids[1], ids[2:]); (trail == nil) != c.independent {
				t.Errorf("%s: %s: found the trail %v", c.file, text, trail)
			}
		}
		if n != c.statements {
			t.Errorf("%s: found %d statements; want %d", c.file, n, c.statements)
		}
	}
}

// denseModel returns a random network over n variables of two states each. All numbers are between
// 0.1 and 1 before rows are scaled, so that dependences that the graph allows are large enough to
// measure.
func denseModel(rng *rand.Rand, kind model.Kind, n int) *model.Model {
	m := &model.Model{Name: "dense", Kind: kind}
	for i := range n {
		m.NewVar(fmt.Sprint("x", i), "0", "1")
	}
	order := rng.Perm(n)
	for i, v := range order {
		scope := []model.VarID{model.VarID(v)}
		for _, u := range order[:i] {
			if rng.IntN(n) < 2 && len(scope) < 4 {
				scope = append(scope, model.VarID(u))
			}
		}
		values := make([]float64, 1<<len(scope))
		for j := range values {
			values[j] = .1 + .9*rng.Float64()
		}
		f := &model.Factor{Scope: scope, Child: -1, Dist: &model.Table{Values: values}}
		if kind == model.Bayes {
			f.Child = 0
			for j, half := 0, len(values)/2; j < half; j++ {
				sum := values[j] + values[j+half]
				values[j], values[j+half] = values[j]/sum, values[j+half]/sum
			}
		}
		m.Factors = append(m.Factors, f)
	}
	return m
}

// subset returns the variables of the bits of set.
func subset(set int) (vars []model.VarID) {
	for v := model.VarID(0); set>>v > 0; v++ {
		if set>>v&1 == 1 {
			vars = append(vars, v)
		}
	}
	return vars
}

// dependence returns the largest difference between P(a, b | given) and P(a | given) P(b | given).
func dependence(j *brute.Joint, a, b model.VarID, given []model.VarID) float64 {
	most := 0.0
	state := make([]int, len(j.Model.Vars))
	for more := true; more; more = j.Model.Next(given, state) {
		e := brute.Evidence{Hard: map[model.VarID]int{}}
		for _, v := range given {
			e.Hard[v] = state[v]
		}
		p := j.JointPosterior([]model.VarID{a, b}, e)
		most = max(most, math.Abs(p[0]*p[3]-p[1]*p[2]))
	}
	return most
}

// TestTrailsAgainstNumbers compares separation with random numbers, for every two variables and
// every set of others: separated variables are independent, and connected ones dependent. Trails
// are valid.
func TestTrailsAgainstNumbers(t *testing.T) {
	const n = 6
	connected, separated := 0, 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 5))
		m := denseModel(rng, []model.Kind{model.Bayes, model.Markov}[seed%2], n)
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		g := model.NewGraph(m)
		for pair := range 1 << n {
			ab := subset(pair)
			if len(ab) != 2 {
				continue
			}
			for set := range 1 << n {
				if set&pair != 0 {
					continue
				}
				given := subset(set)
				trail, d := g.ActiveTrail(ab[0], ab[1], given), dependence(j, ab[0], ab[1], given)
				if got := g.Reached(ab[:1], given)[ab[1]]; got != (trail != nil) {
					t.Fatalf("seed %d: %v given %v: reached %v, trail %v", seed, ab, given, got, trail)
				}
				switch {
				case trail == nil && d > 1e-14:
					t.Fatalf("seed %d: %v given %v: separated, and dependent by %g", seed, ab, given, d)
				case trail != nil && d < 1e-9:
					t.Fatalf("seed %d: %v given %v: trail %v, and independent up to %g", seed, ab, given, trail, d)
				case trail != nil:
					connected++
					checkTrail(t, g, trail, ab, given)
				default:
					separated++
				}
			}
		}
	}
	if connected < 1000 || separated < 1000 {
		t.Errorf("%d connected and %d separated pairs; want many of both", connected, separated)
	}
}

// checkTrail checks that a trail leads from ab[0] to ab[1] along edges, visits nothing twice, and
// is active given the set given.
func checkTrail(t *testing.T, g *model.Graph, trail, ab, given []model.VarID) {
	t.Helper()
	if trail[0] != ab[0] || trail[len(trail)-1] != ab[1] || len(slices.Compact(slices.Sorted(slices.Values(trail)))) != len(trail) {
		t.Fatalf("trail %v does not lead from %d to %d, each variable once", trail, ab[0], ab[1])
	}
	into := func(from, to model.VarID) bool { return g.Kind == model.Bayes && slices.Contains(g.Parents[to], from) }
	for i := 1; i < len(trail); i++ {
		if u, v := trail[i-1], trail[i]; !into(u, v) && !into(v, u) && (g.Kind == model.Bayes || !slices.Contains(g.Blanket(u), v)) {
			t.Fatalf("trail %v has no edge between %d and %d", trail, u, v)
		}
		if i+1 == len(trail) {
			break
		}
		v := trail[i]
		collider := into(trail[i-1], v) && into(trail[i+1], v)
		if _, open := g.Opener(v, given); collider && !open || !collider && slices.Contains(given, v) {
			t.Fatalf("trail %v given %v is not active at %d", trail, given, v)
		}
	}
}

// TestBlanket checks that a blanket separates a variable from all others, and that it needs each of
// its variables.
func TestBlanket(t *testing.T) {
	asia := irtest.Asia()
	lung, _ := asia.VarByName("lung")
	if got := fmt.Sprint(model.NewGraph(asia).Blanket(lung.ID)); got != "[1 2 5]" { // smoke, either, and its other parent tub
		t.Errorf("blanket of lung: found %s; want [1 2 5]", got)
	}
	// A dependency network: given its parents, a variable depends on nothing else, not even its
	// children.
	ring := &model.Model{Kind: model.Dependency}
	for i := range model.VarID(3) {
		ring.NewVar(fmt.Sprint("x", i), "0", "1")
		ring.Factors = append(ring.Factors, &model.Factor{Scope: []model.VarID{i, (i + 2) % 3}})
	}
	if got := fmt.Sprint(model.NewGraph(ring).Blanket(1)); got != "[0]" {
		t.Errorf("blanket in a ring: found %s; want [0]", got)
	}
	for seed := range uint64(100) {
		m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes, model.Markov}})
		g := model.NewGraph(m)
		for v := range m.Vars {
			v := model.VarID(v)
			blanket := g.Blanket(v)
			for u := range m.Vars {
				u := model.VarID(u)
				if i := slices.Index(blanket, u); i >= 0 {
					rest := slices.Delete(slices.Clone(blanket), i, i+1)
					if g.ActiveTrail(v, u, rest) == nil {
						t.Fatalf("seed %d: %d is separated from %d of its blanket %v by the others", seed, v, u, blanket)
					}
				} else if u != v && g.ActiveTrail(v, u, blanket) != nil {
					t.Fatalf("seed %d: the blanket %v of %d does not separate it from %d", seed, blanket, v, u)
				}
			}
		}
	}
}
