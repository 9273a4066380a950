package compiler_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// patience is a context that ends after its error has been read a given number of times.
type patience struct {
	context.Context
	left int
}

func (p *patience) Err() error {
	if p.left--; p.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// weave returns a chain of hidden variables and targets that is narrow in any order but the
// constrained one: x1..xn, each with the parents x before it and a target y, as in Koller and
// Friedman, figure 13.2.
func weave(n int) *model.Model {
	m := &model.Model{Name: "weave"}
	var last *model.Var
	for i := range n {
		y, x := m.NewVar(fmt.Sprintf("y%d", i), "0", "1"), m.NewVar(fmt.Sprintf("x%d", i), "0", "1")
		a, b := .5+.3*math.Sin(float64(3*i+1)), .5+.4*math.Cos(float64(5*i))
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{y.ID}, Dist: &model.Table{Values: []float64{.48, .52}}})
		if last == nil {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{y.ID, x.ID}, Child: 1, Dist: &model.Table{Values: []float64{a, 1 - a, b, 1 - b}}})
		} else {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{last.ID, y.ID, x.ID}, Child: 2,
				Dist: &model.Table{Values: []float64{a, 1 - a, b, 1 - b, 1 - b, b, .5, .5}}})
		}
		last = x
	}
	return m
}

// frustrated returns a Markov network of n by n variables in a grid, with couplings of both signs.
func frustrated(n int) *model.Model {
	m := &model.Model{Name: "grid", Kind: model.Markov}
	for i := range n * n {
		m.NewVar(fmt.Sprintf("v%d", i), "0", "1")
	}
	join := func(a, b int) {
		same := math.Exp(2 * math.Sin(float64(7*a*a+3*b)))
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(a), model.VarID(b)}, Child: -1,
			Dist: &model.Table{Values: []float64{same, 1, 1, same * (1 + .1*math.Cos(float64(a)))}}})
	}
	for i := range n * n {
		if i%n > 0 {
			join(i-1, i)
		}
		if i >= n {
			join(i-n, i)
		}
	}
	return m
}

func searched(t *testing.T, m *model.Model, query string, search bool) (*eval.Machine, *ir.Entry) {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{query}, Check: true}.Trial(trial.Options{Search: search}))
	if err != nil {
		t.Fatal(err)
	}
	if e := &r.Program.Entries[0]; e.Search != (search || e.Query.Kind == ir.KMPE) {
		t.Fatalf("%s: search is %v", query, e.Search)
	}
	return eval.New(r.Program, r.Model), &r.Program.Entries[0]
}

// TestSearchEnds checks that a search that ends early has a value and a bound with the optimum
// between them, and that a longer search has neither a smaller value nor a larger bound.
func TestSearchEnds(t *testing.T) {
	m := frustrated(4)
	query, targets := "map(v0", []model.VarID{0}
	for i := 3; i < len(m.Vars); i += 3 {
		query += fmt.Sprintf(", v%d", i)
		targets = append(targets, model.VarID(i))
	}
	joint, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	optimum, _ := joint.MAP(targets, brute.Evidence{})
	machine, e := searched(t, m, query+")", true)
	value, bound := math.Inf(-1), math.Inf(1)
	ended := &pgmrt.SearchError{}
	steps := 0
	for ; ; steps++ {
		err := machine.RunContext(&patience{context.Background(), steps}, e)
		if err == nil {
			break
		}
		if !errors.As(err, &ended) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if v := machine.LogP(); v < value || v > optimum+1e-12 {
			t.Errorf("after %d steps the value is %v, and %v before; the optimum is %v", steps, v, value, optimum)
		}
		if ended.Bound > bound || ended.Bound < optimum-1e-12 {
			t.Errorf("after %d steps the bound is %v, and %v before; the optimum is %v", steps, ended.Bound, bound, optimum)
		}
		value, bound = machine.LogP(), ended.Bound
	}
	irtest.CloseTo(t, machine.LogP(), optimum, 1e-12)
	if steps < 5 || steps != machine.Steps() {
		t.Errorf("%d steps; the machine counts %d, and fewer than 5 test nothing", steps, machine.Steps())
	}
	if a := testing.AllocsPerRun(3, func() { machine.Run(e) }); a > 2 { // the interpreter's allocations for a run, whatever the number of steps
		t.Errorf("a search of %d steps allocates %v times", steps, a)
	}
}

// TestSearchTakesOver checks that the search replaces one pass if the constrained order is too
// wide, and finds the same as one pass if that fits.
func TestSearchTakesOver(t *testing.T) {
	const n = 12
	query := "map(y0"
	for i := 1; i < n; i++ {
		query += fmt.Sprintf(", y%d", i)
	}
	direct, e := searched(t, weave(n), query+")", false)
	if err := direct.Run(e); err != nil {
		t.Fatal(err)
	}
	r, err := compiler.Compile(context.Background(), weave(n), compiler.Options{Queries: []string{query + ")"}, MaxTable: 256})
	if err != nil {
		t.Fatal(err)
	}
	machine := eval.New(r.Program, r.Model)
	if e := &r.Program.Entries[0]; !e.Search || machine.Run(e) != nil {
		t.Fatal("no search, or it fails")
	}
	irtest.CloseTo(t, machine.LogP(), direct.LogP(), 1e-12)
}

// TestAllTied checks that all completions of a uniform distribution tie, and that each is found
// once.
func TestAllTied(t *testing.T) {
	m := &model.Model{Name: "uniform"}
	for _, name := range []string{"a", "b", "c"} {
		v := m.NewVar(name, "0", "1", "2")
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{1. / 3, 1. / 3, 1. / 3}}})
	}
	machine, e := searched(t, m, "kmpe=40", false)
	if err := machine.Run(e); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for k := range machine.Found() {
		states, logp := machine.Completion(k)
		seen[fmt.Sprint(states)] = true
		irtest.CloseTo(t, logp, -3*math.Log(3), 1e-12)
	}
	if len(seen) != 27 || machine.Found() != 27 {
		t.Errorf("%d completions, %d of them different; want 27", machine.Found(), len(seen))
	}
}

// TestSearchText checks that the text form keeps that an entry is a search.
func TestSearchText(t *testing.T) {
	for _, query := range []string{"kmpe=2", "map(y0, y1)"} {
		r, err := compiler.Compile(context.Background(), weave(3), compiler.Options{Queries: []string{query}}.Trial(trial.Options{Search: true}))
		if err != nil {
			t.Fatal(err)
		}
		var first, second bytes.Buffer
		r.Program.Print(&first)
		p, err := ir.Parse(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		p.Print(&second)
		if !p.Entries[0].Search || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: reads back as %s", query, second.String())
		}
	}
}
