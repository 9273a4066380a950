package rows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Joint is a joint posterior to compute, of variables by their indices.
type Joint struct {
	Vars   []int
	Method string // the method of the compiled package that computes it
}

// Split returns the discrete and the real variables of j.
func (j *Joint) Split(vars []Variable) (discrete, real []int) {
	for _, v := range j.Vars {
		if vars[v].Real {
			real = append(real, v)
		} else {
			discrete = append(discrete, v)
		}
	}
	return discrete, real
}

// Leaf returns the number of numbers that the answer of j has for each joint state of its discrete
// variables: the probability, and if n variables are real, their means and their covariances,
// row-major.
func Leaf(n int) int { return 1 + n + n*n }

// observeSet reads evidence that v is in one of the states of an array.
func (r *Server) observeSet(q *Question, v int, value json.RawMessage) error {
	name := r.vars[v].Name
	var names []*string
	if err := json.Unmarshal(value, &names); err != nil || len(names) == 0 {
		return fmt.Errorf("the evidence on %q is %s; want the name of a state, or an array of names", name, Shorten(value))
	}
	if q.Hard[v] > 0 || q.sets != nil && q.sets[v] != nil {
		return fmt.Errorf("variable %q is observed twice", name)
	}
	set := make([]float64, len(r.vars[v].States))
	for _, s := range names {
		if s == nil {
			return fmt.Errorf("the evidence on %q is %s; want names of states", name, Shorten(value))
		}
		k, err := r.state(v, *s)
		if err != nil {
			return err
		}
		set[k] = 1
	}
	if q.sets == nil {
		q.sets = make([][]float64, len(r.vars))
	}
	q.sets[v] = set
	return nil
}

// mostReal is the largest absolute value of a real observation.
const mostReal = 1e30

