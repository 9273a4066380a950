package cut_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/method/cut"
	"github.com/pgmc-go/pgmc/compiler/method/maxsum"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// attractive returns a grid of variables, whose neighbours like to agree, with random preferences.
func attractive(side, states int) *model.Model {
	r := rand.New(rand.NewPCG(3, 3))
	m := &model.Model{Name: "grid", Kind: model.Markov}
	for i := range model.VarID(side * side) {
		var names []string
		own := &model.Table{}
		for k := range states {
			names, own.Values = append(names, fmt.Sprint("s", k)), append(own.Values, math.Exp(2*r.Float64()))
		}
		m.NewVar(fmt.Sprint("x", i), names...)
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{i}, Child: -1, Dist: own})
		for _, j := range []model.VarID{i - 1, i - model.VarID(side)} {
			if j < 0 || j == i-1 && int(i)%side == 0 {
				continue
			}
			pair := &model.Table{}
			for a := range states * states {
				pair.Values = append(pair.Values, 1)
				if a/states == a%states {
					pair.Values[a] = math.E
				}
			}
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{j, i}, Child: -1, Dist: pair})
		}
	}
	return m
}

// contest is a method in a race to an energy.
type contest struct {
	machine *eval.Machine
	entry   *ir.Entry
}

func newContest(b *testing.B, m *model.Model, name string, options ...string) contest {
	c, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named(name, options...)})
	if err != nil {
		b.Fatal(err)
	}
	return contest{eval.New(c.Program, c.Model), &c.Program.Entries[0]}
}

// run returns the time of a run of some iterations and the value of its states.
func (c contest) run(b *testing.B, iterations int) (time.Duration, float64) {
	begin := time.Now()
	went, err := c.machine.RunLoop(context.Background(), c.entry, pgmrt.LoopOptions{Iterations: iterations})
	if err != nil {
		b.Fatal(err)
	}
	took := time.Since(begin)
	report := c.machine.Decoded(c.entry, went)
	return took, report.Bound - report.Gap
}

// BenchmarkCut compares the time of method cut with that of trws, without cycles, to states that
// are as good, for networks that segment images and for grids. It reports the ratio of the minima
// of three interleaved runs, or how much worse the states of trws are after 1,000 iterations.
func BenchmarkCut(b *testing.B) {
	models := map[string]*model.Model{"grid of 2": attractive(40, 2), "grid of 5": attractive(20, 5)}
	names := []string{"grid of 2", "grid of 5"}
	for _, dir := range []string{"map-mmap", "pr-mar"} {
		paths, err := filepath.Glob(filepath.Join(irtest.Shared(b), "data", "uai2014", dir, "Segmentation_*.uai.gz"))
		if err != nil {
			b.Fatal(err)
		}
		for _, path := range paths {
			m, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
			if list.HasErrors() {
				b.Fatal(list.Err())
			}
			name := dir + " " + filepath.Base(path)
			models[name], names = m, append(names, name)
		}
	}
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			cuts, sweeps := newContest(b, models[name], cut.Method.Name), newContest(b, models[name], maxsum.TRWS.Name, "cycles=0")
			_, want := cuts.run(b, 0)
			iterations, reached := 1, math.Inf(-1)
			for ; iterations < 1000 && reached < want-1e-6; iterations *= 2 {
				_, reached = sweeps.run(b, iterations)
			}
			for b.Loop() {
				ours, theirs := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
				for range 3 {
					x, _ := cuts.run(b, 0)
					y, _ := sweeps.run(b, iterations/2)
					ours, theirs = min(ours, x), min(theirs, y)
				}
				b.ReportMetric(float64(theirs)/float64(ours), "x-trws")
				b.ReportMetric(ours.Seconds()*1e6, "us-cut")
				b.ReportMetric(max(0, want-reached), "nats-worse")
			}
		})
	}
}
