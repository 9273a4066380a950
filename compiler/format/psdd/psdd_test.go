package psdd_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/format/psdd"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// open reads a file of the reference data.
func open(t *testing.T, path ...string) *model.Model {
	t.Helper()
	name := filepath.Join(append([]string{irtest.Shared(t), "data", "circuits"}, path...)...)
	m, list := format.Read([]format.Format{psdd.Format}, name, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLittle has the values of the tests of ProbabilisticCircuits.jl; -1 stands for any state.
func TestLittle(t *testing.T) {
	m := open(t, "psdd", "little_4var.psdd")
	d := m.Factors[0].Dist.(*model.Circuit)
	for _, c := range []struct {
		state [4]int32
		want  float64
	}{
		{[4]int32{0, 0, 0, 0}, 0.07},
		{[4]int32{0, 1, 1, 0}, 0.03},
		{[4]int32{0, 0, 1, 1}, 0.14},
		{[4]int32{0, 0, 0, -1}, 0.35},
		{[4]int32{-1, 1, 0, -1}, 0.1},
		{[4]int32{-1, -1, -1, -1}, 1},
		{[4]int32{0, -1, -1, -1}, 0.8},
	} {
		got := d.Eval(func(axis int, s int32) float64 {
			if c.state[axis] == s || c.state[axis] < 0 {
				return 1
			}
			return 0
		}, make([]float64, len(d.Nodes)))
		if math.Abs(got-c.want) > 1e-7 { // the file has some 8 digits
			t.Errorf("P(%v) = %v; want %v", c.state, got, c.want)
		}
	}
}

func TestContract(t *testing.T) {
	formattest.Run(t, psdd.Format, formattest.Cases{Models: texts})
}

var texts = []formattest.Model{{
	Name: "doc",
	Text: "c a comment\npsdd 8\nL 0 0 1\nL 1 0 -1\nT 2 2 2 -0.1053605156578263\nL 3 2 2\nD 4 1 2 0 2 -0.6931471805599453 1 3 -0.6931471805599453",
	Posteriors: []formattest.Posterior{
		{Var: "x1", State: "1", Want: 0.95, From: "0.5 * 0.9 + 0.5"},
		{Var: "x0", State: "1", Evidence: map[string]string{"x1": "0"}, Want: 1, From: "where x0 is 0, x1 is 1"},
	},
}}
