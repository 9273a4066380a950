package solve_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/solve"
	"github.com/pgmc-go/pgmc/ir/model"
)

// five returns a model of five variables, with 2, 2, 3, 3 and 8 states.
func five() *model.Model {
	m := &model.Model{Kind: model.Markov}
	for i, card := range []int{2, 2, 3, 3, 8} {
		m.NewVar(string(rune('a'+i)), strings.Split("01234567", "")[:card]...)
	}
	return m
}

func TestWriteResult(t *testing.T) {
	third := 1.0 / 3
	for _, c := range []struct {
		r    solve.Result
		want string // the text, or else the error
	}{
		{solve.Result{Task: solve.PR, Value: -8.5}, "PR\n-8.5\n"},
		{solve.Result{Task: solve.PR, Value: math.Inf(-1)}, "PR\n-inf\n"},
		{solve.Result{Task: solve.MAR, Marginals: [][]float64{{0, 1}, {1, 0}, {third, 0, 1e-300}, {1, 0, 0}, {1, 0, 0, 0, 0, 0, 0, 0}}},
			"MAR\n5 2 0 1 2 1 0 3 0.3333333333333333 0 1e-300 3 1 0 0 8 1 0 0 0 0 0 0 0\n"},
		{solve.Result{Task: solve.MPE, States: []int{0, 1, 2, 0, 7}}, "MPE\n5 0 1 2 0 7\n"},
		{solve.Result{Task: solve.MMAP, Query: []model.VarID{4, 0}, States: []int{7, 1}}, "MMAP\n2 4 7 0 1\n"},
		{solve.Result{Task: solve.MMAP, Query: []model.VarID{}, States: []int{}}, "MMAP\n0\n"},
		{solve.Result{Task: solve.PR, Value: math.NaN()}, "the value of PR is NaN; want a logarithm"},
		{solve.Result{Task: solve.MAR}, "marginals of 0 variables; want 5"},
		{solve.Result{Task: solve.MAR, Marginals: [][]float64{{1, 0}, {1}, {}, {}, {}}}, "marginal of variable 1 with 1 numbers; want 2"},
		{solve.Result{Task: solve.MPE, States: []int{0, 1, 2, 0}}, "states of 4 variables; want 5"},
		{solve.Result{Task: solve.MPE, States: []int{0, 2, 2, 0, 7}}, "state 2 of variable 1; want 0 to 1"},
		{solve.Result{Task: solve.MMAP, Query: []model.VarID{5}, States: []int{0}}, "state of variable 5; want 0 to 4"},
		{solve.Result{Task: solve.MMAP, Query: []model.VarID{4, 0}, States: []int{7}}, "states of 1 variables; want 2"},
		{solve.Result{}, `unknown task ""; want PR, MAR, MPE or MMAP`},
	} {
		var text strings.Builder
		err := c.r.Write(&text, five())
		if err != nil && text.Len() == 0 {
			text.WriteString(err.Error())
		}
		if text.String() != c.want {
			t.Errorf("%+v is written as %q; want %q", c.r, text.String(), c.want)
		}
	}
}
