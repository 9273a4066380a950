package acbn_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/acbn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// stored reads a circuit or a network written by Libra.
func stored(t *testing.T, path ...string) *model.Model {
	t.Helper()
	file := filepath.Join(append([]string{irtest.Shared(t), "data", "libra"}, path...)...)
	m, list := format.Read(compiler.Formats, file, "", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	return m
}

// logValue returns the logarithm of the product of all factors.
func logValue(m *model.Model, x []int) (sum float64) {
	for _, f := range m.Factors {
		sum += math.Log(m.Value(f, x))
	}
	return sum
}

// The networks and circuits that Libra's acbn stored for its test cases: the test compares the
// probability of each row, within the six digits of numbers in an .ac file, and the mean that
// Libra's mscore prints, for msweb of the test rows.
//
// For alarm, whose variables have up to four states, the network differs from Libra's but has about
// as many splits. Libra's own log, which ends at -10.5741 a row, does not belong to the circuit
// that it stored, -10.5758. The test wants a likelihood that is no worse.
func TestLibraOutputs(t *testing.T) {
	for _, c := range []struct {
		name        string
		data, score []string
		circuit     []string
		network     []string
		mean        float64
		each        float64 // the largest difference of a row; 0 for any
		long        bool
	}{
		{"cold", []string{"test", "acbn", "cold.data"}, []string{"test", "acbn", "cold.data"},
			[]string{"test", "acbn", "cold-test1.ac"}, []string{"test", "acbn", "cold-test1.xmod"}, -1.773316, 1e-5, false},
		{"alarm", []string{"test", "acbn", "alarm.data.gz"}, []string{"test", "acbn", "alarm.data.gz"},
			[]string{"test", "acbn", "alarm-test2.ac.gz"}, []string{"test", "acbn", "alarm-test2.xmod.gz"}, -10.575821, 0, true},
		{"msweb", []string{"examples", "msweb.data.gz"}, []string{"examples", "msweb.test.gz"},
			[]string{"test", "acopt", "msweb-ac.ac.gz"}, []string{"test", "manual", "msweb-ac.xmod.gz"}, -9.910629, 2e-3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.long {
				irtest.SkipUnlessLong(t)
			}
			r := learnertest.Learn(t, acbn.Learner, &learner.Job{Train: learnertest.Load(t, append([]string{"libra"}, c.data...)...), Cores: 2}, "-tidy=false")
			rows := learnertest.Load(t, append([]string{"libra"}, c.score...)...)
			circuit, network := stored(t, c.circuit...), stored(t, c.network...)
			x := make([]int, len(rows.Vars))
			mean := 0.0
			for i := range rows.Len() {
				rows.Row(i, x)
				got := logValue(r.Models[0], x)
				mean += got / float64(rows.Len())
				for _, m := range []*model.Model{circuit, network} {
					if want := logValue(m, x); c.each > 0 && math.Abs(got-want) > c.each {
						t.Fatalf("row %d: %v; want %v", i, got, want)
					}
				}
			}
			if mean < c.mean-1e-5 || c.each > 0 && mean > c.mean+1e-5 {
				t.Errorf("%v nats a row; want %v", mean, c.mean)
			}
		})
	}
}
