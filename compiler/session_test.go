package compiler_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestSessionShare counts the products that a session computes again after one finding changes, on
// average over the variables, as a share of all products of P(evidence).
func TestSessionShare(t *testing.T) {
	dir := irtest.Shared(t)
	for _, c := range []struct {
		name string
		most float64
	}{{"alarm", .6}, {"hailfinder", .6}, {"munin2", .2}} {
		if c.name == "munin2" && testing.Short() {
			continue
		}
		r := compileSession(t, filepath.Join(dir, "data", "bif", c.name+".bif.gz"))
		inc := r.Program.Incremental(r.Program.Session())
		all, touched := 0, 0
		for _, b := range inc.Order[:inc.Root] {
			all += products(&r.Program.Blocks[b])
		}
		for _, places := range inc.Reach {
			for _, p := range places {
				for _, b := range inc.Order[p.First:max(p.First, min(p.End, inc.Root))] {
					touched += products(&r.Program.Blocks[b])
				}
			}
		}
		share := float64(touched) / float64(all) / float64(len(r.Model.Vars))
		t.Logf("%s: %d products in %d blocks, of which a finding touches %.3f", c.name, all, inc.Root, share)
		if share > c.most {
			t.Errorf("%s: a finding touches %.3f of the products; want at most %v", c.name, share, c.most)
		}
	}
}

func compileSession(t *testing.T, file string) *compiler.Result {
	t.Helper()
	m, list := format.Read(compiler.Formats, file, "", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"session", "marginals"}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func products(b *ir.Block) int {
	n := 0
	for _, step := range b.Steps {
		if c, ok := step.(*ir.Contract); ok {
			n += c.Entries()
		}
	}
	return n
}

// TestSessionOnNetworks changes one finding after another, and compares the session with new
// queries.
func TestSessionOnNetworks(t *testing.T) {
	dir := irtest.Shared(t)
	for _, name := range []string{"alarm", "insurance", "hailfinder", "pigs"} {
		r := compileSession(t, filepath.Join(dir, "data", "bif", name+".bif.gz"))
		s, err := eval.NewSession(r.Program, r.Model)
		if err != nil {
			t.Fatal(err)
		}
		fresh := eval.New(r.Program, r.Model)
		random := rand.New(rand.NewPCG(1, 2))
		for range 40 {
			v := model.VarID(random.IntN(len(r.Model.Vars)))
			state := random.IntN(r.Model.Card(v))
			if state == 0 {
				s.Retract(v)
				fresh.Retract(v)
			} else if err := s.Observe(v, state); err != nil || fresh.Observe(v, state) != nil {
				t.Fatal(err)
			}
			wantErr := fresh.Run(r.Program.Entry("marginals"))
			got, err := s.Marginals()
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%s: error %v; want %v", name, err, wantErr)
			}
			if err != nil {
				continue
			}
			logp, _ := s.LogProb()
			irtest.CloseTo(t, logp, fresh.LogP(), 1e-12)
			for i, id := range r.Program.Entry("marginals").Outs {
				irtest.Close(t, got[r.Program.Spans[id].Var], fresh.Posterior(i), 1e-12)
			}
		}
	}
}
