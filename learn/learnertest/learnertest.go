// Package learnertest tests the contract of learners: on small and awkward sets a learner returns a
// sound model or a clear error, the same each time and on any number of cores. The tests of a
// learner's own package check the quality of its results.
package learnertest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Run checks a learner with the given options.
func Run(t *testing.T, l learner.Learner, args ...string) {
	if l.Name == "" || l.Doc == "" || l.New == nil {
		t.Fatalf("learner %q lacks a name, a doc or New", l.Name)
	}
	for _, set := range contractSets(t, l) {
		t.Run(set.name, func(t *testing.T) {
			first := Learn(t, l, &learner.Job{Train: set.Set, Seed: 5, Cores: 1}, args...)
			sound(t, set.Set, first)
			circuits(t, first)
			if l.Takes&model.Counts != 0 && !slices.Contains(args, "-perturb") { // which weighs rows
				fromCounts(t, l, set.Set, first, args)
			}
			for cores := 1; cores <= 2; cores++ {
				if again := Learn(t, l, &learner.Job{Train: set.Set, Seed: 5, Cores: cores}, args...); !reflect.DeepEqual(again, first) {
					t.Errorf("on %d cores another result: %v and %v", cores, again.Report, first.Report)
				}
			}
		})
	}
	t.Run("empty", func(t *testing.T) { empty(t, l, args) })
	t.Run("cancelled", func(t *testing.T) { cancelled(t, l, args) })
}

// contractSets returns the small sets that a learner takes.
func contractSets(t *testing.T, l learner.Learner) []named {
	all := sets(t)
	if l.Takes&model.Gaussians != 0 {
		if l.Takes&model.Mixed != 0 {
			all = append(all, realSets(t, true)...)
		}
		if !hasClass(l) { // a class is discrete
			all = append(all, realSets(t, false)...)
		}
	}
	return all
}

// hasClass reports whether a learner has an option for a class variable.
func hasClass(l learner.Learner) bool {
	return options.Flags(l.New()).Lookup("class") != nil
}

// Make returns an instance of a learner with the given options.
func Make(t testing.TB, l learner.Learner, args ...string) learner.Instance {
	t.Helper()
	in := l.New()
	if err := options.Flags(in).Parse(args); err != nil {
		t.Fatal(err)
	}
	return in
}

// Learn runs a learner with the given options, which must succeed.
func Learn(t testing.TB, l learner.Learner, job *learner.Job, args ...string) *learner.Result {
	t.Helper()
	r, err := Make(t, l, args...).Learn(context.Background(), job)
	if err != nil {
		t.Fatalf("%s %v: %v", l.Name, args, err)
	}
	return r
}

// Error runs a learner with the given options, which must fail with the given error.
func Error(t testing.TB, l learner.Learner, s *data.Set, want string, args ...string) {
	t.Helper()
	_, err := Make(t, l, args...).Learn(context.Background(), &learner.Job{Train: s, Cores: 1})
	if err == nil || err.Error() != want {
		t.Errorf("%s %v: got error %v; want %s", l.Name, args, err, want)
	}
}

// Parents lists the parents of each variable in a result, by name and in the order of names, in the
// order of its report.
func Parents(r *learner.Result) string {
	var list []string
	for _, f := range r.Report.Families {
		list = append(list, f.Variable+"|"+strings.Join(slices.Sorted(slices.Values(f.Parents)), ""))
	}
	return strings.Join(list, " ")
}

type named struct {
	name string
	*data.Set
}

// sets returns small sets, each with one awkward property.
func sets(t *testing.T) []named {
	rng := rand.New(rand.NewPCG(3, 4))
	noisy := func(x int) int {
		if rng.Float64() < 0.2 {
			return 1 - x
		}
		return x
	}
	var rows [][]int
	var weights []float64
	for range 60 {
		a := rng.IntN(2)
		b := noisy(a)
		rows = append(rows, []int{a, b, a + noisy(b), rng.IntN(2)})
		weights = append(weights, 0.5+rng.Float64())
	}
	constant, missing, hollow, equal, function, many := change(rows), change(rows), change(rows), change(rows), change(rows), change(rows)
	for i, r := range rows {
		constant[i][1], missing[i][rng.IntN(4)], hollow[i][1] = 0, data.Missing, data.Missing
		equal[i] = rows[0]
		function[i][1], function[i][2] = r[0], r[0]+r[3]
		many[i][1], many[i][2] = i%7, i
	}
	vars := Vars("a", 2, "b", 2, "c", 3, "d", 2)
	return []named{
		{"rows", New(t, vars, rows, nil)},
		{"weights", New(t, vars, rows, weights)},
		{"constant column", New(t, vars, constant, nil)},
		{"variable of one state", New(t, Vars("a", 2, "b", 1, "c", 3, "d", 2), constant, nil)},
		{"one row", New(t, vars, rows[:1], nil)},
		{"one variable", New(t, Vars("a", 2), [][]int{{0}, {1}, {1}}, nil)},
		{"missing values", New(t, vars, missing, nil)},
		{"column without values", New(t, vars, hollow, nil)},
		{"equal rows", New(t, vars, equal, nil)},
		{"duplicate column and function of others", New(t, vars, function, nil)},
		{"more states than rows", New(t, Vars("a", 2, "b", 9, "c", 99, "d", 2), many, nil)},
	}
}

