package learnertest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Rules checks a learner with options for rules about edges, if it has some: no result has a
// forbidden edge, lacks a required one, or leads back to an earlier tier, and contradictory rules
// are refused in the same words.
func Rules(t *testing.T, l learner.Learner, args ...string) {
	fs := options.Flags(l.New())
	has := func(option string) bool { return fs.Lookup(option) != nil }
	if !has("forbid") {
		return
	}
	t.Run("rules", func(t *testing.T) {
		for seed := range uint64(12) {
			obeyed(t, l, has, seed, args)
		}
		s := New(t, Vars("a", 2, "b", 2, "c", 2), [][]int{{0, 0, 0}, {0, 1, 0}, {1, 1, 1}}, nil)
		for _, c := range []struct{ options, want string }{
			{"-forbid a->x", `forbidden: edge "a->x": the data has no variable "x"; the first of its 3 is "a"`},
			{"-tiers a<x", `tiers: the data has no variable "x"; the first of its 3 is "a"`},
			{"-tiers a,b<c,a", `tiers: "a" is in two tiers`},
			{"-require a->b -forbid a->b", `edge a->b is both required and forbidden`},
			{"-require b->a -tiers a<b", `edge b->a is both required and forbidden`},
			{"-require a->b,b->a", `required edge b->a closes a cycle with the other edges`},
		} {
			if has("require") || !strings.Contains(c.options, "require") {
				Error(t, l, s, c.want, append(slices.Clone(args), strings.Fields(c.options)...)...)
			}
		}
		if has("max-parents") && has("require") {
			Error(t, l, s, fmt.Sprintf(`"c" has 2 required parents; want at most %d`, 1), append(slices.Clone(args), "-require", "a->c,b->c", "-max-parents", "1")...)
		}
	})
}

// obeyed checks the result of a learner under rules drawn from a seed.
func obeyed(t *testing.T, l learner.Learner, has func(option string) bool, seed uint64, args []string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 6))
	const n = 5
	vars := Vars("a", 2, "b", 2, "c", 3, "d", 2, "e", 2)
	rows := rulesRows(rng)
	order := rng.Perm(n)
	name := func(i int) string { return vars[order[i]].Name }
	edge := func(i, j int) string { return name(i) + "->" + name(j) }
	tiers := 1 + rng.IntN(n-1)
	given := slices.Clone(args)
	var forbid, require []string
	child := 1 + rng.IntN(n-1)
	parent := rng.IntN(child)
	if has("require") {
		require = append(require, edge(parent, child))
		given = append(given, "-require", require[0])
	}
	for i := range n {
		for j := range n {
			if i != j && (i != parent || j != child) && rng.IntN(3) == 0 && !(has("class") && i*j == 0) {
				forbid = append(forbid, edge(i, j))
			}
		}
	}
	var names []string
	for i := range n {
		names = append(names, name(i))
	}
	given = append(given, "-forbid", strings.Join(forbid, ","), "-tiers", strings.Join(names[:tiers], ",")+"<"+strings.Join(names[tiers:], ","))
	if has("order") && !has("over") {
		given = append(given, "-order", strings.Join(names, ","))
	}
	if has("class") {
		given = append(given, "-class", name(0))
	}
	r := Learn(t, l, &learner.Job{Train: New(t, vars, rows, nil), Seed: seed, Cores: 1}, given...)
	found := map[string]bool{}
	for _, f := range r.Models[0].Factors {
		for _, u := range f.Parents() {
			i, j := slices.Index(order, int(u)), slices.Index(order, int(f.ChildVar()))
			found[edge(i, j)] = true
			if i >= tiers && j < tiers {
				t.Errorf("%v: edge %s leads back to an earlier tier", given, edge(i, j))
			}
		}
	}
	for _, e := range forbid {
		if found[e] {
			t.Errorf("%v: edge %s is forbidden", given, e)
		}
	}
	for _, e := range require {
		if !found[e] {
			t.Errorf("%v: edge %s is missing", given, e)
		}
	}
}

// rulesRows draws rows in which c is the sum of a and b, and d and e depend on a and b.
func rulesRows(rng *rand.Rand) (rows [][]int) {
	for range 80 {
		a, b := rng.IntN(2), rng.IntN(2)
		rows = append(rows, []int{a, b, a + b, (a + rng.IntN(3)/2) % 2, (b + rng.IntN(4)/3) % 2})
	}
	return rows
}
