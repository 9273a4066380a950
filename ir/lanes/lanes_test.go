package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/lanes"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

var all = lanes.Limit{Products: 1 << 20, Ops: 1 << 20, Slots: 1 << 20}

// compile returns a program that answers queries.
func compile(t *testing.T, m *model.Model, opt compiler.Options) *compiler.Result {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// runner runs a program on memory that was laid out for it.
type runner struct {
	prog    *lanes.Program
	l, s, p []float64
}

func newRunner(t *testing.T, p *ir.Program, query string, compile compiled) *runner {
	t.Helper()
	prog, err := compile(p, p.Entry(query), all)
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{prog, pgmrt.NewLanes(prog.Slots), make([]float64, p.Work), make([]float64, p.Data)}
	for i := range r.l { // the code must not read a number that is not set
		r.l[i] = math.NaN()
	}
	for _, span := range p.Spans {
		if span.ReadOnly() {
			copy(r.p[span.Offset:], span.Data)
		}
	}
	prog.Fill(r.l, r.p)
	return r
}

// run runs the lanes.
func (r *runner) run() {
	if r.prog.Nests {
		pgmrt.RunLaneSteps(r.prog.Code(nil), r.l, r.p)
	} else {
		pgmrt.RunLanes(r.prog.Code(nil), r.l)
	}
}

// compiled is Compile or CompileSteps.
type compiled func(*ir.Program, *ir.Entry, lanes.Limit) (*lanes.Program, error)

// TestRandomModels answers eight rows of random evidence at once, and compares each with the
// interpreter, for two methods and both kinds of parameters. Other tests compare the interpreter
// with brute force.
func TestRandomModels(t *testing.T) {
	for seed := range uint64(500) {
		m := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 10})
		opt := compiler.Options{Queries: []string{"logprob", "marginals"}, Rows: model.RowsAsIs, Steps: 100}
		if seed%4 == 0 && m.Kind == model.Bayes {
			opt.Params = ir.Var
		}
		if seed%3 == 2 {
			opt.Method = compiler.Named("circuit")
		}
		r := compile(t, m, opt)
		for _, query := range opt.Queries {
			compareLanes(t, r, query, seed, lanes.Compile)
			if opt.Method == nil {
				compareLanes(t, r, query, seed, lanes.CompileSteps)
			}
		}
		if t.Failed() {
			t.Fatalf("model of seed %d", seed)
		}
	}
}

// compareLanes compares eight rows with the interpreter.
func compareLanes(t *testing.T, r *compiler.Result, query string, seed uint64, by compiled) {
	t.Helper()
	p, entry := r.Program, r.Program.Entry(query)
	run := newRunner(t, p, query, by)
	type row struct {
		err       error
		root, exp float64
		outs      [][]float64
	}
	var want [pgmrt.Lanes]row
	for lane := range want {
		machine := eval.New(p, r.Model)
		enter(t, machine, irtest.RandomEvidence(seed*100+uint64(lane), r.Model))
		w := &want[lane]
		if w.err = machine.Run(entry); errors.Is(w.err, pgmrt.ErrLikelihood) {
			continue
		}
		w.root = machine.Span(entry.Root)[0]
		if entry.Exp != ir.NoSpan {
			w.exp = float64(machine.Ints(entry.Exp)[0])
		}
		for i := range entry.Outs {
			w.outs = append(w.outs, slices.Clone(machine.Posterior(i)))
		}
		for i := range p.Spans {
			if s := &p.Spans[i]; s.Role == ir.RoleIn {
				copy(run.s[s.Offset:], machine.Span(ir.SpanID(i)))
			}
		}
		pgmrt.SetLane(run.l, lane, run.s, lanes.Moves(run.prog.In))
	}
	run.run()
	for lane, w := range want {
		if errors.Is(w.err, pgmrt.ErrLikelihood) {
			continue
		}
		pgmrt.GetLane(run.l, lane, run.s, lanes.Moves(run.prog.Out))
		root, exp := run.s[p.Spans[entry.Root].Offset], 0.0
		if run.prog.Exp >= 0 {
			exp = run.l[run.prog.Exp*pgmrt.Lanes+lane]
		}
		if w.root == 0 || root == 0 {
			if w.root != root {
				t.Errorf("%s, lane %d: root %v; want %v", query, lane, root, w.root)
			}
			continue
		}
		irtest.CloseTo(t, math.Log(root)+exp*math.Ln2, math.Log(w.root)+w.exp*math.Ln2, 1e-12)
		for i, id := range entry.Outs {
			s := &p.Spans[id]
			irtest.Close(t, run.s[s.Offset:s.Offset+s.Len], w.outs[i], 1e-12)
		}
	}
}

