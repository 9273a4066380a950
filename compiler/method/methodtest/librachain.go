package methodtest

import (
	"context"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// LibraChain is a test case of Libra's Gibbs sampling. It samples as Libra does by default, one
// chain of 1000 sweeps after 100, so that the standard deviation of its answers over seeds is the
// standard error of Libra's.
type LibraChain struct {
	program *ir.Program
	machine *eval.Machine
	entry   *ir.Entry
}

// NewLibraChain compiles a model of Libra's tests.
func NewLibraChain(t *testing.T, m method.Method, file string) *LibraChain {
	t.Helper()
	path := filepath.Join(irtest.Shared(t), "data", "libra", "test", file)
	x, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	r, err := compiler.Compile(context.Background(), x, compiler.Options{Method: compiler.Named(m.Name, "chains=1")})
	if err != nil {
		t.Fatal(err)
	}
	return &LibraChain{r.Program, eval.New(r.Program, r.Model), &r.Program.Entries[0]}
}

// Deviation returns the means and standard deviations, over seeds, of numbers computed from the
// marginals, which are by variable and state. The evidence is a row of states; "" is none. The
// marginals are smoothed as Libra's: half a sweep is added to each of the two states.
func (c *LibraChain) Deviation(t *testing.T, evidence string, seeds int, numbers func(marginals [][]float64) []float64) (mean, deviation []float64) {
	t.Helper()
	c.machine.ClearEvidence()
	for v, s := range strings.Split(evidence, ",") {
		if state, err := strconv.Atoi(s); err == nil {
			if err := c.machine.Observe(model.VarID(v), state); err != nil {
				t.Fatal(err)
			}
		}
	}
	for seed := range seeds {
		if _, err := c.machine.RunChain(context.Background(), c.entry, pgmrt.ChainOptions{Seed: uint64(1000 + seed)}); err != nil {
			t.Fatal(err)
		}
		marginals := make([][]float64, len(c.entry.Outs))
		for i, id := range c.entry.Outs {
			var p []float64
			for _, x := range c.machine.Posterior(i) {
				p = append(p, (1000*x+.5)/1001)
			}
			marginals[c.program.Spans[id].Var] = p
		}
		list := numbers(marginals)
		if mean == nil {
			mean, deviation = make([]float64, len(list)), make([]float64, len(list))
		}
		for i, x := range list {
			mean[i] += x / float64(seeds)
			deviation[i] += x * x / float64(seeds)
		}
	}
	for i := range mean {
		n := float64(seeds)
		deviation[i] = math.Sqrt(max(0, deviation[i]-mean[i]*mean[i]) * n / (n - 1))
	}
	return mean, deviation
}

// LibraRows returns the lines of a file of Libra's tests, or of its examples if the name begins
// with ../examples.
func LibraRows(t *testing.T, name string) []string {
	t.Helper()
	return strings.Split(strings.TrimSpace(libraFile(t, name)), "\n")
}
