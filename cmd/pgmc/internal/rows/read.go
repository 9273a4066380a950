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

// QuestionOf returns findings about m as a question.
func QuestionOf(f *infer.Findings, m *model.Model) *Question {
	in := Observable(m)
	q := NewQuestion(len(in))
	for i, v := range in {
		switch {
		case m.IsReal(v) && !math.IsNaN(f.Value[v]):
			q.Hard[i], q.Real[i] = 1, f.Value[v]
		case !m.IsReal(v):
			q.Hard[i] = f.State[v] + 1
		}
		q.Soft[i] = f.Soft[v]
	}
	return &q
}

// Ask answers questions by the program, and calls add with each answer, or the error in its place.
func (d *Driver) Ask(ctx context.Context, vars []Variable, want Wanted, questions []*Question, add func(a *Answer, err error)) error {
	s := NewServer(vars, want, nil)
	var lines []byte
	for i, q := range questions {
		lines = s.AppendQuestion(lines, q, i+1)
	}
	var out bytes.Buffer
	if err := d.Serve(ctx, bytes.NewReader(lines), &out); err != nil {
		return err
	}
	in := json.NewDecoder(&out)
	for i := range questions {
		var line AnswerJSON
		if err := in.Decode(&line); err != nil {
			return fmt.Errorf("the package, question %d: %w", i+1, err)
		}
		if line.Error != "" {
			add(nil, errors.New(line.Error))
			continue
		}
		a, err := line.numbers(vars, &want)
		if err != nil {
			return fmt.Errorf("the package, question %d: %w", i+1, err)
		}
		add(a, nil)
	}
	return nil
}

// numbers returns the answer that a line stands for.
func (a *AnswerJSON) numbers(vars []Variable, want *Wanted) (*Answer, error) {
	out := &Answer{LogP: value(a.LogP, 0), MpeLogP: value(a.MPELogP, math.Inf(-1))}
	if want.Marginals != nil {
		out.Marginals = make([][]float64, len(vars))
	}
	for i, v := range vars {
		if want.Marginals != nil && want.Marginals[i] {
			for _, part := range v.Parts() {
				out.Marginals[i] = append(out.Marginals[i], a.Marginals[v.Name][part])
			}
		}
	}
	for i := range a.Joint {
		list, err := a.Joint[i].rows(vars)
		if err != nil {
			return nil, err
		}
		p := make([]float64, len(list))
		for k := range list {
			p[k] = list[k].p
		}
		out.Joint = append(out.Joint, p)
	}
	var err error
	if want.MPE {
		out.Mpe, err = statesOf(vars, a.MPE)
	}
	if a.Report != nil {
		out.Status, out.Iterations = a.Report.Status, a.Report.Iterations
	}
	return out, err
}

// value is what p points to, or otherwise if p is nil.
func value(p *float64, otherwise float64) float64 {
	if p == nil {
		return otherwise
	}
	return *p
}

// statesOf returns the numbers of named states, one for each of vars.
func statesOf(vars []Variable, names map[string]string) ([]int, error) {
	list := make([]int, len(vars))
	for i, v := range vars {
		if list[i] = slices.Index(v.States, names[v.Name]); list[i] < 0 {
			return nil, fmt.Errorf("the state of %q is %q; want %s", v.Name, names[v.Name], v.stateList())
		}
	}
	return list, nil
}
