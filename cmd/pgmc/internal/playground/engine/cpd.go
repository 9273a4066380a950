package engine

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// CPD is the reply to "cpd": a CPD as a table that can be changed.
type CPD struct {
	Kind    string   `json:"kind"`  // empty if there is none
	Kinds   []string `json:"kinds"` // the kinds that it can get
	Heads   []string `json:"heads"` // of the labels of rows
	Columns []string `json:"columns"`
	Sums    bool     `json:"sums"` // whether the numbers of a row are probabilities that sum to one
	Rows    []Row    `json:"rows"`
	Next    int      `json:"next,omitempty"`    // the first row, by joint state, that Rows lacks
	Problem string   `json:"problem,omitempty"` // why the CPD cannot be changed here
}

// Row is a row of a CPD. Given and State are its place, for an Edit.
type Row struct {
	Labels  []string    `json:"labels"`
	Given   [][2]string `json:"given"` // names of parents and their states
	State   int         `json:"state"` // of the child, in a CPD with parameters for each
	Numbers []float64   `json:"numbers"`
}

// cpd returns the rows of a CPD from one on, at most mostRows.
func (e *Engine) cpd(name string, from int) (*CPD, error) {
	v, err := e.variableCalled(name)
	if err != nil {
		return nil, err
	}
	out := &CPD{Rows: []Row{}, Heads: []string{}, Columns: []string{}, Kinds: []string{}}
	f := e.m.CPD(v)
	switch {
	case e.m.Transition != nil:
		out.Problem = errEdit.Error()
		return out, nil
	case f == nil:
		out.Problem = fmt.Sprintf("%q has no CPD", name)
		return out, nil
	}
	e.fill(out, f, from)
	return out, nil
}

// fill sets the rows of the CPD f from one on.
func (e *Engine) fill(out *CPD, f *model.Factor, from int) {
	v := f.ChildVar()
	out.Kind = f.Dist.Kind()
	discrete, real := e.m.SplitParents(f)
	if len(real) == 0 && !e.m.IsReal(v) {
		out.Kinds = append(out.Kinds, kindTable)
		if len(discrete) > 0 {
			out.Kinds = append(out.Kinds, kindNoisy)
		}
	}
	if d, ok := f.Dist.(model.Regression); ok {
		e.parameters(out, f, d, discrete, from)
		return
	}
	if d, ok := f.Dist.(*model.NoisyMax); ok {
		out.Sums, out.Columns = true, e.m.States(v)
		e.causes(out, d, discrete, from)
		return
	}
	if !edit.HasRows(f) {
		out.Problem = fmt.Sprintf("the page does not change parameters of a CPD of kind %s", out.Kind)
		return
	}
	out.Sums, out.Columns = true, e.m.States(v)
	e.rows(out, discrete, from, func(_ int, state []int) [][]float64 {
		row := make([]float64, e.m.Card(v))
		for s := range row {
			state[v] = s
			row[s] = e.m.Value(f, state)
		}
		state[v] = 0
		return [][]float64{row}
	})
}

// parameters adds the rows of a CPD of parameters, one for each state of a discrete child.
func (e *Engine) parameters(out *CPD, f *model.Factor, d model.Regression, discrete []model.VarID, from int) {
	for _, p := range d.Parameters(e.m, f) {
		name := p.Kind.String()
		if p.Kind == model.Coefficient {
			name = "× " + e.m.Vars[p.Parent].Name
		}
		out.Columns = append(out.Columns, name)
	}
	child, rows := f.ChildVar(), slices.Collect(slices.Chunk(d.ParameterRows(), len(out.Columns)))
	n := max(1, e.m.Card(child))
	e.rows(out, discrete, from, func(r int, _ []int) [][]float64 { return rows[r*n:][:n] })
	if !e.m.IsReal(child) {
		out.Heads = append(out.Heads, e.m.Vars[child].Name)
		for i := range out.Rows {
			out.Rows[i].Labels = append(out.Rows[i].Labels, e.m.States(child)[out.Rows[i].State])
		}
	}
}

// rows adds the rows that of returns for each joint state of parents.
func (e *Engine) rows(out *CPD, parents []model.VarID, from int, of func(r int, state []int) [][]float64) {
	out.Heads = append(e.names(parents), out.Heads...)
	state := make([]int, len(e.m.Vars))
	for r, more := 0, true; more; r, more = r+1, e.m.Next(parents, state) {
		if r < from {
			continue
		}
		if len(out.Rows) >= mostRows {
			out.Next = r
			return
		}
		for s, numbers := range of(r, state) {
			row := Row{Labels: []string{}, Given: [][2]string{}, State: s, Numbers: numbers}
			for _, u := range parents {
				label := e.m.States(u)[state[u]]
				row.Labels, row.Given = append(row.Labels, label), append(row.Given, [2]string{e.m.Vars[u].Name, label})
			}
			out.Rows = append(out.Rows, row)
		}
	}
}

// causes adds the rows of a noisy-max.
func (e *Engine) causes(out *CPD, d *model.NoisyMax, parents []model.VarID, from int) {
	out.Heads = []string{"cause", "state"}
	r := 0
	add := func(labels []string, given [][2]string, numbers []float64) {
		switch {
		case r >= from && len(out.Rows) < mostRows:
			out.Rows = append(out.Rows, Row{Labels: labels, Given: given, Numbers: numbers})
		case r >= from && out.Next == 0:
			out.Next = r
		}
		r++
	}
	add([]string{"leak", ""}, [][2]string{}, d.Leak)
	for i, u := range parents {
		for s, label := range e.m.States(u) {
			name := e.m.Vars[u].Name
			add([]string{name, label}, [][2]string{{name, label}}, d.Cause[i][s*len(d.Leak):][:len(d.Leak)])
		}
	}
}
