package acopt

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// maxRows is the most joint states of all factors of the network to which a circuit is fitted.
const maxRows = 1 << 22

// divergence computes KL(Q||P) of a circuit Q from a network P: the expectation under Q of log Q -
// log P. If P does not sum to 1, the logarithm of its sum is left out.
//
// Let T be how often each parameter occurs in the term of a joint state. Since the circuit is
// deterministic, log Q is w T - log z for the logarithms w of the parameters. Hence the slope by w
// is the covariance under Q of T with w T - log P. The first part is the second derivatives of log
// z along w; the second part takes a pass for each joint state of each factor.
type divergence struct {
	rows   []row
	slopes [][]float64 // by block
	values []float64
}

// row is a joint state of a factor with the logarithm of its value.
type row struct {
	states []state
	log    float64
}

type state struct{ v, state int }

// newDivergence tabulates the factors of a network over the variables of the data, in order.
func newDivergence(job *learner.Job) (*divergence, error) {
	m := job.Target
	var place = map[string]int{}
	for i, v := range job.Train.Vars {
		place[v.Name] = i
	}
	at := make([]int, len(m.Vars))
	for i, v := range m.Vars {
		k, ok := place[v.Name]
		if !ok || m.Card(v.ID) != len(job.Train.Vars[k].States) {
			return nil, fmt.Errorf("%q of the network to come close to is no variable of the data with as many states; want the same variables", v.Name)
		}
		at[i] = k
	}
	total := 0.0
	for _, f := range m.Factors {
		size := m.JointStates(f.Scope)
		if total += size; total > maxRows {
			return nil, fmt.Errorf("%s has %v joint states; the factors of a network to come close to may have %d together", m.FactorName(f), size, maxRows)
		}
	}
	d := &divergence{}
	x := make([]int, len(m.Vars))
	for _, f := range m.Factors {
		for more := true; more; more = m.Next(f.Scope, x) {
			value := m.Value(f, x)
			if value == 1 {
				continue
			}
			r := row{log: pgmrt.Ln(value)}
			for _, v := range f.Scope {
				r.states = append(r.states, state{at[v], x[v]})
			}
			d.rows = append(d.rows, r)
		}
	}
	return d, nil
}

// objective returns the divergence and computes its slope by the weights.
func (d *divergence) objective(f *fit, weights, gradient []float64) float64 {
	for i, x := range f.free {
		f.theta[x] = math.Exp(weights[i])
	}
	z := f.sum()
	if !growing.Finite(z) {
		return math.Inf(1)
	}
	f.whole.Derive()
	speed := make([]float64, len(f.theta))
	for i, x := range f.free {
		speed[x] = weights[i]
	}
	curves, rise := f.whole.Curve(f.theta, speed)
	mean := make([]float64, len(f.free)) // of T
	value := -pgmrt.Ln(z)
	for i, x := range f.free {
		mean[i] = f.theta[x] * f.whole.ByParam(x) / z
		value += weights[i] * mean[i]
		gradient[i] = mean[i]*weights[i] + f.theta[x]*curves[x]/z - mean[i]*rise/z
	}
	learner.Each(f.job.Cores, blocks, func(b int) { d.part(f, b, z, mean) })
	for b, slopes := range d.slopes {
		value -= d.values[b]
		for i, x := range slopes {
			gradient[i] -= x
		}
	}
	return value
}

// part sums over the joint states of a block: their part of the expectation of log P, and its
// slope.
func (d *divergence) part(f *fit, b int, z float64, mean []float64) {
	slopes, t := d.slopes[b], f.tapes[b]
	clear(slopes)
	d.values[b] = 0
	n := len(d.rows)
	for i := n * b / blocks; i < n*(b+1)/blocks; i++ {
		r := &d.rows[i]
		t.All()
		for _, x := range r.states {
			for k := range f.job.Train.Vars[x.v].States {
				if k != x.state {
					t.Set(x.v, k, 0)
				}
			}
		}
		p := t.Eval(f.theta) / z
		if p == 0 { // avoids 0 times infinity
			continue
		}
		d.values[b] += p * r.log
		t.Derive()
		for k, x := range f.free {
			slopes[k] += r.log * (f.theta[x]*t.ByParam(x)/z - p*mean[k])
		}
	}
}

// closer fits a circuit to a network.
func closer(f *fit, d *model.Circuit) error {
	if n, why := d.Determinism(); why != "" {
		return fmt.Errorf("node %d of the circuit: %s; how far it is from a network is known only where at most one operand of each sum is not 0", n, why)
	}
	var err error
	if f.target, err = newDivergence(f.job); err != nil {
		return err
	}
	f.target.values = make([]float64, blocks)
	for range blocks {
		f.target.slopes = append(f.target.slopes, make([]float64, len(f.free)))
	}
	return nil
}
