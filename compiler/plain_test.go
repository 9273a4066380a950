package compiler_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

// TestPlain runs the programs of every method on small random models block by block, and compares
// the interpreter with irtest.Plain: one pass through all blocks of an entry, with some rounds of
// a loop or three sweeps. Other tests cover the code that repeats them.
func TestPlain(t *testing.T) {
	seen := map[string]int{}
	for _, m := range compiler.Methods {
		t.Run(m.Name, func(t *testing.T) {
			models := 0
			for seed := uint64(1); seed <= 60 && models < 16; seed++ {
				opt := compiler.Options{Method: compiler.Named(m.Name, plainOptions(m.Name, seed)...), Params: ir.ParamMode(seed / 2 % 2), Rows: model.RowsAsIs}
				switch m.Name {
				case "jointree", "circuit":
					opt.Queries = []string{"logprob", "marginals", "mpe", "sample", "x1 | x0"}
				case "filter", "ekf", "ukf", "ghf":
					opt.Queries = []string{"filter", "smooth"}
				case "gpb1", "gpb2", "imm", "particle", "rbpf":
					opt.Queries = []string{"filter"}
				}
				r, err := compiler.Compile(context.Background(), smallModel(m.Name, seed), opt)
				if err != nil {
					continue // the method does not take the model
				}
				models++
				for i := range r.Program.Entries {
					e := &r.Program.Entries[i]
					follow(t, fmt.Sprintf("seed %d, %s", seed, e.Query.Name), r, e, seed)
				}
				count(seen, r.Program)
			}
			if models < 6 {
				t.Errorf("%d models; want 6 at least", models)
			}
		})
	}
	for _, name := range append(irtest.StepTypes(t), "AscendDual", "BoundSums", "CutMoves", "ForestDeterminant", "ForestReals", "ForestSchur", "ForestStart", "ForestTree", "PolishStates", "SearchStates", "TightenBound") {
		if seen[name] == 0 {
			t.Errorf("no program has a step %s", name)
		}
	}
}

// count counts the steps of p by kind, and kernels by their function too.
func count(seen map[string]int, p *ir.Program) {
	for _, b := range p.Blocks {
		for _, s := range b.Steps {
			seen[strings.TrimPrefix(fmt.Sprintf("%T", s), "*ir.")]++
			if k, ok := s.(*ir.Kernel); ok {
				seen[k.Func]++
			}
		}
	}
}

// smallModel returns a random model of a kind that the method takes.
func smallModel(method string, seed uint64) *model.Model {
	switch {
	case method == "clg":
		return irtest.RandomHybrid(seed, irtest.HybridOptions{MaxVars: 6, MaxStates: 3, Decades: 2, NoGivens: true})
	case method == "filter":
		return irtest.RandomTemplate(seed, irtest.TemplateOptions{Reals: seed%3 == 1, All: seed%3 == 2})
	case slices.Contains([]string{"ekf", "ukf", "ghf"}, method):
		return irtest.RandomTemplate(seed, irtest.TemplateOptions{All: true})
	case slices.Contains([]string{"gpb1", "gpb2", "imm", "particle", "rbpf"}, method):
		return irtest.RandomTemplate(seed, irtest.TemplateOptions{Reals: true, Mixed: true})
	case method == "ldfm" && seed%4 == 0:
		return irtest.RandomRealForest(seed, [][]int{{0, 0, 2}, {3, 0, 2, 0}, {0, 0, 0}}[seed/4%3], seed%8 == 0)
	case method == "ldfm":
		return irtest.RandomForest(seed, 2+int(seed%4), 3, seed%2 == 0, []float64{0, .3}[seed%2])
	case method == "mplp" && seed%2 == 0:
		return spinGlass(seed)
	case method == "cut":
		return irtest.RandomModel(seed, irtest.Options{MaxVars: 5, MaxStates: 2 + int(seed/2%2), MaxParents: 1, NoZeros: seed%3 == 0})
	}
	return irtest.RandomModel(seed, irtest.Options{MaxVars: 6, MaxStates: 3})
}

// spinGlass returns a network whose relaxation has a gap: all pairs of four variables, or a cycle
// of four, like to differ or to agree at random.
func spinGlass(seed uint64) *model.Model {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &model.Model{Name: "spin glass", Kind: model.Markov}
	for i := range model.VarID(4) {
		m.NewVar(fmt.Sprint("x", i), []string{"a", "b", "c"}[:2+(i+model.VarID(seed))%2]...)
		for k := range i {
			if seed%8 == 0 && i == k+2 {
				continue
			}
			t := &model.Table{}
			sign := float64(1 - 2*r.IntN(2))
			for x := range m.Card(k) {
				for y := range m.Card(i) {
					like := r.Float64()
					if x%2 == y%2 {
						like += 3 * sign
					}
					t.Values = append(t.Values, math.Exp(like))
				}
			}
			if r.IntN(6) == 0 {
				t.Values[r.IntN(len(t.Values))] = 0
			}
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{k, i}, Child: -1, Dist: t})
		}
	}
	return m
}