func change(rows [][]int) [][]int {
	out := make([][]int, len(rows))
	for i, r := range rows {
		out[i] = append([]int(nil), r...)
	}
	return out
}

// Vars makes variables from alternating names and numbers of states.
func Vars(list ...any) []data.Var {
	var vars []data.Var
	for i := 0; i < len(list); i += 2 {
		v := data.Var{Name: list[i].(string)}
		for k := range list[i+1].(int) {
			v.States = append(v.States, string(rune('0'+k)))
		}
		vars = append(vars, v)
	}
	return vars
}

// New returns a set of the given rows.
func New(t testing.TB, vars []data.Var, rows [][]int, weights []float64) *data.Set {
	t.Helper()
	s, err := data.New(vars, rows, weights)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Expected returns a set with a row for each joint state, with m times its probability as weight:
// the expected counts of m rows.
func Expected(t testing.TB, vars []data.Var, m float64, p func(x []int) float64) *data.Set {
	t.Helper()
	var rows [][]int
	var weights []float64
	state := make([]int, len(vars))
	for {
		rows, weights = append(rows, append([]int(nil), state...)), append(weights, m*p(state))
		i := len(state) - 1
		for ; i >= 0; i-- {
			if state[i]++; state[i] < len(vars[i].States) {
				break
			}
			state[i] = 0
		}
		if i < 0 {
			return New(t, vars, rows, weights)
		}
	}
}

// sound checks that the models are models of the variables of the data, and that the report adds
// up.
func sound(t *testing.T, s *data.Set, r *learner.Result) {
	t.Helper()
	if len(r.Models) == 0 {
		t.Fatal("no model")
	}
	for _, m := range r.Models {
		if list := m.Check(); list.HasErrors() {
			t.Errorf("the model is not sound: %v", list.Err())
		}
		for i, v := range s.Vars {
			if i >= len(m.Vars) || m.Vars[i].Name != v.Name || !reflect.DeepEqual(m.States(m.Vars[i].ID), v.States) {
				t.Errorf("variable %d is not %q of the data", i, v.Name)
			}
		}
	}
	sum := r.Report.Hidden
	for _, f := range r.Report.Families {
		sum += f.Score
	}
	if len(r.Report.Families) > 0 && !(math.Abs(sum-r.Report.Total) <= 1e-9*max(1, math.Abs(sum))) { // circuits have no families
		t.Errorf("the families have %v together, and the report says %v", sum, r.Report.Total)
	}
}

// circuits checks that the circuits of few joint states sum to one.
func circuits(t *testing.T, r *learner.Result) {
	t.Helper()
	for _, m := range r.Models {
		if len(m.Factors) == 1 && isCircuit(m.Factors[0]) && m.JointStates(m.Factors[0].Scope) < 1<<16 {
			normalised(t, m)
		}
	}
}

// isCircuit reports whether a factor is a circuit.
func isCircuit(f *model.Factor) bool {
	_, ok := f.Dist.(*model.Circuit)
	return ok
}

// normalised checks that the values of a circuit at all joint states sum to one.
func normalised(t *testing.T, m *model.Model) {
	t.Helper()
	sum, state := 0.0, make([]int, len(m.Vars))
	for more := true; more; more = m.Next(m.Factors[0].Scope, state) {
		sum += m.Value(m.Factors[0], state)
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the circuit sums to %v; want 1", sum)
	}
}

// empty checks that data without rows, or with a column about which nothing is known, cause an
// error that says so.
func empty(t *testing.T, l learner.Learner, args []string) {
	vars := Vars("a", 2, "b", 2)
	Error(t, l, New(t, vars, nil, nil), "the data has no rows; want at least one", args...)
	Error(t, l, New(t, vars, [][]int{{0, 1}}, []float64{0}), "the data has no rows; want at least one", args...)
	const want = `column 2, "b", has no values; want at least one, or leave it out by drop b`
	for _, b := range []data.Var{{Name: "b"}, {Name: "b", Real: true}} {
		vars[1] = b
		s, err := data.NewReal(append(vars, Vars("c", 2)...), [][]float64{{0, math.NaN(), 0}, {1, math.NaN(), 1}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !b.Real || l.Takes&model.Mixed != 0 {
			Error(t, l, s, want, args...)
		}
	}
}

// cancelled checks a job with a context that has ended: it returns the context's error, and a sound
// model if any.
func cancelled(t *testing.T, l learner.Learner, args []string) {
	s := sets(t)[0].Set
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Make(t, l, args...).Learn(ctx, &learner.Job{Train: s, Cores: 2})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v; want that of the context", err)
	}
	if r != nil {
		sound(t, s, r)
		if !r.Report.Stopped {
			t.Error("the report doesn't say that the search was stopped")
		}
	}
}
