package gssl_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/gssl"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// parity returns rows of three variables whose parity is even in nine rows of ten, and one of
// noise. All pairs are independent.
func parity(t *testing.T) *data.Set {
	return learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2), 1600, func(x []int) float64 {
		return []float64{0.9, 0.1}[x[0]^x[1]^x[2]] / 8
	})
}

// Conjunctions of three find the dependence that no pair shows: each of the three variables then
// has probability 0.9 given the others, and the noise 1/2.
func TestParity(t *testing.T) {
	s := parity(t)
	learn := func(length string) float64 {
		return learnertest.Learn(t, gssl.Learner, &learner.Job{Train: s, Seed: 1, Cores: 1}, "-max-length", length, "-l1", "0.1", "-features", "300").Report.Total
	}
	best := 1600 * (3*(0.9*math.Log(0.9)+0.1*math.Log(0.1)) + math.Log(0.5))
	if got := learn("3"); got < best-2 || got > best {
		t.Errorf("conjunctions of three have %v; want %v, or up to 2 nats less for the penalty", got, best)
	}
	if got, want := learn("2"), 4*1600*math.Log(0.5); math.Abs(got-want) > 1 {
		t.Errorf("conjunctions of two have %v; want that of independent variables, %v", got, want)
	}
}

// The seed determines the drawn features, the least weight those that are kept, and the penalty
// those with a weight.
func TestOptions(t *testing.T) {
	s := parity(t)
	learn := func(seed uint64, args ...string) *learner.Result {
		return learnertest.Learn(t, gssl.Learner, &learner.Job{Train: s, Seed: seed, Cores: 2}, append([]string{"-features", "20"}, args...)...)
	}
	if a, b := learn(1), learn(1); !reflect.DeepEqual(a.Models, b.Models) {
		t.Error("one seed gives two networks")
	}
	if a, b := learn(1, "-l1", "0.01"), learn(2, "-l1", "0.01"); reflect.DeepEqual(a.Models, b.Models) {
		t.Error("two seeds give one network")
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-min-count", "1601"}, "0 conjunctions drawn that hold in enough rows"},
		{[]string{"-features", "0"}, "0 conjunctions drawn that hold in enough rows"},
		// Four binary variables have 24 conjunctions of two literals, 32 of three and 16 of four.
		// All occur in at least 10 rows, and are drawn with equal probability.
		{[]string{"-features", "3000"}, "72 conjunctions drawn that hold in enough rows"},
	} {
		if got := learn(1, c.args...).Report.Remarks[0]; got != c.want {
			t.Errorf("%v: %s; want %s", c.args, got, c.want)
		}
	}
	if r := learn(1, "-l1", "5000"); r.Report.Params != 0 {
		t.Errorf("%d weights with a large penalty; want none", r.Report.Params)
	}
}

func TestErrors(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 2), [][]int{{0}, {1}}, nil)
	learnertest.Error(t, gssl.Learner, s, "-1 conjunctions; want 0 to 5000000", "-features", "-1")
	learnertest.Error(t, gssl.Learner, s, "at most 1 variables of a conjunction; want 2 or more", "-max-length", "1")
	learnertest.Error(t, gssl.Learner, s, "least weight of the rows of a conjunction NaN; want 0 or more", "-min-count", "NaN")
}
