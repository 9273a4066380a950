package em

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

const (
	// maxIdentified is the most numbers of a network of which Identify computes the information.
	maxIdentified = 2000
	// unidentified is the share of the information of complete rows up to which a direction is
	// free. Directions along which the likelihood stays the same have rounding errors, about 1e-15.
	unidentified = 1e-10
)

// Identify computes how far rows determine the parameters of m, a network of discrete variables,
// near their values in m. A direction is free if the probability of no row changes along it, and of
// no family that a row observes: it is in the null space of the empirical Fisher information, the
// sum of the products of their scores. Without the families, few rows would leave free what their
// counts determine. The scores are relative to the information if nothing were missing, so that the
// eigenvalues are shares from 0 to 1 (Orchard and Woodbury 1972, A missing information principle).
// Numbers of 0 stay 0.
//
// Reference: Koller and Friedman, section 19.1.4; Rothenberg 1971, Identification in parametric
// models, for the rank.
func Identify(ctx context.Context, m *model.Model, s *data.Set, column []int, opt mle.Options, job *learner.Job) (*learner.Identification, error) {
	if list := m.Reals(); list != nil {
		return nil, fmt.Errorf("the variable %q is real; want discrete variables, of which identifiability is computed", m.Vars[list[0]].Name)
	}
	est, err := mle.New(m, opt)
	if err != nil {
		return nil, err
	}
	i := &identifier{est: est, m: m, rows: est.Rows(m)}
	for _, r := range i.rows {
		i.size += len(r.P)
	}
	if i.size > maxIdentified {
		return nil, fmt.Errorf("the network has %d numbers above 0; want at most %d, of which identifiability is computed", i.size, maxIdentified)
	}
	if i.expecter, err = newExpecter(ctx, m, est, s, column, limits{1, job.MaxMem, maxListed}); err != nil {
		return nil, err
	}
	if err := i.eachRow(ctx); err != nil {
		return nil, err
	}
	return i.result(ctx)
}

// identifier computes the information of rows.
type identifier struct {
	*expecter
	est   *mle.Estimator
	m     *model.Model
	rows  []mle.Row     // of parameters
	size  int           // the numbers of all of them
	prior []float64     // by number: the part of the prior in a gradient
	total []float64     // by number: the expected count of its row
	info  *mat.SymDense // the sum of the products of scores
}

// eachRow sums the information of the rows of the data. The probability of a row is a product of
// the numbers of the families that it observes and the probability of the rest: each of these
// factors has a score of its own.
func (i *identifier) eachRow(ctx context.Context) error {
	whole, err := i.est.Zero()
	if err != nil {
		return err
	}
	i.prior, i.total = i.est.Gradient(whole, i.m, i.m), make([]float64, i.size)
	i.info = mat.NewSymDense(max(1, i.size), nil)
	if len(i.expecter.rows) > 0 {
		if err := i.load(i.m); err != nil {
			return err
		}
	}
	r, missed := i.newRow(), make([]float64, len(i.m.Factors))
	for row := range i.set.Len() {
		w := i.set.Weight(row)
		if err := ctx.Err(); err != nil {
			return err
		}
		if w == 0 {
			continue
		}
		i.read(row, &r)
		i.est.Tally(whole, r.state, w, missed)
		if slices.Contains(r.state, data.Missing) {
			if err := i.rest(row, &r, w); err != nil {
				return err
			}
		}
	}
	return i.families(ctx, whole)
}

// rest adds the score of the families of a row that miss a value.
func (i *identifier) rest(row int, r *row, w float64) error {
	c, tables := i.cores[0], emptyTables(i.m)
	i.read(row, &c.row)
	if _, err := i.row(c, 1, tables); err != nil {
		return i.impossible(err, r)
	}
	n, err := i.est.FromTables(tables)
	if err != nil {
		return err
	}
	for k, f := range i.m.Factors {
		if !slices.ContainsFunc(f.Scope, func(v model.VarID) bool { return r.state[v] == data.Missing }) {
			clear(n[k])
		}
	}
	i.add(n, w)
	return nil
}

