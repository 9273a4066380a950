package decide_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// randomNetwork returns a decision analysis network: a hidden cause, and decisions to look at signs
// of it, some of which exist only then, or restrict later decisions.
func randomNetwork(seed uint64) *model.Model {
	r := rand.New(rand.NewPCG(seed, 7))
	a := &model.Asymmetry{}
	m := &model.Model{Diagram: &model.Diagram{Asymmetry: a}}
	row := func(n int) (list []float64) {
		sum := 0.0
		for range n {
			list = append(list, float64(1+r.IntN(4)))
			sum += list[len(list)-1]
		}
		for i := range list {
			list[i] /= sum
		}
		return list
	}
	cause := m.NewVar("cause", "0", "1", "2").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{cause}, Dist: &model.Table{Values: row(3)}})
	var decisions, signs []model.VarID
	for i := range 2 + r.IntN(2) {
		d := m.NewVar("d"+string(rune('0'+i)), "0", "1").ID
		m.Vars[d].Given = true
		x := &model.Decision{Var: d}
		if i > 0 && r.IntN(2) == 0 { // an order, with a restriction: of one option, or of both
			before := decisions[r.IntN(i)]
			x.Known = []model.VarID{before}
			if r.IntN(2) == 0 {
				a.Restrictions = append(a.Restrictions, &model.Restriction{Parent: before, Child: d, Allowed: [][]bool{{true, true, true, false}, {false, false, true, true}}[r.IntN(2)]})
			}
		}
		if i > 0 && r.IntN(4) == 0 { // a sign that may be unknown, and may contradict the order
			a.Restrictions = append(a.Restrictions, &model.Restriction{Parent: signs[r.IntN(i)], Child: d, Allowed: [][]bool{{true, false, true, true}, {true, true, false, false}}[r.IntN(2)]})
		}
		m.Diagram.Decisions, decisions = append(m.Diagram.Decisions, x), append(decisions, d)
		s := m.NewVar("s"+string(rune('0'+i)), "0", "1").ID
		f := &model.Factor{Scope: []model.VarID{cause, d, s}, Child: 2}
		values, asymmetric, uncertain := []float64{}, r.IntN(2) == 0, r.IntN(4) == 0
		for k := range 6 {
			if asymmetric && k%2 == 0 || uncertain && k < 2 {
				values = append(values, 0, 0)
			} else {
				values = append(values, row(2)...)
			}
		}
		f.Dist, m.Factors = &model.Table{Values: values}, append(m.Factors, f)
		if asymmetric && r.IntN(2) == 0 {
			a.Restrictions = append(a.Restrictions, &model.Restriction{Parent: d, Child: s, Allowed: []bool{false, false, true, true}})
		}
		switch by := append(slices.Clone(signs), d)[r.IntN(len(signs)+1)]; r.IntN(4) {
		case 0:
			a.Observed = append(a.Observed, s)
		default:
			a.Reveals = append(a.Reveals, &model.Reveal{By: by, States: []int{1}, Var: s})
		}
		signs = append(signs, s)
	}
	all := append(append([]model.VarID{cause}, decisions...), signs...)
	for range 3 {
		scope := []model.VarID{all[r.IntN(len(all))]}
		if v := all[r.IntN(len(all))]; v != scope[0] {
			scope = append(scope, v)
		}
		u := &model.Utility{Name: "u", Scope: scope}
		n, _ := m.TableSize(scope)
		for range n {
			u.Values = append(u.Values, float64(r.IntN(21)-10))
		}
		m.Diagram.Utilities = append(m.Diagram.Utilities, u)
	}
	return m
}

