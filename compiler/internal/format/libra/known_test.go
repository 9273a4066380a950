package libra_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/libra"
	"github.com/pgmc-go/pgmc/ir/model"
)

// text returns the lines of a file of Libra, compressed or not.
func text(t testing.TB, name string) []string {
	t.Helper()
	src, err := format.OpenSource(filepath.Join(data(t), name), format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(src.Data)), "\n")
}

// rows reads states separated by commas; "*" is -1.
func rows(t testing.TB, name string) [][]int {
	t.Helper()
	var all [][]int
	for _, line := range text(t, name) {
		var row []int
		for _, s := range strings.Split(strings.TrimSpace(line), ",") {
			n, err := strconv.Atoi(s)
			if s == "*" {
				n = -1
			} else if err != nil {
				t.Fatal(err)
			}
			row = append(row, n)
		}
		all = append(all, row)
	}
	return all
}

// scores reads the numbers that are alone on a line. Libra's tools print one for each row.
func scores(t testing.TB, name string) []float64 {
	t.Helper()
	var all []float64
	for _, line := range text(t, name) {
		if x, err := strconv.ParseFloat(strings.TrimSpace(line), 64); err == nil {
			all = append(all, x)
		}
	}
	return all
}

// logValue returns the logarithm of the product of all factors.
func logValue(m *model.Model, row []int) float64 {
	sum := 0.0
	for _, f := range m.Factors {
		sum += math.Log(m.Value(f, row))
	}
	return sum
}

// logNormal returns logValue of a circuit minus the logarithm of its sum over all states.
func logNormal(m *model.Model, row []int) float64 {
	return logValue(m, row) - math.Log(sum(m.Factors[0].Dist.(*model.Circuit)))
}

// sum returns the sum over all states of a smooth and decomposable circuit.
func sum(d *model.Circuit) float64 {
	return d.Eval(func(int, int32) float64 { return 1 }, make([]float64, len(d.Nodes)))
}

// logPseudo returns the sum over variables of log P(x | all others).
func logPseudo(m *model.Model, row []int) float64 {
	touches := make([][]*model.Factor, len(m.Vars))
	for _, f := range m.Factors {
		for _, v := range f.Scope {
			touches[v] = append(touches[v], f)
		}
	}
	sum := 0.0
	for v := range m.Vars {
		was := row[v]
		var here, total float64
		for s := range m.Card(model.VarID(v)) {
			row[v] = s
			product := 1.0
			for _, f := range touches[v] {
				product *= m.Value(f, row)
			}
			if total += product; s == was {
				here = product
			}
		}
		row[v] = was
		sum += math.Log(here / total)
	}
	return sum
}

// TestScores compares log-likelihoods with those that Libra's mscore printed with six digits for
// each row, and their means.
func TestScores(t *testing.T) {
	const (
		alarm = "test/acbn/alarm.data.gz"
		cold  = "test/acbn/cold.data"
		msweb = "examples/msweb.test.gz"
	)
	for _, c := range []struct {
		f           format.Format
		model, data string
		score       func(*model.Model, []int) float64
		rows        string // a file with a number for each row
		mean        float64
	}{
		{libra.AC, "test/acbn/alarm-test2.ac.gz", alarm, logValue, "", -10.575821},
		{libra.XMOD, "test/acbn/alarm-test2.xmod.gz", alarm, logValue, "", -10.575821},
		{libra.MN, "test/acmn/alarm.mn", alarm, logValue, "test/acmn/alarm-inf-mn-test.txt", 0}, // without Z, as Libra
		{libra.MN, "test/acmn/cold.mn", cold, logValue, "test/acmn/cold.llg", 2.396384},         // without Z, as Libra
		{libra.AC, "test/acmn/cold.ac", cold, logValue, "test/acmn/cold.llg", 0},
		{libra.AC, "test/acopt/msweb-test1.ac.gz", msweb, logNormal, "test/acopt/msweb-test1.txt", -9.624419},
		{libra.AC, "test/acopt/msweb-test4.ac.gz", msweb, logNormal, "test/acopt/msweb-test4.txt", -9.972110},
		{libra.XMOD, "test/acopt/msweb-cl.xmod.gz", msweb, logValue, "test/manual/test6.log", -10.004229},
		{libra.AC, "test/manual/msweb-cl.ac.gz", msweb, logValue, "test/manual/test7.log", -10.004221},
		{libra.XMOD, "test/manual/msweb-ac.xmod.gz", msweb, logValue, "test/manual/test8.log", -9.910629},
		{libra.AC, "test/acopt/msweb-ac.ac.gz", msweb, logValue, "test/manual/test9.log", -9.910677},
		{libra.MN, "test/mn/msweb-cl.mn.gz", msweb, logPseudo, "test/mn/test3.log", 0},
		{libra.BN, "test/mn/msweb-cl.bn.gz", msweb, logPseudo, "test/mn/test3.log", 0},
		{libra.MN, "test/manual/msweb.mn.gz", msweb, logPseudo, "test/manual/test34.log", 0},
		{libra.XMOD, "examples/msweb.xmod.gz", msweb, logPseudo, "test/manual/test35.log", 0},
		{libra.XMOD, "test/manual/msweb-dn.xmod.gz", msweb, logValue, "", -10.731118}, // mscore -depnet: P(x | all others) as the CPDs have it
		{libra.SPN, "test/mtlearn/model1.spn", "test/mtlearn/test1.data.gz", logValue, "test/mtlearn/model1.inf.gz", 0},
		{libra.SPN, "test/mtlearn/model1.spn", "test/mtlearn/train1.data.gz", logValue, "", -6.04024},
	} {
		t.Run(c.model, func(t *testing.T) {
			m := mustRead(t, c.f, filepath.Join(data(t), c.model))
			all := rows(t, c.data)
			var want []float64
			if c.rows != "" {
				if want = scores(t, c.rows); len(want) != len(all) {
					t.Fatalf("%d answers for %d rows", len(want), len(all))
				}
			}
			mean := 0.0
			for i, row := range all {
				got := c.score(m, row)
				mean += got / float64(len(all))
				// Libra prints weights and values with six or seven digits; the circuits multiply
				// tens of them.
				if want != nil && math.Abs(got-want[i]) > 1e-5*max(1, math.Abs(want[i])) {
					t.Fatalf("row %d: %.6f; want %.6f", i, got, want[i])
				}
			}
			if c.mean != 0 && math.Abs(mean-c.mean) > 1e-6*max(1, math.Abs(c.mean)) {
				t.Errorf("mean %.6f; want %.6f", mean, c.mean)
			}
		})
	}
}

