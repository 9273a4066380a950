package decide_test

import (
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// followed yields the joint states and their probabilities if all decisions follow a solution,
// except one, which may be -1. The probabilities are not normalised.
func followed(m *model.Model, likelihood [][]float64, s *decide.Solution, except model.VarID) iter.Seq2[[]int, float64] {
	all := make([]model.VarID, len(m.Vars))
	for v := range all {
		all[v] = model.VarID(v)
	}
	return func(yield func([]int, float64) bool) {
		state := make([]int, len(m.Vars))
		for more := true; more; more = m.Next(all, state) {
			p := 1.0
			for _, f := range m.Factors {
				p *= m.Value(f, state)
			}
			for v, l := range likelihood {
				if l != nil {
					p *= l[state[v]]
				}
			}
			for _, x := range s.Policies {
				if x.Decision != except && at(m, x.Known, x.Choice, state) != state[x.Decision] {
					p = 0
				}
			}
			if p > 0 && !yield(state, p) {
				return
			}
		}
	}
}

// TestFurther compares cases, options, moments and distributions of random diagrams with sums over
// the joint states, and maximises with a tolerance of risk by a decision tree.
func TestFurther(t *testing.T) {
	for seed := range uint64(irtest.Count(t, 60, 500)) {
		m := random(seed, 1+int(seed%3))
		likelihood := make([][]float64, len(m.Vars))
		if seed%2 == 1 {
			likelihood[0] = []float64{.25, .75, .5}[:m.Card(0)]
		}
		for _, o := range []decide.Options{{}, {Limited: true}, {RiskTolerance: 5}, {Limited: true, RiskTolerance: 5}} {
			s, err := decide.Solve(t.Context(), m, likelihood, o)
			if err != nil {
				t.Fatal(err)
			}
			near := func(what string, got, want float64) {
				t.Helper()
				if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
					t.Errorf("seed %d, %+v, %s: %v; want %v", seed, o, what, got, want)
				}
			}
			moments(t, m, likelihood, s, near)
			for i := range s.Policies {
				cases(t, m, likelihood, s, i, o, near)
			}
			if o.RiskTolerance > 0 && !o.Limited {
				tree := *m
				tree.Diagram = &model.Diagram{Decisions: m.Diagram.Decisions, Utilities: []*model.Utility{exponential(m, o.RiskTolerance)}}
				u, p := expected(&tree, likelihood)
				near("certainty equivalent", s.Utility, -o.RiskTolerance*math.Log(-u/p))
			}
		}
	}
}

// exponential returns the utility -exp(-sum/R) over all variables.
func exponential(m *model.Model, r float64) *model.Utility {
	u := &model.Utility{}
	for v := range m.Vars {
		u.Scope = append(u.Scope, model.VarID(v))
	}
	state := make([]int, len(m.Vars))
	for more := true; more; more = m.Next(u.Scope, state) {
		u.Values = append(u.Values, -math.Exp(-sumOf(m, state)/r))
	}
	return u
}

// moments compares moments and the distribution of the total.
func moments(t *testing.T, m *model.Model, likelihood [][]float64, s *decide.Solution, near func(string, float64, float64)) {
	t.Helper()
	check := func(of func([]int) float64, got decide.Moments, err error) {
		t.Helper()
		p, mean, square := 0.0, 0.0, 0.0
		for state, q := range followed(m, likelihood, s, -1) {
			p, mean, square = p+q, mean+q*of(state), square+q*of(state)*of(state)
		}
		if err != nil {
			t.Fatal(err)
		}
		near("mean", got.Mean, mean/p)
		near("variance", got.Variance, square/p-mean/p*mean/p)
	}
	got, err := s.Moments(t.Context())
	check(func(state []int) float64 { return sumOf(m, state) }, got, err)
	for i, u := range m.Diagram.Utilities {
		got, err := s.MomentsOf(t.Context(), i)
		check(func(state []int) float64 { return at(m, u.Scope, u.Values, state) }, got, err)
	}
	want, p := map[float64]float64{}, 0.0
	for state, q := range followed(m, likelihood, s, -1) {
		want[sumOf(m, state)] += q // utilities are whole numbers
		p += q
	}
	list, err := s.Distribution(t.Context())
	if err != nil || len(list) != len(want) || !slices.IsSortedFunc(list, func(a, b decide.Mass) int { return int(a.Utility - b.Utility) }) {
		t.Fatalf("distribution %v, error %v; want %v", list, err, want)
	}
	for _, x := range list {
		near("probability", x.Probability, want[math.Round(x.Utility)]/p)
	}
}

