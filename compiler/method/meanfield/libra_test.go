package meanfield_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"

	"github.com/pgmc-go/pgmc/compiler/method/meanfield"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// mfCase is a case of Libra's tests of mf that prints the likelihoods of queries: the names of the
// files that it reads and of its output.
type mfCase struct {
	model, evidence string // without evidence, or with same, all queries have the evidence of the first row
	same            bool
	log, schedule   string
	mean            string
	tolerance       float64
	near            float64 // largest difference of likelihoods
}

// mfCases holds the cases that are not in TestLibra and TestLibraQueue. Round robin, and the queue
// if variables have few neighbours, reach every digit. Otherwise Libra appends the neighbours of a
// variable in the order of a hash table, so that its updates of 0.001 end elsewhere.
//
// In the dependency network of test40 Libra averages probabilities instead of their logarithms.
var mfCases = []mfCase{
	{"manual/msweb-dn.xmod.gz", "../examples/msweb.ev", false, "manual/test40.log", "queue", "probability", 1e-4, 3e-5},
	{"acopt/msweb-cl.xmod.gz", "", true, "manual/test18.log", "queue", "log", .001, 6e-7},
	{"mn/msweb-cl.mn.gz", "", true, "mn/test6.log", "roundrobin", "log", .001, 6e-7},
	{"manual/msweb.mn.gz", "manual/msweb.ev1", false, "mn/test7.log", "roundrobin", "log", .001, 6e-7},
	{"manual/msweb.mn.gz", "manual/msweb.ev1", true, "mn/test8.log", "roundrobin", "log", .001, 6e-7},
	{"../examples/msweb.xmod.gz", "manual/msweb.ev1", false, "manual/test19.log", "queue", "log", .001, 2e-3},
	{"../examples/msweb.xmod.gz", "manual/msweb.ev1", true, "manual/test20.log", "queue", "log", .001, 2e-3},
}

func TestLibraQueries(t *testing.T) {
	for i, c := range mfCases {
		t.Run(c.log, func(t *testing.T) {
			if i > 1 {
				irtest.SkipUnlessLong(t)
			}
			c.check(t)
		})
	}
}

func (c *mfCase) check(t *testing.T) {
	run := methodtest.LibraCase{Model: c.model, Evidence: c.evidence}
	got := run.Run(t, meanfield.Method, pgmrt.LoopOptions{Iterations: 50, Tolerance: c.tolerance}, "schedule="+c.schedule, "mean="+c.mean)
	observed := make([][]string, len(got))
	if c.evidence != "" {
		for i, row := range methodtest.LibraRows(t, c.evidence)[:len(got)] {
			observed[i] = strings.Split(row, ",")
		}
	}
	want := methodtest.LibraRows(t, c.log)
	for i, row := range methodtest.LibraRows(t, "../examples/msweb.q") {
		k, sum := i, 0.0
		if c.same {
			k = 0
		}
		for v, s := range strings.Split(row, ",") {
			state, err := strconv.Atoi(s)
			if err == nil && (observed[k] == nil || observed[k][v] == "*") {
				sum += math.Log(got[k][v][state])
			}
		}
		if w, err := strconv.ParseFloat(want[i], 64); err != nil || math.Abs(sum-w) > c.near {
			t.Errorf("row %d: %.6f; Libra has %s", i, sum, want[i])
		}
	}
}

// TestLibraEvidence checks that Libra's marginals of a Markov network given evidence are within
// 2e-5 of ours.
func TestLibraEvidence(t *testing.T) {
	irtest.SkipUnlessLong(t)
	c := methodtest.LibraCase{Model: "manual/msweb.mn.gz", Evidence: "../examples/msweb.ev", Log: "manual/test32.log.gz"}
	got, want := c.Run(t, meanfield.Method, pgmrt.LoopOptions{Iterations: 50, Tolerance: 1e-4}, "schedule=queue"), c.Want(t)
	if len(got) != len(want) {
		t.Fatalf("%d rows of evidence; Libra answered %d", len(got), len(want))
	}
	for i := range want {
		for v, p := range want[i] {
			if math.Abs(got[i][v][1]-p[1]) > 2e-5 {
				t.Errorf("row %d, variable %d: %v; Libra has %v", i, v, got[i][v], p)
			}
		}
	}
}
