package hillclimb_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// diamond returns the expected counts of 4,000 rows of A, uniform on four states, B and C, its
// bits, flipped with probability e, and D, which depends with q on the states of B and C. Scores
// for it below were computed independently, by enumeration of the 543 structures.
func diamond(t *testing.T, m, e float64, q [4]float64) *data.Set {
	return learnertest.Expected(t, learnertest.Vars("A", 4, "B", 2, "C", 2, "D", 2), m, func(x []int) float64 {
		p := 0.25
		for i, bit := range []int{x[0] >> 1, x[0] & 1} {
			if x[i+1] == bit {
				p *= 1 - e
			} else {
				p *= e
			}
		}
		if d := q[2*x[1]+x[2]]; x[3] == 1 {
			return p * d
		} else {
			return p * (1 - d)
		}
	})
}

func near(t *testing.T, what string, r *learner.Result, want float64) {
	t.Helper()
	if math.Abs(r.Report.Total-want) > 5e-5 {
		t.Errorf("%s: got %.4f with %s; want %.4f", what, r.Report.Total, learnertest.Parents(r), want)
	}
}

// Figure 18.5 of Koller and Friedman: an edge from A to D that is added early has no gain in the
// end, and is deleted.
func TestDelete(t *testing.T) {
	s := diamond(t, 4000, 0.15, [4]float64{0.1, 0.2, 0.2, 0.9})
	r := learned(t, s, 1, "-score", "bic")
	near(t, "bic", r, -10640.0263)
	edges := 0
	for _, f := range r.Report.Families {
		edges += len(f.Parents)
	}
	if got := learnertest.Parents(r); edges != 4 || r.Report.Steps <= edges || !strings.HasSuffix(got, " D|BC") && !strings.HasSuffix(got, " D|CB") {
		t.Errorf("%d steps to %s; want four edges, two of them to D, by more steps than that", r.Report.Steps, got)
	}
	near(t, "bdeu", learned(t, s, 1, "-score", "bdeu"), -10645.3379)
	for _, l := range []string{"3", "5", "10"} {
		near(t, "tabu "+l, learned(t, s, 1, "-score", "bic", "-tabu", l, "-patience", "30"), -10640.0263)
	}
	near(t, "first ascent", learned(t, s, 1, "-score", "bic", "-first-ascent", "-restarts", "10"), -10640.0263)
	near(t, "required", learned(t, s, 1, "-score", "bic", "-require", "A->D"), -10640.0263-49.7643)
}

// Hill climbing stops where D and C point the wrong way; a tabu list, restarts and perturbed data
// escape. With a million rows there is no such local maximum.
func TestStuck(t *testing.T) {
	s := diamond(t, 4000, 0.1, [4]float64{0.1, 0.5, 0.5, 0.9})
	near(t, "climbing", learned(t, s, 1, "-score", "bic"), -10291.7704)
	near(t, "tabu", learned(t, s, 1, "-score", "bic", "-tabu", "5", "-patience", "30"), -10244.5069)
	near(t, "restarts", learned(t, s, 1, "-score", "bic", "-restarts", "20"), -10244.5069)
	near(t, "perturbed", learned(t, s, 1, "-score", "bic", "-restarts", "20", "-perturb", "2"), -10244.5069)
	near(t, "a million", learned(t, diamond(t, 1e6, 0.1, [4]float64{0.1, 0.5, 0.5, 0.9}), 1, "-score", "bic"), -2545679.0012)
}

