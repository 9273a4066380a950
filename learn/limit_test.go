package learn_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// Learners of circuits respect a bound on edges: they shrink a larger circuit, or refuse.
func TestMaxEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var rows [][]int
	for range 400 {
		x := make([]int, 6)
		for i := range x {
			if x[i] = rng.IntN(2); i > 0 && rng.Float64() < 0.7 {
				x[i] = x[rng.IntN(i)]
			}
		}
		rows = append(rows, x)
	}
	vars := learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2, "e", 2, "f", 2)
	train, valid := learnertest.New(t, vars, rows[:300], nil), learnertest.New(t, vars, rows[300:], nil)
	for _, c := range []struct {
		args    string
		smaller bool // can be made smaller
	}{
		{"mt -step 1", true},
		{"hclt -max-states 32", true},
		{"ltm", false},
		{"cnet -bags 5 -min-rows 5", true},
		{"learnspn", false},
		{"acbn -edge-penalty 0.001 -tidy=false", true},
		{"acmn -edge-penalty 0.001 -tidy=false", true},
	} {
		t.Run(c.args, func(t *testing.T) {
			name, rest, _ := strings.Cut(c.args, " ")
			l, err := learn.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			run := func(most int) (int, error) {
				args := append(strings.Fields(rest), "-max-edges", strconv.Itoa(most))
				r, err := learnertest.Make(t, *l, args...).Learn(t.Context(), &learner.Job{Train: train, Valid: valid, Seed: 1, Cores: 2})
				if err != nil {
					return 0, err
				}
				m := r.Models[len(r.Models)-1]
				return m.Factors[0].Dist.(*model.Circuit).Edges(), nil
			}
			all, err := run(1_000_000)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := run(all); err != nil || got != all {
				t.Errorf("with as many edges as it takes, %d: %d, %v", all, got, err)
			}
			if got, err := run(all - 1); c.smaller && err != nil || err == nil && got >= all {
				t.Errorf("with one less than the %d edges it takes: %d, %v", all, got, err)
			}
			if _, err := run(5); err == nil || !strings.Contains(err.Error(), "edges; want at most 5; allow more edges") {
				t.Errorf("with 5 edges: error %v; want one that says so", err)
			}
		})
	}
}

// A learner without a result after MaxTime names that limit.
func TestMaxTimeWithoutResult(t *testing.T) {
	s := learnertest.Drawn(t, 1, 8)
	for _, name := range []string{"pc", "exact", "average"} {
		l, err := learn.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = l.New().Learn(t.Context(), &learner.Job{Train: s, Cores: 1, MaxTime: 1})
		if want := "stopped before the first result: max-time 1ns is over; give more time"; err == nil || err.Error() != want {
			t.Errorf("%s: got error %v; want %s", name, err, want)
		}
	}
}
