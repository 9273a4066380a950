package compiler_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// causes returns a noisy-or network: effects that have all causes for parents. Its circuit of sums
// is small, since an effect is decomposed; its tables and its circuit of maxima are large.
func causes(n, effects int) *model.Model {
	m := &model.Model{Name: "causes"}
	var roots []model.VarID
	for i := range n {
		v := m.NewVar(fmt.Sprint("c", i), "no", "yes")
		roots = append(roots, v.ID)
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{.75, .25}}})
	}
	for i := range effects {
		v := m.NewVar(fmt.Sprint("e", i), "no", "yes")
		d := &model.NoisyMax{Leak: []float64{.9, .1}}
		for range roots {
			d.Cause = append(d.Cause, []float64{1, 0, .5, .5})
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: append(roots[:n:n], v.ID), Child: n, Dist: d})
	}
	return m
}

// sparse returns a chain of variables with many states, each of which is followed by one of a few.
// Its tables are large, and nearly all of their entries are zero.
func sparse(n, states int) *model.Model {
	m := &model.Model{Name: "sparse"}
	names := make([]string, states)
	for s := range names {
		names[s] = fmt.Sprint("s", s)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var last []model.VarID
	for i := range n {
		v := m.NewVar(fmt.Sprint("x", i), names...)
		scope := append(last[max(0, len(last)-2):len(last):len(last)], v.ID)
		d := &model.Table{}
		rows := 1
		for range scope[1:] {
			rows *= states
		}
		for range rows {
			row := make([]float64, states)
			row[rng.IntN(states)] = .5
			row[rng.IntN(states)] += .5
			d.Values = append(d.Values, row...)
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: d})
		last = append(last, v.ID)
	}
	return m
}

// planning returns a network like those of planning problems: in each slice actions with
// preconditions, and fluents that actions add and delete. All but the actions and the first fluents
// are deterministic. It has fluents + slices*(2*actions+fluents) variables.
func planning(slices, fluents, actions int) *model.Model {
	m := &model.Model{Name: "planning"}
	rng := rand.New(rand.NewPCG(3, 4))
	add := func(p float64, parents []model.VarID, holds func(states []int) bool) model.VarID {
		v := m.NewVar(fmt.Sprint("x", len(m.Vars)), "no", "yes")
		d := &model.Table{}
		states := make([]int, len(parents))
		for i := range 1 << len(parents) {
			for k := range states {
				states[k] = i >> (len(states) - 1 - k) & 1
			}
			yes := p
			if holds != nil {
				yes = 0
				if holds(states) {
					yes = 1
				}
			}
			d.Values = append(d.Values, 1-yes, yes)
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: append(parents[:len(parents):len(parents)], v.ID), Child: len(parents), Dist: d})
		return v.ID
	}
	now := make([]model.VarID, fluents)
	for i := range now {
		now[i] = add(.5, nil, nil)
	}
	needs, adds, deletes := make([][]int, actions), make([][]int, fluents), make([][]int, fluents)
	for a := range needs {
		p := rng.Perm(fluents)
		needs[a] = p[:3]
		adds[p[3]], deletes[p[4]] = append(adds[p[3]], a), append(deletes[p[4]], a)
	}
	for range slices {
		done := make([]model.VarID, actions)
		for a := range done {
			parents := []model.VarID{add(.25, nil, nil)}
			for _, i := range needs[a] {
				parents = append(parents, now[i])
			}
			done[a] = add(0, parents, func(s []int) bool { return s[0]*s[1]*s[2]*s[3] == 1 })
		}
		next := make([]model.VarID, fluents)
		for i := range next {
			parents := []model.VarID{now[i]}
			most := min(2, len(adds[i]))
			for _, a := range adds[i][:most] {
				parents = append(parents, done[a])
			}
			for _, a := range deletes[i][:min(1, len(deletes[i]))] {
				parents = append(parents, done[a])
			}
			next[i] = add(0, parents, func(s []int) bool {
				made, gone := 0, 0
				for _, x := range s[1 : 1+most] {
					made |= x
				}
				for _, x := range s[1+most:] {
					gone |= x
				}
				return made == 1 || s[0] == 1 && gone == 0
			})
		}
		now = next
	}
	return m
}

// TestOneDecision checks that Estimate refuses what Compile refuses, for the same reason, and that
// both choose the same method, from limits that nothing fits to limits that everything does.
func TestOneDecision(t *testing.T) {
	models := []*model.Model{causes(9, 3), irtest.Asia()}
	most := int64(1 << 20)
	if irtest.Long(t) {
		models = append(models, sparse(7, 12), planning(3, 6, 5), grid(6))
		most = 64 << 20
	}
	for _, m := range models {
		for _, by := range []string{"", compiler.Auto, "jointree", "circuit"} {
			for mem := int64(256); mem <= most; mem *= 4 {
				opt := compiler.Options{MaxMem: mem, Steps: -1}
				if by != "" {
					opt.Method = compiler.Named(by)
				}
				r, refused := compiler.Compile(context.Background(), m, opt)
				est, err := compiler.Estimate(context.Background(), m, opt)
				if err != nil {
					t.Fatalf("%s by %q within %d bytes: %v", m.Name, by, mem, err)
				}
				if fmt.Sprint(refused) != fmt.Sprint(est.Refused()) {
					t.Errorf("%s by %q within %d bytes: compile says %v; estimate says %v", m.Name, by, mem, refused, est.Refused())
				}
				if refused == nil && r.Choice != nil && (r.Choice.Method != est.Choice.Method || r.Choice.Why != est.Choice.Why) {
					t.Errorf("%s within %d bytes: compile chooses %s, %s; estimate %s, %s", m.Name, mem,
						r.Choice.Method, r.Choice.Why, est.Choice.Method, est.Choice.Why)
				}
			}
		}
	}
}

// TestPlanningRefused refuses networks of planning problems, whose searches end by their work.
func TestPlanningRefused(t *testing.T) {
	for _, c := range []struct {
		slices, fluents, actions int
		long                     bool
	}{{4, 24, 20, false}, {5, 76, 78, true}} {
		m := planning(c.slices, c.fluents, c.actions)
		t.Run(fmt.Sprint(len(m.Vars)), func(t *testing.T) {
			if c.long {
				irtest.SkipUnlessLong(t)
			}
			opt := compiler.Options{Method: compiler.Named(compiler.Auto)}
			if r := order.Best(order.FromModel(m), order.Options{}); r.Cost.Width <= 33 {
				t.Fatalf("width %d; want more than 33", r.Cost.Width)
			}
			_, refused := compiler.Compile(context.Background(), m, opt)
			est, err := compiler.Estimate(context.Background(), m, opt)
			if err != nil {
				t.Fatal(err)
			}
			if refused == nil || fmt.Sprint(refused) != fmt.Sprint(est.Refused()) {
				t.Errorf("compile says %v; estimate says %v", refused, est.Refused())
			}
		})
	}
}