// families adds the scores of observed families, each with its weight in the counts.
func (i *identifier) families(ctx context.Context, whole mle.Counts) error {
	n, err := i.est.Zero()
	if err != nil {
		return err
	}
	for k, counts := range whole {
		for at, w := range counts {
			if err := ctx.Err(); err != nil {
				return err
			}
			if w > 0 {
				n[k][at] = 1
				i.add(n, w)
				n[k][at] = 0
			}
		}
	}
	return nil
}

// add adds the information of an observation of weight w with the expected counts n.
func (i *identifier) add(n mle.Counts, w float64) {
	for k, sum := range i.est.RowCounts(n, i.m) {
		i.total[k] += w * sum
	}
	var list []int
	score := i.est.Gradient(n, i.m, i.m)
	for k := range score {
		if score[k] -= i.prior[k]; score[k] == 0 {
			continue
		}
		list = append(list, k)
		for _, j := range list {
			i.info.SetSym(k, j, i.info.At(k, j)+w*score[k]*score[j])
		}
	}
}

// result finds the free directions. With z the score of a row by logits divided by the square roots
// of the expected counts, the information of complete rows is 1 along all vectors orthogonal to the
// square roots of each row's probabilities, along which logits have no effect.
func (i *identifier) result(ctx context.Context) (*learner.Identification, error) {
	a, out := i.info, &learner.Identification{Least: 1}
	scale := make([]float64, 0, i.size)
	for _, r := range i.rows {
		out.Params += len(r.P) - 1
		for _, p := range r.P {
			scale = append(scale, math.Sqrt(i.total[len(scale)]*p))
		}
	}
	for k, s := range scale {
		for j := range k + 1 {
			if x := a.At(k, j); x != 0 {
				a.SetSym(k, j, x/(s*scale[j]))
			}
		}
	}
	start := 0
	for _, r := range i.rows {
		for k, p := range r.P {
			for j, q := range r.P[:k+1] {
				a.SetSym(start+k, start+j, a.At(start+k, start+j)+math.Sqrt(p)*math.Sqrt(q))
			}
		}
		start += len(r.P)
	}
	var eigen mat.EigenSym
	done := make(chan bool, 1)
	go func() { done <- eigen.Factorize(a, true) }() // takes half a minute at most, and no context
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case ok := <-done:
		if !ok {
			return nil, fmt.Errorf("the eigenvalues of the information matrix did not converge")
		}
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	freed := make([]float64, i.size)
	for c, value := range eigen.Values(nil)[:i.size] {
		if value > unidentified {
			out.Least = min(out.Least, value)
			continue
		}
		out.Free++
		for k := range freed {
			freed[k] += vectors.At(k, c) * vectors.At(k, c)
		}
	}
	out.Rows = i.free(freed)
	return out, nil
}

// leastFree is the least share of a free direction that is reported for a row.
const leastFree = 1e-6

// free lists the rows of parameters with their shares of the free directions, the largest first.
func (i *identifier) free(freed []float64) (list []learner.FreeRow) {
	for _, r := range i.rows {
		sum := 0.0
		for _, x := range freed[:len(r.P)] {
			sum += x
		}
		freed = freed[len(r.P):]
		if sum > leastFree {
			f := i.m.Factors[r.Factor]
			list = append(list, learner.FreeRow{Variable: i.m.Vars[f.ChildVar()].Name, Given: given(i.m, f, r.Index), Free: sum})
		}
	}
	slices.SortStableFunc(list, func(a, b learner.FreeRow) int {
		if math.Abs(a.Free-b.Free) < leastFree {
			return 0
		}
		return cmp.Compare(b.Free, a.Free)
	})
	return list
}

// given returns the states of the parents in a row of a CPT, or of another CPD the number of the
// row.
func given(m *model.Model, f *model.Factor, row int) []string {
	if _, ok := f.Dist.(*model.Table); !ok {
		return []string{fmt.Sprintf("row %d", row+1)}
	}
	list := []string{}
	for _, u := range slices.Backward(f.Parents()) {
		list = append(list, m.Vars[u].Name+"="+m.States(u)[row%m.Card(u)])
		row /= m.Card(u)
	}
	slices.Reverse(list)
	return list
}
