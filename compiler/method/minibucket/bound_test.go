package minibucket_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestBounds compares the intervals of random networks with brute force, with evidence and zeros.
// Small boxes are split, and bound; large ones are exact.
func TestBounds(t *testing.T) {
	wide := 0
	for i, m := range methodtest.Joint(irtest.Count(t, 60, 600), 1<<9) {
		options := []string{"numbers=1", "improve=4"}
		if i%3 == 0 {
			options = nil
		}
		c := newBounded(t, m, options)
		for k := range uint64(3) {
			if c.check(irtest.RandomEvidence(uint64(i)*10+k, m), options == nil) > 1e-3 {
				wide++
			}
		}
	}
	if wide < 10 {
		t.Errorf("%d intervals that are not exact; want 10 at least", wide)
	}
}

// bounded is a program of method bound, and what it is compared with.
type bounded struct {
	*testing.T
	joint   *brute.Joint
	machine *eval.Machine
	result  *compiler.Result
}

func newBounded(t *testing.T, m *model.Model, options []string) *bounded {
	t.Helper()
	joint, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("bound", options...), Rows: model.RowsAsIs})
	if err != nil {
		t.Fatal(err)
	}
	return &bounded{t, joint, eval.New(r.Program, m), r}
}

// check checks the intervals for evidence, and returns the width of that of ln P. If they should be
// exact, they may be wider by rounding alone.
func (c *bounded) check(e brute.Evidence, exact bool) float64 {
	m, entry := c.joint.Model, &c.result.Program.Entries[0]
	methodtest.Enter(c.T, c.machine, m, e)
	_, err := c.machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	want := c.joint.LogProb(e)
	if m.Kind == model.Markov {
		want += c.joint.LogPartition()
	}
	switch {
	case errors.Is(err, pgmrt.ErrImpossible):
		if !math.IsInf(want, -1) {
			c.Errorf("%s: evidence of ln P %v is called impossible", m.Name, want)
		}
		return 0
	case err != nil:
		c.Fatal(err)
	case math.IsInf(want, -1):
		return 0
	}
	lower, upper := c.machine.Bounds()
	if !(lower <= want && want <= upper) || exact && upper-lower > 1e-9 {
		c.Errorf("%s: ln P is %v; the bounds are %v and %v, exact: %v", m.Name, want, lower, upper, exact)
	}
	all, half := c.joint.Marginals(e), len(entry.Outs)/2
	for i, id := range entry.Outs[:half] {
		v := c.result.Program.Spans[id].Var
		least, most := c.machine.Posterior(i), c.machine.Posterior(half+i)
		for k, p := range all[v] {
			if !(least[k] <= p+1e-13 && p <= most[k]+1e-13) || exact && most[k]-least[k] > 1e-8 {
				c.Errorf("%s: P(%s = %d) is %v; the bounds are %v and %v, exact: %v", m.Name, m.Vars[v].Name, k, p, least[k], most[k], exact)
			}
		}
	}
	return upper - lower
}
