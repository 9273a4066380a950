package codegen_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestHybridSignatures compares signatures of random networks with real variables, by each
// back-end, with the interpreter. They do not allocate, and refuse numbers out of range.
func TestHybridSignatures(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for _, seed := range irtest.Cases(t, 4, 100) {
		mod := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: seed%4 == 3})
		list := irtest.HybridSignatures(seed, mod, 4)
		opt := compiler.Options{Queries: []string{"logprob"}, Measurements: seed%3 == 1}
		for _, q := range list {
			opt.Queries = append(opt.Queries, compiler.Specification(mod, q))
		}
		name := fmt.Sprintf("p%d", seed)
		m.add(t, name, turn(seed), mod, opt, func(r *compiler.Result) string {
			return strings.NewReplacer("PACKAGE", name, "CASES", signatureCases(r, seed)).Replace(signatureTestText)
		})
	}
	m.test()
}

// signatureCases returns calls of the signatures of a program at the states and values of samples,
// with the interpreter's answers.
func signatureCases(r *compiler.Result, seed uint64) string {
	b := &strings.Builder{}
	random := rand.New(rand.NewPCG(seed, 11))
	seen := map[string]bool{}
	for i := range r.Program.Entries {
		e := &r.Program.Entries[i]
		q := e.Query
		if q.Kind != ir.Signature {
			continue
		}
		id := func(name string) string { return strings.ToUpper(name) }
		method := id(r.Model.Vars[q.Targets[0]].Name) + "Given"
		for _, v := range q.Evidence {
			if slices.Contains(q.Do, v) {
				method += "Do"
			}
			method += id(r.Model.Vars[v].Name)
		}
		if seen[method] {
			continue
		}
		seen[method] = true
		numbers := map[bool]string{true: "flat{out.Mean, out.Var}", false: "flatOf(out[:])"}[r.Model.IsReal(q.Targets[0])]
		for n := range 3 {
			state, x := irtest.HybridSample(random, r.Model)
			mc := eval.New(r.Program, r.Model)
			var args []string
			for _, v := range q.Evidence {
				if r.Model.IsReal(v) {
					_ = mc.ObserveReal(v, x[v])
					args = append(args, fmt.Sprint(x[v]))
				} else {
					_ = mc.SetState(v, state[v])
					args = append(args, fmt.Sprintf("%s(%d)", id(r.Model.Vars[v].Name), state[v]+1))
				}
			}
			err := mc.Run(e)
			fmt.Fprintf(b, signatureCase, method, strings.Join(args, ", "), numbers, err != nil, strings.Trim(strings.ReplaceAll(fmt.Sprint(mc.Posterior(0)), " ", ", "), "[]"))
			for k, v := range q.Evidence {
				if r.Model.IsReal(v) {
					wrong := slices.Clone(args)
					wrong[k] = []string{"math.NaN()", "-2e30", "math.Inf(1)"}[n]
					fmt.Fprintf(b, signatureCase, method, strings.Join(wrong, ", "), numbers, true, "")
				}
			}
		}
	}
	return b.String()
}

const signatureCase = "{func(e *Engine) (flat, error) { out, err := e.%s(%s); return %s, err }, %v, []float64{%s}},\n"

const signatureTestText = `package PACKAGE

import (
	"math"
	"testing"
)

type flat [3]float64

func flatOf(x []float64) (n flat) {
	copy(n[:], x)
	return n
}

func TestSignatures(t *testing.T) {
	e := New()
	for i, c := range []struct {
		ask    func(e *Engine) (flat, error)
		failed bool
		want   []float64
	}{
CASES	} {
		got, err := c.ask(e)
		if (err != nil) != c.failed {
			t.Errorf("case %d: %v", i, err)
		}
		for k, x := range c.want {
			if !c.failed && !(math.Abs(got[k]-x) <= 1e-12*math.Max(1, math.Abs(x))) {
				t.Errorf("case %d: %v; want %v", i, got, c.want)
			}
		}
		if n := testing.AllocsPerRun(10, func() { _, _ = c.ask(e) }); n > 0 && !c.failed {
			t.Errorf("case %d: %v allocations", i, n)
		}
	}
}
`
