package tan_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/naivebayes"
	"github.com/pgmc-go/pgmc/learn/tan"
)

// Given the class C, A and B are equal with probability 0.9, and D is an independent fair coin. So
// over 1,000 rows the edge from A to B gains 1000 times the mutual information of two fair bits
// that agree with probability 0.9: ln 2 + 0.9 ln 0.9 + 0.1 ln 0.1 = 0.368064 nats a row. Naive
// Bayes lacks this edge, and no edge of D has a gain.
func TestGivenClass(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("A", 2, "B", 2, "C", 2, "D", 2), 1000, func(x []int) float64 {
		return 0.125 * []float64{0.9, 0.1}[x[0]^x[1]]
	})
	mutual := 1000 * (math.Ln2 + 0.9*math.Log(0.9) + 0.1*math.Log(0.1))
	plain := learnertest.Learn(t, naivebayes.Learner, &learner.Job{Train: s, Cores: 1}, "-class", "C", "-score", "loglik")
	if got := learnertest.Parents(plain); got != "A|C B|C C| D|C" || math.Abs(plain.Report.Total+4000*math.Ln2) > 1e-8 {
		t.Errorf("naive Bayes: got %s, %v; want %v", got, plain.Report.Total, -4000*math.Ln2)
	}
	for _, kind := range []string{"loglik", "bic"} {
		r := learnertest.Learn(t, tan.Learner, &learner.Job{Train: s, Cores: 1}, "-class", "C", "-score", kind)
		got := learnertest.Parents(r)
		if kind == "bic" && got != "A|C B|AC C| D|C" {
			t.Errorf("bic: got %s; want the edge from A to B alone", got)
		}
		if kind == "loglik" && math.Abs(r.Report.Total-plain.Report.Total-mutual) > 1e-8 {
			t.Errorf("loglik: got %v more than naive Bayes with %s; want %v", r.Report.Total-plain.Report.Total, got, mutual)
		}
	}
	learnertest.Error(t, tan.Learner, s, `the data has no variable "E"; the first of its 4 is "A"`, "-class", "E")
	learnertest.Error(t, naivebayes.Learner, s, `the data has no variable "E"; the first of its 4 is "A"`, "-class", "E")
}
