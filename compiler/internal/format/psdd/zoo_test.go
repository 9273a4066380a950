package psdd_test

import (
	"bytes"
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/psdd"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestLikelihood compares the mean log-likelihood of test rows with that of another evaluator,
// which is recorded next to the files.
func TestLikelihood(t *testing.T) {
	for _, c := range []struct {
		file, data string
		want       float64
		long       bool // takes more than a second
	}{
		{"nltcs.psdd.gz", "nltcs", -6.044764, false},
		{"nltcs.10split.psdd", "nltcs", -6.558651, false},
		{"nltcs.clt.psdd", "nltcs", -6.759045, false},
		{"book.psdd.gz", "book", -35.667978, false},
		{"c20ng.psdd.gz", "c20ng", -160.927435, true},
		{"baudio.psdd.gz", "baudio", -41.594123, true},
		{"bnetflix.psdd.gz", "bnetflix", -58.151917, true},
		{"cr52.psdd.gz", "cr52", -92.381313, true},
		{"jester.psdd.gz", "jester", -54.429660, true},
		{"kdd-6k.psdd.gz", "kdd", -2.169212, true},
		{"kdd.psdd.gz", "kdd", -2.158379, true},
		{"msnbc.psdd.gz", "msnbc", -6.051873, true},
		{"msnbc-yitao-a.psdd.gz", "msnbc", -6.042184, true},
		{"msweb.psdd.gz", "msweb", -10.135971, true},
		{"plants.psdd.gz", "plants", -13.354223, true},
	} {
		t.Run(c.file, func(t *testing.T) {
			if c.long {
				irtest.SkipUnlessLong(t)
			}
			m := open(t, "psdd", c.file)
			got := meanLog(t, m.Factors[0].Dist.(*model.Circuit), len(m.Vars), c.data)
			if math.Abs(got-c.want) > 1e-6 { // printed with six digits
				t.Errorf("mean log-likelihood %.7f; want %v", got, c.want)
			}
		})
	}
}

// meanLog returns the mean log-likelihood of the test rows of a binary data set without a header.
func meanLog(t *testing.T, d *model.Circuit, vars int, data string) float64 {
	t.Helper()
	src, err := format.OpenSource(filepath.Join(irtest.Shared(t), "data", "debd", data+".test.data.gz"), format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	buf, sum, rows := make([]float64, len(d.Nodes)), 0.0, 0
	for line := range bytes.Lines(src.Data) {
		row := bytes.Split(bytes.TrimSpace(line), []byte(","))
		if len(row) < vars {
			t.Fatalf("row of %d; want %d", len(row), vars)
		}
		at := func(axis int, s int32) float64 {
			if row[axis][0] == byte('0'+s) {
				return 1
			}
			return 0
		}
		p := d.Eval(at, buf)
		if p > 1e-290 { // no underflow on the way
			sum += math.Log(p)
		} else {
			sum += d.EvalLog(at, buf)
		}
		rows++
	}
	return sum / float64(rows)
}

// TestZoo reads all files: each must be smooth, decomposable and normalised, and must survive
// writing.
func TestZoo(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(irtest.Shared(t), "data", "circuits", "psdd", "*.psdd*"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			m := open(t, "psdd", filepath.Base(file))
			d := m.Factors[0].Dist.(*model.Circuit)
			if node, why := d.Structure(); node >= 0 {
				t.Errorf("node %d of %d %s", node, len(d.Nodes), why)
			}
			z := d.Eval(func(int, int32) float64 { return 1 }, make([]float64, len(d.Nodes)))
			if math.Abs(z-1) > 1e-5 { // asia has weights of six digits
				t.Errorf("sums to %v; want 1", z)
			}
			if d.Edges() > 50_000 {
				irtest.SkipUnlessLong(t)
			}
			if !formattest.RoundTrip(t, psdd.Format, m) {
				t.Error("not written")
			}
		})
	}
}

// TestAsia compares the circuit that was compiled from a network with the network: all posteriors
// given one variable.
func TestAsia(t *testing.T) {
	network, list := format.Read([]format.Format{uai.Format}, filepath.Join(irtest.Shared(t), "data", "circuits", "zoo-fgs-asia.uai"), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	want, got := formattest.NewJoint(t, network), formattest.NewJoint(t, open(t, "zoo-fgs-asia.uai.psdd"))
	for _, given := range network.Vars {
		for _, v := range network.Vars {
			evidence := map[string]string{given.Name: "1"}
			w, g := want.Posterior(t, v.Name, "1", evidence), got.Posterior(t, v.Name, "1", evidence)
			if math.Abs(g-w) > 1e-5 { // weights have six digits
				t.Errorf("P(%s=1 | %s=1) = %v; want %v", v.Name, given.Name, g, w)
			}
		}
	}
}
