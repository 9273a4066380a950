package eval_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// chain returns a program for a -> b with P(a) = .2 .8 and P(b | a) = .5 .3 .2 and .1 .6 .3. scale
// multiplies P(a), for extreme numbers.
//
// Its entries are "b", the posterior of b and P(evidence); "mpe"; "sample"; and "sig", the
// posterior of a given the state of b by a lookup.
func chain(scale float64) (*ir.Program, *model.Model) {
	m := &model.Model{Name: "chain"}
	m.NewVar("a", "a0", "a1")
	m.NewVar("b", "b0", "b1", "b2")
	const (
		la = iota
		lb
		pa
		pba
		state
		exp
		up    // product of P(a) and its likelihood, summed out into b
		outB  // posterior of b
		root  // its sum
		best  // max over b, for each a
		top   // max over a of best
		table // P(a | b), one row for each state of b
		outA
	)
	span := func(role ir.Role, v model.VarID, n int, data ...float64) ir.Span {
		return ir.Span{Role: role, Len: n, Var: v, Data: data, Offset: -1}
	}
	temp := func(n int) ir.Span { return span(ir.RoleTemp, -1, n) }
	ints := func(n int) ir.Span { return ir.Span{Elem: ir.Int32, Role: ir.RoleTemp, Len: n, Var: -1, Offset: -1} }
	p := &ir.Program{Name: "chain", State: state, Spans: []ir.Span{
		la: span(ir.RoleIn, 0, 2), lb: span(ir.RoleIn, 1, 3),
		pa:    span(ir.RoleParam, -1, 2, .2*scale, .8*scale),
		pba:   span(ir.RoleConst, -1, 6, .5, .3, .2, .1, .6, .3),
		state: ints(2), exp: ints(1),
		up: temp(3), outB: span(ir.RoleOut, 1, 3), root: temp(1), best: temp(2), top: temp(1),
		table: span(ir.RoleConst, -1, 6, .1/.18, .08/.18, .06/.54, .48/.54, .04/.28, .24/.28),
		outA:  span(ir.RoleOut, 0, 2),
	}}
	axis := func(v model.VarID, kind ir.AxisKind) ir.Axis { return ir.Axis{Var: v, Size: m.Card(v), Kind: kind} }
	view := func(id ir.SpanID, stride ...int) ir.View { return ir.View{Span: id, Stride: stride} }
	p.Blocks = []ir.Block{
		{Name: "up", Steps: []ir.Step{
			&ir.Zero{Span: exp},
			&ir.Contract{Axes: []ir.Axis{axis(1, ir.AxisOut), axis(0, ir.AxisReduced)}, Reduce: ir.ReduceSum,
				Out: view(up, 1, 0), In: []ir.View{view(pa, 0, 1), view(la, 0, 1), view(pba, 1, 3)}},
			&ir.Rescale{Span: up, Exp: exp},
			&ir.Contract{Axes: []ir.Axis{axis(1, ir.AxisOut)}, Out: view(outB, 1), In: []ir.View{view(up, 1), view(lb, 1)}},
			&ir.Contract{Axes: []ir.Axis{axis(1, ir.AxisReduced)}, Reduce: ir.ReduceSum, Out: view(root, 0), In: []ir.View{view(outB, 1)}},
			&ir.Normalize{Span: outB},
		}},
		{Name: "best", Steps: []ir.Step{
			&ir.Contract{Axes: []ir.Axis{axis(0, ir.AxisOut), axis(1, ir.AxisReduced)}, Reduce: ir.ReduceMax,
				Out: view(best, 1, 0), In: []ir.View{view(pa, 1, 0), view(la, 1, 0), view(pba, 3, 1), view(lb, 0, 1)}},
			&ir.Contract{Axes: []ir.Axis{axis(0, ir.AxisReduced)}, Reduce: ir.ReduceMax, Out: view(top, 0), In: []ir.View{view(best, 1)}},
			&ir.Pick{Axes: []ir.Axis{axis(0, ir.AxisOut)}, In: []ir.View{view(best, 1)}, Mode: ir.PickMax},
			&ir.Pick{Axes: []ir.Axis{axis(1, ir.AxisOut), axis(0, ir.AxisFixed)}, In: []ir.View{view(pba, 1, 3), view(lb, 1, 0)}, Mode: ir.PickMax},
		}},
		{Name: "draw", Steps: []ir.Step{
			&ir.Pick{Axes: []ir.Axis{axis(1, ir.AxisOut)}, In: []ir.View{view(outB, 1)}, Mode: ir.PickDraw},
			&ir.Pick{Axes: []ir.Axis{axis(0, ir.AxisOut), axis(1, ir.AxisFixed)}, In: []ir.View{view(pa, 1, 0), view(la, 1, 0), view(pba, 3, 1)}, Mode: ir.PickDraw},
		}},
		{Name: "lookup", Steps: []ir.Step{&ir.Lookup{Axes: []ir.Axis{axis(1, ir.AxisFixed)}, Out: outA, Table: table}}},
		{Name: "fixed", Steps: []ir.Step{
			&ir.Contract{Axes: []ir.Axis{axis(1, ir.AxisFixed), axis(0, ir.AxisOut)}, Out: view(outA, 0, 1), In: []ir.View{view(pa, 0, 1), view(pba, 1, 3)}},
			&ir.Normalize{Span: outA},
		}},
	}
	entry := func(name string, kind ir.QueryKind, root, exp ir.SpanID, outs []ir.SpanID, blocks ...int) ir.Entry {
		return ir.Entry{Query: &ir.Query{Name: name, Kind: kind}, Root: root, Exp: exp, Outs: outs, Blocks: blocks}
	}
	p.Entries = []ir.Entry{
		entry("b", ir.Posterior, root, exp, []ir.SpanID{outB}, 0),
		entry("mpe", ir.MPE, top, ir.NoSpan, nil, 1),
		entry("sample", ir.Sample, root, exp, nil, 0, 2),
		entry("sig", ir.Signature, ir.NoSpan, ir.NoSpan, []ir.SpanID{outA}, 3),
		entry("sigfixed", ir.Signature, ir.NoSpan, ir.NoSpan, []ir.SpanID{outA}, 4),
	}
	return p, m
}

