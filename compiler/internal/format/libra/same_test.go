package libra_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bif"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/libra"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestSame compares networks that Libra's tools converted into each other, at random states.
func TestSame(t *testing.T) {
	for _, c := range []struct {
		f     format.Format
		one   string
		g     format.Format
		other string
	}{
		{libra.MN, "test/inference/test1.mn", bif.Format, "test/inference/test1.bif"},
		{libra.MN, "test/inference/test1.mn", libra.MN, "test/inference/test1-f.mn"},
		{libra.MN, "test/inference/alarm.mn.gz", bif.Format, "test/acbn/alarm.bif"},
		{libra.MN, "test/inference/alarm.mn.gz", libra.MN, "test/inference/alarm-f.mn.gz"},
		{libra.XMOD, "test/inference/msweb.xmod.gz", libra.MN, "test/inference/msweb.mn.gz"},
		{libra.XMOD, "test/inference/msweb.xmod.gz", libra.MN, "test/inference/msweb-f.mn.gz"},
		{libra.XMOD, "examples/msweb.xmod.gz", libra.MN, "test/manual/msweb.mn.gz"},
		{libra.XMOD, "test/acopt/msweb-cl.xmod.gz", bif.Format, "test/manual/test36.bif.gz"},
		{libra.BN, "test/mn/msweb-cl.bn.gz", libra.MN, "test/mn/msweb-cl.mn.gz"},
		{bif.Format, "test/acve/test1.bif", libra.AC, "test/acve/test1.ac"},
		{bif.Format, "test/acbn/alarm.bif", libra.AC, "test/acve/test2.ac.gz"},
		{libra.XMOD, "test/acve/cold-learned.xmod", libra.AC, "test/acve/test3.ac"},
		{libra.MN, "test/acve/test4.mn", libra.AC, "test/acve/test4.ac.gz"},
		{libra.XMOD, "test/acbn/cold-test1.xmod", libra.AC, "test/acbn/cold-test1.ac"},
		{libra.SPN, "test/inference/model19.spn", libra.AC, "test/inference/model22.ac.gz"},
	} {
		t.Run(c.one+" "+c.other, func(t *testing.T) {
			one, other := mustRead(t, c.f, filepath.Join(data(t), c.one)), mustRead(t, c.g, filepath.Join(data(t), c.other))
			rng := rand.New(rand.NewPCG(3, 4))
			state := make([]int, len(one.Vars))
			impossible := 0
			for range 200 {
				for v := range state {
					state[v] = rng.IntN(one.Card(model.VarID(v)))
				}
				x, y := logValue(one, state), logValue(other, state)
				if math.IsInf(x, -1) && math.IsInf(y, -1) {
					impossible++
					continue
				}
				// Both have numbers of six or seven digits, a few for each variable.
				if !(math.Abs(x-y) <= 5e-6*float64(len(state))) {
					t.Fatalf("%v and %v at %v", x, y, state)
				}
			}
			if impossible == 200 {
				t.Error("all states were impossible")
			}
		})
	}
}

// TestBeliefs compares marginals for each row of evidence with those of Libra's belief propagation,
// which is exact on trees.
func TestBeliefs(t *testing.T) {
	for _, c := range []struct{ model, evidence, log string }{
		{"test1.mn", "", "test1.log"},
		{"test1-f.mn", "", "test1.log"},
		{"test1.mn", "test1.ev", "test2b.log"},
		{"test1-f.mn", "test1.ev", "test2b.log"},
		{"test1-ev1.mn", "", "test4.log"},
		{"test1-ev1.mn", "test1.ev1", "test5.log"},
	} {
		dir := "test/inference/"
		m := mustRead(t, libra.MN, filepath.Join(data(t), dir, c.model))
		joint := formattest.NewJoint(t, m)
		evidence := [][]int{{-1, -1, -1, -1}}
		if c.evidence != "" {
			evidence = rows(t, dir+c.evidence)
		}
		var lines []string
		for _, line := range text(t, dir+c.log) {
			if strings.TrimSpace(line) != "" {
				lines = append(lines, line)
			}
		}
		if len(lines) != len(evidence)*len(m.Vars) {
			t.Fatalf("%s: %d answers for %d rows", c.log, len(lines), len(evidence))
		}
		for i, row := range evidence {
			given := map[string]string{}
			for v, s := range row {
				if s >= 0 {
					given[m.Vars[v].Name] = strconv.Itoa(s)
				}
			}
			for v, line := range lines[i*len(m.Vars) : (i+1)*len(m.Vars)] {
				for s, word := range strings.Fields(line) {
					want, err := strconv.ParseFloat(word, 64)
					if err != nil {
						t.Fatal(err)
					}
					got := joint.Posterior(t, m.Vars[v].Name, strconv.Itoa(s), given)
					if math.Abs(got-want) > 1e-9 {
						t.Errorf("%s, %s, row %d: P(v%d=%d) = %.12f; want %s", c.model, c.log, i, v, s, got, word)
					}
				}
			}
		}
	}
}

// logP returns log P(row) in a smooth circuit, with the variables at -1 summed out.
func logP(d *model.Circuit, buf []float64, row []int) float64 {
	return math.Log(d.Eval(func(axis int, state int32) float64 {
		if row[axis] >= 0 && row[axis] != int(state) {
			return 0
		}
		return 1
	}, buf))
}

// both returns the states of a, and those of b for variables without a state in a.
func both(a, b []int) []int {
	row := make([]int, len(a))
	for i := range row {
		if row[i] = a[i]; a[i] < 0 {
			row[i] = b[i]
		}
	}
	return row
}

// TestConditional compares the mean log P(query | evidence) with that of Libra's acquery.
func TestConditional(t *testing.T) {
	for _, c := range []struct {
		f                      format.Format
		model, query, evidence string
		mean                   float64
	}{
		{libra.AC, "test/manual/msweb-cl.ac.gz", "examples/msweb.q", "", -7.178948},
		{libra.AC, "test/manual/msweb-cl.ac.gz", "examples/msweb.q", "examples/msweb.ev", -6.399847},
	} {
		m := mustRead(t, c.f, filepath.Join(data(t), c.model))
		d := m.Factors[0].Dist.(*model.Circuit)
		buf := make([]float64, len(d.Nodes))
		query := rows(t, c.query)
		mean := 0.0
		for i, q := range query {
			e := make([]int, len(q))
			for v := range e {
				e[v] = -1
			}
			if c.evidence != "" {
				e = rows(t, c.evidence)[i]
			}
			mean += (logP(d, buf, both(q, e)) - logP(d, buf, e)) / float64(len(query))
		}
		if math.Abs(mean-c.mean) > 1e-6 {
			t.Errorf("%s: mean %.6f; want %.6f", c.model, mean, c.mean)
		}
	}
}
