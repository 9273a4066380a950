package decision

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/decide"
)

// step is a choice, or what is then seen, of the strategy of a decision analysis network.
type step struct {
	Variable    string  `json:"variable"`
	State       string  `json:"state"`
	Decision    bool    `json:"decision,omitempty"`
	Probability float64 `json:"probability"` // given the steps before
	Utility     float64 `json:"utility"`
	Then        []*step `json:"then,omitempty"`
}

// plan adds the strategy of a decision analysis network, and refuses what only diagrams have.
func (s *solver) plan(ctx context.Context, x *decide.Solution, f *Options, r *report) error {
	if f.Cases || strings.EqualFold(filepath.Ext(f.File), ".csv") {
		return decide.ErrNetwork
	}
	root, err := x.Tree(ctx)
	if err != nil {
		if r.Remark = err.Error(); f.draws() {
			return err
		}
		return nil
	}
	r.Plan = s.steps(root.Branches)
	return nil
}

func (s *solver) steps(list []*decide.Branch) (out []*step) {
	for _, b := range list {
		out = append(out, &step{s.m.Vars[b.Var].Name, s.m.States(b.Var)[b.State], s.m.Decides(b.Var) != nil, b.Probability, b.Utility, s.steps(b.Branches)})
	}
	return out
}

// planText returns a line for each step, further to the right the later it is.
func planText(list []*step) string {
	t := table.Table{}
	t.Add("step", "probability", "utility")
	var add func(list []*step, indent string)
	add = func(list []*step, indent string) {
		for _, x := range list {
			text, p := indent+"if "+x.Variable+" is "+x.State, fmt.Sprintf("%.4g", x.Probability)
			if x.Decision {
				text, p = indent+"choose "+x.Variable+" = "+x.State, ""
			}
			t.Add(text, p, number(x.Utility))
			add(x.Then, indent+"  ")
		}
	}
	add(list, "")
	return t.String()
}
