package ldfm

import (
	"context"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// parts is the number of parts of the rows, each with its own counts. There are fewer if the counts
// would have more than partNumbers numbers.
const (
	parts       = 16
	partNumbers = 1 << 25
)

// em holds the data and the options of a run of EM.
type em struct {
	train          *data.Set // equal rows merged
	cores          int
	alpha, epsilon float64
	maxEdges       int // 0 for any number
	stop           bool

	m     *model.Model // the model without weights
	first []int        // by variable: its first column
	seen  []float64    // by row of the weights: how many nodes of trees it applies to

	reals  []model.VarID
	place  []int       // by variable: its index among the real ones; negative for a discrete one
	scale  []scale     // by variable, for real ones
	values [][]float64 // by real variable: the standardised values of train, which the normal distributions are of; nil for discrete ones
	less   float64     // see standard
}

// newEM prepares the data.
func newEM(train *data.Set, cores int, stop bool) (*em, error) {
	e := &em{train: train.Merged(), cores: cores, stop: stop, m: &model.Model{Name: "ldfm", Kind: model.Forest}, scale: make([]scale, len(train.Vars))}
	if stop {
		e.m.Name = "ldfm-s"
	}
	f := &model.Factor{Child: -1}
	for i, x := range train.Vars {
		v := e.m.NewVar(x.Name, x.States...)
		if x.Real {
			v.Domain = model.Real{}
			var err error
			if e.scale[i], err = scaleOf(train, i); err != nil {
				return nil, err
			}
		}
		f.Scope = append(f.Scope, v.ID)
	}
	e.m.Factors = []*model.Factor{f}
	e.first, e.reals, e.place = e.m.ForestOffsets(), e.m.Reals(), e.m.RealPlaces()
	e.values, e.less = e.standard(e.train)
	e.count()
	return e, nil
}

// count computes seen.
func (e *em) count() {
	e.seen = make([]float64, 1+e.columns())
	row := make([]int, len(e.m.Vars))
	for r := range e.train.Len() {
		e.train.Row(r, row)
		e.seen[0] += e.train.Weight(r)
		for v, s := range row {
			if s != data.Missing {
				e.seen[1+e.first[v]+s] += e.train.Weight(r)
			}
		}
	}
}

// columns returns the total number of states of all variables; a real variable counts as one.
func (e *em) columns() int { return e.first[len(e.first)-1] }

// entries calls do for each row of the weights with the ranges of its columns that belong to other
// variables.
func (e *em) entries(do func(row int, ranges [2][2]int)) {
	do(0, [2][2]int{{0, e.columns()}})
	for v := range e.m.Vars {
		for row := 1 + e.first[v]; row < 1+e.first[v+1]; row++ {
			do(row, [2][2]int{{0, e.first[v]}, {e.first[v+1], e.columns()}})
		}
	}
}

// start returns equal weights.
func (e *em) start() *model.LDFM {
	n := e.columns()
	d := &model.LDFM{Weights: make([]float64, (1+n)*n), Normals: e.startNormals()}
	if e.stop {
		d.Stop = make([]float64, 1+n)
	}
	e.entries(func(row int, ranges [2][2]int) {
		count := 0
		for _, r := range ranges {
			count += r[1] - r[0]
		}
		if e.stop {
			count++
			d.Stop[row] = 1 / float64(count)
		}
		for _, r := range ranges {
			for c := r[0]; c < r[1]; c++ {
				d.Weights[row*n+c] = 1 / float64(count)
			}
		}
	})
	return d
}

// expect returns the expected number of trees with each edge, followed by the sums for normal
// distributions, and the logarithm of the weight of all rows without stop weights.
func (e *em) expect(d *model.LDFM) (counts []float64, loglik float64) {
	size := len(d.Weights) + sums*len(d.Normals)
	n := min(parts, max(1, partNumbers/size))
	each, logs := make([][]float64, n), make([]float64, n)
	learner.Each(e.cores, n, func(part int) {
		each[part] = make([]float64, size)
		logs[part] = e.part(d, part, n, each[part])
	})
	counts = each[0]
	loglik = -e.less
	for part, sum := range each {
		loglik += logs[part]
		for i := range counts {
			if part > 0 {
				counts[i] += sum[i]
			}
		}
	}
	return counts, loglik
}

// part sums over every n-th row from row `part` on.
func (e *em) part(d *model.LDFM, part, n int, counts []float64) (loglik float64) {
	vars := len(e.m.Vars)
	row, states, present := make([]int, vars), make([]int, 0, vars), make([]int, 0, vars)
	root, edge := make([]float64, vars), make([]float64, vars*vars)
	place, x := make([]int, 0, vars), make([]float64, 0, vars) // of real variables
	whole := model.NewSpanning(vars)
	all, reals := e.columns(), len(e.reals)
	of := counts[len(d.Weights):]
	for r := part; r < e.train.Len(); r += n {
		e.train.Row(r, row)
		states, present, place, x = states[:0], present[:0], place[:0], x[:0]
		for v, s := range row {
			if s == data.Missing {
				continue
			}
			present, states, place, x = append(present, e.first[v]), append(states, s), append(place, e.place[v]), append(x, 0)
			if e.values[v] != nil {
				x[len(x)-1] = e.values[v][r]
			}
		}
		k := len(present)
		t := whole
		if k < vars {
			t = model.NewSpanning(k)
		}
		t.Load(&model.LDFM{Weights: d.Weights}, append(present, all), states)
		log := 0.0
		if reals > 0 {
			log = t.Densities(d, append(present, all), states, place, x)
		}
		log += t.Factor()
		weight := e.train.Weight(r)
		loglik += weight * log
		t.Expectations(root[:k], edge[:k*k])
		for j := range k {
			to := present[j] + states[j]
			counts[to] += weight * root[j]
			for i := range k {
				counts[(1+present[i]+states[i])*all+to] += weight * edge[i*k+j]
			}
			if place[j] < 0 {
				continue
			}
			note(of, place[j], weight*root[j], x[j], 0)
			for i := range k {
				if i != j {
					note(of, (1+present[i]+states[i])*reals+place[j], weight*edge[i*k+j], x[j], x[i])
				}
			}
		}
	}
	return loglik
}

// objective returns the objective of EM: the logarithm of the weight of all rows plus the logarithm
// of the prior, up to a constant. It leaves out the rows of states that do not occur in the data;
// EM does not change them.
func (e *em) objective(d *model.LDFM, loglik float64) float64 {
	n := e.columns()
	sum := loglik
	e.entries(func(row int, ranges [2][2]int) {
		if e.seen[row] == 0 {
			return
		}
		prior := func(w float64) {
			if e.alpha != 1 {
				sum += (e.alpha - 1) * pgmrt.Ln(w)
			}
		}
		for _, r := range ranges {
			for c := r[0]; c < r[1]; c++ {
				prior(d.Weights[row*n+c])
			}
		}
		if e.stop {
			sum += e.seen[row] * pgmrt.Ln(d.Stop[row])
			prior(d.Stop[row])
		}
	})
	return sum
}

// maximise returns the best weights for counts; cut reports which weights become epsilon.
func (e *em) maximise(old *model.LDFM, counts []float64, cut func(weight int) bool) *model.LDFM {
	n := e.columns()
	d := &model.LDFM{Weights: slices.Clone(old.Weights), Stop: slices.Clone(old.Stop), Normals: e.regressions(old.Normals, counts)}
	a := make([]float64, 0, n+1)
	e.entries(func(row int, ranges [2][2]int) {
		if e.seen[row] == 0 {
			return
		}
		a = a[:0]
		for _, r := range ranges {
			for c := r[0]; c < r[1]; c++ {
				if a = append(a, counts[row*n+c]+e.alpha-1); cut(row*n + c) {
					a[len(a)-1] = math.Inf(-1)
				}
			}
		}
		if e.stop {
			a = append(a, e.seen[row]+e.alpha-1)
		}
		if len(a) == 0 {
			return
		}
		maximise(a, a, e.epsilon)
		rest := a
		for _, r := range ranges {
			rest = rest[copy(d.Weights[row*n+r[0]:row*n+r[1]], rest):]
		}
		if e.stop {
			d.Stop[row] = rest[0]
		}
	})
	return d
}

// climb is the state of EM.
type climb struct {
	Round int         `json:"round"`
	Last  float64     `json:"last"`          // the objective one round before; 0 in the first
	Gain  float64     `json:"gain"`          // of the round before; 0 in the first two
	Now   *model.LDFM `json:"now"`           // the weights; normal distributions are of standardised values
	Cut   bool        `json:"cut,omitempty"` // weights at epsilon stay there
}

// fit runs EM until further rounds would gain less than a share of tolerance of the objective, and
// returns the last state, its objective and whether it ended for that reason. If there are too many
// edges then, it cuts some and continues with the others. If ctx has ended, it cuts them without a
// call of tell, because a search must not continue from there.
func (e *em) fit(ctx context.Context, at climb, rounds int, tell func(at climb, objective float64) error) (_ climb, objective float64, converged bool, err error) {
	for {
		counts, loglik := e.expect(at.Now)
		now := e.objective(at.Now, loglik)
		if err := tell(at, now); err != nil {
			return at, now, false, err
		}
		gain := 0.0
		if at.Round > 0 {
			gain = now - at.Last
		}
		converged := at.Round > 0 && learner.Settled(gain, at.Gain, tolerance*math.Abs(now))
		if at.Round < rounds && ctx.Err() == nil && !converged {
			cut := none
			if at.Cut {
				cut = e.gone(at.Now)
			}
			at = climb{at.Round + 1, now, gain, e.maximise(at.Now, counts, cut), at.Cut}
			continue
		}
		if at.Cut || e.maxEdges == 0 || e.edges(at.Now) <= e.maxEdges {
			return at, now, converged, nil
		}
		at = climb{Now: e.maximise(at.Now, counts, e.smallest(at.Now, counts)), Cut: true}
		if ctx.Err() != nil {
			_, loglik := e.expect(at.Now)
			return at, e.objective(at.Now, loglik), false, nil
		}
	}
}

// tolerance is the share of the objective below which the gain of all further rounds ends EM, as in
// EM of networks.
const tolerance = 1e-8
