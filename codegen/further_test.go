package codegen_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// compiled compiles m for queries and emits it.
func (m *module) compiled(mod *model.Model, opt codegen.Options, params ir.ParamMode, queries ...string) {
	m.t.Helper()
	r, err := compiler.Compile(context.Background(), mod, compiler.Options{Queries: queries, Params: params, Steps: -1})
	if err != nil {
		m.t.Fatal(err)
	}
	m.emit(r.Model, r.Program, opt)
}

// TestFurtherQueries checks shapes that random models lack: variables with 64 states and more,
// which fill a machine word, and joint posteriors that are too large to be returned by value.
func TestFurtherQueries(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	wide := &model.Model{Name: "wide"}
	for i, n := range []int{7, 8, 63, 64, 70} {
		wide.NewVar("v"+strconv.Itoa(n), many(n)...)
		p := make([]float64, n)
		for s := range p {
			p[s] = 2 * float64(s+1) / float64(n*(n+1))
		}
		wide.Factors = append(wide.Factors, &model.Factor{Scope: []model.VarID{model.VarID(i)}, Dist: &model.Table{Values: p}})
	}
	m.compiled(wide, codegen.Options{Package: "wide"}, ir.Const, "marginals, logprob, sets, jeffrey", "joint(v8, v7)", "joint(v7, v64, v70)")
	m.check("wide", useWords)
	net := markov()
	m.compiled(net, codegen.Options{Package: "net"}, ir.Var, "joint(b, a), sets, jeffrey")
	m.check("net", useFurtherNet)
	names := &model.Model{Name: "names"}
	for i, name := range []string{"A", "A set", "AMask", "BC", "AB", "C", "B", "p", "d", "set", "ctx", "joint A B", "A given do B", "AB joint", "fitting", "f", "report"} {
		names.NewVar(name, "s", "set", "Mask")
		names.Factors = append(names.Factors, &model.Factor{Scope: []model.VarID{model.VarID(i)}, Dist: &model.Table{Values: []float64{.5, .25, .25}}})
	}
	for _, types := range []string{codegen.TypesOwn, codegen.TypesShared} {
		m.compiled(names, codegen.Options{Package: "names" + types, Types: types}, ir.Const, "marginals, posteriors, sets, jeffrey", "joint(A, BC)", "joint(AB, C)",
			"joint(A, B, C)", "joint(p, d, set, ctx)", "joint(A, B)", "A | do(B)", `A | "A given do B"`, "joint(f, report, fitting)")
	}
	m.test()
}

// By hand: a variable of n states has P(state i, from 1) = 2i/(n(n+1)).
const useWords = `package wide

import (
	"context"
	"errors"
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12 {
		t.Errorf("%s is %v; want %v", what, got, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSets(t *testing.T) {
	e := New()
	sets := StateSets{V7: V7Set(1, 7), V8: V8Set(8), V63: V63Set(63, 1), V64: V64Set(64), V70: V70Set(1, 65, 70)}
	var m Marginals
	must(t, e.MarginalsIn(nil, &sets, &m))
	near(t, "v7", m.V7[6], 7./8)
	near(t, "v8", m.V8[7], 1)
	near(t, "v63", m.V63[62], 63./64)
	near(t, "v64", m.V64[63], 1)
	near(t, "v70", m.V70[64], 65./136)
	near(t, "v70", m.V70[69], 70./136)
	near(t, "LogP", m.LogP, math.Log(16./56*16/72*128/4032*128/4160*272/4970))
	for i, bad := range []StateSets{{V7: V7Set(8)}, {V8: V8Set(9)}, {V63: V63Set(255)}, {V64: V64Set(65)}, {V70: V70Set(71)}, {V70: V70Set(255)}, {V8: 1 << 9}, {V70: V70Mask{0, 1 << 6}}} {
		if _, err := e.LogProbIn(nil, &bad); !errors.Is(err, ErrState) {
			t.Errorf("set %d: %v; want ErrState", i, err)
		}
	}
	if n := testing.AllocsPerRun(5, func() { s := StateSets{V70: V70Set(1, 65)}; e.MarginalsIn(nil, &s, &m) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestJoints(t *testing.T) {
	e := New()
	small, err := e.JointV8V7(&Evidence{V63: 1}, nil)
	must(t, err)
	near(t, "joint", small.P(3, 5), 6./72*10/56)
	var large V7V64V70Joint
	must(t, e.JointV7V64V70(nil, nil, &large))
	near(t, "large joint", large.P(7, 2, 70), 14./56*4/4160*140/4970)
	near(t, "large joint", large[1][2][3], 4./56*6/4160*8/4970)
	if p := large.P(1, 0, 1); p != 0 {
		t.Error("no state has probability", p)
	}
	if n := testing.AllocsPerRun(5, func() { e.JointV7V64V70(nil, nil, &large); e.JointV8V7(nil, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if err := e.JointV7V64V70(&Evidence{V7: 8}, nil, &large); !errors.Is(err, ErrState) || large.P(1, 1, 1) != 0 {
		t.Errorf("a bad state: %v, and %v is left", err, large.P(1, 1, 1))
	}
}

func TestJeffrey(t *testing.T) {
	var m Marginals
	targets := Soft{V7: V7Dist{.5, .5}}
	targets.V70[69] = 1
	report, err := New().Jeffrey(context.Background(), nil, &targets, &m)
	must(t, err)
	if report.Status != Converged || m.V7 != targets.V7 || m.V70 != targets.V70 {
		t.Error(report, m.V7, m.V70)
	}
	near(t, "v8", m.V8[7], 16./72)
	near(t, "LogP", m.LogP, 0)
}
`

// The weights are 6 and 1 for a = x, 3 and 4 for a = y. NewWith computes ln Z by the best query for
// it that the package has.
const useFurtherNet = `package net

import (
	"context"
	"math"
	"testing"
)

func TestNet(t *testing.T) {
	params := DefaultParams()
	e, err := NewWith(&params)
	if err != nil {
		t.Fatal(err)
	}
	joint, err := e.JointBA(nil, nil)
	if err != nil || math.Abs(joint.P(BX, AY)-3./14) > 1e-12 {
		t.Error(joint, err)
	}
	logp, err := e.LogProbIn(nil, &StateSets{A: ASet(AY)})
	if err != nil || math.Abs(logp-math.Log(.5)) > 1e-12 {
		t.Error(logp, err)
	}
	// P(b = x | a) is 6/7 and 3/7.
	var m Marginals
	if _, err := e.Jeffrey(context.Background(), nil, &Soft{A: ADist{.25, .75}}, &m); err != nil || math.Abs(m.B[0]-15./28) > 1e-12 || math.Abs(m.LogP) > 1e-12 {
		t.Error(m, err)
	}
}
`
