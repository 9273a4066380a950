package decide_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
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
		values, asymmetric := []float64{}, r.IntN(2) == 0
		for k := range 6 {
			if asymmetric && k%2 == 0 {
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

// histories evaluates a network by a tree of all histories and sums over the joint states; a
// variable that does not exist is in a state after its last one.
type histories struct {
	m     *model.Model
	above [][]model.VarID // parents, with those of restrictions and revelations
	links [][]model.VarID // without revelations

	refused bool // options are not known, or restrictions contradict each other
}

func newHistories(m *model.Model) *histories {
	h := &histories{m: m, above: make([][]model.VarID, len(m.Vars)), links: make([][]model.VarID, len(m.Vars))}
	for _, f := range m.Factors {
		h.links[f.ChildVar()] = append(h.links[f.ChildVar()], f.Parents()...)
	}
	for _, d := range m.Diagram.Decisions {
		h.links[d.Var] = append(h.links[d.Var], d.Known...)
	}
	for _, r := range m.Diagram.Asymmetry.Restrictions {
		h.links[r.Child] = append(h.links[r.Child], r.Parent)
	}
	for v := range h.links {
		h.above[v] = slices.Clone(h.links[v])
	}
	for _, r := range m.Diagram.Asymmetry.Reveals {
		h.above[r.Var] = append(h.above[r.Var], r.By)
	}
	return h
}

// options returns the states of v that restrictions allow; none if it does not exist. They may leave
// none together, while none of them excludes all.
func (h *histories) options(v model.VarID, state []int) (list []int, contradictory bool) {
	gone, decided := false, false
	for _, p := range h.links[v] {
		gone = gone || state[p] == h.m.Card(p)
		decided = decided || h.m.Vars[p].Given && state[p] < h.m.Card(p)
	}
	if gone && !(h.m.Vars[v].Given && decided) {
		return nil, false
	}
	for _, r := range h.m.Diagram.Asymmetry.Restrictions {
		if x := state[r.Parent]; r.Child == v && x < h.m.Card(r.Parent) && !slices.Contains(r.Allowed[x*h.m.Card(v):(x+1)*h.m.Card(v)], true) {
			return nil, false
		}
	}
	for k := range h.m.Card(v) {
		if !slices.ContainsFunc(h.m.Diagram.Asymmetry.Restrictions, func(r *model.Restriction) bool {
			return r.Child == v && state[r.Parent] < h.m.Card(r.Parent) && !r.Allowed[state[r.Parent]*h.m.Card(v)+k]
		}) {
			list = append(list, k)
		}
	}
	return list, list == nil
}

// turn returns the options of decision d after a history: those of all its completions that are
// possible.
func (h *histories) turn(d model.VarID, state []int) (list []int) {
	first := true
	complete := func(state []int) {
		if p, _ := h.joint(state); p == 0 {
			return
		}
		options, contradictory := h.options(d, state)
		h.refused = h.refused || contradictory || !first && !slices.Equal(list, options)
		list, first = options, false
	}
	var each func(v int)
	each = func(v int) {
		switch {
		case v == len(state):
			complete(state)
		case state[v] >= 0:
			each(v + 1)
		default:
			for state[v] = range h.m.Card(model.VarID(v)) + 1 {
				each(v + 1)
			}
			state[v] = -1
		}
	}
	each(0)
	return list
}

// joint returns the probability of a joint state, and the sum of the utilities.
func (h *histories) joint(state []int) (p, u float64) {
	p = 1
	for _, f := range h.m.Factors {
		v := f.ChildVar()
		list, _ := h.options(v, state)
		at, sum := slices.Clone(state), 0.0
		for _, k := range list {
			at[v] = k
			sum += h.m.Value(f, at)
		}
		switch exists := sum > 0; {
		case exists != (state[v] < h.m.Card(v)), exists && !slices.Contains(list, state[v]):
			return 0, 0
		case exists:
			p *= h.m.Value(f, state)
		}
	}
	for _, x := range h.m.Diagram.Utilities {
		if !slices.ContainsFunc(x.Scope, func(v model.VarID) bool { return state[v] == h.m.Card(v) }) {
			u += at(h.m, x.Scope, x.Values, state)
		}
	}
	return p, u
}

// ready reports whether all decisions above v are taken.
func (h *histories) ready(v model.VarID, state []int) bool {
	for _, p := range h.above[v] {
		if h.m.Vars[p].Given && state[p] < 0 || !h.ready(p, state) {
			return false
		}
	}
	return true
}

// best returns the probability of a history, and the largest sum of probability times utility.
func (h *histories) best(state []int) (p, pu float64) {
	a := h.m.Diagram.Asymmetry
	each := func(v model.VarID, states []int, do func(p, pu float64)) {
		for _, k := range states {
			state[v] = k
			do(h.best(state))
		}
		state[v] = -1
	}
	sum := func(q, qu float64) { p, pu = p+q, pu+qu }
	for _, v := range h.m.Vars {
		seen := slices.Contains(a.Observed, v.ID) || slices.ContainsFunc(a.Reveals, func(r *model.Reveal) bool { return r.Var == v.ID && slices.Contains(r.States, state[r.By]) })
		if seen && state[v.ID] < 0 && h.ready(v.ID, state) {
			each(v.ID, []int{0, 1, 2}[:h.m.Card(v.ID)+1], sum)
			return p, pu
		}
	}
	pu = math.Inf(-1)
	for _, d := range h.m.Diagram.Decisions {
		if state[d.Var] < 0 && h.ready(d.Var, state) {
			options := h.turn(d.Var, state)
			if options == nil {
				options = []int{h.m.Card(d.Var)}
			}
			each(d.Var, options, func(q, qu float64) { p, pu = max(p, q), max(pu, qu) })
		}
	}
	if !math.IsInf(pu, -1) {
		return p, pu
	}
	pu = 0
	if i := slices.IndexFunc(h.m.Vars, func(v *model.Var) bool { return state[v.ID] < 0 }); i >= 0 {
		v := model.VarID(i)
		each(v, []int{0, 1, 2, 3}[:h.m.Card(v)+1], sum)
		return p, pu
	}
	q, u := h.joint(state)
	return q, q * u
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
	s, err := decide.Solve(t.Context(), m, none, decide.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, limited := decide.Solve(t.Context(), m, none, decide.Options{Limited: true})
	_, moments := s.Moments(t.Context())
	_, value := decide.Value(t.Context(), m, none, []model.VarID{0}, decide.First, decide.Options{})
	_, impose := decide.Impose(t.Context(), m, none, nil, decide.Options{})
	_, free := decide.Unaffected(m, none, decide.First)
	for i, err := range []error{limited, moments, value, impose, free} {
		if err != decide.ErrNetwork {
			t.Errorf("case %d: error %v", i, err)
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