// near reports whether two numbers agree up to the rounding of a few operations.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-14*max(1, math.Abs(b)) }

func TestPosterior(t *testing.T) {
	for _, c := range []struct {
		name  string
		set   func(*eval.Machine) error
		want  []float64
		prob  float64
		scale float64
	}{
		{"none", func(*eval.Machine) error { return nil }, []float64{.18, .54, .28}, 1, 1},
		{"hard", func(m *eval.Machine) error { return m.Observe(0, 1) }, []float64{.1, .6, .3}, .8, 1},
		{"own", func(m *eval.Machine) error { return m.Observe(1, 2) }, []float64{0, 0, 1}, .28, 1},
		{"soft", func(m *eval.Machine) error { return m.Likelihood(0, []float64{4, 1}) }, // weights .8 .8
			[]float64{.3, .45, .25}, 1.6, 1},
		{"soft and hard", func(m *eval.Machine) error {
			return errors.Join(m.Likelihood(1, []float64{2, 0, 8}), m.Observe(1, 2))
		}, []float64{0, 0, 1}, 8 * .28, 1},
		{"no soft", func(m *eval.Machine) error { return m.Likelihood(1, []float64{0, 0, 0}) }, []float64{.18, .54, .28}, 1, 1},
		{"tiny", func(m *eval.Machine) error { return m.Observe(0, 1) }, []float64{.1, .6, .3}, .8 * 0x1p-1000, 0x1p-1000},
		{"huge", func(m *eval.Machine) error { return m.Observe(0, 1) }, []float64{.1, .6, .3}, .8 * 0x1p1000, 0x1p1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, md := chain(c.scale)
			m := eval.New(p, md)
			if err := c.set(m); err != nil {
				t.Fatal(err)
			}
			for range 2 { // a second run starts anew: exponents do not add up
				if err := m.Run(p.Entry("b")); err != nil {
					t.Fatal(err)
				}
				if !slices.EqualFunc(m.Posterior(0), c.want, near) {
					t.Errorf("posterior %v; want %v", m.Posterior(0), c.want)
				}
				if want := math.Log(c.prob); !near(m.LogP(), want) {
					t.Errorf("ln P %v; want %v", m.LogP(), want)
				}
			}
		})
	}
}

