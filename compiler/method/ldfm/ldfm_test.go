package ldfm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// compiled returns a machine for the only query of m.
func compiled(t testing.TB, m *model.Model, options ...string) (*eval.Machine, *ir.Program) {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("", options...), Check: true})
	if err != nil {
		t.Fatal(err)
	}
	return eval.New(r.Program, r.Model), r.Program
}

func enter(t testing.TB, machine *eval.Machine, m *model.Model, e brute.Evidence) {
	t.Helper()
	machine.ClearEvidence()
	for _, v := range m.Vars {
		if s, ok := e.Hard[v.ID]; ok {
			if err := machine.Observe(v.ID, s); err != nil {
				t.Fatal(err)
			}
		}
		if l, ok := e.Soft[v.ID]; ok {
			if err := machine.Likelihood(v.ID, l); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestAgainstBruteForce compares posteriors with brute force, for each sampler, and for LDFM and
// LDFM-S with variables of one to four states and some zero weights. They must be within 5 standard
// errors of the worst probability.
func TestAgainstBruteForce(t *testing.T) {
	agreed := 0
	for seed := range uint64(24) {
		m := irtest.RandomForest(seed, 2+int(seed%6), 4, seed%2 == 0, []float64{0, .5, .9}[seed%3])
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, sampler := range []string{"tree", "gibbs", "determinant"} {
			machine, program := compiled(t, m, "sampler="+sampler)
			entry := &program.Entries[0]
			for k := range uint64(2) {
				e := brute.Evidence{}
				if k > 0 {
					e = irtest.RandomEvidence(seed, m)
				}
				enter(t, machine, m, e)
				r, err := machine.RunChain(context.Background(), entry, pgmrt.ChainOptions{Seed: seed})
				if impossible := math.IsInf(joint.LogProb(e), -1); impossible || err != nil {
					if !impossible || !errors.Is(err, pgmrt.ErrImpossible) && !errors.Is(err, pgmrt.ErrStart) {
						t.Errorf("model %d: %v; evidence is impossible: %v", seed, err, impossible)
					}
					continue
				}
				if r.Status != pgmrt.Converged {
					continue
				}
				agreed++
				for o, id := range entry.Outs {
					want := joint.Posterior(program.Spans[id].Var, e)
					for s, p := range machine.Posterior(o) {
						if se := max(r.Residual, math.Sqrt(want[s]*(1-want[s])/4000)); math.Abs(p-want[s]) > 5*se+1e-12 {
							t.Errorf("model %d by %s, evidence %d: P(%v=%d) = %v; want %v within 5 times %v", seed, sampler, k, m.Vars[program.Spans[id].Var].Name, s, p, want[s], se)
						}
					}
				}
			}
		}
	}
	if agreed < 110 {
		t.Errorf("chains agreed in %d runs; want most of 144", agreed)
	}
}

// TestJointStates checks the frequencies of joint states, of the last state of each of many short
// chains. The bound is the 0.9999 quantile of chi-squared with 26 degrees of freedom, 62.
func TestJointStates(t *testing.T) {
	m := irtest.RandomForest(5, 3, 3, true, 0)
	joint, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	want := joint.Conditional(brute.Evidence{})
	for _, sampler := range []string{"tree", "gibbs"} {
		machine, program := compiled(t, m, "sampler="+sampler, "chains=1", "iterations=20", "burn-in=0")
		counts := make([]float64, joint.Len())
		const runs = 4000
		for seed := range uint64(runs) {
			if _, err := machine.RunChain(context.Background(), &program.Entries[0], pgmrt.ChainOptions{Seed: 1 + seed}); err != nil {
				t.Fatal(err)
			}
			state := make([]int, len(m.Vars))
			for v, s := range machine.State() {
				state[v] = int(s)
			}
			counts[joint.Index(state)]++
		}
		chi := 0.0
		for i, p := range want {
			chi += (counts[i] - runs*p) * (counts[i] - runs*p) / (runs * p)
		}
		if joint.Len() != 27 || chi > 62 {
			t.Errorf("%s: chi-squared %v of %d states", sampler, chi, joint.Len())
		}
	}
}

// TestSchur checks that the Schur form draws the same states as a determinant for each state, from
// the same random numbers. It covers sparse and dense weights, sizes for which systems are solved
// and sizes for which matrices are factorized.
func TestSchur(t *testing.T) {
	for seed := range uint64(12) {
		m := irtest.RandomForest(seed, []int{2, 5, 20, 30}[seed%4], 4, seed%2 == 0, []float64{0, .8, .95}[seed%3])
		e := irtest.RandomEvidence(seed, m)
		var posteriors [2][][]float64
		for i, sampler := range []string{"gibbs", "determinant"} {
			machine, program := compiled(t, m, "sampler="+sampler, "iterations=40", "burn-in=5", "chains=2")
			enter(t, machine, m, e)
			if _, err := machine.RunChain(context.Background(), &program.Entries[0], pgmrt.ChainOptions{}); err != nil {
				t.Fatal(err)
			}
			for o := range program.Entries[0].Outs {
				posteriors[i] = append(posteriors[i], append([]float64(nil), machine.Posterior(o)...))
			}
		}
		for o := range posteriors[0] {
			irtest.Close(t, posteriors[0][o], posteriors[1][o], 1e-9)
		}
	}
}

// configuration is a state of tree-augmented sampling: the states of three binary variables, and
// the parent of each; 3 is the root.
type configuration struct{ x, parent [3]int }

// below reports whether j is a descendant of i or i itself. On a cycle, which is in no tree, it
// returns false.
func (c *configuration) below(j, i int) bool {
	for range 3 {
		if j != 3 && j != i {
			j = c.parent[j]
		}
	}
	return j == i
}

// configurations returns the 8 joint states times the 16 trees.
func configurations() (list []configuration) {
	for k := range 8 * 64 {
		c := configuration{[3]int{k & 1, k >> 1 & 1, k >> 2 & 1}, [3]int{k >> 3 & 3, k >> 5 & 3, k >> 7 & 3}}
		tree := true
		for i, p := range c.parent {
			tree = tree && p != i && c.below(i, 3)
		}
		if tree {
			list = append(list, c)
		}
	}
	return list
}

// stationary returns the stationary distribution of joint states, the first variable the slowest,
// of draws of one variable after the other. The weight is that of a variable's state and parent in
// a configuration that has them.
func stationary(weight func(c *configuration, i int) float64) []float64 {
	list := configurations()
	place := map[configuration]int{}
	for k, c := range list {
		place[c] = k
	}
	p := make([]float64, len(list))
	for k := range p {
		p[k] = 1 / float64(len(list))
	}
	for range 200 {
		for i := range 3 {
			next := make([]float64, len(list))
			for k, c := range list {
				total, to := 0.0, map[int]float64{}
				for option := range 8 {
					d := c
					d.x[i], d.parent[i] = option&1, option>>1
					if d.parent[i] != 3 && c.below(d.parent[i], i) {
						continue
					}
					w := weight(&d, i)
					to[place[d]] = w
					total += w
				}
				for d, w := range to {
					next[d] += p[k] * w / total
				}
			}
			p = next
		}
	}
	joint := make([]float64, 8)
	for k, c := range list {
		joint[4*c.x[0]+2*c.x[1]+c.x[2]] += p[k]
	}
	return joint
}

// TestRuleOfThePaper shows that the rule of Chu, Jiang and Tu for tree-augmented sampling has
// another stationary distribution than the model. With the factor of the children it is that of
// LDFM, and with the stop weight too it is that of LDFM-S.
func TestRuleOfThePaper(t *testing.T) {
	for _, stop := range []bool{false, true} {
		m := binaryForest(t, stop)
		d := m.Forest()
		edge := func(c *configuration, i int) float64 {
			row := 0
			if p := c.parent[i]; p < 3 {
				row = 1 + 2*p + c.x[p]
			}
			return d.Weights[row*6+2*i+c.x[i]]
		}
		children := func(c *configuration, i int) float64 {
			w := edge(c, i)
			for k, p := range c.parent {
				if p == i {
					w *= edge(c, k)
				}
			}
			return w
		}
		whole := func(c *configuration, i int) float64 {
			w := children(c, i)
			if stop {
				w *= d.Stop[1+2*i+c.x[i]]
			}
			return w
		}
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		want := joint.Conditional(brute.Evidence{})
		off := func(weight func(*configuration, int) float64) (most float64) {
			for i, p := range stationary(weight) {
				most = max(most, math.Abs(p-want[i]))
			}
			return most
		}
		if x := off(whole); x > 1e-12 {
			t.Errorf("stop weights %v: the whole rule is off by %v", stop, x)
		}
		if x := off(edge); x < .02 {
			t.Errorf("stop weights %v: the paper's rule is off by %v; want a difference to see", stop, x)
		}
		if x := off(children); stop && x < .02 {
			t.Errorf("without the stop weights it is off by %v; want a difference to see", x)
		}
	}
}

// binaryForest returns a random model of three binary variables.
func binaryForest(t *testing.T, stop bool) *model.Model {
	for seed := range uint64(1000) {
		if m := irtest.RandomForest(seed, 3, 2, stop, 0); m.ForestOffsets()[3] == 6 {
			return m
		}
	}
	t.Fatal("no seed gives three binary variables")
	return nil
}

func TestRefuses(t *testing.T) {
	forest, bayes := irtest.ContextForest(), irtest.Asia()
	for _, c := range []struct {
		m    *model.Model
		opt  compiler.Options
		want string
	}{
		{forest, compiler.Options{Method: compiler.Named("jointree")}, "the sum of whose weights is #P-hard, and this is one; ldfm does"},
		{forest, compiler.Options{Queries: []string{"logprob"}}, "#P-hard"},
		{forest, compiler.Options{Method: compiler.Named("ldfm"), Queries: []string{"logprob"}}, "method ldfm answers only the query gibbs; found logprob"},
		{forest, compiler.Options{Method: compiler.Named("ldfm"), Params: ir.Var}, "method ldfm needs constant parameters"},
		{forest, compiler.Options{Method: compiler.Named("", "sampler=best")}, `found sampler "best"; want tree, gibbs or determinant`},
		{forest, compiler.Options{Method: compiler.Named("", "chains=0")}, "want at least one chain"},
		{bayes, compiler.Options{Method: compiler.Named("ldfm")}, "found a Bayesian network; method ldfm needs a latent dependency forest model; try method gibbs"},
	} {
		_, err := compiler.Compile(context.Background(), c.m, c.opt)
		if err == nil || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
}