// cases compares the cases of a decision.
func cases(t *testing.T, m *model.Model, likelihood [][]float64, s *decide.Solution, i int, o decide.Options, near func(string, float64, float64)) {
	t.Helper()
	c, err := s.Cases(t.Context(), i)
	if err != nil {
		t.Fatal(err)
	}
	risk := o.RiskTolerance
	worth := func(u float64) float64 {
		if risk > 0 {
			return -math.Exp(-u / risk)
		}
		return u
	}
	all, total := 0.0, 0.0
	for _, q := range followed(m, likelihood, s, -1) {
		all += q
	}
	for _, x := range c.List {
		p, u := make([]float64, m.Card(c.Decision)), make([]float64, m.Card(c.Decision))
		for state, q := range followed(m, likelihood, s, c.Decision) {
			d := state[c.Decision]
			if !slices.ContainsFunc(c.Known, func(v model.VarID) bool { return state[v] != x.Given[slices.Index(c.Known, v)] }) {
				p[d], u[d] = p[d]+q, u[d]+q*worth(sumOf(m, state))
			}
		}
		for d := range p {
			want := u[d] / p[d]
			if risk > 0 {
				want = -risk * math.Log(-want)
			}
			if d == x.Choice || !o.Limited { // limited memory leaves choices open that the strategy does not reach
				near("option", x.Utilities[d], want)
				near("probability of the case", x.Probability, p[d]/all)
			}
			if x.Utilities[d] > x.Utilities[x.Choice]+1e-9 {
				t.Errorf("option %d is better than the choice %d: %v", d, x.Choice, x.Utilities)
			}
		}
		total += x.Probability
	}
	near("probability of all cases", total, 1)
}

// TestOil compares the oil wildcatter with its known moments and certainty equivalents.
func TestOil(t *testing.T) {
	m := load(t, filepath.Join(irtest.Shared(t), "data", "decide", "oil.pgmc.json"))
	for _, c := range []struct{ risk, utility, mean, variance float64 }{
		{0, 22.5, 22.5, 7648.75}, {200, 5.89957694882, 22.5, 7648.75}, {100, 0, 0, 0},
	} {
		s, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{RiskTolerance: c.risk})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Moments(t.Context())
		if err != nil || math.Abs(s.Utility-c.utility) > 1e-9 || math.Abs(got.Mean-c.mean) > 1e-9 || math.Abs(got.Variance-c.variance) > 1e-9 {
			t.Errorf("%+v: utility %v, moments %v, error %v", c, s.Utility, got, err)
		}
	}
}

// TestCancelled has a utility that cancels in the sum, in a diagram and in a network: it has
// moments.
func TestCancelled(t *testing.T) {
	for _, a := range []*model.Asymmetry{nil, {}} {
		m := &model.Model{Diagram: &model.Diagram{Asymmetry: a}}
		x := m.NewVar("x", "0", "1").ID
		m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Table{Values: []float64{.25, .75}}}}
		m.Diagram.Utilities = []*model.Utility{{Name: "u", Scope: []model.VarID{x}, Values: []float64{0, 4}}}
		total(t, m, "u - u")
		s, err := decide.Solve(t.Context(), m, make([][]float64, 1), decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.MomentsOf(t.Context(), 0); err != nil || got != (decide.Moments{Mean: 3, Variance: 3}) || s.Utility != 0 {
			t.Errorf("%+v, error %v, utility %v; want mean 3 and variance 3, and 0", got, err, s.Utility)
		}
	}
}

