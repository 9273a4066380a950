package methodtest

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Decoded counts the results of a decoding method on random models with evidence.
type Decoded struct {
	Exact    int // models for which it claims to be exact
	Proven   int // answers that reach their bound
	Statuses [5]int
}

// Decode compares a method that chooses states by messages with brute force, on the fixtures and on
// 200 random models; half of them have at most one parent per variable. The value of its states
// must be theirs, and no bound may be below the best value or rise from one iteration to the next.
// What it proves must hold, evidence that it calls impossible must be impossible, and if it claims
// to be exact, its states and max-marginals must be exact.
func Decode(t *testing.T, m method.Method, options ...string) Decoded {
	return decodeAll(t, m, fixturesAnd(200, 1<<9), options)
}

// DecodePairs is Decode on 200 random models with factors over at most two variables; half of these
// have two states at most.
func DecodePairs(t *testing.T, m method.Method, options ...string) Decoded {
	var models []*model.Model
	for seed := range uint64(200) {
		models = append(models, irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 9, MaxParents: 1, MaxStates: 2 + int(seed%2)*3}))
	}
	return decodeAll(t, m, models, options)
}

func decodeAll(t *testing.T, m method.Method, models []*model.Model, options []string) (d Decoded) {
	for i, x := range models {
		c := newDecoding(t, m, i, x, options)
		if c.result.Claim == method.Exact {
			d.Exact++
		}
		for k := range uint64(4) {
			c.check(evidence(i, k, x), &d)
			if k < 2 {
				c.rounds()
			}
		}
		if t.Failed() {
			t.Fatalf("model %d: %v", i, x.Name)
		}
	}
	return d
}

// decoding is the subject of a decoding method.
type decoding struct {
	*subject
	logZ float64 // ln of the partition function, which answers include; 0 in a Bayesian network
}

func newDecoding(t *testing.T, m method.Method, n int, x *model.Model, options []string) *decoding {
	c := &decoding{subject: newSubject(t, x, compiler.Options{Method: compiler.Named(m.Name, options...)}.Trial(trial.Options{Chunk: chunk(n)}))}
	if x.Kind == model.Markov {
		c.logZ = c.joint.LogPartition()
	}
	return c
}

// check runs the query with evidence and checks the answer.
func (c *decoding) check(e brute.Evidence, d *Decoded) {
	c.enter(e)
	r, err := c.machine.RunLoop(context.Background(), c.only(), pgmrt.LoopOptions{})
	best, states := c.joint.MPE(e)
	best += c.logZ
	if errors.Is(err, pgmrt.ErrImpossible) {
		if states != nil {
			c.Errorf("evidence with completions of ln P %v is called impossible", best)
		}
		return
	}
	c.must(err)
	report := c.machine.Decoded(c.only(), r)
	d.Statuses[report.Status]++
	logp, got := c.machine.LogP(), c.states()
	value := c.joint.LogValue(c.all(), got, e) + c.logZ
	if math.IsNaN(logp) || logp != value && !irtest.Near(logp, value, 1e-9) {
		c.Errorf("%v have ln P %v; said to be %v", got, value, logp)
	}
	if infeasible := report.Status == pgmrt.DecodeInfeasible; infeasible != math.IsInf(value, -1) {
		c.Errorf("%v for states of ln P %v", report.Status, value)
	}
	if report.Bound < best-1e-9*max(1, math.Abs(best)) || math.IsNaN(report.Bound) {
		c.Errorf("bound %v is below the best, %v", report.Bound, best)
	}
	if report.Gap <= 1e-6 {
		d.Proven++
		if !irtest.Near(logp, best, 1e-6) {
			c.Errorf("%+v proves ln P %v; the best is %v", report, logp, best)
		}
	}
	if c.result.Claim == method.Exact && states != nil {
		c.exact(e, report, best, states)
	}
}

func (c *decoding) exact(e brute.Evidence, report pgmrt.DecodeReport, best float64, states [][]int) {
	if report.Gap != 0 {
		c.Errorf("%+v; want a proof", report)
	}
	irtest.CloseTo(c, c.machine.LogP(), best, 1e-10)
	if got := c.states(); !slices.ContainsFunc(states, func(s []int) bool { return slices.Equal(s, got) }) {
		c.Errorf("%v is not among %v", got, states)
	}
	bounds := c.only().Loop.Decode.Bound != ir.NoSpan // then a proof says nothing about ties
	if several := len(states) > 1; !bounds && several != (report.Status == pgmrt.DecodeAmbiguous) && !c.near(e, best) {
		c.Errorf("%v where %d completions are best", report.Status, len(states))
	}
	for i, id := range c.only().Outs {
		v := c.result.Program.Spans[id].Var
		want, sum := make([]float64, c.joint.Model.Card(v)), 0.0
		for s := range want {
			want[s] = math.Exp(c.joint.LogValue([]model.VarID{v}, []int{s}, e) + c.logZ - best)
			sum += want[s]
		}
		for s := range want {
			want[s] /= sum
		}
		irtest.Close(c, c.machine.Posterior(i), want, 1e-9)
	}
}

// near reports whether a second best completion is so near to the best that ties depend on the
// tolerance.
func (c *decoding) near(e brute.Evidence, best float64) bool {
	values := c.joint.KMPE(2, e)
	return len(values) == 2 && values[0]-values[1] > 1e-14 && values[0]-values[1] < 1e-6
}

// rounds checks that the bound does not rise in the first iterations with the current evidence.
func (c *decoding) rounds() {
	last := math.Inf(1)
	for n := 1; n <= 6; n++ {
		r, err := c.machine.RunLoop(context.Background(), c.only(), pgmrt.LoopOptions{Iterations: n, Tolerance: -1})
		if err != nil {
			return
		}
		bound := c.machine.Decoded(c.only(), r).Bound
		if bound > last+1e-9*max(1, math.Abs(last)) {
			c.Errorf("the bound rises from %v to %v in round %d", last, bound, n)
		}
		last = bound
	}
}

func (c *decoding) all() (vars []model.VarID) {
	for _, v := range c.joint.Model.Vars {
		vars = append(vars, v.ID)
	}
	return vars
}

func (c *decoding) states() (list []int) {
	for _, s := range c.machine.State()[:len(c.joint.Model.Vars)] { // without auxiliary variables
		list = append(list, int(s))
	}
	return list
}

// DecodeFiles compares a decoding method with brute force on the small factor graphs of libDAI's
// tests. Some of them found faults of libDAI's max-product: zeros, and factors over the same
// variables.
func DecodeFiles(t *testing.T, m method.Method) {
	for _, name := range []string{"maxprodbug", "jtreemapbug", "zeroes1", "twofactors", "hoi1", "hoi2", "hoi3", "hoi4"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(irtest.Shared(t), "data", "libdai", name+".fg")
			x, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			c := newDecoding(t, m, 1, x, nil)
			c.check(brute.Evidence{}, &Decoded{})
			c.rounds()
		})
	}
}
