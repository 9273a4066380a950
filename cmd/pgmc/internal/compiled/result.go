package compiled

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler/infer"
)

// result holds what a method returned and then what it set.
type result struct {
	Out   []json.RawMessage
	Error *struct {
		Message    string
		Impossible bool
	}
	read int
	err  error // the first error of reading
}

// next reads the next part of a result.
func (r *result) next(into any) {
	if r.err == nil && r.read == len(r.Out) {
		r.err = io.ErrUnexpectedEOF
	}
	if r.err == nil {
		r.err = json.Unmarshal(r.Out[r.read], into)
		r.read++
	}
}

// number is a number as text, which may be infinite.
type number float64

// UnmarshalText reads a number, which may be infinite.
func (x *number) UnmarshalText(text []byte) (err error) {
	*(*float64)(x), err = strconv.ParseFloat(string(text), 64)
	return err
}

// numbers holds the numbers of an array or an object, in their order.
type numbers []float64

// UnmarshalJSON reads an array, or the numbers of an object.
func (list *numbers) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`["`)) { // some are no numbers of JSON
		var texts []number
		err := json.Unmarshal(data, &texts)
		for _, x := range texts {
			*list = append(*list, float64(x))
		}
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		t, err := dec.Token()
		if x, ok := t.(float64); ok {
			*list = append(*list, x)
		}
		if err != nil {
			return ended(err)
		}
	}
}

// ended returns the error of reading to the end.
func ended(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// posteriors holds the posteriors of all variables in the package's JSON.
type posteriors struct {
	LogP       number
	Posteriors map[string]numbers
}

// marginals reads posteriors.
func (r *result) marginals(c *Engine) (logP float64, list [][]float64) {
	var x posteriors
	r.next(&x)
	return float64(x.LogP), x.list(c)
}

// maxMarginals reads max-marginals; report is the report of a method that chose states, and nil of
// exact ones.
func (r *result) maxMarginals(c *Engine, report *infer.Report) *infer.MaxMarginals {
	logP, numbers := r.marginals(c)
	var list []infer.Distribution
	for v := range c.vars {
		if r.err == nil {
			list = append(list, infer.Distribution{P: numbers[v]})
		}
	}
	if report == nil {
		return infer.MaxMarginalsOf(list, logP)
	}
	return (&infer.Completion{LogProb: logP, MaxMarginals: list, Report: report}).PseudoMaxMarginals()
}

func (x *posteriors) list(c *Engine) (list [][]float64) {
	for _, key := range c.about.Keys {
		list = append(list, x.Posteriors[key])
	}
	return list
}

// logP reads a logarithm.
func (r *result) logP() float64 {
	var x number
	r.next(&x)
	return float64(x)
}

// report reads a report.
func (r *result) report() *infer.Report {
	var fields map[string]string
	r.next(&fields)
	number := func(name string) float64 {
		x, _ := strconv.ParseFloat(fields[name], 64) // 0 if reports of this kind have no such field
		return x
	}
	return &infer.Report{Status: fields["Status"], Converged: fields["Status"] == "converged", Iterations: int(number("Iterations")), Residual: number("Residual"),
		RHat: number("RHat"), ESS: number("ESS"), Refused: number("Refused"), Rejected: number("Rejected"), LogError: number("LogError"), Bound: number("Bound"), Gap: number("Gap"), Strong: fields["Strong"] == "true"}
}

// assignment reads the states, from 0, and the values of a joint state. The state of a variable
// that has none is -1.
func (r *result) assignment(c *Engine) ([]int, []float64) {
	var list map[string]json.RawMessage
	r.next(&list)
	states, values := make([]int, len(c.vars)), make([]float64, len(c.vars))
	for i, key := range c.about.Keys {
		if r.err == nil {
			states[i], values[i], r.err = c.chosen(i, list[key])
		}
	}
	return states, values
}

// path reads a joint state of each slice of a sequence: for each variable the state, from 0, or the
// value.
func (r *result) path(c *Engine) (list [][]float64) {
	var slices []json.RawMessage
	r.next(&slices)
	for i := range slices {
		one := result{Out: slices[i:]}
		states, values := one.assignment(c)
		for v, s := range states {
			if !c.vars[v].Real {
				values[v] = float64(s)
			}
		}
		if list = append(list, values); one.err != nil {
			r.err = one.err
		}
	}
	return list
}

// chosen reads the state or the value of a variable.
func (c *Engine) chosen(i int, data json.RawMessage) (state int, value float64, err error) {
	switch {
	case data == nil:
		return -1, 0, nil
	case c.vars[i].Real:
		err = json.Unmarshal(data, &value)
		return 0, value, err
	}
	var name string
	if err = json.Unmarshal(data, &name); err != nil {
		return 0, 0, err
	}
	if state = slices.Index(c.about.States[i], name); state < 0 {
		return 0, 0, fmt.Errorf("the state of %q is %q; want one of %q", c.vars[i].Name, name, c.about.States[i])
	}
	return state, 0, nil
}

// failed returns err or else the error of reading a result.
func (r *result) failed(err error) error {
	if err != nil || r.err == nil {
		return err
	}
	return &rows.BrokenError{Err: r.err}
}

// joint reads a joint posterior. Means and covariances without a probability have the probability
// 1.
func (r *result) joint(j *rows.Joint, vars []rows.Variable) []float64 {
	var list numbers
	if discrete, _ := j.Split(vars); discrete == nil {
		list = numbers{1}
	}
	r.next(&list)
	return list
}

// completions reads the most probable completions.
func (r *result) completions(c *Engine, a *rows.Answer) {
	var n int
	var list []json.RawMessage
	var logps []number
	r.next(&n)
	r.next(&list)
	r.next(&logps)
	for k := range n {
		if r.err != nil {
			return
		}
		one := result{Out: list[k:]}
		states, _ := one.assignment(c)
		a.KMPE, a.KMPELogP, r.err = append(a.KMPE, states), append(a.KMPELogP, float64(logps[k])), one.err
	}
}
