package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// utilities returns a model with three binary variables, and utilities of them and of each other.
func utilities(r *rand.Rand) *model.Model {
	m := &model.Model{Diagram: &model.Diagram{Criteria: []*model.Criterion{{Name: "money", Scale: -2}, {Name: "health", Scale: 3}}}}
	for _, name := range []string{"a", "b", "c"} {
		v := m.NewVar(name, "0", "1")
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{.5, .5}}})
	}
	for i, scope := range [][]model.VarID{{0}, {1, 2}, {}, {2}} {
		u := &model.Utility{Name: fmt.Sprintf("u%d", i), Scope: scope, Criterion: []string{"", "money", "health", ""}[i]}
		n, _ := m.TableSize(scope)
		for range n {
			u.Values = append(u.Values, float64(r.IntN(9)-4))
		}
		m.Diagram.Utilities = append(m.Diagram.Utilities, u)
	}
	return m
}

// TestTerms compares the terms of functions of utilities with the functions themselves, at each
// joint state. Weighted sums keep the criteria of their parts, and other functions have their own.
func TestTerms(t *testing.T) {
	for k, c := range []struct {
		functions string
		want      func(u [4]float64) float64
		sizes     string // of the terms
	}{
		{"2*u0 - u1/4 + 1", func(u [4]float64) float64 { return 2*u[0] - -2*u[1]/4 + 1 + 3*u[2] + u[3] }, "2 4 1 2 1"},
		{"u0*u1", func(u [4]float64) float64 { return u[0]*u[1] + 3*u[2] + u[3] }, "1 2 8"},
		{"u0*u1; u4 + u4 + u3 - u2", func(u [4]float64) float64 { return 2*u[0]*u[1] + u[3] - 3*u[2] }, "1 2 8"},
		{"abs(u3 - u0); max(u4, u2); 0.5*u5 + u1", func(u [4]float64) float64 { return .5*max(math.Abs(u[3]-u[0]), u[2]) + -2*u[1] }, "4 4"},
		{"u5 + 1; u6 + u0; u1 - u0", func(u [4]float64) float64 { return 1 - 2*u[1] + 3*u[2] + u[3] }, "4 1 2 1"},
	} {
		m := utilities(rand.New(rand.NewPCG(uint64(k), 0)))
		for i := range strings.Split(c.functions, "; ") {
			m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: fmt.Sprintf("u%d", 4+i)})
		}
		for i, text := range strings.Split(c.functions, "; ") {
			nodes, err := model.ParseFunc(text, m.Diagram.FunctionNames())
			if err != nil {
				t.Fatal(err)
			}
			u := m.Diagram.Utilities[4+i]
			u.Function = &model.Func{Nodes: nodes}
			if got, err := m.Diagram.FunctionText(u); err != nil || got != text {
				t.Errorf("%s: text %s, error %v", text, got, err)
			}
		}
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		terms, err := m.Terms(m.Diagram.Roots(), 8)
		if err != nil {
			t.Fatal(err)
		}
		var sizes []string
		for _, u := range terms {
			sizes = append(sizes, fmt.Sprint(len(u.Values)))
		}
		if got := strings.Join(sizes, " "); got != c.sizes {
			t.Errorf("%s: terms of %s; want %s", c.functions, got, c.sizes)
		}
		state, all := make([]int, 3), []model.VarID{0, 1, 2}
		at := func(u *model.Utility) float64 {
			i := 0
			for _, v := range u.Scope {
				i = 2*i + state[v]
			}
			return u.Values[i]
		}
		for more := true; more; more = m.Next(all, state) {
			var u [4]float64
			for i := range u {
				u[i] = at(m.Diagram.Utilities[i])
			}
			got := 0.0
			for _, x := range terms {
				got += at(x)
			}
			if math.Abs(got-c.want(u)) > 1e-12 {
				t.Errorf("%s at %v: %v; want %v", c.functions, state, got, c.want(u))
			}
		}
	}
}

// TestTermsErrors checks what is refused.
func TestTermsErrors(t *testing.T) {
	for _, c := range []struct {
		function, want string
		change         func(*model.Model)
	}{
		{"u0*u1", `utility "u4" is a function of utilities over 3 variables, and needs a table of 8 entries; want fewer variables, or more than max-table 4`, func(*model.Model) {}},
		{"1e140*u0", `utility "u0" is too large to be added with its weight; want finite products`, func(m *model.Model) { m.Diagram.Utilities[0].Values = []float64{0, 1e200} }},
		{"log(u2 - 10)", `utility "u4" is NaN; want a function with a finite value`, func(*model.Model) {}},
		{"1/u0", `utility "u4" is +Inf at a=1; want a function with a finite value`, func(m *model.Model) { m.Diagram.Utilities[0].Values = []float64{1, 0} }},
		{"u0", `the criterion "health" has no scale; want one, or decide with willingness, which compares costs and effects`, func(m *model.Model) { m.Diagram.Criteria[1].Scale = math.NaN() }},
	} {
		m := utilities(rand.New(rand.NewPCG(1, 0)))
		nodes, err := model.ParseFunc(c.function, m.Diagram.FunctionNames())
		if err != nil {
			t.Fatal(err)
		}
		m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: "u4", Function: &model.Func{Nodes: nodes}})
		c.change(m)
		if _, err := m.Terms(m.Diagram.Roots(), 4); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v; want %s", c.function, err, c.want)
		}
	}
}
