package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// intervene gives the model in which variables are set from outside as the values of --do say.
func intervene(m *model.Model, values []string) (*model.Model, error) {
	if len(values) == 0 {
		return m, nil
	}
	if m.Kind != model.Bayes {
		return nil, fmt.Errorf("--do wants a Bayesian network, whose CPDs say what each variable hangs on; this is a %s", m.Kind)
	}
	set := map[model.VarID]int{}
	for _, value := range values {
		pairs, err := cli.SplitPairs("--do", value, "a state")
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			v, ok := m.VarByName(p[0])
			if !ok || v.Latent {
				return nil, fmt.Errorf("--do: unknown variable %q", p[0])
			}
			state, ok := m.StateByName(v.ID, p[1])
			if !ok {
				return nil, fmt.Errorf("--do: variable %q has no state %q; want one of %q", p[0], p[1], m.States(v.ID))
			}
			if _, twice := set[v.ID]; twice {
				return nil, fmt.Errorf("--do: variable %q stands twice", p[0])
			}
			set[v.ID] = state
		}
	}
	return m.Do(set), nil
}

// mostRows is the most joint states of one joint posterior: an answer is text, of which each takes some 30 bytes, and several times
// that while it is shown.
const mostRows = 1 << 20

// joints are the joint posteriors that the values of --joint name.
func joints(values []string, vars []variable) ([]joint, error) {
	var list []joint
	for _, value := range values {
		names, err := cli.NamesOf("--joint", value)
		if err != nil {
			return nil, err
		}
		var j joint
		for _, name := range names {
			i := slices.IndexFunc(vars, func(v variable) bool { return v.Name == name })
			if i < 0 {
				return nil, fmt.Errorf("--joint: unknown variable %q", name)
			}
			if slices.Contains(j.Vars, i) {
				return nil, fmt.Errorf("--joint: variable %q stands twice", name)
			}
			j.Vars = append(j.Vars, i)
		}
		n := 1.0
		for _, i := range j.Vars {
			n *= float64(len(vars[i].States))
		}
		if n > mostRows {
			return nil, fmt.Errorf("--joint %s: %s joint states are more than the %d that pgmc query shows; ask for fewer variables together", value, compiler.Count(n), mostRows)
		}
		list = append(list, j)
	}
	return list, nil
}

// jointQuery is the specification of a joint posterior.
func jointQuery(j *joint, vars []variable) string {
	var names []string
	for _, v := range j.Vars {
		names = append(names, strconv.Quote(vars[v].Name))
	}
	return "joint(" + strings.Join(names, ", ") + ")"
}

// jointFlag is the value of --joint for a joint posterior.
func jointFlag(j *joint, vars []variable) string {
	var names []string
	for _, v := range j.Vars {
		names = append(names, cli.QuoteName(vars[v].Name))
	}
	return strings.Join(names, ",")
}

// jointsOf are the joint posteriors that a program answers; in are the variables of questions.
func jointsOf(p *ir.Program, in []model.VarID) []joint {
	var list []joint
	for _, e := range p.Entries {
		if e.Query.Kind != ir.Joint {
			continue
		}
		var j joint
		for _, v := range e.Query.Targets {
			j.Vars = append(j.Vars, slices.Index(in, v))
		}
		list = append(list, j)
	}
	return list
}

// compareJoint calls compare for each joint state of two joint posteriors of the same variables.
func compareJoint(got, want *jointJSON, vars []variable, compare func(name string, got, want float64)) error {
	x, err := got.rows(vars)
	if err != nil {
		return err
	}
	y, err := want.rows(vars)
	if err != nil {
		return err
	}
	for i := range x {
		name := make([]string, len(got.Of))
		for k, of := range got.Of {
			name[k] = cli.QuoteName(of) + "=" + cli.QuoteName(x[i].states[k])
		}
		compare("P("+strings.Join(name, ", ")+")", x[i].p, y[i].p)
	}
	return nil
}

// jointMethods notes in w what the methods of a package are called.
func (w *wanted) jointMethods(pkg *codegen.Package, p *ir.Program, in []model.VarID) {
	for i := range w.Joint {
		if at := jointEntry(p, in, &w.Joint[i]); at >= 0 {
			w.Joint[i].Method = pkg.Report.Joints[at]
		}
	}
}

// jointEntry is the number of the entry for a joint posterior; in are the variables of questions.
func jointEntry(p *ir.Program, in []model.VarID, j *joint) int {
	return slices.IndexFunc(p.Entries, func(e ir.Entry) bool {
		return e.Query.Kind == ir.Joint && slices.EqualFunc(e.Query.Targets, j.Vars, func(v model.VarID, i int) bool { return v == in[i] })
	})
}

// jointJSON is a joint posterior as a batch writes it: P has a level a variable.
type jointJSON struct {
	Of []string        `json:"of"`
	P  json.RawMessage `json:"p"`
}

// jointRow is the probability of a joint state.
type jointRow struct {
	states []string
	p      float64
}

// rows lists the joint states, the last variable fastest.
func (j *jointJSON) rows(vars []variable) ([]jointRow, error) {
	rows := []jointRow{{}}
	levels := []json.RawMessage{j.P}
	for _, name := range j.Of {
		at := slices.IndexFunc(vars, func(v variable) bool { return v.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("there is no variable %q", name)
		}
		var nextRows []jointRow
		var nextLevels []json.RawMessage
		for i, level := range levels {
			var byState map[string]json.RawMessage
			if err := json.Unmarshal(level, &byState); err != nil {
				return nil, err
			}
			for _, s := range vars[at].States {
				nextRows = append(nextRows, jointRow{states: append(slices.Clone(rows[i].states), s)})
				nextLevels = append(nextLevels, byState[s])
			}
		}
		rows, levels = nextRows, nextLevels
	}
	for i, level := range levels {
		if err := json.Unmarshal(level, &rows[i].p); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// table lays a joint posterior out, a row a joint state.
func (j *jointJSON) table(vars []variable) (*table.Table, error) {
	rows, err := j.rows(vars)
	t := &table.Table{}
	t.Add(append(slices.Clone(j.Of), "P")...)
	for _, row := range rows {
		t.Add(append(row.states, fmt.Sprintf("%.6f", row.p))...)
	}
	return t, err
}
