package gibbs_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/gibbs"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

// Libra's marginals without evidence, of a Bayesian and of a dependency network, within four standard errors of a run like its own. The
// errors are estimated from 24 runs, which adds some to their own.
func TestLibraMarginals(t *testing.T) {
	for _, c := range []struct{ model, want string }{
		{"inference/msweb.xmod.gz", "manual/test25.marg"},
		{"manual/msweb-dn.xmod.gz", "manual/test39.marg"},
	} {
		t.Run(c.want, func(t *testing.T) {
			chain := methodtest.NewLibraChain(t, gibbs.Method, c.model)
			mean, sd := chain.Spread(t, "", 24, func(marginals [][]float64) (list []float64) {
				for _, p := range marginals {
					list = append(list, p[1])
				}
				return list
			})
			rows := methodtest.LibraRows(t, c.want)[1:]
			if len(rows) != len(mean) {
				t.Fatalf("%d variables, and %d that Libra printed", len(mean), len(rows))
			}
			far := 0
			for v, row := range rows {
				want, err := strconv.ParseFloat(strings.Fields(row)[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				if z := math.Abs(want-mean[v]) / (sd[v] + 1e-5); z > 4 {
					t.Logf("variable %d: Libra has %v; want %v within 4 times %v (z %.1f)", v, want, mean[v], sd[v], z)
					far++
				}
			}
			t.Log(far)
		})
	}
}

func TestLibraQueries(t *testing.T) {
	chain := methodtest.NewLibraChain(t, gibbs.Method, "manual/msweb.mn.gz")
	queries, evidence := methodtest.LibraRows(t, "../examples/msweb.q"), methodtest.LibraRows(t, "../examples/msweb.ev")
	want := methodtest.LibraRows(t, "manual/test33.log")
	for i, line := range evidence {
		mean, sd := chain.Spread(t, line, 24, func(marginals [][]float64) []float64 {
			sum := 0.0
			for v, s := range strings.Split(queries[i], ",") {
				if state, err := strconv.Atoi(s); err == nil {
					sum += math.Log(marginals[v][state])
				}
			}
			return []float64{sum}
		})
		t.Log(want[i], mean, sd)
	}
}