func enter(t *testing.T, machine *eval.Machine, e brute.Evidence) {
	t.Helper()
	for v, s := range e.Hard {
		if err := machine.Observe(v, s); err != nil {
			t.Fatal(err)
		}
	}
	for v, l := range e.Soft {
		if err := machine.Likelihood(v, l); err != nil {
			t.Fatal(err)
		}
	}
}

// chain returns a Markov chain of n variables with two states. p returns the probability of the
// first state of variable i, given each state of the variable before it.
func chain(n int, p func(i int) (x, y float64)) *model.Model {
	m := &model.Model{Name: "chain"}
	for i := range n {
		v := m.NewVar(fmt.Sprint("x", i), "heads", "tails")
		x, y := p(i)
		f := &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{x, 1 - x}}}
		if i > 0 {
			f = &model.Factor{Scope: []model.VarID{v.ID - 1, v.ID}, Child: 1, Dist: &model.Table{Values: []float64{x, 1 - x, y, 1 - y}}}
		}
		m.Factors = append(m.Factors, f)
	}
	return m
}

// TestByHand observes C in four of eight lanes of a chain of three coins, in which B and C copy the
// coin before with probability 3/4. P(C=heads) = 1/2, and P(A=heads | C=heads) = 3/4·3/4 + 1/4·1/4
// = 5/8.
func TestByHand(t *testing.T) {
	m := chain(3, func(int) (x, y float64) { return .75, .25 })
	m.Factors[0].Dist = &model.Table{Values: []float64{.5, .5}}
	r := compile(t, m, compiler.Options{Queries: []string{"marginals"}})
	run, p, entry := newRunner(t, r.Program, "marginals", lanes.Compile), r.Program, r.Program.Entry("marginals")
	for lane := range pgmrt.Lanes {
		for i := range p.Spans {
			if s := &p.Spans[i]; s.Role == ir.RoleIn {
				state := uint(0)
				if s.Var == 2 && lane%2 == 1 {
					state = 1
				}
				pgmrt.Observe(run.s[s.Offset:s.Offset+s.Len], state)
			}
		}
		pgmrt.SetLane(run.l, lane, run.s, lanes.Moves(run.prog.In))
	}
	run.run()
	for lane := range pgmrt.Lanes {
		pgmrt.GetLane(run.l, lane, run.s, lanes.Moves(run.prog.Out))
		wantRoot, wantA := 1.0, .5
		if lane%2 == 1 {
			wantRoot, wantA = .5, .625
		}
		irtest.CloseTo(t, run.s[p.Spans[entry.Root].Offset], wantRoot, 1e-15)
		for _, id := range entry.Outs {
			if s := &p.Spans[id]; s.Var == 0 {
				irtest.Close(t, run.s[s.Offset:s.Offset+2], []float64{wantA, 1 - wantA}, 1e-15)
			}
		}
	}
}

// TestRefused checks that entries that are too large or choose states are refused.
func TestRefused(t *testing.T) {
	m := irtest.RandomModel(3, irtest.Options{MaxJoint: 1 << 10})
	p := compile(t, m, compiler.Options{Rows: model.RowsAsIs, Queries: []string{"logprob", "mpe", "sample"}}).Program
	for _, c := range []struct {
		query string
		most  lanes.Limit
		want  error
	}{
		{"logprob", all, nil},
		{"logprob", lanes.Limit{Products: 1, Ops: 1 << 20, Slots: 1 << 20}, lanes.ErrSize},
		{"logprob", lanes.Limit{Products: 1 << 20, Ops: 1, Slots: 1 << 20}, lanes.ErrSize},
		{"logprob", lanes.Limit{Products: 1 << 20, Ops: 1 << 20, Slots: 1}, lanes.ErrSize},
		{"mpe", all, lanes.ErrStep},
		{"sample", all, lanes.ErrStep},
	} {
		if _, err := lanes.Compile(p, p.Entry(c.query), c.most); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v; want %v", c.query, err, c.want)
		}
	}
}

// TestSlotsAreReused checks that a chain of products needs few slots besides its inputs, answer and
// numbers. TestRandomModels would notice a slot that is reused too early.
func TestSlotsAreReused(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	m := chain(60, func(int) (x, y float64) { return r.Float64(), r.Float64() })
	p := compile(t, m, compiler.Options{Queries: []string{"logprob"}}).Program
	prog, err := lanes.Compile(p, p.Entry("logprob"), all)
	if err != nil {
		t.Fatal(err)
	}
	inputs := prog.In[0].Len
	if temps := prog.Slots - inputs - 1 - len(prog.Numbers); inputs != 120 || temps > 8 {
		t.Errorf("%d inputs and %d slots of temporaries; want 120, and at most 8", inputs, temps)
	}
}
