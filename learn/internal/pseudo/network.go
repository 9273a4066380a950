package pseudo

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// MaxFeatures is the most features. Each costs some milliseconds for ten thousand rows until all
// are fitted.
const MaxFeatures = 1 << 20

// Listed returns the features of a potential that lists them, and nil for one that becomes a table.
func Listed(f *model.Factor) *model.Features {
	if d, ok := f.Dist.(*model.Features); ok && f.Child < 0 {
		return d
	}
	return nil
}

// FeaturesOf returns the features of a network: of each factor in turn, its own, or one for each
// number of its table.
func FeaturesOf(m *model.Model) ([]Feature, error) {
	var list []Feature
	for _, f := range m.Factors {
		if d := Listed(f); d != nil {
			for _, x := range d.List {
				list = append(list, Feature{Tests: tests(f, x.Literals), Weight: x.Weight})
			}
			continue
		}
		values, err := m.Tabulate(f, MaxFeatures-len(list))
		if err != nil {
			return nil, err
		}
		state := make([]int, len(m.Vars))
		for _, x := range values {
			var on []rowset.Test
			for _, v := range f.Scope {
				on = append(on, rowset.Test{Var: int(v), State: state[v]})
			}
			list = append(list, Feature{Tests: on, Weight: pgmrt.Ln(x)})
			m.Next(f.Scope, state)
		}
	}
	if len(list) > MaxFeatures {
		return nil, fmt.Errorf("the network to begin from has %d features; the limit is %d", len(list), MaxFeatures)
	}
	return list, nil
}

func tests(f *model.Factor, literals []model.Literal) (list []rowset.Test) {
	for _, l := range literals {
		list = append(list, rowset.Test{Var: int(f.Scope[l.Axis]), State: int(l.State), Not: l.Not})
	}
	return list
}

// Rewrite returns the network with other weights. Tables are scaled so that their largest number is
// 1.
func Rewrite(m *model.Model, list []Feature) *model.Model {
	out := *m
	out.Kind, out.Factors = model.Markov, nil
	for _, f := range m.Factors {
		g := &model.Factor{Scope: f.Scope, Child: -1, Pos: f.Pos}
		if d := Listed(f); d != nil {
			x := &model.Features{List: slices.Clone(d.List)}
			for i := range x.List {
				x.List[i].Weight = list[i].Weight
			}
			g.Dist, g.RowPos, list = x, f.RowPos, list[len(x.List):]
		} else {
			n, _ := m.TableSize(f.Scope)
			logs := make([]float64, n)
			for k, x := range list[:n] {
				logs[k] = x.Weight
			}
			g.Dist, list = &model.Table{Values: Exponentials(logs)}, list[n:]
		}
		out.Factors = append(out.Factors, g)
	}
	return &out
}

// Exponentials returns the exponentials of weights, divided by the largest.
func Exponentials(weights []float64) []float64 {
	most := -math.MaxFloat64
	for _, x := range weights {
		most = max(most, x)
	}
	values := make([]float64, len(weights))
	for i, x := range weights {
		values[i] = math.Exp(x - most)
	}
	return values
}

// Holds reports whether all tests of a feature hold in a row.
func (f *Feature) Holds(row []int) bool {
	return !slices.ContainsFunc(f.Tests, func(t rowset.Test) bool { return !t.Holds(row) })
}
