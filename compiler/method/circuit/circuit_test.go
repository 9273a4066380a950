package circuit_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/method/circuit"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

func TestContract(t *testing.T) { methodtest.Run(t, circuit.Method) }

// The numbers of operations of prototype circuits for P(evidence), with equal numbers shared, by
// the same kind of elimination, and the numbers of edges of the circuits that Libra's acve makes
// with decision diagrams. Our circuits may be larger by slack, because the prototype had a lucky
// order for munin2.
var published = []struct {
	network    string
	ops, edges int
	long       bool
	slack      float64
}{
	{"asia", 0, 148, false, 0},
	{"alarm", 1413, 2649, false, 0},
	{"win95pts", 3183, 6282, false, 0},
	{"hepar2", 6678, 0, false, 0},
	{"hailfinder", 8300, 14689, false, 0},
	{"insurance", 50_900, 0, false, 0},
	{"water", 65_400, 130_207, true, 0},
	{"pigs", 639_000, 1_150_000, true, 0},
	{"munin3", 1_330_000, 2_680_000, true, 0},
	{"munin2", 1_460_000, 3_440_000, true, 0.02},
	{"munin4", 2_630_000, 6_090_000, true, 0},
	{"munin", 2_630_000, 0, true, 0},
	{"diabetes", 8_290_000, 14_100_000, true, 0},
	{"barley", 19_200_000, 30_600_000, true, 0},
}

// TestSizes compares the sizes of circuits with those published.
func TestSizes(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "bif")
	for _, c := range published {
		t.Run(c.network, func(t *testing.T) {
			if c.long {
				irtest.SkipUnlessLong(t)
			}
			m, list := format.Read(compiler.Formats, filepath.Join(dir, c.network+".bif.gz"), "", format.ReadOptions{})
			if list.HasErrors() {
				t.Fatal(list.Err())
			}
			r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("circuit"), Queries: []string{"logprob"}, MaxMem: 8 << 30})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", *r.Circuit)
			if most := int(float64(c.ops) * (1 + c.slack)); c.ops > 0 && r.Circuit.Ops > most {
				t.Errorf("%d operations; want at most %d", r.Circuit.Ops, most)
			}
			if c.edges > 0 && r.Circuit.Edges > c.edges {
				t.Errorf("%d edges; want at most %d", r.Circuit.Edges, c.edges)
			}
		})
	}
}
