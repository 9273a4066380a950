package decision

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/model"
)

// step is a choice, or what is then seen, of the strategy of a decision analysis network.
type step struct {
	Variable    string  `json:"variable"`
	State       string  `json:"state"`
	Absent      bool    `json:"absent,omitempty"` // the variable does not exist, in place of a state
	Decision    bool    `json:"decision,omitempty"`
	Probability float64 `json:"probability"` // given the steps before
	Utility     float64 `json:"utility"`
	Then        []*step `json:"then,omitempty"`
	options     []option
}

// errNetwork is the error of commands that want variables of all cases.
var errNetwork = errors.New("the model is a decision analysis network, whose variables exist in some cases only; pgmc decide solves it, and with --cases and --variance says what happens under the strategy")

// plan adds the strategy of a decision analysis network.
func (s *solver) plan(ctx context.Context, x *decide.Solution, f *Options, r *report) error {
	if f.Cases && r.imposed {
		return cli.Usagef("--cases compares the options of the best strategy of a decision analysis network; leave out --strategy")
	}
	root, err := x.Tree(ctx)
	if err != nil {
		if r.Remark = err.Error(); f.draws() || f.Cases || chart.Ending(f.File) == ".csv" {
			return err
		}
		return nil
	}
	r.Plan = s.steps(root.Branches)
	if f.Cases {
		r.Policies = policies(r.Plan)
	}
	return nil
}

func (s *solver) steps(list []*decide.Branch) (out []*step) {
	for _, b := range list {
		x := &step{Variable: s.m.Vars[b.Var].Name, Absent: b.State < 0, Decision: s.m.Decides(b.Var) != nil, Probability: b.Probability, Utility: b.Utility, Then: s.steps(b.Branches)}
		if !x.Absent {
			x.State = s.m.States(b.Var)[b.State]
		}
		for _, o := range b.Options {
			of := option{State: s.m.States(o.Decision)[o.State], Utility: o.Utility}
			if o.Decision != b.Var {
				of.Decision = s.m.Vars[o.Decision].Name
			}
			x.options = append(x.options, of)
		}
		out = append(out, x)
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
			switch {
			case x.Decision:
				text, p = indent+"choose "+x.Variable+" = "+x.State, ""
			case x.Absent:
				text = indent + "if " + x.Variable + " does not exist"
			}
			t.Add(text, p, number(x.Utility))
			add(x.Then, indent+"  ")
		}
	}
	add(list, "")
	return t.String()
}

// policies returns the choices of a plan, by decision, and their cases: each with the states of
// what was seen and decided before, and "" for what was not.
func policies(plan []*step) []policy {
	list := []policy{}
	var path []*step
	var add func(steps []*step, p float64)
	add = func(steps []*step, p float64) {
		for _, x := range steps {
			if x == nil { // null, in a file
				continue
			}
			if x.Decision {
				list = noted(list, x, path, p)
			}
			if path = append(path, x); x.Absent {
				path = path[:len(path)-1]
			}
			add(x.Then, p*x.Probability)
			if !x.Absent {
				path = path[:len(path)-1]
			}
		}
	}
	add(plan, 1)
	for i := range list { // later cases may have further variables
		p := &list[i]
		for k := range p.Choices {
			more := slices.Repeat([]string{""}, len(p.Known)-len(p.Choices[k].Given))
			p.Choices[k].Given = append(p.Choices[k].Given, more...)
			p.Cases.List[k].Given = p.Choices[k].Given
		}
		p.Cases.Known = p.Known
	}
	return list
}

// noted adds a choice after a path of probability p to the policy of its decision.
func noted(list []policy, x *step, path []*step, p float64) []policy {
	at := slices.IndexFunc(list, func(q policy) bool { return q.Decision == x.Variable })
	if at < 0 {
		at, list = len(list), append(list, policy{Decision: x.Variable, Known: []string{}, Cases: &cases{}})
	}
	q := &list[at]
	given := slices.Repeat([]string{""}, len(q.Known))
	for _, before := range path {
		k := slices.Index(q.Known, before.Variable)
		if k < 0 {
			k, q.Known, given = len(q.Known), append(q.Known, before.Variable), append(given, "")
		}
		given[k] = before.State
	}
	q.Choices = append(q.Choices, choice{given, x.State})
	q.Cases.List = append(q.Cases.List, worthCase{Probability: p, Options: x.options, Choose: x.State})
	return list
}

// histories resolves the names of policies of a decision analysis network.
func (s *solver) histories(list []policy) (steps []decide.Step, err error) {
	find := func(name, state string) (v model.VarID, k int, err error) {
		x, ok := s.m.VarByName(name)
		if ok {
			k, ok = s.m.StateByName(x.ID, state)
		}
		if !ok {
			return 0, 0, fmt.Errorf("found the state %q of the variable %q; want variables of the model, and their states", state, name)
		}
		return x.ID, k, nil
	}
	for _, p := range list {
		for _, c := range p.Choices {
			var x decide.Step
			if x.Decision, x.Choice, err = find(p.Decision, c.Choose); err != nil {
				return nil, err
			}
			if len(c.Given) != len(p.Known) {
				return nil, fmt.Errorf("a case of %q has %d states; want %d", p.Decision, len(c.Given), len(p.Known))
			}
			for i, name := range p.Known {
				if c.Given[i] == "" {
					continue
				}
				v, k, err := find(name, c.Given[i])
				if err != nil {
					return nil, err
				}
				x.Known, x.States = append(x.Known, v), append(x.States, k)
			}
			steps = append(steps, x)
		}
	}
	return steps, nil
}
