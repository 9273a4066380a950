package decision

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/decide"
)

// trade is a strategy of the frontier of costs and effects.
type trade struct {
	From     float64  `json:"from"` // of the willingness to pay
	To       float64  `json:"to"`
	Cost     float64  `json:"cost"`
	Effect   float64  `json:"effect"`
	Policies []policy `json:"policies"`
}

// willingness reads the interval of --willingness.
func (f *Options) willingness() (low, high float64, err error) {
	from, to, ok := strings.Cut(f.Willingness, ":")
	low, errLow := strconv.ParseFloat(from, 64)
	high, errHigh := strconv.ParseFloat(to, 64)
	if !ok || errLow != nil || errHigh != nil || !(0 <= low && low <= high) || math.IsInf(high, 1) {
		return 0, 0, cli.Usagef("--willingness is %q; want two numbers, 0 or more, ascending: 0:100000", f.Willingness)
	}
	return low, high, nil
}

// frontier answers with the strategies that are best for some willingness to pay.
func (s *solver) frontier(ctx context.Context, f *Options) (*report, error) {
	low, high, err := f.willingness()
	if err != nil {
		return nil, err
	}
	list, err := decide.Frontier(ctx, s.m, s.likelihood, low, high, s.options)
	if err != nil {
		return nil, err
	}
	r := &report{Frontier: []trade{}}
	for _, x := range list {
		t := trade{From: x.From, To: x.To, Cost: x.Cost, Effect: x.Effect, Policies: []policy{}}
		for _, p := range x.Policies {
			t.Policies = append(t.Policies, s.named(p))
		}
		r.Frontier = append(r.Frontier, t)
	}
	return r, nil
}

// frontierText returns a line for each strategy, and then their policies.
func frontierText(list []trade) string {
	t, policies := table.Table{}, ""
	t.Add("willingness from", "to", "cost", "effect")
	for _, x := range list {
		t.Add(number(x.From), number(x.To), number(x.Cost), number(x.Effect))
		policies += fmt.Sprintf("\nfrom %s to %s:\n", number(x.From), number(x.To))
		policies += policiesText(x.Policies)
	}
	return t.String() + policies
}
