package exact_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/exact"
	"github.com/pgmc-go/pgmc/learn/knownorder"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/score"
)

// On random rows of four variables, for every score and bound, the score is that of the best of the
// 543 structures.
func TestEnumeration(t *testing.T) {
	dags := learnertest.DAGs(4)
	if len(dags) != 543 {
		t.Fatalf("%d structures of 4 variables; want 543", len(dags))
	}
	rng := rand.New(rand.NewPCG(1, 6))
	for range 5 {
		var rows [][]int
		for range 50 {
			a, b := rng.IntN(2), rng.IntN(3)
			rows = append(rows, []int{a, b, (a + b) % 2, (a*b + rng.IntN(2)) % 3})
		}
		s := learnertest.New(t, learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 3), rows, nil)
		for _, kind := range []string{"loglik", "aic", "bic", "k2", "bdeu", "loocv"} {
			for most, bound := range []string{"0", "1", "2", "3"} {
				r := learnertest.Learn(t, exact.Learner, &learner.Job{Train: s, Cores: 1}, "-score", kind, "-max-parents", bound)
				if want := best(t, s, kind, dags, most); math.Abs(r.Report.Total-want) > 1e-8 {
					t.Errorf("%s with %d parents: got %v; want %v", kind, most, r.Report.Total, want)
				}
			}
		}
	}
}

func best(t *testing.T, s *data.Set, kind string, dags [][][]int, most int) float64 {
	sc, err := score.New(kind, data.NewCounter(s, 0), score.Options{})
	if err != nil {
		t.Fatal(err)
	}
	best := math.Inf(-1)
	for _, g := range dags {
		within := true
		for _, p := range g {
			within = within && len(p) <= most
		}
		if within {
			best = max(best, sc.Network(g))
		}
	}
	return best
}

// Two causes of C, and an exclusive or, from the expected counts of 1,000 rows. The best networks
// are known from an independent enumeration. A search that adds one edge at a time does not find
// the second.
func TestKnown(t *testing.T) {
	vars := learnertest.Vars("A", 2, "B", 2, "C", 2)
	for _, c := range []struct {
		p    [4]float64 // of C by A and B
		want float64
	}{
		{[4]float64{0.1, 0.35, 0.65, 0.95}, -1861.6405},
		{[4]float64{0.1, 0.9, 0.9, 0.1}, -1732.1006},
	} {
		s := learnertest.Expected(t, vars, 1000, func(x []int) float64 {
			p := c.p[2*x[0]+x[1]]
			return 0.25 * []float64{1 - p, p}[x[2]]
		})
		r := learnertest.Learn(t, exact.Learner, &learner.Job{Train: s, Cores: 1}, "-score", "bic")
		if math.Abs(r.Report.Total-c.want) > 5e-5 {
			t.Errorf("got %.4f; want %.4f", r.Report.Total, c.want)
		}
	}
}

func TestTooMany(t *testing.T) {
	var vars []data.Var
	for i := range 21 {
		vars = append(vars, data.Var{Name: string(rune('a' + i)), States: []string{"0", "1"}})
	}
	s := learnertest.New(t, vars, [][]int{make([]int, 21)}, nil)
	learnertest.Error(t, exact.Learner, s, "the data has 21 variables; want at most 20, or rules about edges that leave no cycle through more: try hillclimb")
}

// With random rules, the parts together have the score of the search of all variables, which is
// compared with enumeration above. Rules make several parts in most trials.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 14))
	split, odd := 0, 0
	for trial := range 60 {
		var rows [][]int
		for range 60 {
			a, b, c := rng.IntN(2), rng.IntN(3), rng.IntN(2)
			rows = append(rows, []int{a, b, (a + b) % 2 & (1 + rng.IntN(2)), c, a ^ c ^ rng.IntN(6)/5})
		}
		s := learnertest.New(t, learnertest.Vars("a", 2, "b", 3, "c", 2, "d", 2, "e", 2), rows, nil)
		name := "abcde"
		edge := func(mark string) string {
			p := rng.Perm(5)
			return name[p[0]:p[0]+1] + mark + name[p[1]:p[1]+1]
		}
		var allowed []string
		for range 4 + rng.IntN(8) {
			allowed = append(allowed, edge([]string{"->", "--"}[rng.IntN(2)]))
		}
		o := exact.NewOptions()
		o.MaxParents = 1 + rng.IntN(4)
		switch trial % 3 {
		case 0:
			o.Allow = strings.Join(allowed, ",")
		case 1:
			o.Tiers = "a,c<b,d<e"
			o.Require = "a->e"
		default:
			o.Forbid = "a->b,c->b,d->b,e->b," + edge("->")
		}
		want, err := o.Learn(context.Background(), &learner.Job{Train: s, Cores: 2})
		if err != nil {
			odd++ // an edge that is required and forbidden
			continue
		}
		got, parts, err := exact.InParts(context.Background(), o, &learner.Job{Train: s, Cores: 2})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-want.Report.Total) > 1e-9 {
			t.Errorf("trial %d, %d parts: got %v; want %v", trial, parts, got, want.Report.Total)
		}
		if parts > 1 {
			split++
		}
	}
	if split < 40 || odd > 0 {
		t.Errorf("%d of 60 sets of rules make several parts, and %d fail; want most, and none", split, odd)
	}
}

// Of 26 variables in tiers of one, the best network is the best one of the order.
func TestTiers(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 6))
	vars, names := []data.Var{}, []string{}
	for i := range 26 {
		names = append(names, string(rune('a'+i)))
		vars = append(vars, data.Var{Name: names[i], States: []string{"0", "1"}})
	}
	rows := make([][]int, 200)
	for r := range rows {
		rows[r] = make([]int, 26)
		for i := range rows[r] {
			rows[r][i] = rng.IntN(2)
			if i > 1 && rng.IntN(3) > 0 {
				rows[r][i] = rows[r][i-1] ^ rows[r][i-2]
			}
		}
	}
	s := learnertest.New(t, vars, rows, nil)
	job := &learner.Job{Train: s, Cores: 2}
	got := learnertest.Learn(t, exact.Learner, job, "-max-parents", "2", "-tiers", strings.Join(names, "<"))
	want := learnertest.Learn(t, knownorder.Learner, job, "-max-parents", "2", "-order", strings.Join(names, ","))
	if got.Report.Total != want.Report.Total || learnertest.Parents(got) != learnertest.Parents(want) {
		t.Errorf("got %v, %s; want %v, %s", got.Report.Total, learnertest.Parents(got), want.Report.Total, learnertest.Parents(want))
	}
	learnertest.Error(t, exact.Learner, s, "edges may lead from each of 25 variables of the data to each other one, directly or by others; want at most 20, by rules about edges: try hillclimb",
		"-tiers", "a<"+strings.Join(names[1:], ","))
	learnertest.Error(t, exact.Learner, s, "there are 5.01e+07 families with at most 9 parents; want at most 1e+07: fewer parents, or more rules about edges",
		"-max-parents", "9", "-tiers", strings.Join(names[:13], ",")+"<"+strings.Join(names[13:], ","))
	learnertest.Error(t, exact.Learner, s, `edge b->a is both required and forbidden`, "-allow", "a->b", "-require", "b->a")
	learnertest.Error(t, exact.Learner, s, `allowed: edge "a->yy": the data has no variable "yy"; the first of its 26 is "a"; did you mean "y"?`, "-allow", "a->yy")
}