func TestImpossible(t *testing.T) {
	p, md := chain(1)
	m := eval.New(p, md)
	m.Likelihood(1, []float64{0, 1, 1})
	m.Observe(1, 0)
	if err := m.Run(p.Entry("b")); !errors.Is(err, pgmrt.ErrImpossible) || !math.IsInf(m.LogP(), -1) {
		t.Errorf("got %v and ln P %v; want impossible", err, m.LogP())
	}
	for _, x := range m.Posterior(0) {
		if x != 0 {
			t.Errorf("posterior %v; want zeros", m.Posterior(0))
		}
	}
	m.ClearEvidence()
	if err := m.Run(p.Entry("b")); err != nil || !near(m.LogP(), 0) {
		t.Errorf("after ClearEvidence: %v, ln P %v; want no trace of it", err, m.LogP())
	}
}

func TestMPE(t *testing.T) {
	p, md := chain(1)
	m := eval.New(p, md)
	for _, c := range []struct {
		name     string
		observeB int
		want     []int32
		prob     float64
	}{
		{"none", -1, []int32{1, 1}, .48},
		{"b0", 0, []int32{0, 0}, .1}, // .2*.5 beats .8*.1
	} {
		m.ClearEvidence()
		if c.observeB >= 0 {
			m.Observe(1, c.observeB)
		}
		if err := m.Run(p.Entry("mpe")); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.State(), c.want) || !near(m.LogP(), math.Log(c.prob)) {
			t.Errorf("%s: %v with ln P %v; want %v with %v", c.name, m.State(), m.LogP(), c.want, math.Log(c.prob))
		}
	}
}

// TestSample draws 20000 samples. Five standard deviations of a frequency are below 0.018.
func TestSample(t *testing.T) {
	p, md := chain(1)
	m := eval.New(p, md)
	m.Rand = pgmrt.NewRand(11)
	const n = 20000
	var count [2][3]int
	for range n {
		if err := m.Run(p.Entry("sample")); err != nil {
			t.Fatal(err)
		}
		count[m.State()[0]][m.State()[1]]++
	}
	want := [2][3]float64{{.1, .06, .04}, {.08, .48, .24}}
	for a := range want {
		for b, w := range want[a] {
			if got := float64(count[a][b]) / n; math.Abs(got-w) > .018 {
				t.Errorf("a=%d b=%d: frequency %v; want %v", a, b, got, w)
			}
		}
	}
}

func TestSignature(t *testing.T) {
	p, md := chain(1)
	m := eval.New(p, md)
	want := [][]float64{{.1 / .18, .08 / .18}, {.06 / .54, .48 / .54}, {.04 / .28, .24 / .28}}
	for _, name := range []string{"sig", "sigfixed"} {
		for b := range want {
			if err := m.SetState(1, b); err != nil {
				t.Fatal(err)
			}
			if err := m.Run(p.Entry(name)); err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(m.Posterior(0), want[b], near) || !math.IsNaN(m.LogP()) {
				t.Errorf("%s, b=%d: %v; want %v", name, b, m.Posterior(0), want[b])
			}
		}
	}
}

func TestSetParams(t *testing.T) {
	p, md := chain(1)
	m := eval.New(p, md)
	if err := m.SetParams(2, []float64{1, 0}); err != nil {
		t.Fatal(err)
	}
	m.Run(p.Entry("b"))
	if want := []float64{.5, .3, .2}; !slices.EqualFunc(m.Posterior(0), want, near) {
		t.Errorf("posterior %v; want %v", m.Posterior(0), want)
	}
	if m.SetParams(2, []float64{1}) == nil || m.SetParams(3, make([]float64, 6)) == nil {
		t.Error("wrong parameters were accepted")
	}
}

func TestRefused(t *testing.T) {
	p, md := chain(1)
	m := eval.New(p, md)
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"state too large", m.Observe(0, 2), pgmrt.ErrState},
		{"negative state", m.Observe(0, -1), pgmrt.ErrState},
		{"fixed state", m.SetState(1, 3), pgmrt.ErrState},
		{"negative", m.Likelihood(0, []float64{1, -1}), pgmrt.ErrLikelihood},
		{"NaN", m.Likelihood(0, []float64{1, math.NaN()}), pgmrt.ErrLikelihood},
		{"length", m.Likelihood(0, []float64{1}), pgmrt.ErrLikelihood},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v; want %v", c.name, c.err, c.want)
		}
	}
	if m.Run(p.Entry("b")); !near(m.LogP(), 0) {
		t.Errorf("refused evidence left ln P %v; want 0", m.LogP())
	}
}
