package logistic

import (
	"context"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Data is a data set that is prepared for fitting. Several goroutines may use it at once.
type Data struct {
	vars    []data.Var
	columns []data.States
	weight  []float64   // by row
	having  [][][]int32 // by variable and state: the rows that have it; nil for the first state
}

// maxWeights is the most weights of one distribution: some seconds of work for ten thousand rows.
const maxWeights = 1 << 17

// New prepares a set. It returns an error if a distribution would have too many weights.
func New(s *data.Set) (*Data, error) {
	states := 0
	for _, v := range s.Vars {
		states += len(v.States)
	}
	for _, v := range s.Vars {
		if k := len(v.States); (k-1)*(states-k+1) > maxWeights {
			return nil, fmt.Errorf("the regression of %q, which has %d states, would have more than %d weights; leave the variable out, or use trees", v.Name, k, maxWeights)
		}
	}
	s = s.Merged()
	d := &Data{vars: s.Vars, having: make([][][]int32, len(s.Vars))}
	for v, x := range s.Vars {
		d.columns = append(d.columns, s.Column(v))
		d.having[v] = make([][]int32, len(x.States))
		for i := range s.Len() {
			if k := d.columns[v].At(i); k > 0 {
				d.having[v][k] = append(d.having[v][k], int32(i))
			}
		}
	}
	for i := range s.Len() {
		d.weight = append(d.weight, s.Weight(i))
	}
	return d, nil
}

// weight is one weight of the log-odds of a state of the target: of a state of another variable, or
// a constant.
type weight struct {
	v     int // the other variable; -1 for a constant
	state int
	k     int     // the state of the target
	value float64 // its value, in nats
	trust float64 // trust region: the most it may move in one step
}

// fit is the state of one call of Fit.
type fit struct {
	d       *Data
	target  int
	card    int
	l1      float64
	state   []int32     // the target's state, by row
	log     [][]float64 // by state of the target and row: the log-odds against the first state
	all     []int32     // the rows in which the target is observed
	weights []weight
}

const (
	// tolerance ends the descent: the sweep is the last one if the log-odds changed by less, in
	// total and relative to their size.
	tolerance = 1e-5
	// maxSweeps ends a fit that does not converge.
	maxSweeps = 2000
)

// CPD is a fitted distribution.
type CPD struct {
	Factor *model.Factor
	Params int     // number of constants and of other weights that are not zero
	Score  float64 // log-likelihood minus the penalty
	Others []int   // the variables with nonzero weights
}

// Fit fits the distribution of a variable with an L1 penalty of l1 per unit. If ctx ends early, it
// returns the weights so far.
func (d *Data) Fit(ctx context.Context, target int, l1 float64) CPD {
	f := &fit{d: d, target: target, card: len(d.vars[target].States), l1: l1}
	for i := range d.weight {
		k := d.columns[target].At(i)
		f.state = append(f.state, int32(k))
		if k != data.Missing {
			f.all = append(f.all, int32(i))
		}
	}
	for range f.card {
		f.log = append(f.log, make([]float64, len(d.weight)))
	}
	for k := 1; k < f.card; k++ {
		f.weights = append(f.weights, weight{v: -1, k: k, trust: 1})
		for v, states := range d.having {
			if v == target {
				continue
			}
			for s, rows := range states {
				if len(rows) > 0 {
					f.weights = append(f.weights, weight{v: v, state: s, k: k, trust: 1})
				}
			}
		}
	}
	f.descend(ctx)
	return f.cpd()
}

// descend alternates a sweep through all weights with sweeps through the nonzero ones until both
// settle.
func (f *fit) descend(ctx context.Context) {
	for sweep := 0; sweep < maxSweeps && ctx.Err() == nil; sweep++ {
		if f.sweep(false) <= tolerance {
			return
		}
		for ; sweep < maxSweeps && ctx.Err() == nil && f.sweep(true) > tolerance; sweep++ {
		}
	}
}

// sweep moves each weight, or only the nonzero ones if active is set, and returns how far the
// log-odds moved.
func (f *fit) sweep(active bool) float64 {
	moved := 0.0
	for i := range f.weights {
		w := &f.weights[i]
		if active && w.v >= 0 && w.value == 0 {
			continue
		}
		step := f.step(w)
		if step == 0 {
			continue
		}
		w.value += step
		rows := f.rows(w)
		for _, r := range rows {
			f.log[w.k][r] += step
			moved += math.Abs(step) * f.d.weight[r]
		}
	}
	size := 0.0
	for _, row := range f.log[1:] {
		for r, x := range row {
			size += math.Abs(x) * f.d.weight[r]
		}
	}
	return moved / (1 + size)
}

func (f *fit) rows(w *weight) []int32 {
	if w.v < 0 {
		return f.all
	}
	return f.d.having[w.v][w.state]
}

// mostTrust bounds the step of a weight: odds of e^30 are certainty at the precision of float64.
const mostTrust = 30

// step returns how far a weight moves: to the optimum of the bound, within the trust region. In
// that region, p(1-p) at log-odds x is at most 1/4 and, if |x| exceeds the trust t, at most 1/(2 +
// e^(|x|-t) + e^(t-|x|)).
func (f *fit) step(w *weight) float64 {
	slope, curve := 0.0, 0.0
	far := math.Exp(w.trust)
	for _, r := range f.rows(w) {
		if f.state[r] == data.Missing {
			continue
		}
		odds := f.odds(w.k, r)
		less := math.Exp(-math.Abs(odds)) // the smaller of the odds and their inverse
		p := less / (1 + less)
		if odds > 0 {
			p = 1 / (1 + less)
		}
		n := f.d.weight[r]
		if int(f.state[r]) == w.k {
			slope += n * (1 - p)
		} else {
			slope -= n * p
		}
		if x := less * far; x >= 1 {
			curve += n / 4
		} else {
			curve += n / (2 + x + 1/x)
		}
	}
	if curve == 0 {
		return 0
	}
	step := shrink(w.value+slope/curve, f.l1/curve) - w.value
	step = max(-w.trust, min(w.trust, step))
	w.trust = min(mostTrust, max(2*math.Abs(step), w.trust/2))
	return step
}

// odds returns the log-odds of state k against all others in a row.
func (f *fit) odds(k int, r int32) float64 {
	if f.card == 2 {
		return f.log[k][r] - f.log[1-k][r]
	}
	most := math.Inf(-1)
	for j, row := range f.log {
		if j != k {
			most = max(most, row[r])
		}
	}
	sum := 0.0
	for j, row := range f.log {
		if j != k {
			sum += math.Exp(row[r] - most)
		}
	}
	return f.log[k][r] - most - pgmrt.Ln(sum)
}

// shrink moves x towards zero by the given amount, but not past it.
func shrink(x, by float64) float64 {
	return math.Copysign(max(0, math.Abs(x)-by), x)
}

// cpd returns the result, with the variables that have weights in order.
func (f *fit) cpd() CPD {
	var c CPD
	axis := map[int]int{}
	for v := range f.d.vars {
		for i := range f.weights {
			if w := &f.weights[i]; w.v == v && w.value != 0 {
				axis[v] = len(c.Others)
				c.Others = append(c.Others, v)
				break
			}
		}
	}
	child := len(c.Others)
	list := &model.Features{}
	for i := range f.weights {
		w := &f.weights[i]
		if w.v >= 0 && w.value == 0 {
			continue
		}
		c.Params++
		c.Score -= f.l1 * math.Abs(w.value)
		x := model.Feature{Weight: w.value, Literals: []model.Literal{{Axis: child, State: int32(w.k)}}}
		if w.v >= 0 {
			x.Literals = append(x.Literals, model.Literal{Axis: axis[w.v], State: int32(w.state)})
		}
		list.List = append(list.List, x)
	}
	for _, r := range f.all {
		k := int(f.state[r])
		odds := math.Inf(1)
		if f.card > 1 {
			odds = f.odds(k, r)
		}
		c.Score -= f.d.weight[r] * math.Log1p(math.Exp(-odds))
	}
	c.Factor = &model.Factor{Child: child, Dist: list}
	for _, v := range append(c.Others[:child:child], f.target) {
		c.Factor.Scope = append(c.Factor.Scope, model.VarID(v))
	}
	return c
}
