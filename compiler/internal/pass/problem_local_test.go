package pass_test

import (
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestProblemLocal(t *testing.T) {
	m := &model.Model{Kind: model.Markov}
	m.NewVar("a", "0", "1")
	m.NewVar("b", "0", "1", "2")
	m.NewVar("c", "0", "1")
	at := func(line int) diag.Pos { return diag.Pos{File: "m.mn", Line: line} }
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{2, 0, 1}, Child: -1, RowPos: []diag.Pos{at(1), at(2), at(3), at(4)}, Dist: &model.Features{List: []model.Feature{
			{Weight: 1, Literals: []model.Literal{{Axis: 2, State: 1}, {Axis: 0, State: 1, Not: true}}}, // b=1, c≠1
			{Weight: 2},
			{Weight: 3, Literals: []model.Literal{{Axis: 0, State: 0}, {Axis: 2, State: 2}}}, // c=0, b=2
			{Weight: 4, Literals: []model.Literal{{Axis: 1, State: 1}}},                      // a=1
		}}},
		{Scope: []model.VarID{0}, Child: -1, Dist: &model.Table{Values: []float64{1, 2}}},
	}
	p := &ir.Problem{Model: m}
	pass.ProblemLocal(p)
	got := ""
	for _, f := range p.Model.Factors {
		got += fmt.Sprintf("%v %v %v\n", f.Pos.Line, f.Scope, f.Dist)
	}
	want := "1 [2 1] &{[{1 [{1 1 false} {0 1 true}]} {3 [{0 0 false} {1 2 false}]}]}\n2 [] &{[{2 []}]}\n4 [0] &{[{4 [{0 1 false}]}]}\n0 [0] &{[1 2]}\n"
	if got != want {
		t.Errorf("factors:\n%swant:\n%s", got, want)
	}
	if len(m.Factors) != 2 {
		t.Error("the model of the caller was changed")
	}
}

// Splitting changes no value, and does not touch a model without features.
func TestProblemLocalRandom(t *testing.T) {
	changed := 0
	for seed := range uint64(200) {
		m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Markov}, MaxJoint: 1 << 8})
		p := &ir.Problem{Model: m}
		pass.ProblemLocal(p)
		if p.Model == m {
			continue
		}
		changed++
		if list := p.Model.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		before, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		after, err := brute.New(p.Model)
		if err != nil {
			t.Fatal(err)
		}
		irtest.CloseTo(t, after.LogPartition(), before.LogPartition(), 1e-12)
		irtest.Close(t, after.Conditional(brute.Evidence{}), before.Conditional(brute.Evidence{}), 1e-12)
	}
	if changed < 50 {
		t.Errorf("fired on %d of 200 models; want 50", changed)
	}
}