// TestNetworks compares decision analysis networks with a tree of all histories, and with their own
// plan.
func TestNetworks(t *testing.T) {
	free, refused := 0, 0
	for seed := range uint64(irtest.Count(t, 60, 500)) {
		m := randomNetwork(seed)
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		h := newHistories(m)
		p, pu := h.best(slices.Repeat([]int{-1}, len(m.Vars)))
		none := make([][]float64, len(m.Vars))
		s, err := decide.Solve(t.Context(), m, none, decide.Options{})
		if h.refused {
			if refused++; err == nil {
				t.Errorf("seed %d: no error; want one", seed)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if math.Abs(p-1) > tolerance || math.Abs(s.Utility-pu) > 1e-11*max(1, math.Abs(pu)) {
			t.Errorf("seed %d: %v; want %v with probability %v", seed, s.Utility, pu, p)
		}
		root, err := s.Tree(t.Context())
		if err != nil || root.Utility != s.Utility {
			t.Fatalf("seed %d: %+v, error %v; want utility %v", seed, root, err, s.Utility)
		}
		compareMoments(t, h, s, root, seed)
		compareSteps(t, m, seed)
		compareInformation(t, m, pu, seed)
		if u := planned(t, root); math.Abs(u-s.Utility) > 1e-11*max(1, math.Abs(u)) {
			t.Errorf("seed %d: the plan is worth %v; want %v", seed, u, s.Utility)
		}
		if len(root.Branches) > 0 && root.Branches[0].Var != m.Diagram.Decisions[0].Var {
			free++
		}
	}
	if free == 0 || refused == 0 {
		t.Errorf("%d plans begin with another decision than the first, and %d networks are refused; want some", free, refused)
	}
}

// compareMoments compares moments and the distribution with sums over the joint states that follow
// the tree.
func compareMoments(t *testing.T, h *histories, s *decide.Solution, root *decide.Branch, seed uint64) {
	t.Helper()
	m := h.m
	sums := make([][3]float64, len(m.Diagram.Utilities)+1)
	masses := map[float64]float64{}
	state := make([]int, len(m.Vars))
	var each func(v int)
	each = func(v int) {
		if v < len(state) {
			for state[v] = range m.Card(model.VarID(v)) + 1 {
				each(v + 1)
			}
			return
		}
		p, total := h.joint(state)
		if p == 0 || !h.agrees(root, state) {
			return
		}
		masses[total] += p // utilities are whole numbers
		for i := range sums {
			u := total
			if i < len(m.Diagram.Utilities) {
				x := m.Diagram.Utilities[i]
				if u = 0; !slices.ContainsFunc(x.Scope, func(v model.VarID) bool { return state[v] == m.Card(v) }) {
					u = at(m, x.Scope, x.Values, state)
				}
			}
			sums[i][0], sums[i][1], sums[i][2] = sums[i][0]+p, sums[i][1]+p*u, sums[i][2]+p*u*u
		}
	}
	each(0)
	for i, x := range sums {
		got, err := s.Moments(t.Context())
		if i < len(m.Diagram.Utilities) {
			got, err = s.MomentsOf(t.Context(), i)
		}
		if want := x[2] - x[1]*x[1]; err != nil || math.Abs(x[0]-1) > 1e-9 || math.Abs(got.Mean-x[1]) > 1e-9 || math.Abs(got.Variance-want) > 1e-9*max(1, x[2]) {
			t.Errorf("seed %d, utility %d: %+v, error %v; want mean %v and variance %v, with probability %v", seed, i, got, err, x[1], want, x[0])
		}
	}
	list, err := s.Distribution(t.Context())
	if err != nil || len(list) != len(masses) {
		t.Errorf("seed %d: distribution %v, error %v; want %v", seed, list, err, masses)
	}
	for _, x := range list {
		if want := masses[math.Round(x.Utility)]; math.Abs(x.Probability-want) > 1e-9 {
			t.Errorf("seed %d: %v; want probability %v", seed, x, want)
		}
	}
}

// TestNetworkEvidence compares networks given a likelihood of the cause, which may leave one state,
// and given that the first decision was taken, with a tree of all histories.
func TestNetworkEvidence(t *testing.T) {
	solved := 0
	for seed := range uint64(irtest.Count(t, 60, 500)) {
		m := randomNetwork(seed)
		h, state := newHistories(m), slices.Repeat([]int{-1}, len(m.Vars))
		h.cause = [][]float64{{.25, .75, .5}, {0, 1, 0}, {.5, 0, 1e-9}, {1, 1, 1}}[seed%4]
		likelihood := make([][]float64, len(m.Vars))
		likelihood[0] = h.cause
		if first := m.Diagram.Decisions[0].Var; seed%3 > 0 {
			state[first] = int(seed % 2)
			likelihood[first] = make([]float64, 2)
			likelihood[first][seed%2] = 1
		}
		p, pu := h.best(state)
		s, err := decide.Solve(t.Context(), m, likelihood, decide.Options{})
		if h.refused {
			if err == nil {
				t.Errorf("seed %d: no error; want one", seed)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if solved++; math.Abs(s.Utility-pu/p) > 1e-9 {
			t.Errorf("seed %d: %v; want %v", seed, s.Utility, pu/p)
		}
		if got, err := s.Moments(t.Context()); err != nil || math.Abs(got.Mean-pu/p) > 1e-9 {
			t.Errorf("seed %d: %+v, error %v; want mean %v", seed, got, err, pu/p)
		}
	}
	if solved < 30 {
		t.Errorf("%d networks were solved; want more", solved)
	}
}

// compareSteps imposes a random strategy, and then one without its last step.
func compareSteps(t *testing.T, m *model.Model, seed uint64) {
	t.Helper()
	h, none := newHistories(m), make([][]float64, len(m.Vars))
	h.random = rand.New(rand.NewPCG(seed, 8))
	_, want := h.best(slices.Repeat([]int{-1}, len(m.Vars)))
	s, err := decide.ImposeSteps(t.Context(), m, none, h.steps, decide.Options{})
	if err != nil || math.Abs(s.Utility-want) > 1e-9 {
		t.Errorf("seed %d: a random strategy: %+v, error %v; want %v", seed, s, err, want)
		return
	}
	if got, err := s.Moments(t.Context()); err != nil || math.Abs(got.Mean-want) > 1e-9 {
		t.Errorf("seed %d: a random strategy: moments %+v, error %v; want mean %v", seed, got, err, want)
	}
	if _, err := decide.ImposeSteps(t.Context(), m, none, h.steps[1:], decide.Options{}); err == nil || !strings.HasPrefix(err.Error(), "the strategy has no choice in a case that can occur") {
		t.Errorf("seed %d: a step is missing: error %v", seed, err)
	}
}

// compareInformation compares values of information with those of networks in which a variable is
// observed.
func compareInformation(t *testing.T, m *model.Model, without float64, seed uint64) {
	t.Helper()
	none := make([][]float64, len(m.Vars))
	list, err := decide.Unaffected(m, none, decide.First)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		x, d, a := *m, *m.Diagram, *m.Diagram.Asymmetry
		x.Diagram, d.Asymmetry = &d, &a
		a.Observed = append(slices.Clone(a.Observed), v)
		a.Reveals = slices.DeleteFunc(slices.Clone(a.Reveals), func(r *model.Reveal) bool { return r.Var == v })
		h := newHistories(&x)
		_, want := h.best(slices.Repeat([]int{-1}, len(m.Vars)))
		got, err := decide.Value(t.Context(), m, none, []model.VarID{v}, decide.First, decide.Options{})
		if err != nil || math.Abs(got-(want-without)) > 1e-9 {
			t.Errorf("seed %d: %q is worth %v, error %v; want %v", seed, m.Vars[v].Name, got, err, want-without)
		}
	}
}

// planned returns the mean of the utilities at the leaves of a tree.
func planned(t *testing.T, b *decide.Branch) (u float64) {
	if len(b.Branches) == 0 {
		return b.Utility
	}
	sum := 0.0
	for _, c := range b.Branches {
		sum += c.Probability
		u += c.Probability * planned(t, c)
	}
	if math.Abs(sum-1) > tolerance {
		t.Errorf("branches of probability %v; want 1", sum)
	}
	return u
}

// TestNetworkErrors checks what is refused of decision analysis networks.
func TestNetworkErrors(t *testing.T) {
	m := randomNetwork(1)
	none := make([][]float64, len(m.Vars))
	first := m.Diagram.Decisions[0].Var
	_, limited := decide.Solve(t.Context(), m, none, decide.Options{Limited: true})
	_, before := decide.Value(t.Context(), m, none, []model.VarID{0}, first, decide.Options{})
	_, taken := decide.Value(t.Context(), m, none, []model.VarID{first}, decide.First, decide.Options{})
	_, impose := decide.Impose(t.Context(), m, none, nil, decide.Options{})
	_, steps := decide.ImposeSteps(t.Context(), therapies(), none, nil, decide.Options{})
	for err, want := range map[error]string{
		limited: "the model is a decision analysis network, in which decisions know what was observed; leave out limited",
		before:  `decisions of a decision analysis network have no fixed order, and a variable that one does not affect is known from the outset; leave out before d0`,
		taken:   `variable "d0" depends on decision "d0", and cannot be known before it; want variables that it does not affect`,
		impose:  "policies are for influence diagrams; want the steps of a decision analysis network",
		steps:   "a strategy of histories is for decision analysis networks; want policies",
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error %v; want %s", err, want)
		}
	}
	m.Diagram.Asymmetry.Restrictions = []*model.Restriction{{Parent: 0, Child: m.Factors[1].ChildVar(), Allowed: []bool{true, false, true, true, true, true}}}
	if _, err := decide.Solve(t.Context(), m, none, decide.Options{}); err == nil {
		t.Error("a CPD with probability in an excluded state: no error")
	}
}

// TestUnknownRestriction has a variable that restricts a decision: it is observed, there is evidence
// about it, or it is never known, which is an error.
func TestUnknownRestriction(t *testing.T) {
	m := &model.Model{Kind: model.Bayes}
	s, d := m.NewVar("s", "y", "n").ID, m.NewVar("d", "a", "b").ID
	m.Vars[d].Given = true
	m.Factors = []*model.Factor{{Scope: []model.VarID{s}, Dist: &model.Table{Values: []float64{.3, .7}}}}
	a := &model.Asymmetry{Restrictions: []*model.Restriction{{Parent: s, Child: d, Allowed: []bool{true, false, false, true}}}}
	m.Diagram = &model.Diagram{Decisions: []*model.Decision{{Var: d}}, Utilities: []*model.Utility{{Name: "u", Scope: []model.VarID{d}, Values: []float64{10, 0}}}, Asymmetry: a}
	for _, c := range []struct {
		observed        []model.VarID
		evidence, taken []float64
		want            float64
	}{{[]model.VarID{s}, nil, nil, 3}, {nil, []float64{0, 1}, nil, 0}, {nil, []float64{1, 0}, nil, 10}, {nil, nil, []float64{1, 0}, 10}, {[]model.VarID{s}, nil, []float64{0, 1}, 0}} {
		a.Observed = c.observed
		if x, err := decide.Solve(t.Context(), m, [][]float64{c.evidence, c.taken}, decide.Options{}); err != nil || math.Abs(x.Utility-c.want) > 1e-12 {
			t.Errorf("%+v: %+v, error %v", c, x, err)
		}
	}
	if _, err := decide.Solve(t.Context(), m, [][]float64{{0, 1}, {1, 0}}, decide.Options{}); !errors.Is(err, decide.ErrImpossible) {
		t.Errorf("an option that is excluded was taken: error %v", err)
	}
	a.Observed = nil
	_, err := decide.Solve(t.Context(), m, make([][]float64, 2), decide.Options{})
	if want := `the options of decision "d" depend on "s", which is not known when it is taken; want a variable that is observed or revealed by then`; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	r := m.NewVar("r", "y", "n").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{r}, Dist: &model.Table{Values: []float64{.5, .5}}})
	a.Observed, a.Restrictions = []model.VarID{s, r}, append(a.Restrictions, &model.Restriction{Parent: r, Child: d, Allowed: []bool{true, false, true, true}})
	_, err = decide.Solve(t.Context(), m, make([][]float64, 3), decide.Options{})
	if want := `the restrictions of decision "d" exclude all its options together, and none does alone, at s=n, r=y; want an option that all allow, or one restriction that excludes all, so that the decision does not exist`; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// TestDating has a decision that exists though a parent does not, since another one is a decision.
// OpenMarkov asserts the number in a test that is switched off.
func TestDating(t *testing.T) {
	m := load(t, filepath.Join(irtest.Shared(t), "data", "decision", "DAN-dating.pgmx"))
	s, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{})
	if err != nil || math.Abs(s.Utility-9.407584) > 1e-9 {
		t.Errorf("%+v, error %v; want 9.407584", s, err)
	}
}
