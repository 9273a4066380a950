package uai_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/uai"
	"github.com/pgmc-go/pgmc/ir/model"
)

// results holds the layouts of results.
var results = []struct {
	name, text string
	want       uai.Result
	err        string
}{
	{name: "PR", text: "PR\n-8.39145\n", want: uai.Result{Task: uai.PR, Value: -8.39145}},
	{name: "PR of old", text: "PR\n1\n14.8899\n", want: uai.Result{Task: uai.PR, Value: 14.8899}},
	{name: "PR of one", text: "PR 1", want: uai.Result{Task: uai.PR, Value: 1}},
	{name: "PR of nothing", text: "PR\n-inf", want: uai.Result{Task: uai.PR, Value: math.Inf(-1)}},
	{name: "PR improved", text: "PR\n-BEGIN-\n1\n2.5\n-BEGIN-\n1\n3.5\n", want: uai.Result{Task: uai.PR, Value: 3.5}},
	{name: "MAR", text: "MAR\n2 2 0.25 0.75 3 0 1 0", want: uai.Result{Task: uai.MAR, Marginals: [][]float64{{0.25, 0.75}, {0, 1, 0}}}},
	{name: "MAR of old", text: "MAR\n1\n2\n2 0.25 0.75\n3 0 1 0", want: uai.Result{Task: uai.MAR, Marginals: [][]float64{{0.25, 0.75}, {0, 1, 0}}}},
	{name: "MAR of one variable", text: "MAR\n1 1 1", want: uai.Result{Task: uai.MAR, Marginals: [][]float64{{1}}}},
	{name: "MAR of one variable of old", text: "MAR\n1\n1 1 1", want: uai.Result{Task: uai.MAR, Marginals: [][]float64{{1}}}},
	{name: "MPE", text: "MPE\n3 0 1 2", want: uai.Result{Task: uai.MPE, States: []int{0, 1, 2}}},
	{name: "MPE of old", text: "MPE\n1\n3 0 1 2", want: uai.Result{Task: uai.MPE, States: []int{0, 1, 2}}},
	{name: "MAP", text: "MAP\n3 0 1 2", want: uai.Result{Task: uai.MPE, States: []int{0, 1, 2}}},
	{name: "MMAP by state", text: "MMAP\n3 0 1 2", want: uai.Result{Task: uai.MMAP, States: []int{0, 1, 2}}},
	{name: "MMAP by variable", text: "MMAP\n2 4 0 1 2", want: uai.Result{Task: uai.MMAP, Query: []model.VarID{4, 1}, States: []int{0, 2}}},
	{name: "MMAP by variable, of old", text: "MMAP\n1\n2 4 0 1 2", want: uai.Result{Task: uai.MMAP, Query: []model.VarID{4, 1}, States: []int{0, 2}}},
	{name: "MMAP of one variable", text: "MMAP\n1 1 2", want: uai.Result{Task: uai.MMAP, Query: []model.VarID{1}, States: []int{2}}},
	{name: "task", text: "MLC\n1", err: `task:1:1: found "MLC"; want a task: PR, MAR, MPE, MAP or MMAP`},
	{name: "nothing", err: `nothing:1:1: found end of file; want a task: PR, MAR, MPE, MAP or MMAP`},
	{name: "nothing improved", text: "PR\n3\n-BEGIN-\n", err: `nothing improved:4:1: found 0 numbers, which are no answer; want one logarithm to the base 10`},
	{name: "word", text: "PR\nx", err: `word:2:1: found "x"; want a number`},
	{name: "two values", text: "PR\n2 3", err: `two values:2:1: found 2 numbers, which are no answer; want one logarithm to the base 10`},
	{name: "MAR cut", text: "MAR\n2 2 0.25 0.75 3 0 1", err: `MAR cut:2:1: found 7 numbers, which are no answer; want a number of variables, and of each its number of states and their probabilities`},
	{name: "MAR with no probability", text: "MAR\n1 2 0.25 1.75", err: `MAR with no probability:2:10: found "1.75"; want a probability`},
	{name: "MAR with NaN", text: "MAR\n1 2 0.25 nan", err: `MAR with NaN:2:10: found "nan"; want a number`},
	{name: "MPE cut", text: "MPE\n3 0 1", err: `MPE cut:2:1: found 3 numbers, which are no answer; want a number of variables, and their states`},
	{name: "MPE with a word", text: "MPE\n2 0 x", err: `MPE with a word:2:5: found "x"; want the number of a state`},
	{name: "MMAP with a word", text: "MMAP\n2 4 0 1 x", err: `MMAP with a word:2:9: found "x"; want the number of a variable or state`},
}

func TestReadResult(t *testing.T) {
	for _, c := range results {
		got, list := uai.ReadResult(&format.Source{Name: c.name, Data: []byte(c.text)})
		if !reflect.DeepEqual(got, c.want) || message(&list) != c.err {
			t.Errorf("%s: got %+v, %s; want %+v, %s", c.name, got, message(&list), c.want, c.err)
		}
	}
}

func TestWriteResult(t *testing.T) {
	third := 1.0 / 3
	for _, c := range []struct {
		r    uai.Result
		want string // the text, or else the error
	}{
		{uai.Result{Task: uai.PR, Value: -8.5}, "PR\n-8.5\n"},
		{uai.Result{Task: uai.PR, Value: math.Inf(-1)}, "PR\n-inf\n"},
		{uai.Result{Task: uai.MAR, Marginals: [][]float64{{0, 1}, {1, 0}, {third, 0, 1e-300}, {1, 0, 0}, {1, 0, 0, 0, 0, 0, 0, 0}}},
			"MAR\n5 2 0 1 2 1 0 3 0.3333333333333333 0 1e-300 3 1 0 0 8 1 0 0 0 0 0 0 0\n"},
		{uai.Result{Task: uai.MPE, States: []int{0, 1, 2, 0, 7}}, "MPE\n5 0 1 2 0 7\n"},
		{uai.Result{Task: uai.MMAP, Query: []model.VarID{4, 0}, States: []int{7, 1}}, "MMAP\n2 4 7 0 1\n"},
		{uai.Result{Task: uai.MMAP, Query: []model.VarID{}, States: []int{}}, "MMAP\n0\n"},
		{uai.Result{Task: uai.PR, Value: math.NaN()}, "the value of PR is NaN; want a logarithm"},
		{uai.Result{Task: uai.MAR}, "marginals of 0 variables; want 5"},
		{uai.Result{Task: uai.MAR, Marginals: [][]float64{{1, 0}, {1}, {}, {}, {}}}, "marginal of variable 1 with 1 numbers; want 2"},
		{uai.Result{Task: uai.MPE, States: []int{0, 1, 2, 0}}, "states of 4 variables; want 5"},
		{uai.Result{Task: uai.MPE, States: []int{0, 2, 2, 0, 7}}, "state 2 of variable 1; want 0 to 1"},
		{uai.Result{Task: uai.MMAP, Query: []model.VarID{5}, States: []int{0}}, "state of variable 5; want 0 to 4"},
		{uai.Result{Task: uai.MMAP, Query: []model.VarID{4, 0}, States: []int{7}}, "states of 1 variables; want 2"},
		{uai.Result{}, `unknown task ""; want PR, MAR, MPE or MMAP`},
	} {
		var text strings.Builder
		err := c.r.Write(&text, observable())
		if err != nil && text.Len() == 0 {
			text.WriteString(err.Error())
		}
		if text.String() != c.want {
			t.Errorf("%+v is written as %q; want %q", c.r, text.String(), c.want)
		}
	}
}