// plainOptions varies the options of a method that has several algorithms.
func plainOptions(method string, seed uint64) []string {
	switch method {
	case "ldfm":
		if seed%4 != 0 { // real variables have only the tree
			return []string{"sampler=" + []string{"tree", "gibbs", "determinant"}[seed%3]}
		}
	case "bound", "search":
		return []string{"numbers=1", "improve=2"} // so that buckets are split
	case "cut":
		return []string{"moves=" + []string{"expansion", "swap"}[seed%2]}
	case "trws", "mplp":
		if seed%2 == 1 {
			return []string{"subgradient=3"}
		}
	case "belief":
		return []string{"schedule=" + []string{"sequential", "flooding"}[seed%2]}
	}
	return nil
}

// turns returns the blocks of an entry in the order in which follow runs them.
func turns(e *ir.Entry) (blocks []int) {
	first, end := 0, 0
	if e.Loop != nil {
		first, end = e.Loop.First, e.Loop.End
	}
	if e.Chain != nil {
		first, end = e.Chain.Cut[1], e.Chain.Cut[2]
	}
	blocks = append(blocks, e.Blocks[:first]...)
	rounds := 3
	if e.Query.Kind == ir.Decoding { // a bound stalls only after some
		rounds = 15
	}
	for range rounds {
		blocks = append(blocks, e.Blocks[first:end]...)
	}
	return append(blocks, e.Blocks[end:]...)
}

// follow runs an entry by both interpreters on the same random evidence and with the same
// generator.
func follow(t *testing.T, name string, r *compiler.Result, e *ir.Entry, seed uint64) {
	p := r.Program
	machine, want := eval.New(p, r.Model), irtest.NewPlain(p, seed)
	machine.Rand = pgmrt.NewRand(seed)
	set := func(id ir.SpanID, values ...float64) {
		copy(machine.Span(id), values)
		copy(want.Numbers[id], values)
	}
	evidence := brute.Evidence{}
	if len(r.Model.Reals()) == 0 { // likelihood sets the values of real variables
		evidence = irtest.RandomEvidence(seed, r.Model)
	}
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == ir.RoleIn {
			set(ir.SpanID(i), likelihood(r.Model, evidence, s.Var, seed)...)
		}
	}
	if e.Query.Kind == ir.Signature && p.State != ir.NoSpan {
		for _, v := range e.Query.Evidence {
			state := int(seed) % r.Model.Card(v)
			want.Ints[p.State][v] = int32(state)
			if err := machine.SetState(v, state); err != nil {
				t.Fatal(err)
			}
		}
	}
	if e.Loop != nil {
		set(e.Loop.Rate, .25)
	}
	if e.Stream != nil {
		for _, id := range e.Stream.In {
			belief := make([]float64, p.Spans[id].Len)
			for i := range belief {
				belief[i] = 1 / float64(i+2)
			}
			set(id, belief...)
		}
	}
	if e.Chain != nil {
		for i, id := range e.Chain.Run() {
			set(*id, runNumbers(e)[i])
		}
	}
	for _, b := range turns(e) {
		machine.RunBlock(b)
		want.RunBlock(b)
	}
	if e.Chain != nil && want.Numbers[e.Root][0] != 1 {
		return // no start was found, and the states mean nothing
	}
	compare(t, name, p, e, machine, want)
}

// runNumbers returns the numbers with which a run of a chain of one sweep a batch, or of trials,
// begins.
func runNumbers(e *ir.Entry) []float64 {
	if e.Query.Kind.Run() > ir.RunChain { // a temperature, no best value yet, and a tenure of 2
		return []float64{.7, 0, 0, math.Inf(-1), 2, 0, 0, 0}
	}
	return []float64{1, 1, 1, 1, math.Inf(1), 0}
}

// likelihood returns the input of a variable to the program. Of a real variable, that is whether it
// is observed, and its value.
func likelihood(m *model.Model, e brute.Evidence, v model.VarID, seed uint64) []float64 {
	if m.IsReal(v) {
		return [][]float64{{0, 0}, {1, .5}}[(seed/4+uint64(v))%2]
	}
	out := make([]float64, m.Card(v))
	hard, isHard := e.Hard[v]
	for i := range out {
		switch {
		case isHard && i != hard:
		case e.Soft[v] != nil:
			out[i] = e.Soft[v][i]
		default:
			out[i] = 1
		}
	}
	return out
}

// compare checks all numbers that a caller or the next run may read. Numbers of a loop and of a
// chain are differences of others, so that the tolerance is that of numbers of size 1 or more. The
// two interpreters add in different orders.
func compare(t *testing.T, name string, p *ir.Program, e *ir.Entry, machine *eval.Machine, want *irtest.Plain) {
	t.Helper()
	read := map[ir.SpanID]bool{e.Exp: true}
	for _, id := range e.Answers() {
		read[id] = true
	}
	if e.Loop != nil {
		read[e.Loop.LogP] = true
	}
	for i := range p.Spans {
		id, s := ir.SpanID(i), &p.Spans[i]
		switch {
		case s.Role != ir.RolePersistent && !read[id], want.Scratch[id]:
		case s.Elem == ir.Int32:
			for k, w := range want.Ints[id] {
				if got := machine.Ints(id)[k]; got != w && !want.Brink {
					t.Errorf("%s: span %q, element %d: got %d, want %d", name, s.Name, k, got, w)
				}
			}
		default:
			for k, w := range want.Numbers[id] {
				if got := machine.Span(id)[k]; got != w && !(math.Abs(got-w) <= 1e-12*max(1, math.Abs(w))) && !want.Brink {
					t.Errorf("%s: span %q, element %d: got %v, want %v", name, s.Name, k, got, w)
				}
			}
		}
	}
}
