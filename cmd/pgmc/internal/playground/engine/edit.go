package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// Edit is a change of the model. Kind names the change; the other fields depend on it.
type Edit struct {
	Kind string `json:"kind"`
	Var  string `json:"var,omitempty"` // the variable that changes; of an edge, the child

	Name   string          `json:"name,omitempty"`   // for "name", "add" and "rename"
	Real   bool            `json:"real,omitempty"`   // for "add"
	States []edit.NewState `json:"states,omitempty"` // for "add" and "states"
	Parent string          `json:"parent,omitempty"` // for "edge" and "unedge"
	CPD    string          `json:"cpd,omitempty"`    // for "cpd": the kind that the CPD is to have

	// For "row": the place of a row as Row has it, and its numbers.
	Given   [][2]string `json:"given,omitempty"`
	State   int         `json:"state,omitempty"`
	Numbers []float64   `json:"numbers,omitempty"`
}

// Edited is the reply to "edit".
type Edited struct {
	*Loaded
	Effects []string `json:"effects"` // on parameters that the change did not name
}

// mostNumbers is the most numbers of a table that an edit makes.
const mostNumbers = 1 << 20

// errEdit is the error of a change of a sequence.
var errEdit = errors.New("the page changes networks of one time; pgmc edit changes sequences")

// edit changes the model.
func (e *Engine) edit(ctx context.Context, c *Edit) (*Edited, error) {
	if e.m.Transition != nil {
		return nil, errEdit
	}
	m, effects, err := e.changed(ctx, c)
	if err != nil {
		return nil, err
	}
	out := &Edited{e.open(m), []string{}}
	for _, x := range effects {
		out.Effects = append(out.Effects, x.String())
	}
	return out, nil
}

// changed returns a changed copy of the model.
func (e *Engine) changed(ctx context.Context, c *Edit) (*model.Model, []edit.Effect, error) {
	switch c.Kind {
	case "name":
		m := *e.m
		m.Name = c.Name
		return &m, nil, nil
	case "add":
		v := model.Var{Name: c.Name, Domain: model.Real{}}
		if !c.Real {
			states := make([]string, len(c.States))
			for i, s := range c.States {
				states[i] = s.Name
			}
			v.Domain = model.Discrete{States: states}
		}
		return quiet(edit.Add(e.m, v))
	}
	v, err := e.variableCalled(c.Var)
	if err != nil {
		return nil, nil, err
	}
	switch c.Kind {
	case "rename":
		return edit.Rename(e.m, v, c.Name)
	case "remove":
		return edit.Remove(e.m, v, e.marginal(ctx, v), mostNumbers)
	case "states":
		return edit.SetStates(e.m, v, c.States, mostNumbers)
	case "row":
		return quiet(e.setRow(v, c))
	case "cpd":
		return e.setKind(v, c.CPD)
	case "edge", "unedge":
		parent, err := e.variableCalled(c.Parent)
		if err != nil {
			return nil, nil, err
		}
		if c.Kind == "edge" {
			return edit.AddEdge(e.m, parent, v, mostNumbers)
		}
		return edit.RemoveEdge(e.m, parent, v, e.marginal(ctx, parent), mostNumbers)
	}
	return nil, nil, fmt.Errorf("unknown change %q", c.Kind)
}

// quiet drops the effects of a change that names them itself.
func quiet(m *model.Model, _ []edit.Effect, err error) (*model.Model, []edit.Effect, error) {
	return m, nil, err
}

// variableCalled returns the variable with a name.
func (e *Engine) variableCalled(name string) (model.VarID, error) {
	v, ok := e.m.VarByName(name)
	if !ok {
		return 0, fmt.Errorf("unknown variable %q", name)
	}
	return v.ID, nil
}

// marginal returns the marginal of a variable without evidence, or nil if the model has none.
func (e *Engine) marginal(ctx context.Context, v model.VarID) []float64 {
	in, err := e.engine(ctx, nil)
	if err != nil || e.m.Vars[v].Latent {
		return nil
	}
	all, err := in.Marginals(ctx, infer.Evidence{})
	if err != nil {
		return nil
	}
	return all.List[e.seen()[v]].Numbers()
}

// setRow sets the numbers of a row of a CPD, which are in the columns of CPD.
func (e *Engine) setRow(v model.VarID, c *Edit) (*model.Model, []edit.Effect, error) {
	given := make([]edit.State, len(c.Given))
	for i, x := range c.Given {
		u, err := e.variableCalled(x[0])
		if err != nil {
			return nil, nil, err
		}
		s, ok := e.m.StateByName(u, x[1])
		if !ok {
			return nil, nil, fmt.Errorf("variable %q has no state %q", x[0], x[1])
		}
		given[i] = edit.State{Var: u, State: s}
	}
	f := e.m.CPD(v)
	if f == nil {
		return nil, nil, fmt.Errorf("%q has no CPD", c.Var)
	}
	d, ok := f.Dist.(model.Regression)
	if !ok {
		return edit.SetRow(e.m, v, given, c.Numbers)
	}
	columns := d.Parameters(e.m, f)
	if len(c.Numbers) != len(columns) {
		return nil, nil, fmt.Errorf("found %d numbers; want %d", len(c.Numbers), len(columns))
	}
	var list []edit.Parameter
	for i, p := range columns {
		list = append(list, edit.Parameter{Kind: p.Kind, Parent: p.Parent, Value: c.Numbers[i]})
	}
	return edit.SetParameters(e.m, v, c.State, given, list)
}

// The kinds that a discrete CPD can get.
var (
	kindTable = (&model.Table{}).Kind()
	kindNoisy = (&model.NoisyMax{}).Kind()
)

// setKind gives a variable a CPD of another kind: a table of the same distribution, or a noisy-max
// with causes that have no influence.
func (e *Engine) setKind(v model.VarID, kind string) (*model.Model, []edit.Effect, error) {
	f := e.m.CPD(v)
	if f == nil || e.m.IsReal(v) {
		return nil, nil, fmt.Errorf("%q has no CPD of another kind", e.m.Vars[v].Name)
	}
	parents, real := e.m.SplitParents(f)
	if len(real) > 0 {
		return nil, nil, fmt.Errorf("%q has real parents; want only discrete ones", e.m.Vars[v].Name)
	}
	switch kind {
	case kindTable:
		values, err := e.m.Tabulate(f, mostNumbers)
		if err != nil {
			return nil, nil, fmt.Errorf("the table of %q is too large", e.m.Vars[v].Name)
		}
		values = e.m.Rearrange(values, f.Scope, append(parents, v))
		return edit.Replace(e.m, v, &model.Table{Values: values})
	case kindNoisy:
		low := make([]float64, e.m.Card(v))
		low[0] = 1
		d := &model.NoisyMax{Leak: low}
		for _, u := range parents {
			d.Cause = append(d.Cause, slices.Repeat(low, e.m.Card(u)))
		}
		return edit.Replace(e.m, v, d)
	}
	return nil, nil, fmt.Errorf("unknown kind %q of CPD; want %s or %s", kind, kindTable, kindNoisy)
}
