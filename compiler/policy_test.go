package compiler_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// knowing returns a diagram with a decision that knows n variables of two states, all of which
// matter.
func knowing(n int) *model.Model {
	m := &model.Model{Name: "knowing", Diagram: &model.Diagram{}}
	var known []model.VarID
	for i := range n {
		v := m.NewVar(fmt.Sprint("k", i), "no", "yes")
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{.5, .5}}})
		known = append(known, v.ID)
	}
	d := m.NewVar("d", "0", "1")
	d.Given = true
	m.Diagram.Decisions = []*model.Decision{{Var: d.ID, Known: known}}
	for _, v := range known {
		m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: "u", Scope: []model.VarID{v, d.ID}, Values: []float64{0, 1, 2, 0}})
	}
	return m
}

// TestPolicy compiles a policy by itself and beside another query, of a decision with few cases and
// with many.
func TestPolicy(t *testing.T) {
	for _, c := range []struct {
		known   int
		queries []string
		entries []ir.QueryKind
		worth   bool
	}{
		{2, []string{"policy"}, []ir.QueryKind{ir.Policy}, true},
		{2, []string{"policy, k0", "logprob", "policy"}, []ir.QueryKind{ir.Posterior, ir.LogProb, ir.Policy}, true},
		{12, []string{"policy"}, []ir.QueryKind{ir.Policy}, false},
		{20, []string{"policy"}, []ir.QueryKind{ir.Policy}, false},
	} {
		r, err := compiler.Compile(t.Context(), knowing(c.known), compiler.Options{Queries: c.queries})
		if err != nil {
			t.Fatal(err)
		}
		var kinds []ir.QueryKind
		for _, e := range r.Program.Entries {
			kinds = append(kinds, e.Query.Kind)
		}
		d := r.Program.Entries[len(kinds)-1].Decisions
		if !slices.Equal(kinds, c.entries) || len(d) != 1 || len(d[0].Choice) != 1<<c.known || (d[0].Utility != nil) != c.worth {
			t.Fatalf("%v: entries %v, tables %v; want %v", c.queries, kinds, d, c.entries)
		}
		if first, last := d[0].Choice[0], d[0].Choice[len(d[0].Choice)-1]; first != 1 || last != 0 {
			t.Errorf("%d known: choices %d and %d; want 1 and 0", c.known, first, last)
		}
	}
}

func TestPolicyErrors(t *testing.T) {
	without, chance := knowing(1), knowing(1)
	without.Diagram.Decisions = nil
	chance.Diagram = nil
	without.Vars[1].Given = false
	without.Factors = append(without.Factors, &model.Factor{Scope: []model.VarID{1}, Dist: &model.Table{Values: []float64{.5, .5}}})
	apart := knowing(2)
	apart.Diagram.Decisions[0].Known = nil
	e := apart.NewVar("e", "0", "1")
	e.Given = true
	apart.Diagram.Decisions = append(apart.Diagram.Decisions, &model.Decision{Var: e.ID})
	apart.Diagram.Utilities = append(apart.Diagram.Utilities, &model.Utility{Name: "both", Scope: []model.VarID{2, 3}, Values: []float64{1, 0, 0, 1}})
	for _, c := range []struct {
		m    *model.Model
		opt  compiler.Options
		want string
	}{
		{chance, compiler.Options{}, `query "policy": the model has no decisions and no utilities; want an influence diagram`},
		{without, compiler.Options{}, `query "policy": the diagram has no decisions; want some`},
		{knowing(1), compiler.Options{Params: ir.Var},
			`query "policy": choices are computed from the numbers of the model, which may not be replaced; compile with params const`},
		{knowing(1), compiler.Options{Method: compiler.Named("gibbs")}, `query "policy" has an exact answer; method gibbs is approximate`},
		{knowing(21), compiler.Options{},
			`query "policy": the decision "d" has 2097152 cases, the states of "k0", "k1", "k2", "k3", "k4", "k5", 15 others (2 x 2 x 2 x 2 x 2 x 2 x ...); ` +
				`want at most 1048576, and so a decision that knows less`},
		{knowing(10), compiler.Options{MaxTable: 1 << 10}, `query "policy": the decisions need a table of 2.05e+03 entries, over "d" and 10 other variables; want decisions that depend on fewer, or more than max-table 1024`},
		{apart, compiler.Options{},
			`query "policy": nothing orders the decisions "d" and "e", connected by one utility or CPD; want a path between them, since packages need decisions in one order`},
	} {
		c.opt.Queries = []string{"policy"}
		_, err := compiler.Compile(t.Context(), c.m, c.opt)
		_, again := compiler.Estimate(t.Context(), c.m, c.opt)
		for _, err := range []error{err, again} {
			if err == nil || err.Error() != c.want {
				t.Errorf("error %v; want %s", err, c.want)
			}
		}
	}
}

// TestEstimateDecisions compares estimates of queries about decisions with the programs: the
// queries and their order, and the memory. One that does not fit is refused as the program is.
func TestEstimateDecisions(t *testing.T) {
	for _, queries := range []string{"policy", "best", "follow", "policy, logprob, information(d), best, follow", "k1 | d, best"} {
		opt := compiler.Options{Queries: []string{queries}}
		if strings.Contains(queries, "|") {
			opt.Queries = strings.Split(queries, ", best")
			opt.Queries[1] = "best"
		}
		est, err := compiler.Estimate(t.Context(), knowing(3), opt)
		must(t, err)
		r, err := compiler.Compile(t.Context(), knowing(3), opt)
		must(t, err)
		var got, want []string
		for _, q := range est.Queries {
			got = append(got, q.Query.Name)
		}
		for _, e := range r.Program.Entries {
			want = append(want, e.Query.Name)
		}
		if !slices.Equal(got, want) || !est.Fits() || est.Refused() != nil {
			t.Errorf("%s: estimates of %q; want %q, which fit", queries, got, want)
		}
		if work := float64(r.Program.Work); est.Work < .5*work || est.Work > 2*work+16 {
			t.Errorf("%s: an estimate of %v numbers of work; want some %v", queries, est.Work, work)
		}
	}
	opt := compiler.Options{Queries: []string{"follow"}, MaxMem: 100}
	_, err := compiler.Compile(t.Context(), knowing(3), opt)
	est, failed := compiler.Estimate(t.Context(), knowing(3), opt)
	must(t, failed)
	var large *compiler.TooLarge
	if est.Fits() || !errors.As(est.Refused(), &large) || !errors.As(err, &large) {
		t.Errorf("refused %v, and the program %v; want a *compiler.TooLarge", est.Refused(), err)
	}
}

// TestInformationShared checks that the networks about each variable share the inputs and a block.
func TestInformationShared(t *testing.T) {
	m := knowing(4)
	r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{"information", "logprob"}})
	must(t, err)
	if e := r.Program.Entries[len(r.Program.Entries)-1]; len(e.Outs) != 5 || len(e.Blocks) != 1 {
		t.Errorf("%d outputs, %d blocks; want 5, 1", len(e.Outs), len(e.Blocks))
	}
	inputs := map[model.VarID]int{}
	for _, s := range r.Program.Spans {
		if s.Role == ir.RoleIn {
			inputs[s.Var]++
		}
	}
	for v := range model.VarID(4) {
		if inputs[v] != 1 {
			t.Errorf("variable %d has %d inputs; want 1", v, inputs[v])
		}
	}
}