// TestSPN compares networks with the circuits that Libra's spn2ac made of them, at random states.
func TestSPN(t *testing.T) {
	for _, name := range []string{"model1", "model2", "model3"} {
		dir := filepath.Join(data(t), "test", "util")
		m := mustRead(t, libra.SPN, filepath.Join(dir, name+".spn"))
		path := files(t, dir, name+".ac")
		want := mustRead(t, libra.AC, path[0])
		rng := rand.New(rand.NewPCG(1, 2))
		state := make([]int, len(m.Vars))
		for range 1000 {
			for v := range state {
				state[v] = rng.IntN(m.Card(model.VarID(v)))
			}
			got, want := logValue(m, state), logValue(want, state)
			if math.Abs(got-want) > 1e-5*math.Abs(want) { // spn2ac prints six digits
				t.Fatalf("%s at %v: %.6f; want %.6f", name, state, got, want)
			}
		}
	}
}

// TestSPNFolders reads every folder, writes it and reads it back; a circuit that sums to one
// survives exactly.
func TestSPNFolders(t *testing.T) {
	for _, name := range []string{
		"examples/msweb.spn", "examples/msweb-mt.spn", "test/inference/model19.spn", "test/mtlearn/model1.spn",
		"test/util/model1.spn", "test/util/model2.spn", "test/util/model3.spn",
	} {
		m := mustRead(t, libra.SPN, filepath.Join(data(t), name))
		path := filepath.Join(t.TempDir(), "out.spn")
		if err := format.Write([]format.Format{libra.SPN}, path, "", m); err != nil {
			t.Fatal(err)
		}
		again := mustRead(t, libra.SPN, path)
		zero := make([]int, len(m.Vars))
		z := sum(m.Factors[0].Dist.(*model.Circuit))
		if got, want := logValue(again, zero), logValue(m, zero)-math.Log(z); math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s: log P(0) is %v after writing and reading; want %v", name, got, want)
		}
		if !formattest.RoundTrip(t, libra.SPN, again) {
			t.Errorf("%s: not written", name)
		}
	}
}

// marginal returns P(v = s) in a smooth circuit, with the other indicators of v set to 0.
func marginal(d *model.Circuit, v int, s int32, evidence []int) float64 {
	buf := make([]float64, len(d.Nodes))
	p := func(v int, s int32) float64 {
		return d.Eval(func(axis int, state int32) float64 {
			if axis == v && state != s || evidence[axis] >= 0 && evidence[axis] != int(state) {
				return 0
			}
			return 1
		}, buf)
	}
	return p(v, s) / p(-1, 0)
}

// TestMarginals compares the marginals of a circuit over all variables with those of Libra's
// acquery.
func TestMarginals(t *testing.T) {
	m := mustRead(t, libra.AC, filepath.Join(data(t), "test/manual/msweb-cl.ac.gz"))
	d := m.Factors[0].Dist.(*model.Circuit)
	none := slices.Repeat([]int{-1}, len(m.Vars))
	lines := text(t, "test/manual/test11.marg")
	if len(lines) != len(m.Vars) {
		t.Fatalf("%d answers for %d variables", len(lines), len(m.Vars))
	}
	for v, line := range lines {
		for s, word := range strings.Fields(line) {
			want, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := marginal(d, v, int32(s), none); math.Abs(got-want) > 1e-9 {
				t.Errorf("P(v%d = %d) = %.12f; want %s", v, s, got, word)
			}
		}
	}
}
