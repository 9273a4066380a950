package compiler_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// coupled returns a grid of n by n variables in which no two numbers of a factor are equal.
// Neighbours that differ count about b for one, and neighbours that agree 1.
func coupled(n int, b float64) *model.Model {
	m := frustrated(n)
	for i, f := range m.Factors {
		x := .001 * float64(i)
		f.Dist = &model.Table{Values: []float64{1 + x, b + x, 1.1*b + x, 1.1 + x}}
	}
	return m
}

// TestBest asks method Best for networks that fit, that fit one method, and that fit none.
func TestBest(t *testing.T) {
	for _, c := range []struct {
		name           string
		m              *model.Model
		table          int
		query          string // the default if empty
		method, proven string
	}{
		{"fits", irtest.Asia(), 0, "mpe", "", ""},
		{"by a circuit", equal(40), 0, "mpe", "circuit", ""},
		{"states", coupled(6, 2), 4, "mpe", "search", "proven: no completion exceeds the bound, which the search lowers to the best"},
		{"by slices", coupled(5, 2), 4, "v3", "jointree", ""},
		{"probability", coupled(11, 2), 4, "logprob", "bound", "proven: ln P and every posterior lie within their intervals"},
		{"posteriors", coupled(6, 2), 4, "", "bound", "proven: ln P and every posterior lie within their intervals"},
		{"posterior", coupled(11, 2), 4, "v3", "bound", "proven: ln P and every posterior lie within their intervals"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if len(c.m.Vars) > 100 {
				irtest.SkipUnlessLong(t) // it looks for a cutset that is not too large
			}
			opt := compiler.Options{Method: compiler.Named(compiler.Best), MaxTable: c.table}
			if c.query != "" {
				opt.Queries = []string{c.query}
			}
			r, err := compiler.Compile(t.Context(), c.m, opt)
			must(t, err)
			est, err := compiler.Estimate(t.Context(), c.m, opt)
			must(t, err)
			for _, got := range []*compiler.Choice{r.Choice, est.Choice} {
				if c.method == "" {
					if got.Method != "jointree" || got.Proven != "" {
						t.Errorf("chosen %+v; want what Auto chooses", *got)
					}
				} else if got.Method != c.method || got.Proven != c.proven {
					t.Errorf("chosen %s, %q; want %s, %q", got.Method, got.Proven, c.method, c.proven)
				}
			}
		})
	}
}

// TestTrying lists what method Best looks at: with the operations that do not fit once these are
// known.
func TestTrying(t *testing.T) {
	var got []string
	opt := compiler.Options{Method: compiler.Named(compiler.Best), MaxTable: 4, Queries: []string{"mpe"}, Trying: func(method string, operations float64) {
		got = append(got, method)
		if known := operations > 0; known != (method != compiler.Auto) {
			t.Errorf("%v operations with %s", operations, method)
		}
	}}
	_, choice, err := compiler.Decide(t.Context(), coupled(6, 2), opt)
	must(t, err)
	want := []string{"auto", "slices of a cutset", choice.Method}
	if !slices.Equal(got, want) {
		t.Errorf("tried %q; want %q", got, want)
	}
}

// directed returns a Bayesian network of n by n variables, each with those left of it and above it
// for parents.
func directed(n int) *model.Model {
	m := &model.Model{Name: "directed"}
	for i := range n * n {
		v := m.NewVar(fmt.Sprintf("v%d", i), "0", "1")
		f := &model.Factor{}
		if i%n > 0 {
			f.Scope = append(f.Scope, v.ID-1)
		}
		if i >= n {
			f.Scope = append(f.Scope, v.ID-model.VarID(n))
		}
		d := &model.Table{}
		for row := range 1 << len(f.Scope) {
			p := .1 + .8*math.Abs(math.Sin(float64(5*i+row)))
			d.Values = append(d.Values, p, 1-p)
		}
		f.Child, f.Scope, f.Dist = len(f.Scope), append(f.Scope, v.ID), d
		m.Factors = append(m.Factors, f)
	}
	return m
}

// TestBestCertificates checks that a network whose best states one cut proves is left to it, and
// that another has an interval of ln P.
func TestBestCertificates(t *testing.T) {
	for _, c := range []struct {
		m             *model.Model
		query, proven string
	}{
		{coupled(4, .2), "mpe", "proven: no completion is more probable"},
		{directed(4), "", "proven: ln P and every posterior lie within"},
	} {
		_, choice, err := compiler.Decide(t.Context(), c.m, compiler.Options{Method: compiler.Named(compiler.Best), MaxTable: 8, Queries: strings.Fields(c.query)})
		must(t, err)
		if choice == nil || !strings.HasPrefix(choice.Proven, c.proven) {
			t.Errorf("%s: chosen %v; want %s", c.query, choice, c.proven)
		}
	}
}

// TestBestRefuses asks for what no approximate method answers alone.
func TestBestRefuses(t *testing.T) {
	for _, queries := range [][]string{{"mpe", "logprob"}, {"v1 | v2"}, {"map(v1, v2)"}} {
		_, choice, err := compiler.Decide(t.Context(), coupled(6, 2), compiler.Options{Method: compiler.Named(compiler.Best), MaxTable: 4, Queries: queries})
		if large := (*compiler.TooLarge)(nil); !errors.As(err, &large) || choice != nil {
			t.Errorf("%v: %v, %v; want a *compiler.TooLarge", queries, choice, err)
		}
	}
	_, _, err := compiler.Decide(t.Context(), coupled(3, 2), compiler.Options{Method: compiler.Named(compiler.Best), Queries: []string{"nothing"}})
	if err == nil {
		t.Error("an unknown query is decided; want an error")
	}
}
