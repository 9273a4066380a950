// Package methodtest is the contract test of inference methods: the plan of a method, run by the
// interpreter, must answer as brute force does. The test of a method calls [Run]; [Random] tests
// any number of random models. Other functions test approximate methods, and compare methods with
// published results.
package methodtest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Run checks a method, which must be listed in the compiler's suite, on the fixtures and on random
// models: 100, or 300 in a long test.
func Run(t *testing.T, m method.Method) {
	for i, fixture := range irtest.Fixtures() {
		t.Run(fixture.Name, func(t *testing.T) { Check(t, m.Name, uint64(i), fixture) })
	}
	Random(t, m.Name, irtest.Cases(t, 100, 300))
}

// Random checks every kind of query of the named method on the random models of the seeds, with
// both kinds of parameters, and with states and likelihoods as evidence, some of it impossible. One
// model in 500 has up to 2^20 joint states, the others up to 2^11. The options are as for
// compiler.Named.
func Random(t *testing.T, name string, seeds []uint64, options ...string) {
	for _, seed := range seeds {
		m := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 11})
		if seed%500 == 0 {
			m = irtest.RandomModel(seed, irtest.Options{})
		}
		Check(t, name, seed, m, options...)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// Check checks every kind of query of the named method on m. The seed chooses queries, evidence and
// the kind of parameters.
func Check(t *testing.T, name string, seed uint64, m *model.Model, options ...string) {
	newChecked(t, name, seed, m, options).run()
}

// tolerance returns the largest relative error of an answer for a claim.
func tolerance(t *testing.T, claim method.Claim) float64 {
	if claim != method.Exact {
		t.Fatalf("there is no tolerance for a claim of %v yet", claim)
	}
	return 1e-12
}

// checked is the subject of exact queries.
type checked struct {
	*subject
	seed uint64
	tol  float64
}

func newChecked(t *testing.T, name string, seed uint64, m *model.Model, options []string) *checked {
	opt := compiler.Options{Method: compiler.Named(name, options...), Queries: randomQueries(seed, m), Seed: seed, Steps: 100}
	knobs := trial.Options{Search: seed%5 < 3}
	if seed%2 == 0 {
		knobs.Chunk = 8 // for many blocks
	}
	if seed%3 == 0 {
		opt.Params = ir.Var
		opt.Queries = append([]string{"gradient", "sensitivity"}, opt.Queries...) // signatures come last because they clear the evidence
	}
	c := &checked{subject: newSubject(t, m, opt.Trial(knobs)), seed: seed}
	c.machine.Rand, c.tol = pgmrt.NewRand(seed), tolerance(t, c.result.Claim)
	return c
}

// randomQueries returns the default queries, sets, jeffrey, two signatures, with interventions if
// the model is a Bayesian network, and two joints.
func randomQueries(seed uint64, m *model.Model) []string {
	queries := []string{"marginals", "posteriors", "logprob", "mpe", "sample", "session", "sets", "jeffrey"}
	r := rand.New(rand.NewPCG(seed, 7))
	queries = append(queries, bestQueries(r, m)...)
	names := func(vars []int, do bool) string {
		var list []string
		for _, v := range vars {
			name := strconv.Quote(m.Vars[v].Name)
			if do && r.IntN(2) == 0 {
				name = "do(" + name + ")"
			}
			list = append(list, name)
		}
		return strings.Join(list, ", ")
	}
	for range 2 {
		perm := r.Perm(len(m.Vars))
		n := min(len(perm), 2+r.IntN(3))
		queries = append(queries, names(perm[:1], false)+" | "+names(perm[1:n], m.Kind == model.Bayes))
		queries = append(queries, "joint("+names(r.Perm(len(m.Vars))[:n], false)+")")
	}
	return queries
}

func (c *checked) run() {
	if c.joint.Len() <= 1<<10 { // session enumerates many times
		c.session()
	}
	for i := range uint64(3) {
		e := irtest.RandomEvidence(c.seed*10+i, c.joint.Model)
		if i == 2 {
			e.In = irtest.RandomSets(c.seed, c.joint.Model)
		}
		c.enter(e)
		for v, states := range e.In {
			c.must(c.machine.ObserveSet(v, states...))
		}
		want := answersOf(c.joint, e)
		for k := range c.result.Program.Entries {
			if entry := &c.result.Program.Entries[k]; entry.Query.Kind != ir.Signature {
				c.entry(entry, e, want)
			}
		}
		if !math.IsInf(want.logp, -1) {
			c.jeffrey(want)
		}
	}
	c.machine.ClearEvidence()
	for k := range c.result.Program.Entries {
		if entry := &c.result.Program.Entries[k]; entry.Query.Kind == ir.Signature {
			c.signature(entry)
		}
	}
}

// answers holds the answers of brute force for one evidence.
type answers struct {
	evidence       brute.Evidence
	logp, bestLogp float64
	marginals      [][]float64
	conditional    []float64
	best           [][]int
	spread         float64 // of the likelihoods, in bits
}

func answersOf(j *brute.Joint, e brute.Evidence) *answers {
	a := &answers{evidence: e, logp: j.LogProb(e), marginals: j.Marginals(e), conditional: j.Conditional(e)}
	a.bestLogp, a.best = j.MPE(e)
	for v := range j.Model.Vars {
		a.spread += pgmrt.Spread(e.Soft[model.VarID(v)])
	}
	return a
}