// TestImpose imposes solutions again, and random strategies, and compares the utility with sums
// over the joint states; the CPDs of Follow give the same joint distribution.
func TestImpose(t *testing.T) {
	for seed := range uint64(irtest.Count(t, 40, 300)) {
		m := random(seed, 1+int(seed%3))
		none := make([][]float64, len(m.Vars))
		s, err := decide.Solve(t.Context(), m, none, decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var other []*decide.Policy
		for _, p := range s.Policies {
			q := &decide.Policy{Decision: p.Decision, Known: p.Known}
			for k := range p.Choice {
				q.Choice = append(q.Choice, (k+int(seed))%m.Card(p.Decision))
			}
			other = append(other, q)
		}
		for _, policies := range [][]*decide.Policy{s.Policies, other} {
			x, err := decide.Impose(t.Context(), m, none, policies, decide.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := achieved(t, m, none, x); math.Abs(x.Utility-got) > tolerance*max(1, math.Abs(got)) || x.Utility > s.Utility+tolerance*max(1, math.Abs(got)) {
				t.Errorf("seed %d: %v; want %v, at most %v", seed, x.Utility, got, s.Utility)
			}
			f := x.Follow()
			if list := f.Check(); list.HasErrors() {
				t.Fatal(list.Err())
			}
			for state, p := range followed(m, none, x, -1) {
				q := 1.0
				for _, g := range f.Factors {
					q *= f.Value(g, state)
				}
				if q != p {
					t.Errorf("seed %d, %v: probability %v; want %v", seed, state, q, p)
				}
			}
		}
	}
}

// TestImposeErrors checks which strategies are refused.
func TestImposeErrors(t *testing.T) {
	m := random(3, 1)
	d := m.Diagram.Decisions[0]
	v := d.Known[0]
	none := make([][]float64, len(m.Vars))
	choice := make([]int, m.Card(v))
	choice[1] = -1
	late := m.NewVar("late", "0", "1").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{late}, Dist: &model.Table{Values: []float64{.5, .5}}})
	none = append(none, nil)
	m.Factors[v].Dist.(*model.Table).Values[1] = .25
	for _, c := range []struct {
		policies []*decide.Policy
		want     string
	}{
		{nil, `the strategy has no policy for the decision "` + m.Vars[d.Var].Name + `", which is open; want one, or evidence about it`},
		{[]*decide.Policy{{Decision: d.Var, Known: []model.VarID{late}, Choice: []int{0, 1}}},
			`the strategy lets the decision "` + m.Vars[d.Var].Name + `" depend on "late", which is not known then; want only what is known`},
		{[]*decide.Policy{{Decision: d.Var, Known: []model.VarID{v}, Choice: choice}},
			`the strategy has no choice of "` + m.Vars[d.Var].Name + `" in a case that can occur: ` + m.Vars[v].Name + "=1; want one"},
	} {
		if _, err := decide.Impose(t.Context(), m, none, c.policies, decide.Options{}); err == nil || err.Error() != c.want {
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
}

// TestApart solves two diagrams in one, in which nothing orders the decisions of one and the other:
// the utilities and the variances add.
func TestApart(t *testing.T) {
	for seed := range uint64(irtest.Count(t, 20, 200)) {
		a, b := random(seed, 1+int(seed%3)), random(seed+1000, 1+int(seed/3%3))
		m := &model.Model{Diagram: &model.Diagram{}}
		for i, part := range []*model.Model{b, a} {
			for _, v := range part.Vars {
				m.NewVar(v.Name+strconv.Itoa(i), part.States(v.ID)...).Given = v.Given
			}
		}
		utility, variance := 0.0, 0.0
		for i, part := range []*model.Model{b, a} {
			moved := func(scope []model.VarID) (list []model.VarID) {
				for _, v := range scope {
					list = append(list, v+model.VarID(i*len(b.Vars)))
				}
				return list
			}
			for _, f := range part.Factors {
				m.Factors = append(m.Factors, &model.Factor{Scope: moved(f.Scope), Child: f.Child, Dist: f.Dist})
			}
			for _, d := range part.Diagram.Decisions {
				m.Diagram.Decisions = append(m.Diagram.Decisions, &model.Decision{Var: moved([]model.VarID{d.Var})[0], Known: moved(d.Known)})
			}
			for _, u := range part.Diagram.Utilities {
				m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: u.Name, Scope: moved(u.Scope), Values: u.Values})
			}
			u, v := solved(t, part)
			utility, variance = utility+u, variance+v
		}
		u, v := solved(t, m)
		if math.Abs(u-utility) > 1e-9*max(1, math.Abs(utility)) || math.Abs(v-variance) > 1e-9*max(1, variance) {
			t.Errorf("seed %d: utility %v, variance %v; want %v, %v", seed, u, v, utility, variance)
		}
	}
}

// solved returns the utility of a diagram and its variance.
func solved(t *testing.T, m *model.Model) (utility, variance float64) {
	t.Helper()
	s, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := s.Moments(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s.Utility, x.Variance
}

// TestExtremes maximises with a tolerance of risk that is small for the utilities, which leaves the
// worst case, and refuses a variance that overflows.
func TestExtremes(t *testing.T) {
	m := &model.Model{Diagram: &model.Diagram{}}
	x, d := m.NewVar("x", "0", "1").ID, m.NewVar("d", "0", "1").ID
	m.Vars[d].Given = true
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Table{Values: []float64{.5, .5}}}}
	u := &model.Utility{Name: "u", Scope: []model.VarID{d, x}, Values: []float64{-1e6, 1e6, -1e5, -1e5}}
	m.Diagram.Decisions, m.Diagram.Utilities = []*model.Decision{{Var: d}}, []*model.Utility{u}
	for _, limited := range []bool{false, true} {
		s, err := decide.Solve(t.Context(), m, make([][]float64, 2), decide.Options{RiskTolerance: 1, Limited: limited})
		if err != nil || s.Policies[0].Choice[0] != 1 || s.Utility != -1e5 {
			t.Errorf("limited %v: %+v, error %v; want choice 1, worth -1e5", limited, s, err)
		}
	}
	u.Values = []float64{-1e300, 1e300, -1e301, -1e301}
	s, err := decide.Solve(t.Context(), m, make([][]float64, 2), decide.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Moments(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "the variance of the utilities overflows") {
		t.Errorf("error %v", err)
	}
}
