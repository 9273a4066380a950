package decision

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// information is the value of knowing a variable, or several together, before a decision.
type information struct {
	Variable  string   `json:"variable,omitempty"`
	Variables []string `json:"variables,omitempty"` // of several
	Value     float64  `json:"value"`
	Price     *float64 `json:"price,omitempty"`
	Net       *float64 `json:"net,omitempty"` // the value less the price
}

// information returns the value of each variable that the decision does not affect and of which
// nothing is known, and of all together; and of the sets that flags name. The most valuable
// variable is first.
func (s *solver) information(ctx context.Context, f *Options) ([]information, error) {
	before, err := s.before(f.Before)
	if err != nil {
		return nil, err
	}
	prices, err := s.prices(f.Price)
	if err != nil {
		return nil, err
	}
	list, valued := []information{}, make([]bool, len(s.m.Vars))
	add := func(vars []model.VarID) error {
		for _, v := range vars {
			valued[v] = true
		}
		x, err := decide.Value(ctx, s.m, s.likelihood, vars, before, s.options)
		if err == nil {
			list = append(list, s.priced(vars, x, prices))
		}
		return err
	}
	if f.Information {
		vars, err := decide.Unaffected(s.m, s.likelihood, before)
		if err != nil {
			return nil, err
		}
		for _, v := range vars {
			if err := add([]model.VarID{v}); err != nil {
				return nil, err
			}
		}
		slices.SortStableFunc(list, func(x, y information) int { return cmp.Compare(y.Value, x.Value) })
		if len(vars) > 1 {
			if err := add(vars); err != nil {
				return nil, err
			}
		}
	}
	for _, text := range f.Know {
		vars, err := s.variables(text)
		if err == nil {
			err = add(vars)
		}
		if err != nil {
			return nil, err
		}
	}
	for v := range s.m.Vars {
		if _, ok := prices[model.VarID(v)]; ok && !valued[v] {
			return nil, cli.Usagef("--price of %q: neither --information nor --know values it; name it by --know", s.m.Vars[v].Name)
		}
	}
	return list, nil
}

// priced returns the value of vars with their price, if flags have prices.
func (s *solver) priced(vars []model.VarID, value float64, prices map[model.VarID]float64) information {
	x := information{Value: value}
	if x.Variables = s.names(vars); len(vars) == 1 {
		x.Variable, x.Variables = x.Variables[0], nil
	}
	if len(prices) > 0 {
		price := 0.0
		for _, v := range vars {
			price += prices[v]
		}
		net := value - price
		x.Price, x.Net = &price, &net
	}
	return x
}

// before returns the decision of --before.
func (s *solver) before(name string) (model.VarID, error) {
	if name == "" {
		return decide.First, nil
	}
	v, ok := s.m.VarByName(name)
	if !ok {
		return 0, cli.UnknownVariable("--before", name, s.m)
	}
	return v.ID, nil
}

// variables reads a value of --know.
func (s *solver) variables(text string) (list []model.VarID, err error) {
	parts, err := diag.SplitNames(text)
	if err != nil {
		return nil, cli.Usagef("--know %q: %w", text, err)
	}
	for _, p := range parts {
		v, ok := s.m.VarByName(p[0])
		if len(p) > 1 {
			return nil, cli.Usagef("--know %q: found a state; want variables", text)
		} else if !ok {
			return nil, cli.UnknownVariable("--know", p[0], s.m)
		} else if slices.Contains(list, v.ID) {
			return nil, cli.Usagef("--know %q: found %q twice; want each variable once", text, p[0])
		}
		list = append(list, v.ID)
	}
	return list, nil
}

// prices reads the values of --price.
func (s *solver) prices(values []string) (map[model.VarID]float64, error) {
	out := map[model.VarID]float64{}
	for _, value := range values {
		pairs, err := cli.SplitPairs("--price", value, "a number")
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			v, ok := s.m.VarByName(p[0])
			if !ok {
				return nil, cli.UnknownVariable("--price", p[0], s.m)
			}
			x, err := strconv.ParseFloat(p[1], 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, cli.Usagef("--price %q: the price of %q is %q; want a number", value, p[0], p[1])
			}
			if _, twice := out[v.ID]; twice {
				return nil, fmt.Errorf("--price: variable %q occurs twice", p[0])
			}
			out[v.ID] = x
		}
	}
	return out, nil
}
