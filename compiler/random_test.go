package compiler_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// randomModels is how many random models every query is checked on.
const randomModels = 2000

// TestRandomModels compares every kind of query, interpreted, with brute force.
func TestRandomModels(t *testing.T) {
	n := randomModels
	if testing.Short() {
		n /= 10
	}
	for seed := range uint64(n) {
		c := newRandomCase(t, seed)
		c.run()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// randomCase is a random model, compiled, and its joint distribution.
type randomCase struct {
	*testing.T
	seed    uint64
	joint   *brute.Joint
	result  *compiler.Result
	machine *eval.Machine
}

func newRandomCase(t *testing.T, seed uint64) *randomCase {
	m := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 11})
	if seed%500 == 0 {
		m = irtest.RandomModel(seed, irtest.Options{})
	}
	joint, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	opt := compiler.Options{Queries: randomQueries(seed, m), Seed: seed, Rows: model.RowsAsIs, Steps: 100, Check: true}
	if seed%3 == 0 {
		opt.Params = ir.Var
	}
	r, err := compiler.Compile(context.Background(), m, opt)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	machine := eval.New(r.Program, r.Model)
	machine.Rand = pgmrt.NewRand(seed)
	return &randomCase{t, seed, joint, r, machine}
}

// randomQueries are the default queries and two signatures.
func randomQueries(seed uint64, m *model.Model) []string {
	queries := []string{"marginals", "posteriors", "logprob", "mpe", "sample"}
	r := rand.New(rand.NewPCG(seed, 7))
	for range 2 {
		perm := r.Perm(len(m.Vars))
		spec := strconv.Quote(m.Vars[perm[0]].Name) + " | "
		for i, v := range perm[1:min(len(perm), 2+r.IntN(3))] {
			if i > 0 {
				spec += ", "
			}
			spec += strconv.Quote(m.Vars[v].Name)
		}
		queries = append(queries, spec)
	}
	return queries
}

func (c *randomCase) run() {
	for i := range uint64(3) {
		e := irtest.RandomEvidence(c.seed*10+i, c.joint.Model)
		c.machine.ClearEvidence()
		for v := range c.joint.Model.Vars {
			id := model.VarID(v)
			if s, ok := e.Hard[id]; ok {
				c.must(c.machine.Observe(id, s))
			}
			if l, ok := e.Soft[id]; ok {
				c.must(c.machine.Likelihood(id, l))
			}
		}
		want := answersOf(c.joint, e)
		for k := range c.result.Program.Entries {
			if entry := &c.result.Program.Entries[k]; entry.Query.Kind != ir.Signature {
				c.entry(entry, want)
			} else if i == 0 {
				c.signature(entry)
			}
		}
	}
}

// answers are those of brute force to one evidence.
type answers struct {
	logp, bestLogp float64
	marginals      [][]float64
	conditional    []float64
	best           [][]int
}

func answersOf(j *brute.Joint, e brute.Evidence) *answers {
	a := &answers{logp: j.LogProb(e), marginals: j.Marginals(e), conditional: j.Conditional(e)}
	a.bestLogp, a.best = j.MPE(e)
	return a
}

func (c *randomCase) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatalf("seed %d: %v", c.seed, err)
	}
}

// entry checks one query with evidence.
func (c *randomCase) entry(entry *ir.Entry, want *answers) {
	err := c.machine.Run(entry)
	if errors.Is(err, pgmrt.ErrLikelihood) {
		return // more extreme than the program allows, and said so
	}
	if impossible := errors.Is(err, pgmrt.ErrImpossible); impossible || math.IsInf(want.logp, -1) {
		if impossible != math.IsInf(want.logp, -1) {
			c.Errorf("%s: error %v, but ln P is %v", entry.Query.Name, err, want.logp)
		}
		return
	}
	c.must(err)
	if entry.Query.Kind == ir.MPE {
		irtest.CloseTo(c, c.logP(), want.bestLogp, 1e-12)
		if !slices.ContainsFunc(want.best, func(s []int) bool { return slices.Equal(s, c.states()) }) {
			c.Errorf("mpe: %v is not among %v", c.states(), want.best)
		}
		return
	}
	irtest.CloseTo(c, c.logP(), want.logp, 1e-12)
	if entry.Query.Kind == ir.Sample {
		if s := c.states(); want.conditional[c.joint.Index(s)] == 0 {
			c.Errorf("sample: %v is impossible", s)
		}
	}
	for i, out := range entry.Outs {
		v := c.result.Program.Spans[out].Var
		irtest.Close(c, c.machine.Posterior(i), want.marginals[v], 1e-12)
	}
}

// logP is ln P as a normalised model has it; a program whose parameters may be replaced does not know ln Z.
func (c *randomCase) logP() float64 {
	if c.joint.Model.Kind == model.Markov && c.result.Program.Params == ir.Var {
		return c.machine.LogP() - c.joint.LogPartition()
	}
	return c.machine.LogP()
}

func (c *randomCase) states() []int {
	s := make([]int, len(c.joint.Model.Vars))
	for i := range s {
		s[i] = int(c.machine.State()[i])
	}
	return s
}

// signature checks a declared signature for all states of its evidence.
func (c *randomCase) signature(entry *ir.Entry) {
	q, state := entry.Query, make([]int, len(c.joint.Model.Vars))
	for more := true; more; more = c.joint.Model.Next(q.Evidence, state) {
		e := brute.Evidence{Hard: map[model.VarID]int{}}
		for _, v := range q.Evidence {
			e.Hard[v] = state[v]
			c.must(c.machine.SetState(v, state[v]))
		}
		c.machine.ClearEvidence()
		err := c.machine.Run(entry)
		if possible := !math.IsInf(c.joint.LogProb(e), -1); !possible {
			if err == nil && slices.Max(c.machine.Posterior(0)) > 0 {
				c.Errorf("%s at %v: impossible, but %v", q.Name, state, c.machine.Posterior(0))
			}
			continue
		}
		c.must(err)
		irtest.Close(c, c.machine.Posterior(0), c.joint.Posterior(q.Targets[0], e), 1e-12)
	}
}

// TestSamples draws from random models and compares frequencies with the conditional distribution by a chi-square test.
func TestSamples(t *testing.T) {
	const draws = 20000
	for seed := uint64(1); seed <= 20; seed++ {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 4, MaxStates: 3})
		e := irtest.RandomEvidence(seed, m)
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		want := joint.Conditional(e)
		if math.IsInf(joint.LogProb(e), -1) {
			continue
		}
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"sample"}, Rows: model.RowsAsIs, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		c := &randomCase{t, seed, joint, r, eval.New(r.Program, r.Model)}
		c.machine.Rand = pgmrt.NewRand(seed)
		for v, s := range e.Hard {
			c.must(c.machine.Observe(v, s))
		}
		for v, l := range e.Soft {
			c.must(c.machine.Likelihood(v, l))
		}
		counts := make([]float64, joint.Len())
		for range draws {
			c.must(c.machine.Run(r.Program.Entry("sample")))
			counts[joint.Index(c.states())]++
		}
		chi, cells := 0.0, 0
		for i, p := range want {
			if p*draws >= 5 {
				chi += (counts[i] - p*draws) * (counts[i] - p*draws) / (p * draws)
				cells++
			}
		}
		// The mean of chi-square is the degrees of freedom, its variance twice that; 6 standard deviations are one in a billion.
		if limit := float64(cells) + 6*math.Sqrt(2*float64(cells)) + 6; chi > limit {
			t.Errorf("seed %d: chi-square %.1f over %d cells; want at most %.1f", seed, chi, cells, limit)
		}
	}
}