func (c *checked) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatalf("seed %d: %v", c.seed, err)
	}
}

// entry checks one query with evidence.
func (c *checked) entry(entry *ir.Entry, e brute.Evidence, want *answers) {
	err := c.machine.Run(entry)
	if errors.Is(err, pgmrt.ErrLikelihood) {
		if want.spread <= c.result.Program.SoftBits {
			c.Errorf("%s: %v, but likelihoods spread over %v bits of %v", entry.Query.Name, err, want.spread, c.result.Program.SoftBits)
		}
		return // more extreme than the program allows, and reported
	}
	if impossible := errors.Is(err, pgmrt.ErrImpossible); impossible || math.IsInf(want.logp, -1) {
		if impossible != math.IsInf(want.logp, -1) {
			c.Errorf("%s: error %v, but ln P is %v", entry.Query.Name, err, want.logp)
		}
		return
	}
	c.must(err)
	if entry.Query.Kind == ir.MPE {
		irtest.CloseTo(c, c.machine.LogP(), want.bestLogp, c.tol)
		if !slices.ContainsFunc(want.best, func(s []int) bool { return slices.Equal(s, c.states()) }) {
			c.Errorf("mpe: %v is not among %v", c.states(), want.best)
		}
		return
	}
	switch entry.Query.Kind {
	case ir.MAP:
		c.mapStates(entry, e)
		return
	case ir.KMPE:
		c.completions(entry, e)
		return
	}
	irtest.CloseTo(c, c.machine.LogP(), want.logp, c.tol)
	if entry.Query.Kind == ir.Sample {
		if s := c.states(); want.conditional[c.joint.Index(s)] == 0 {
			c.Errorf("sample: %v is impossible", s)
		}
	}
	if entry.Query.Kind == ir.Joint {
		irtest.Close(c, c.machine.Posterior(0), c.joint.JointPosterior(entry.Query.Targets, e), c.tol)
		return
	}
	if entry.Query.Kind.Answer() == ir.AnswerTables {
		c.tables(entry, e)
		return
	}
	for i, out := range entry.Outs {
		v := c.result.Program.Spans[out].Var
		irtest.Close(c, c.machine.Posterior(i), want.marginals[v], c.tol)
	}
}

func (c *checked) states() []int {
	s := make([]int, len(c.joint.Model.Vars))
	for i := range s {
		s[i] = int(c.machine.State()[i])
	}
	return s
}

// signature checks a declared signature for all states of its evidence.
func (c *checked) signature(entry *ir.Entry) {
	q, state := entry.Query, make([]int, len(c.joint.Model.Vars))
	for more := true; more; more = c.joint.Model.Next(q.Evidence, state) {
		e, joint, set := brute.Evidence{Hard: map[model.VarID]int{}}, c.joint, map[model.VarID]int{}
		for _, v := range q.Evidence {
			e.Hard[v] = state[v]
			c.must(c.machine.SetState(v, state[v]))
			if slices.Contains(q.Do, v) {
				set[v] = state[v]
			}
		}
		if len(set) > 0 {
			var err error
			joint, err = brute.NewDo(c.joint.Model, set)
			c.must(err)
		}
		err := c.machine.Run(entry)
		if possible := !math.IsInf(joint.LogProb(e), -1); !possible {
			if err != nil && !errors.Is(err, pgmrt.ErrImpossible) || err == nil && slices.Max(c.machine.Posterior(0)) > 0 {
				c.Errorf("%s at %v: impossible, but %v, error %v", q.Name, state, c.machine.Posterior(0), err)
			}
			continue
		}
		c.must(err)
		irtest.Close(c, c.machine.Posterior(0), joint.Posterior(q.Targets[0], e), c.tol)
	}
}

// slowRounds is the number of iterations within which brute force must converge for its answer to
// be compared. The remaining error is then not much more than the last step.
const slowRounds = 100

// jeffrey changes the posteriors of up to three variables to random distributions that their states
// admit.
func (c *checked) jeffrey(want *answers) {
	r := rand.New(rand.NewPCG(c.seed, 11))
	margins := map[model.VarID][]float64{}
	targets := make([][]float64, len(c.joint.Model.Vars))
	for _, v := range r.Perm(len(targets))[:1+r.IntN(min(3, len(targets)))] {
		p := slices.Clone(want.marginals[v])
		for s := range p {
			p[s] *= 0.2 + r.Float64()
		}
		pgmrt.Normalize(p)
		margins[model.VarID(v)], targets[v] = p, p
	}
	fitted, off := c.joint.Fit(want.evidence, margins, slowRounds)
	if off > 1e-14 {
		return
	}
	entry := c.result.Program.Entry("jeffrey")
	report, logp, err := c.machine.Jeffrey(context.Background(), entry, targets)
	if errors.Is(err, pgmrt.ErrLikelihood) && want.spread > c.result.Program.SoftBits/2 {
		return
	}
	c.must(err)
	if report.Status != pgmrt.Converged || len(margins) == 1 && report.Iterations > 1 {
		c.Errorf("jeffrey: %+v for %d targets", report, len(margins))
	}
	if c.joint.Model.Kind != model.Markov {
		irtest.CloseTo(c, logp, want.logp, c.tol)
	}
	for i, out := range entry.Outs {
		irtest.Close(c, c.machine.Posterior(i), fitted[c.result.Program.Spans[out].Var], 1e-9) // the fit itself stops at 1e-12
	}
}
