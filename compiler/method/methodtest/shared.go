package methodtest

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// SharedModel reads a model from the shared data.
func SharedModel(t *testing.T, path ...string) *model.Model {
	t.Helper()
	m, list := format.Read(compiler.Formats, filepath.Join(append([]string{irtest.Shared(t), "data"}, path...)...), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// WeightedNetwork compares a method of weighted samples with exact inference on a network of
// bnlearn's repository, given states by the names of variables. ln P must be within four standard
// errors. Posteriors must be within five times the largest standard error, since there are some
// hundred of them. The report must say that the samples suffice.
func WeightedNetwork(t *testing.T, name, network string, evidence map[string]int, options ...string) {
	t.Helper()
	m := SharedModel(t, "bif", network+".bif.gz")
	run := func(opt compiler.Options) (*ir.Program, *eval.Machine, pgmrt.TrialReport) {
		r, err := compiler.Compile(context.Background(), m, opt)
		if err != nil {
			t.Fatal(err)
		}
		machine, report := eval.New(r.Program, r.Model), pgmrt.TrialReport{}
		for v, s := range evidence {
			x, _ := r.Model.VarByName(v)
			if err := machine.Observe(x.ID, s); err != nil {
				t.Fatal(err)
			}
		}
		if opt.MethodName() == name {
			report, err = machine.RunTrials(context.Background(), &r.Program.Entries[0], pgmrt.TrialOptions{})
		} else {
			err = machine.Run(&r.Program.Entries[0])
		}
		if err != nil {
			t.Fatal(err)
		}
		return r.Program, machine, report
	}
	exactly, exact, _ := run(compiler.Options{Queries: []string{"marginals"}})
	program, machine, r := run(compiler.Options{Method: compiler.Named(name, options...)})
	if r.Status != pgmrt.Converged {
		t.Fatalf("%s: %+v", network, r)
	}
	if got, want := machine.LogP(), exact.LogP(); math.Abs(got-want) > 4*r.LogError {
		t.Errorf("%s: ln P = %v; want %v within 4 times %v", network, got, want, r.LogError)
	}
	want := map[model.VarID][]float64{}
	for i, id := range exactly.Entries[0].Outs {
		want[exactly.Spans[id].Var] = exact.Posterior(i)
	}
	for i, id := range program.Entries[0].Outs {
		v := program.Spans[id].Var
		for s, p := range machine.Posterior(i) {
			if math.Abs(p-want[v][s]) > 5*r.Residual {
				t.Errorf("%s: P(%s=%d) = %v; want %v within 5 times %v", network, m.Vars[v].Name, s, p, want[v][s], r.Residual)
			}
		}
	}
}

// ClimbedInstance returns log10 of the value that a search finds for an instance of the UAI
// competition of 2014 with its evidence.
func ClimbedInstance(t *testing.T, name, instance string) float64 {
	t.Helper()
	m := SharedModel(t, "uai2014", "pr-mar", instance+".uai.gz")
	src, err := format.OpenSource(filepath.Join(irtest.Shared(t), "data", "uai2014", "pr-mar", instance+".uai.evid"), format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	states, list := uai.ReadEvidence(src, m)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	left, err := m.Condition(states[0], 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	r, err := compiler.Compile(context.Background(), left, compiler.Options{Method: compiler.Named(name), Unnormalised: true, Rows: model.RowsAsIs})
	if err != nil {
		t.Fatal(err)
	}
	machine := eval.New(r.Program, r.Model)
	if err := machine.Run(&r.Program.Entries[0]); err != nil {
		t.Fatal(err)
	}
	return machine.LogP() / math.Ln10
}
