package beam

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Predict adds the posteriors of targets given the other variables of each row, as pgmc predict
// computes them. Parts have the columns row, those to keep, and for a target A the columns P(A=yes)
// and so on and A_predicted, or mean(A) and var(A). A row of probability 0 is bad.
func Predict(s sdk.Scope, o Options, targets ...string) (Result, error) {
	return transform(s.Scope("Predict"), question{Options: o, Kind: predicting, Targets: targets})
}

// predictor predicts targets.
type predictor struct {
	method  reflect.Method
	out     reflect.Value // a pointer to its answers: [2][]float64 and the like, or MarginalColumns
	targets []target
	logp    reflect.Value // the field LogP of out, if it has one
}

// target is a variable to predict.
type target struct {
	*data.Var
	answers reflect.Value // an array of columns
	numbers [][]float64
}

func newPredictor(m *model, names []string) (asker, *block, error) {
	var vars []int
	for _, name := range names {
		v, err := m.variable(name)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(vars, v) {
			return nil, nil, fmt.Errorf("the target %q is there twice; want it once", name)
		}
		vars = append(vars, v)
	}
	if vars == nil {
		return nil, nil, errors.New("there is no target; want the variables to predict")
	}
	single := m.fields[vars[0]]
	method, err := m.method(single+"Columns", "posterior of "+names[0])
	if one := err == nil && len(vars) == 1; !one {
		single = ""
		if method, err = m.method("BatchColumns", "marginals"); err != nil {
			return nil, nil, err
		}
	}
	p := &predictor{method: method, out: reflect.New(method.Type.In(2).Elem())}
	for _, v := range vars {
		t := target{Var: &m.vars[v], answers: p.out.Elem()}
		if single == "" {
			t.answers = t.answers.FieldByName(m.fields[v])
			p.logp = p.out.Elem().FieldByName("LogP")
		}
		t.numbers = make([][]float64, t.answers.Len())
		p.targets = append(p.targets, t)
	}
	return p, newBlock(m, vars), nil
}

func (p *predictor) outputs() (list []data.Output) {
	for _, t := range p.targets {
		if t.Real {
			list = append(list, data.Output{Name: "mean(" + t.Name + ")", Kind: data.Reals}, data.Output{Name: "var(" + t.Name + ")", Kind: data.Reals})
			continue
		}
		for _, s := range t.States {
			list = append(list, data.Output{Name: "P(" + t.Name + "=" + s + ")", Kind: data.Reals})
		}
		list = append(list, data.Output{Name: t.Name + "_predicted"})
	}
	return list
}

// ask predicts the targets of the rows of a block. The error of the engine is about the rows that
// it did not answer, if there are any.
func (p *predictor) ask(b *block, part *Part) error {
	for i := range p.targets {
		t := &p.targets[i]
		for k := range t.numbers {
			t.numbers[k] = resized(t.numbers[k], b.rows)
			t.answers.Index(k).Set(reflect.ValueOf(t.numbers[k]))
		}
	}
	if p.logp.IsValid() {
		p.logp.Set(reflect.ValueOf(resized(p.logp.Interface().([]float64), b.rows)))
	}
	err := b.ask(p.method, p.out)
	if err == nil {
		return nil
	}
	failed := false
	for row := range b.rows {
		if !p.failed(row) {
			continue
		}
		if failed = true; !b.skip[row] {
			part.Impossible++
			b.reject(row, "", "the row has probability 0")
		}
	}
	if failed {
		return nil
	}
	return err
}

// failed reports whether the engine did not answer a row.
func (p *predictor) failed(row int) bool {
	if p.logp.IsValid() {
		return math.IsInf(p.logp.Interface().([]float64)[row], -1)
	}
	return !slices.ContainsFunc(p.targets[0].numbers, func(column []float64) bool { return column[row] != 0 })
}

func (p *predictor) write(out data.Sink, row int) {
	for _, t := range p.targets {
		numbers := make([]float64, len(t.numbers))
		for k, column := range t.numbers {
			numbers[k] = column[row] + 0 // no "-0"
		}
		if t.Real {
			out.Number(numbers[0])
			out.Number(numbers[1])
			continue
		}
		pgmrt.AtMostOne(numbers)
		for _, x := range numbers {
			out.Number(x)
		}
		out.Text(t.States[pgmrt.Argmax(numbers)])
	}
}

func (p *predictor) end(*Part) error { return nil }
