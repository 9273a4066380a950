package juice_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/juice"
	"github.com/pgmc-go/pgmc/compiler/internal/format/libra"
	"github.com/pgmc-go/pgmc/compiler/internal/format/psdd"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// rows is the number of joint states at which circuits are compared.
const rows = 20

// TestZoo writes circuits of other formats, reads them back and compares values.
func TestZoo(t *testing.T) {
	for _, c := range []struct {
		path string
		from format.Format
		to   []format.Format
	}{
		{"circuits/psdd/little_4var.psdd", psdd.Format, []format.Format{juice.JPC, juice.SPN, psdd.Format}},
		{"circuits/psdd/asia-bdd.psdd", psdd.Format, []format.Format{juice.JPC, juice.SPN, psdd.Format}},
		{"circuits/psdd/insurance.psdd.gz", psdd.Format, []format.Format{juice.JPC, juice.SPN, psdd.Format}},
		{"circuits/psdd/mnist.psdd.gz", psdd.Format, []format.Format{juice.JPC, juice.SPN, psdd.Format}},
		{"circuits/psdd/nltcs.psdd.gz", psdd.Format, []format.Format{juice.JPC, juice.SPN, psdd.Format}},
		{"libra/examples/msweb-ac.ac.gz", libra.AC, []format.Format{juice.JPC, juice.SPN}},
		{"libra/examples/msweb-cl.ac.gz", libra.AC, []format.Format{juice.JPC, juice.SPN}},
		{"libra/examples/msweb-mn.ac.gz", libra.AC, []format.Format{juice.JPC}},
	} {
		for _, to := range c.to {
			t.Run(filepath.Base(c.path)+"/"+to.Name, func(t *testing.T) {
				want, list := format.Read([]format.Format{c.from}, filepath.Join(irtest.Shared(t), "data", c.path), "", format.ReadOptions{})
				if err := list.Err(); err != nil {
					t.Fatal(err)
				}
				out, err := format.Encode(nil, to, "out"+to.Exts[0], want)
				if err != nil {
					t.Fatal(err)
				}
				got, list := format.ReadSource(to, &format.Source{Name: "out", Data: out.Files[0].Data.Bytes()}, format.ReadOptions{})
				if err := list.Err(); err != nil {
					t.Fatal(err)
				}
				same(t, got, want)
			})
		}
	}
}

// same compares two circuits at joint states, some of which differ in few variables.
func same(t *testing.T, got, want *model.Model) {
	t.Helper()
	g, w := got.Factors[0].Dist.(*model.Circuit), want.Factors[0].Dist.(*model.Circuit)
	if node, why := g.Structure(); node >= 0 {
		t.Errorf("node %d %s", node, why)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	state := make([]int32, len(want.Vars))
	at := func(axis int, s int32) float64 {
		if state[axis] == s {
			return 1
		}
		return 0
	}
	gotBuf, wantBuf, positive := make([]float64, len(g.Nodes)), make([]float64, len(w.Nodes)), 0
	for range rows {
		for k := range state {
			if rng.IntN(10) == 0 {
				state[k] = int32(rng.IntN(want.Card(model.VarID(k))))
			}
		}
		a, b := g.EvalLog(at, gotBuf), w.EvalLog(at, wantBuf)
		if a != b && !(math.Abs(a-b) < 1e-9) {
			t.Fatalf("logarithm of the value %v; want %v", a, b)
		}
		if !math.IsInf(b, -1) {
			positive++
		}
	}
	t.Logf("%d of %d states are possible", positive, rows)
}
