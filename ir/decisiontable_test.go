package ir_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

const policy = `program "oil" const logz 0 softbits 0 work 0 data 0 ints 0 state -
entry policy "policy" targets evidence factors all blocks root - exp - outs` +
	" decision v0 knows [] options 2 chooses [0] probabilities [1] utilities [22.5 20]" +
	" decision v1 knows [v0 v3] options 2 chooses [0 -1 -1 1] probabilities [1 0 0 0] utilities [77.5 -10 0 0 0 0 -1e-09 0]\n"

func TestDecisionTable(t *testing.T) {
	p := parse(t, policy)
	if got := print(t, p); got != policy {
		t.Errorf("printed again it is\n%s", got)
	}
	if err := p.Verify(); err != nil {
		t.Error(err)
	}
	want := &ir.DecisionTable{Decision: 1, Known: []model.VarID{0, 3}, Options: 2, Choice: []int{0, -1, -1, 1}, Probability: []float64{1, 0, 0, 0},
		Utility: []float64{77.5, -10, 0, 0, 0, 0, -1e-9, 0}}
	if got := p.Entries[0].Decisions[1]; !reflect.DeepEqual(got, want) {
		t.Errorf("the second table is %+v; want %+v", got, want)
	}
}

// staged is a policy of a sequence.
const staged = `program "machine" const logz 0 softbits 0 work 0 data 0 ints 0 state -
entry policy "policy" targets evidence factors all blocks root - exp - outs` +
	" decision v1 knows [v0 v0] options 2 chooses [0 -1 -1 1] probabilities [] utilities [] slices 2 to 8 ago [0 1]\n"

func TestStage(t *testing.T) {
	p := parse(t, staged)
	if got := print(t, p); got != staged {
		t.Errorf("printed again it is\n%s", got)
	}
	if err := p.Verify(); err != nil {
		t.Error(err)
	}
	text := strings.Replace(staged, "2 to 8", "2 to 1", 1)
	if err := parse(t, text).Verify(); err == nil || !strings.Contains(err.Error(), "the table of v1 holds in slices 2 to 1") {
		t.Errorf("error %v; want one about slices", err)
	}
}

func TestDecisionTableFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"chooses [0]", "chooses [2]", "the table of v0 has no cases, more than 1048576, or a choice that is no option"},
		{"chooses [0]", "chooses []", "the table of v0 has no cases, more than 1048576, or a choice that is no option"},
		{"probabilities [1] ", "probabilities [] ", "the table of v0 has 0 probabilities and 2 utilities; want 1 and 2"},
		{policy[strings.Index(policy, " decision v0"):], "\n", "it has 0 tables of decisions, 0 blocks and 0 outputs; a policy has tables and nothing else"},
		{"entry policy", "entry signature", "it has 2 tables of decisions, 0 blocks and 0 outputs; a policy has tables and nothing else, and no other query has tables"},
	} {
		text := strings.Replace(policy, c.old, c.new, 1)
		if err := parse(t, text).Verify(); text == policy || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v; want %s", c.new, c.old, err, c.want)
		}
	}
	for _, c := range []struct{ old, new, want string }{
		{"utilities [22.5 20]", "utilities [x]", `found "x"; want a number`},
		{"knows []", "knows v1", `found "v1 options`},
		{"options 2", "option 2", `found "option"; want "options"`},
	} {
		if _, err := ir.Parse(strings.NewReader(strings.Replace(policy, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v; want %s", c.new, c.old, err, c.want)
		}
	}
}