// observe reads a number, or a string that holds one.
func (p realPort) observe(r *Server, q *Question, v int, value json.RawMessage) error {
	name := r.vars[v].Name
	text := string(bytes.TrimSpace(value))
	var quoted *string
	if json.Unmarshal(value, &quoted) == nil && quoted != nil {
		text = strings.TrimSpace(*quoted)
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(math.Abs(x) <= mostReal) {
		return fmt.Errorf("the evidence on %q, which is real-valued, is %s; want a number of a size of at most %g", name, Shorten(value), mostReal)
	}
	if q.Hard[v] > 0 {
		return fmt.Errorf("variable %q is observed twice", name)
	}
	p.set(q, v, 0, x)
	return nil
}

// distribution reads an array of a probability for each state.
func (discretePort) distribution(r *Server, q *Question, v int, value json.RawMessage) error {
	name, n := r.vars[v].Name, len(r.vars[v].States)
	var numbers []*float64
	if err := json.Unmarshal(value, &numbers); err != nil || len(numbers) != n {
		return fmt.Errorf("the distribution of %q is %s; want an array of %d numbers", name, Shorten(value), n)
	}
	if q.Jeffrey[v] != nil {
		return fmt.Errorf("variable %q has two distributions", name)
	}
	p, sum := make([]float64, n), 0.0
	for k, x := range numbers {
		if x == nil || *x < 0 {
			return fmt.Errorf("the distribution of %q is %s; want numbers of at least 0", name, Shorten(value))
		}
		p[k] = *x
		sum += *x
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return fmt.Errorf("the distribution of %q sums to %v; want 1", name, sum)
	}
	q.Jeffrey[v] = p
	return nil
}

// enterSets multiplies the sets of states of q into its likelihoods, as numbers 0 and 1. If the
// product is 0 for all states, it also observes a state outside the set, which makes the evidence
// impossible.
func (q *Question) enterSets() error {
	for v, set := range q.sets {
		if set == nil {
			continue
		}
		product, left := make([]float64, len(set)), false
		for s := range set {
			product[s] = set[s]
			if q.Soft[v] != nil {
				product[s] *= q.Soft[v][s]
			}
			left = left || product[s] > 0
		}
		for s := range set {
			if !left && set[s] == 0 {
				product, q.Hard[v] = set, s+1
			}
		}
		q.Soft[v] = product
	}
	if q.Jeffrey == nil {
		return nil
	}
	for _, l := range q.Soft {
		if l != nil {
			return fmt.Errorf("jeffrey goes with states that were observed, not with likelihoods or sets of states")
		}
	}
	return nil
}

// appendJoints appends the joint posteriors. Each has its variables, and nested objects with one
// level for each variable.
func (r *Server) appendJoints(b []byte, a *Answer) []byte {
	return r.appendTables(append(b, `"joint":[`...), `,"p":`, r.want.Joint, a.Joint)
}

// appendTables appends tables over joint states, and the end of their array. A table of only
// discrete variables has the given key.
func (r *Server) appendTables(b []byte, key string, of []Joint, numbers [][]float64) []byte {
	for i, j := range of {
		b = append(b, `{"of":[`...)
		for _, v := range j.Vars {
			b = append(append(b, r.keys[v]...), ',')
		}
		b[len(b)-1] = ']'
		p := numbers[i]
		discrete, real := j.Split(r.vars)
		name := key
		if len(real) > 0 {
			name = `,"moments":`
		}
		b = append(r.appendNested(append(b, name...), discrete, len(real), &p), "},"...)
	}
	b[len(b)-1] = ']'
	return append(b, ',')
}

// appendMixtures appends the mixtures, by variable: the weight, the mean and the variance of each
// component.
func (r *Server) appendMixtures(b []byte, a *Answer) []byte {
	b = append(b, `"mixture":{`...)
	for i, j := range r.want.Mixture {
		b = append(append(b, r.keys[j.Vars[0]]...), ":["...)
		for at := 0; at < len(a.Mixture[i]); at += 3 {
			b = AppendNumber(append(b, `{"p":`...), a.Mixture[i][at])
			b = AppendNumber(append(b, `,"mean":`...), a.Mixture[i][at+1])
			b = append(AppendNumber(append(b, `,"var":`...), a.Mixture[i][at+2]), "},"...)
		}
		b[len(b)-1] = ']'
		b = append(b, ',')
	}
	return closeObject(b)
}

// appendBest appends the most probable states of some variables and the most probable completions,
// each with its log-probability.
func (r *Server) appendBest(b []byte, want *Wanted, a *Answer) []byte {
	if want.MAP != nil {
		b = append(r.appendStates(append(b, `"map":{"states":`...), want.MAP, a.States), `"logp":`...)
		b = append(AppendNumber(b, a.StatesLogP), "},"...)
	}
	if want.KMPE == 0 {
		return b
	}
	all := make([]int, len(r.vars))
	for v := range all {
		all[v] = v
	}
	b = append(b, `"kmpe":[`...)
	for k, states := range a.KMPE {
		b = append(r.appendStates(append(b, `{"states":`...), all, states), `"logp":`...)
		b = append(AppendNumber(b, a.KMPELogP[k]), "},"...)
	}
	if len(a.KMPE) > 0 {
		b = b[:len(b)-1]
	}
	return append(b, "],"...)
}

// appendStates appends an object of the states of vars, and a comma.
func (r *Server) appendStates(b []byte, vars, states []int) []byte {
	b = append(b, '{')
	for i, v := range vars {
		b = append(append(append(append(b, r.keys[v]...), ':'), r.states[v][states[i]]...), ',')
	}
	return closeObject(b)
}

// appendNested appends the first numbers of p, nested by the states of vars, and removes them from
// p. If n variables are real, the numbers of a joint state are an object with the members p, mean
// and cov.
func (r *Server) appendNested(b []byte, vars []int, n int, p *[]float64) []byte {
	if len(vars) == 0 {
		numbers := (*p)[:Leaf(n)]
		*p = (*p)[Leaf(n):]
		if n == 0 {
			return FiniteNumber(b, numbers[0])
		}
		b = AppendNumbers(append(AppendNumber(append(b, `{"p":`...), numbers[0]), `,"mean":`...), numbers[1:][:n])
		b = append(b, `,"cov":[`...)
		for i := range n {
			b = append(AppendNumbers(b, numbers[1+n+i*n:][:n]), ',')
		}
		b[len(b)-1] = ']'
		return append(b, '}')
	}
	b = append(b, '{')
	for _, s := range r.states[vars[0]] {
		b = append(append(b, s...), ':')
		b = append(r.appendNested(b, vars[1:], n, p), ',')
	}
	b[len(b)-1] = '}'
	return b
}

// AppendNumbers appends a JSON array.
func AppendNumbers(b []byte, list []float64) []byte {
	b = append(b, '[')
	for _, x := range list {
		b = append(AppendNumber(b, x), ',')
	}
	b[len(b)-1] = ']'
	return b
}
