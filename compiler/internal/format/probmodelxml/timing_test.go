package probmodelxml_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/probmodelxml"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// text reads a model from text.
func text(t *testing.T, name, data string) *model.Model {
	t.Helper()
	m, list := format.ReadSource(probmodelxml.Format, &format.Source{Name: name, Data: []byte(data)}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// treated computes the largest utility of therapy from slice t on by a recursion over its text: in
// slice 0, sliced utilities count if first.
func treated(t, last, x, d int, first bool) float64 {
	if t > last {
		return 0
	}
	age, best := 10+6*float64(t), math.Inf(-1)
	for a := range 2 {
		u := 0.0
		if t > 0 || first {
			u = math.Pow(1.25, -float64(t)/2) * ([2][2]float64{{1, 4}, {2, 8}}[a][x] + age*age/100 + 2*float64(d))
		}
		for y, p := range [2][2][2]float64{{{.75, .25}, {.5, .5}}, {{0, 1}, {1, 0}}}[a][x] {
			u += p * treated(t+1, last, y, d, first)
		}
		best = max(best, u)
	}
	return best
}

// TestTherapy compares a Markov influence diagram with a decision that is taken once and one in
// each slice with a recursion, solved slice by slice and as the diagram of all slices.
func TestTherapy(t *testing.T) {
	for _, c := range []struct {
		transition string
		last       int
	}{{"BEGINNING", 3}, {"END", 2}} {
		m := text(t, "therapy", strings.Replace(therapy, "BEGINNING", c.transition, 1))
		want := 0.0
		for x := range 2 {
			want += .5 * max(5+treated(0, c.last, x, 0, c.last == 2), 3+treated(0, c.last, x, 1, c.last == 2))
		}
		if m.Diagram.Horizon != c.last+1 || !m.Diagram.Decisions[0].Once || m.Diagram.Decisions[1].Once {
			t.Errorf("%s: horizon %d, decisions %+v", c.transition, m.Diagram.Horizon, m.Diagram.Decisions)
		}
		u := m.Unroll(m.Diagram.Horizon)
		s, err := decide.Solve(t.Context(), u, make([][]float64, len(u.Vars)), decide.Options{})
		if err != nil || !irtest.Near(s.Utility, want, 1e-12) {
			t.Errorf("%s: %v, error %v; want %v", c.transition, s, err, want)
		}
		x, err := decide.Induct(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{})
		if err != nil || !irtest.Near(x.First.Utility, want, 1e-12) {
			t.Errorf("%s: %v, error %v; want %v", c.transition, x, err, want)
		}
	}
}

// TestPartners reads decisions of later slices with links of their own, from both slices.
func TestPartners(t *testing.T) {
	m := text(t, "partners", timed(declared("x [0]", "chance", "n", "y")+declared("a [0]", "decision", "no", "yes")+declared("a [1]", "decision", "no", "yes")+valued("u", "---", "1"),
		link("x [0]", "a [1]")+link("x [1]", "a [1]")+link("a [0]", "a [1]"),
		potential("Table", "<Values>0.5 0.5</Values>", "x [0]")+potential("Table", "<Values>1 0 0 1</Values>", "u [1]", "x [0]", "a [1]")))
	x, _ := m.VarByName("x")
	a, _ := m.VarByName("a")
	if d := m.Diagram.Decisions; len(d) != 1 || len(d[0].Known) != 0 {
		t.Errorf("decisions of slice 0: %+v", d)
	}
	d := m.Transition.Decisions
	before := func(v model.VarID) model.VarID {
		return model.VarID(len(m.Vars) + slices.Index(m.Transition.Before, v))
	}
	if len(d) != 1 || !slices.Equal(d[0].Known, []model.VarID{before(x.ID), x.ID, before(a.ID)}) {
		t.Errorf("decisions of later slices: %+v", d[0])
	}
	if u := m.Transition.Utilities; len(m.Diagram.Utilities) != 0 || len(u) != 1 || !slices.Equal(u[0].Scope, []model.VarID{before(x.ID), a.ID}) {
		t.Errorf("utilities %+v, then %+v", m.Diagram.Utilities, u)
	}
}

// TestUsual reads a regression without covariates: a constant, and then the parents. A time that
// nothing else needs is no covariate.
func TestUsual(t *testing.T) {
	m := text(t, "usual", strings.Replace(timed(declared("a", "chance", "0.5", "3")+declared("x [1]", "chance", "n", "y"), "",
		potential("Table", "<Values>0 1</Values>", "a")+potential("Hazard (Weibull)", "<Coefficients>0.2 -3 0.5</Coefficients>", "x [1]", "a")), `Value="6"`, "", 1))
	shape := math.Exp(.2)
	want := -math.Expm1(-math.Exp(-3+.5*3) * (math.Pow(3, shape) - math.Pow(2, shape)))
	if got := posterior(t, engine(t, m), "x", "3", ""); !irtest.Near(got.Of("y"), want, 1e-12) {
		t.Errorf("P(y) = %v; want %v", got.Of("y"), want)
	}
}

// TestPurpose reads costs and effects of an old version, which have no scale in a sum.
func TestPurpose(t *testing.T) {
	m, _ := shared(t, "temporal2/TreeADD-Temporal3.pgmx")
	c := m.Diagram.Criteria
	if len(c) != 2 || c[0].Name != "cost" || c[0].Cost != 1 || !math.IsNaN(c[0].Scale) || c[1].Name != "effectiveness" || c[1].Effect != 1 {
		t.Errorf("criteria %+v, %+v", c[0], c[1])
	}
}

// TestRisks compares the hazards and numbers of risky with sums over its histories.
func TestRisks(t *testing.T) {
	m := text(t, "risky", risky)
	e := engine(t, m)
	mean := func(name string, slice int) (sum float64) {
		d := posterior(t, e, name, strconv.Itoa(slice), "")
		for i, s := range d.States {
			sum += d.P[i] * number(t, s)
		}
		return sum
	}
	for slice := range 4 {
		// t is 0.5 + k with k slices since the last y, or since the start.
		age, sum, log, all, e, w := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
		for k := range slice + 1 {
			p := math.Pow(.5, float64(k+1))
			if k == slice {
				p *= 2
			}
			x := .5 + float64(k)
			age += p * x
			sum += p * (x + 3)
			log += p * math.Exp(.5*math.Log(x)+1)
			all += p * (x + 3) * (.25*.5 + .75*2)
		}
		for k := range slice { // t of the slice before
			p := math.Pow(.5, float64(k+1))
			if k == slice-1 {
				p *= 2
			}
			now, shape := 1.5+float64(k), math.Exp(-.25)
			e += p * -math.Expm1(.1*(.5+float64(k))*(math.Pow(now-1, shape)-math.Pow(now, shape)))
		}
		for i, dose := range []float64{.5, 2} {
			shape := math.Exp(.3)
			if s := float64(slice); s > 0 {
				w += []float64{.25, .75}[i] * -math.Expm1(math.Exp(-1+.25*dose*dose)*(math.Pow(s-1, shape)-math.Pow(s, shape)))
			}
		}
		for name, want := range map[string]float64{"t": age, "sum": sum, "log": log, "all": all} {
			if got := mean(name, slice); !irtest.Near(got, want, 1e-9) { // values have 12 digits
				t.Errorf("slice %d: mean of %s %v; want %v", slice, name, got, want)
			}
		}
		for name, want := range map[string]float64{"e": e, "w": w} {
			d := posterior(t, engine(t, m), name, strconv.Itoa(slice), "")
			if got := d.Of("y"); slice > 0 && !irtest.Near(got, want, 1e-12) {
				t.Errorf("slice %d: %s %v; want %v", slice, name, got, want)
			}
		}
	}
}
