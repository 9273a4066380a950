package infer

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// port converts variables of one domain to and from findings and posteriors. The ports are
// discretePort and realPort.
type port interface {
	// add adds one finding about v, as Evidence holds it.
	add(f *Findings, vars *variables, v model.VarID, x any) error
	// set sets the observed value.
	set(f *Findings, v model.VarID, x model.Value)
	// observed returns the observed value; known is false if there is none.
	observed(f *Findings, v model.VarID) (x model.Value, known bool)
	// posterior sets the numbers of a posterior.
	posterior(d *Distribution, numbers []float64)
	// softText returns the soft evidence on a variable of the given name as text.
	softText(name string, soft []float64) string
}

// portOf returns the port of v's domain.
func portOf(v *model.Var) port {
	if _, real := v.Domain.(model.Real); real {
		return realPort{}
	}
	return discretePort{}
}

// discretePort is the port of variables with states.
type discretePort struct{}

func (d discretePort) add(f *Findings, vars *variables, v model.VarID, x any) error {
	name := vars.m.Vars[v].Name
	switch x := x.(type) {
	case string:
		k, err := vars.state(v, x)
		if err == nil && f.State[v] != Missing {
			err = fmt.Errorf("variable %q is observed twice", name)
		}
		f.State[v] = k
		return err
	case float64:
		return d.add(f, vars, v, strconv.FormatFloat(x, 'g', -1, 64))
	case States:
		set := make([]float64, vars.m.Card(v))
		for _, s := range x {
			k, err := vars.state(v, s)
			if err != nil {
				return err
			}
			set[k] = 1
		}
		if f.sets == nil {
			f.sets = map[model.VarID]States{}
		}
		f.sets[v] = x
		return f.times(v, name, set)
	case Likelihood:
		if len(x) != vars.m.Card(v) {
			return fmt.Errorf("the likelihood of %q has length %d; want %d", name, len(x), vars.m.Card(v))
		}
		return f.times(v, name, slices.Clone(x))
	case Jeffrey:
		return f.fix(vars, v, x)
	}
	return &ValueError{name, x, "a state, a number, States, Likelihood or Jeffrey"}
}

func (discretePort) set(f *Findings, v model.VarID, x model.Value) { f.State[v] = x.State }

func (discretePort) observed(f *Findings, v model.VarID) (x model.Value, known bool) {
	return model.Value{State: f.State[v]}, f.State[v] != Missing
}

func (discretePort) posterior(d *Distribution, numbers []float64) { d.P = probabilities(numbers) }

// probabilities returns p without numbers above 1; see [pgmrt.AtMostOne].
func probabilities(p []float64) []float64 {
	pgmrt.AtMostOne(p)
	return p
}

func (discretePort) softText(name string, _ []float64) string { return "a likelihood of " + name }

// realPort is the port of real variables, with a mean and a variance as posterior.
type realPort struct{}

func (realPort) add(f *Findings, vars *variables, v model.VarID, x any) error {
	if n, measured := x.(Measurement); measured {
		if !n.inRange() || f.Soft[v] != nil {
			want := fmt.Sprintf("one measurement of a size of at most %g with a standard deviation between %g and %g", model.MaxReal, 1/math.Sqrt(model.MaxReal), math.Sqrt(model.MaxReal))
			return &ValueError{vars.m.Vars[v].Name, x, want}
		}
		f.Soft[v] = []float64{n.Mean, n.SD * n.SD}
		return nil
	}
	value, ok := x.(float64)
	if !ok || !(math.Abs(value) <= model.MaxReal) || !math.IsNaN(f.Value[v]) {
		want := fmt.Sprintf("one number of a size of at most %g, since the variable is real", float64(model.MaxReal))
		return &ValueError{vars.m.Vars[v].Name, x, want}
	}
	f.Value[v] = value
	return nil
}

func (realPort) set(f *Findings, v model.VarID, x model.Value) { f.Value[v] = x.Real }

func (realPort) observed(f *Findings, v model.VarID) (x model.Value, known bool) {
	return model.Value{Real: f.Value[v]}, !math.IsNaN(f.Value[v])
}

func (realPort) softText(name string, soft []float64) string {
	return fmt.Sprintf("%s=%v±%v", name, soft[0], math.Sqrt(soft[1]))
}

func (realPort) posterior(d *Distribution, numbers []float64) {
	d.Mean, d.Variance = numbers[0], numbers[1]
}
