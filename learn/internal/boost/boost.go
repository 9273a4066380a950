package boost

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/logistic"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Options bound the growth of trees.
type Options struct {
	Trees     int     // Trees int // most trees of each state
	Depth     int     // Depth int // most tests on a path from the root to a leaf
	Shrinkage float64 // Shrinkage float64 // factor of each step, above 0 and up to 1
	MinCount  float64 // least total weight of the rows of a leaf
}

const (
	// ridge is added to the curvature at a leaf, so that a leaf with few rows makes a small step. 1
	// is the default of XGBoost.
	ridge = 1
	// patience is the number of rounds without an improvement on the validation rows after which
	// growing ends.
	patience = 30
)

// Data is a data set that is prepared for boosting. Several goroutines may use it at once.
type Data struct {
	vars         []data.Var
	train, valid rows
	having       [][][]int32 // by variable and state: the training rows that have it; nil for states that no tree tests
}

// rows holds a data set by column.
type rows struct {
	columns []data.States
	weight  []float64
}

func newRows(s *data.Set) rows {
	s = s.Merged()
	var r rows
	for v := range s.Vars {
		r.columns = append(r.columns, s.Column(v))
	}
	for i := range s.Len() {
		r.weight = append(r.weight, s.Weight(i))
	}
	return r
}

// New prepares the training rows and, unless valid is nil, the validation rows.
func New(train, valid *data.Set) *Data {
	d := &Data{vars: train.Vars, train: newRows(train), having: make([][][]int32, len(train.Vars))}
	if valid != nil {
		d.valid = newRows(valid)
	}
	for v, x := range d.vars {
		d.having[v] = make([][]int32, len(x.States))
		for i := range d.train.weight {
			if k := d.train.columns[v].At(i); k > 0 || k == 0 && len(x.States) > 2 { // of two states, a test of one suffices
				d.having[v][k] = append(d.having[v][k], int32(i))
			}
		}
	}
	return d
}

// CPD is a fitted distribution: a logistic regression with features as parameters and the
// log-likelihood as score of the training rows.
type CPD struct {
	logistic.CPD
	Trees int
}

// part holds the rows of one set in which the target is observed, with the current sums.
type part struct {
	*rows
	known []int32
	state []int32     // the target's state, by row
	sum   [][]float64 // by state and row: the logarithm of its unnormalised probability
}

// fit is the state of one call of Fit.
type fit struct {
	d            *Data
	o            Options
	target, card int
	states       []int // the states that have trees
	first        []float64
	train, valid part
	p            [][]float64 // by state and training row: its probability at the beginning of the round
	trees        []tree      // the trees of one round after the other, one for each entry of states
}

// Fit fits the distribution of a variable. If ctx ends early, it returns the trees grown so far.
func (d *Data) Fit(ctx context.Context, target int, o Options) CPD {
	f := &fit{d: d, o: o, target: target, card: len(d.vars[target].States)}
	f.states = []int{1}
	if f.card != 2 {
		f.states = nil
		for k := range f.card {
			f.states = append(f.states, k)
		}
	}
	f.begin()
	rounds := f.rounds(ctx)
	f.trees = f.trees[:rounds*len(f.states)]
	return f.cpd()
}

// begin sets the sums to the logarithms of the states' frequencies, with one pseudo-count a state.
func (f *fit) begin() {
	n := make([]float64, f.card)
	for k := range n {
		n[k] = 1
	}
	for i, w := range f.d.train.weight {
		if k := f.d.train.columns[f.target].At(i); k != data.Missing {
			n[k] += w
		}
	}
	for k := range n {
		f.first = append(f.first, pgmrt.Ln(n[k]/n[0]))
		f.p = append(f.p, make([]float64, len(f.d.train.weight)))
	}
	f.train, f.valid = f.part(&f.d.train), f.part(&f.d.valid)
}

func (f *fit) part(r *rows) part {
	p := part{rows: r}
	for i := range r.weight {
		k := r.columns[f.target].At(i)
		p.state = append(p.state, int32(k))
		if k != data.Missing {
			p.known = append(p.known, int32(i))
		}
	}
	for _, x := range f.first {
		row := make([]float64, len(r.weight))
		for i := range row {
			row[i] = x
		}
		p.sum = append(p.sum, row)
	}
	return p
}

// rounds grows trees and returns the best number of rounds.
func (f *fit) rounds(ctx context.Context) int {
	if f.card < 2 || len(f.train.known) == 0 {
		return 0
	}
	best, least := 0, math.Inf(-1)
	if len(f.valid.known) > 0 {
		least = f.valid.log()
	}
	round := 0
	for ; round < f.o.Trees && ctx.Err() == nil; round++ {
		f.probabilities()
		grown := false
		for _, k := range f.states {
			t := f.grow(k)
			f.trees = append(f.trees, t)
			grown = grown || len(t.nodes) > 1
			f.train.add(&t, k)
			f.valid.add(&t, k)
		}
		if !grown {
			return round
		}
		if len(f.valid.known) == 0 {
			best = round + 1
			continue
		}
		if now := f.valid.log(); now > least {
			best, least = round+1, now
		} else if round+1-best >= patience {
			break
		}
	}
	return best
}

// log returns the log-likelihood of the rows.
func (p *part) log() float64 {
	total := 0.0
	for _, r := range p.known {
		most, sum := math.Inf(-1), 0.0
		for _, row := range p.sum {
			most = max(most, row[r])
		}
		for _, row := range p.sum {
			sum += math.Exp(row[r] - most)
		}
		total += p.weight[r] * (p.sum[p.state[r]][r] - most - pgmrt.Ln(sum))
	}
	return total
}

// add adds a tree to the sums of state k.
func (p *part) add(t *tree, k int) {
	row := p.sum[k]
	for _, r := range p.known {
		n := &t.nodes[0]
		for n.v >= 0 {
			if p.columns[n.v].At(int(r)) == n.state {
				n = &t.nodes[n.yes]
			} else {
				n = &t.nodes[n.no]
			}
		}
		row[r] += n.value
	}
}

// probabilities computes the states' probabilities in each training row.
func (f *fit) probabilities() {
	for _, r := range f.train.known {
		most, sum := math.Inf(-1), 0.0
		for _, row := range f.train.sum {
			most = max(most, row[r])
		}
		for k, row := range f.train.sum {
			f.p[k][r] = math.Exp(row[r] - most)
			sum += f.p[k][r]
		}
		for k := range f.p {
			f.p[k][r] /= sum
		}
	}
}
