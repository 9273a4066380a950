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

// listed returns the features of a potential that lists them, and nil for one that becomes a table.
func listed(f *model.Factor) *model.Features {
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
		if d := listed(f); d != nil {
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
		if d := listed(f); d != nil {
			x := &model.Features{List: slices.Clone(d.List)}
			for i := range x.List {
				x.List[i].Weight = list[i].Weight
			}
			g.Dist, g.RowPos, list = x, f.RowPos, list[len(x.List):]
		} else {
			n, _ := m.TableSize(f.Scope)
			g.Dist, list = table(list[:n]), list[n:]
		}
		out.Factors = append(out.Factors, g)
	}
	return &out
}

// table returns the exponentials of weights, divided by the largest.
func table(list []Feature) *model.Table {
	most := -math.MaxFloat64
	for _, x := range list {
		most = max(most, x.Weight)
	}
	d := &model.Table{}
	for _, x := range list {
		d.Values = append(d.Values, math.Exp(x.Weight-most))
	}
	return d
}