// Figure 18.6: two causes of C. If the edge from C to A is required, the search cannot find the
// truth; if it is only in the initial network, the search reverses it. Ties are broken by the order
// of columns, and C is the first, so that the edge from B to C is tried before its reverse.
func TestReverse(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("C", 2, "A", 2, "B", 2), 1000, func(x []int) float64 {
		p := []float64{0.1, 0.35, 0.65, 0.95}[2*x[1]+x[2]]
		return 0.25 * []float64{1 - p, p}[x[0]]
	})
	near(t, "free", asGiven(t, &learner.Job{Train: s, Cores: 1}, "-score", "bic"), -1861.6405)
	near(t, "C->A required", learned(t, s, 1, "-score", "bic", "-require", "C->A"), -1865.0944)
	first := learned(t, s, 1, "-score", "bic", "-require", "C->A", "-forbid", "B->C,C->B,A->B,B->A")
	if got := learnertest.Parents(first); got != "C| A|C B|" {
		t.Fatalf("got %s; want C->A alone", got)
	}
	r := asGiven(t, &learner.Job{Train: s, Cores: 1, Init: first.Models[0]}, "-score", "bic")
	near(t, "from C->A", r, -1861.6405)
}

// Exclusive or, flipped with probability 0.1: no single edge has a gain, but both together do. A
// tabu list finds them.
func TestNoisyXor(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("A", 2, "B", 2, "C", 2), 1000, func(x []int) float64 {
		return 0.25 * []float64{0.9, 0.1}[x[0]^x[1]^x[2]]
	})
	near(t, "climbing", learned(t, s, 1, "-score", "bic"), -2089.8032)
	near(t, "tabu", learned(t, s, 1, "-score", "bic", "-tabu", "5", "-patience", "30"), -1732.1006)
}

// No kind of search depends on the order of columns and rows.
func TestOrder(t *testing.T) {
	for _, args := range []string{"-tabu 5", "-restarts 3", "-restarts 2 -perturb 1", "-first-ascent", "-softmax 1 -tabu 3"} {
		if t.Run(args, func(t *testing.T) { learnertest.Order(t, hillclimb.Learner, strings.Fields(args)...) }); t.Failed() {
			return
		}
	}
}

// Every kind of search respects required and forbidden edges.
func TestRules(t *testing.T) {
	s := diamond(t, 4000, 0.15, [4]float64{0.1, 0.2, 0.2, 0.9})
	for _, args := range [][]string{nil, {"-tabu", "5"}, {"-restarts", "5"}, {"-restarts", "5", "-perturb", "1"}, {"-first-ascent"}} {
		r := learned(t, s, 1, append(args, "-require", "D->A, C->B", "-forbid", "A->B,B->A")...)
		parents := map[string][]string{}
		for _, f := range r.Report.Families {
			parents[f.Variable] = f.Parents
		}
		if !slices.Contains(parents["A"], "D") || !slices.Contains(parents["B"], "C") || slices.Contains(parents["A"], "B") || slices.Contains(parents["B"], "A") {
			t.Errorf("%v: %s", args, learnertest.Parents(r))
		}
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"edge A->B is both required and forbidden", []string{"-require", "A->B", "-forbid", "A->B"}},
		{"required edge B->A closes a cycle with the other edges", []string{"-require", "A->B,B->A"}},
		{`required: edge "A-B"; want one like a->b`, []string{"-require", "A-B"}},
		{`required: edge "A->E": the data has no variable "E"; the first of its 4 is "A"`, []string{"-require", "A->E"}},
		{`forbidden: edge "A->A" joins a variable to itself`, []string{"-forbid", "A->A"}},
		{"perturb 1 without restarts; say how many with restarts", []string{"-perturb", "1"}},
		{"perturb -1; want a variance from 0 to 10", []string{"-perturb", "-1"}},
		{"at most -1 parents; want 0 or more", []string{"-max-parents", "-1"}},
	} {
		learnertest.Error(t, hillclimb.Learner, s, c.want, c.args...)
	}
}

// TestCandidates checks the contract with candidates, also after searches on perturbed rows.
func TestCandidates(t *testing.T) {
	args := []string{"-candidates", "1", "-restarts", "2", "-perturb", "0.5"}
	learnertest.Run(t, hillclimb.Learner, args...)
	learnertest.Rules(t, hillclimb.Learner, args...)
}
