package rows

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// AnswerJSON is an answer in the JSON of a batch. Members that were not asked for are nil.
type AnswerJSON struct {
	LogP      *float64                      `json:"logp"`
	Marginals map[string]map[string]float64 `json:"marginals"`
	Most      map[string]map[string]float64 `json:"most"` // upper bounds of marginals, and
	MostLogP  *float64                      `json:"most_logp"`
	Joint     []jointJSON                   `json:"joint"`
	Mixture   map[string][]componentJSON    `json:"mixture"`
	MPE       map[string]Chosen             `json:"mpe"`
	MAP       *bestJSON                     `json:"map"`
	KMPE      []bestJSON                    `json:"kmpe"`
	MPELogP   *float64                      `json:"mpe_logp"`
	Report    *Report                       `json:"report"`
	Error     string                        `json:"error"`
}

// bestJSON holds states of variables and their log-probability.
type bestJSON struct {
	States map[string]Chosen `json:"states"`
	LogP   float64           `json:"logp"`
}

// Chosen is the name of the state of a variable in a completion, or the value of a real one as
// text. In JSON the value is a number.
type Chosen string

// UnmarshalJSON reads a name or a number.
func (c *Chosen) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] != '"' {
		*c = Chosen(data)
		return nil
	}
	return json.Unmarshal(data, (*string)(c))
}

// QuestionOf returns findings about m as a question.
func QuestionOf(f *infer.Findings, m *model.Model) *Question {
	in, vars := Observable(m), Variables(m)
	q := NewQuestion(len(in))
	if f.Jeffrey != nil {
		q.Jeffrey = make([][]float64, len(in))
	}
	for i, v := range in {
		if x, known := f.Observed(m.Vars[v]); known {
			vars[i].port().set(&q, i, x.State, x.Real)
		}
		q.Soft[i] = f.Soft[v]
		if f.Jeffrey != nil {
			q.Jeffrey[i] = f.Jeffrey[v]
		}
	}
	return &q
}

// Ask runs the program on questions and calls add for each, in order, with its answer or its error.
func (d *Driver) Ask(ctx context.Context, vars []Variable, want Wanted, questions []*Question, add func(a *Answer, err error)) error {
	s := NewServer(vars, want, nil)
	var lines []byte
	for i, q := range questions {
		lines = s.AppendQuestion(lines, q, i+1)
	}
	var out bytes.Buffer
	err := d.Serve(ctx, bytes.NewReader(lines), &out)
	if some := (*FailedError)(nil); err != nil && !errors.As(err, &some) {
		return err
	}
	in := json.NewDecoder(&out)
	for i, q := range questions {
		var line AnswerJSON
		if err := in.Decode(&line); err != nil {
			return fmt.Errorf("the package, question %d: %w", i+1, err)
		}
		if line.Error != "" {
			add(nil, errors.New(line.Error))
			continue
		}
		asked := &want
		if q.Jeffrey != nil {
			asked = want.givenJeffrey()
		}
		a, err := line.numbers(vars, asked)
		if err != nil {
			return fmt.Errorf("the package, question %d: %w", i+1, err)
		}
		add(a, nil)
	}
	return nil
}

// numbers returns the answer that a line holds, with indices in place of names.
func (a *AnswerJSON) numbers(vars []Variable, want *Wanted) (*Answer, error) {
	out := &Answer{LogP: value(a.LogP, 0), MpeLogP: value(a.MPELogP, math.Inf(-1))}
	if want.Kind == kindBounded {
		out.LogP, out.MostLogP, out.Most = value(a.LogP, math.Inf(-1)), value(a.MostLogP, math.Inf(1)), make([][]float64, len(vars))
	}
	if want.Marginals != nil {
		out.Marginals = make([][]float64, len(vars))
	}
	for i, v := range vars {
		if want.Marginals != nil && want.Marginals[i] {
			for _, part := range v.Parts() {
				out.Marginals[i] = append(out.Marginals[i], a.Marginals[v.Name][part])
				if out.Most != nil {
					out.Most[i] = append(out.Most[i], a.Most[v.Name][part])
				}
			}
		}
	}
	for i := range a.Joint {
		list, err := a.Joint[i].rows(vars)
		if err != nil {
			return nil, err
		}
		var p []float64
		for k := range list {
			p = append(p, list[k].numbers...)
		}
		out.Joint = append(out.Joint, p)
	}
	for _, j := range want.Mixture {
		var numbers []float64
		for _, c := range a.Mixture[vars[j.Vars[0]].Name] {
			numbers = append(numbers, c.P, c.Mean, c.Var)
		}
		out.Mixture = append(out.Mixture, numbers)
	}
	if r := a.Report; r != nil {
		out.Status, out.Iterations, out.residual, out.bound, out.improper = r.Status, r.Iterations, r.Residual, r.Bound, r.Improper
		out.rhat, out.ess, out.logError = value(r.RHat, math.Inf(1)), value(r.ESS, 0), value(r.LogError, math.Inf(1))
		out.refused, out.rejected = r.Refused, r.Rejected
		out.upper, out.Gap = value(r.Upper, math.Inf(1)), value(r.Gap, math.Inf(1))
		if r.Unbounded {
			out.bound = math.Inf(1)
		}
		for _, v := range vars {
			if r.Decided != nil {
				out.decided = append(out.decided, slices.Contains(r.Decided, v.Name))
			}
		}
	}
	return out, a.readStates(vars, want, out)
}

// readStates sets the states of out.
func (a *AnswerJSON) readStates(vars []Variable, want *Wanted, out *Answer) (err error) {
	if want.MPE {
		if out.Mpe, out.MpeReal, err = chosenOf(vars, a.MPE); err != nil {
			return err
		}
	}
	if a.MAP != nil {
		var of []Variable
		for _, v := range want.MAP {
			of = append(of, vars[v])
		}
		out.statesLogP = a.MAP.LogP
		if out.states, _, err = chosenOf(of, a.MAP.States); err != nil {
			return err
		}
	}
	for _, k := range a.KMPE {
		states, _, err := chosenOf(vars, k.States)
		if err != nil {
			return err
		}
		out.kmpe, out.kmpeLogP = append(out.kmpe, states), append(out.kmpeLogP, k.LogP)
	}
	return nil
}

// value returns *p, or otherwise if p is nil.
func value(p *float64, otherwise float64) float64 {
	if p == nil {
		return otherwise
	}
	return *p
}

// chosenOf returns the indices of named states, or the values, one for each of vars.
func chosenOf(vars []Variable, names map[string]Chosen) (states []int, values []float64, err error) {
	states, values = make([]int, len(vars)), make([]float64, len(vars))
	for i := range vars {
		v := &vars[i]
		if states[i], values[i], err = v.port().chosen(v, string(names[v.Name])); err != nil {
			return nil, nil, err
		}
	}
	return states, values, nil
}
