package rate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/independence"
)

// Goodness compares statistics of rows with the same statistics of data sets of as many rows that
// the model draws, with the same values missing. Rows that the model did not generate have
// statistics that few of the sets reach.
//
// Source: Koller and Friedman, box 16.A, goodness of fit.
type Goodness struct {
	Sets, Rows int
	// LogLik is the mean log-likelihood of a row; nil if the model has none.
	LogLik *Statistic
	// Pairs has the empirical mutual information of each pair of variables, in nats, the smallest
	// p-value first, and of equal ones the farthest outside of the range.
	Pairs []PairStatistic
}

// Statistic is a statistic of the rows and how the drawn sets have it.
type Statistic struct {
	Value     float64
	Low, High float64 // the central 95 % of the sets
	// P is the two-sided p-value: twice the smaller share of the rows and the sets that are as low,
	// or as high.
	P float64
}

// PairStatistic is the statistic of a pair of variables.
type PairStatistic struct {
	A, B string
	Statistic
}

// GoodnessOptions are the options of [CompareDrawn].
type GoodnessOptions struct {
	Sets  int    // the number of sets to draw
	Seed  uint64 // of the draws
	Cores int    // goroutines that compute moments of real variables; 0: 1
}

// CompareDrawn compares rows with sets that m draws. The rows have the variables of m that are not
// latent, in their order, as [data.VarsOf] lists them.
func CompareDrawn(ctx context.Context, m *model.Model, rows *data.Set, opt GoodnessOptions) (*Goodness, error) {
	if opt.Sets < 1 {
		return nil, fmt.Errorf("%d sets to compare the rows with; want 1 or more", opt.Sets)
	}
	e, err := infer.New(ctx, m, infer.Options{Seed: opt.Seed})
	if err != nil {
		return nil, err
	}
	s, err := NewScorer(m, ScorerOptions{Keep: true})
	if err != nil {
		return nil, err
	}
	g := &Goodness{Sets: opt.Sets, Rows: rows.Len()}
	all := make([][]float64, 1+opt.Sets) // the statistics of the rows, then of the sets
	for i := range all {
		set := rows
		if i > 0 {
			if set, err = drawLike(ctx, e, rows); err != nil {
				return nil, err
			}
		}
		if all[i], err = statistics(ctx, s, set, opt.Cores); err != nil {
			return nil, err
		}
	}
	g.take(rows.Vars, all)
	return g, nil
}

// drawLike draws as many rows as a set has, and drops the values that it misses.
func drawLike(ctx context.Context, e *infer.Engine, like *data.Set) (*data.Set, error) {
	rows := make([][]float64, 0, like.Len())
	for x, err := range e.Values(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if len(rows) == like.Len() {
			break
		}
		row := make([]float64, len(like.Vars))
		for v := range row {
			column := like.Column(v)
			switch y := x[v]; {
			case column.At(len(rows)) == data.Missing:
				row[v] = math.NaN()
			case like.Vars[v].Real:
				row[v] = y.Real
			default:
				row[v] = float64(y.State)
			}
		}
		rows = append(rows, row)
	}
	return data.NewReal(like.Vars, rows, like.Weights())
}

// statistics returns the mean log-likelihood of the rows by s, NaN if the model has none, and the
// mutual information of each pair of variables, NaN for pairs without one.
func statistics(ctx context.Context, s *Scorer, rows *data.Set, cores int) ([]float64, error) {
	before := len(s.Logs())
	if err := s.AddSet(ctx, rows); err != nil {
		return nil, err
	}
	list := []float64{math.NaN()}
	if _, ok := s.LL(); ok {
		sum, weight := 0.0, 0.0
		for i, log := range s.Logs()[before:] {
			sum += rows.Weight(i) * log
			weight += rows.Weight(i)
		}
		list[0] = sum / weight
	}
	var moments *data.Moments
	if slices.ContainsFunc(rows.Vars, func(v data.Var) bool { return v.Real }) {
		moments = data.NewMoments(rows, cores)
	}
	oracle, err := independence.New(data.NewCounter(rows, 0), moments, independence.Options{Kind: "mi", Level: .5})
	if err != nil {
		return nil, err
	}
	for y := range rows.Vars {
		for x := range y {
			o := oracle(x, y, nil)
			if o.Skipped || len(o.Determined) > 0 {
				o.PValue = math.NaN()
			}
			list = append(list, -o.PValue)
		}
	}
	return list, ctx.Err()
}

// take compares the first list of statistics with the others.
func (g *Goodness) take(vars []data.Var, all [][]float64) {
	at := func(i int) (s Statistic, ok bool) {
		own, drawn := all[0][i], make([]float64, 0, g.Sets)
		for _, set := range all[1:] {
			drawn = append(drawn, set[i])
		}
		if math.IsNaN(own) || slices.ContainsFunc(drawn, math.IsNaN) {
			return s, false
		}
		slices.Sort(drawn)
		low, _ := slices.BinarySearch(drawn, own)
		high := slices.IndexFunc(drawn, func(x float64) bool { return x > own })
		if high < 0 {
			high = len(drawn)
		}
		n := float64(1 + g.Sets)
		s = Statistic{Value: own, Low: drawn[int(.025*n)], High: drawn[min(len(drawn)-1, int(.975*n))]}
		s.P = min(1, 2*min(float64(1+high)/n, float64(1+g.Sets-low)/n))
		return s, true
	}
	if s, ok := at(0); ok {
		g.LogLik = &s
	}
	i := 0
	for y := range vars {
		for x := range y {
			i++
			if s, ok := at(i); ok {
				g.Pairs = append(g.Pairs, PairStatistic{vars[x].Name, vars[y].Name, s})
			}
		}
	}
	slices.SortStableFunc(g.Pairs, func(a, b PairStatistic) int {
		return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(b.away(), a.away()))
	})
}

// away returns how far the value is outside of the central range, in widths of the range.
func (s *Statistic) away() float64 { return max(s.Low-s.Value, s.Value-s.High) / (s.High - s.Low) }
