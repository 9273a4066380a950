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

// plane holds the strategies of the frontier of costs and effects, and the others.
type plane struct {
	Frontier  []trade `json:"frontier"`
	Dominated []rival `json:"dominated,omitempty"`
	cost      string  // what the axes of a picture are
	effect    string
}

// strategy is a strategy with its mean cost and effect.
type strategy struct {
	Strategy string   `json:"strategy"` // the option of the first decision, if it always takes that
	Cost     float64  `json:"cost"`
	Effect   float64  `json:"effect"`
	Policies []policy `json:"policies"`
	Plan     []*step  `json:"plan,omitempty"` // of a decision analysis network
	Remark   string   `json:"remark,omitempty"`
}

// trade is a strategy of the frontier.
type trade struct {
	From float64 `json:"from"` // of the willingness to pay
	To   float64 `json:"to"`
	strategy
}

// rival is a strategy that is not on the frontier.
type rival struct {
	strategy
	By     []string `json:"by"` // a strategy that is better, or two of which a mixture is
	Equal  bool     `json:"equal,omitempty"`
	Beyond *float64 `json:"beyond,omitempty"` // the willingness to pay above or below which it is better than that of By
	Below  bool     `json:"below,omitempty"`
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

// frontier answers with the strategies that are best for some willingness to pay, and with what the
// options of the first decision lead to otherwise.
func (s *solver) frontier(ctx context.Context, f *Options) (*report, error) {
	low, high, err := f.willingness()
	if err != nil {
		return nil, err
	}
	m, likelihood := s.m, s.likelihood
	if early, ok := s.early(); ok && len(s.template.Transition.Decisions) == 0 && !f.Limited {
		m, likelihood = s.template, early
	}
	list, err := decide.Frontier(ctx, m, likelihood, low, high, s.options)
	if err != nil {
		return nil, err
	}
	rivals, err := decide.Rivals(ctx, m, likelihood, low, high, s.options, list)
	if err != nil {
		return nil, err
	}
	p := &plane{cost: "cost", effect: "effect"}
	for _, c := range s.m.Diagram.Criteria {
		if c.Cost == 1 && c.Unit != "" {
			p.cost = "cost in " + c.Unit
		}
		if c.Effect == 1 && c.Unit != "" {
			p.effect = "effect in " + c.Unit
		}
	}
	for _, x := range list {
		p.Frontier = append(p.Frontier, trade{x.From, x.To, s.strategy(ctx, &x)})
	}
	for _, x := range rivals {
		r := rival{strategy: s.strategy(ctx, &x.Trade), Equal: x.Equal}
		if !math.IsNaN(x.Beyond) {
			r.Beyond, r.Below = &x.Beyond, x.Effect < list[x.By[0]].Effect
		}
		p.Dominated = append(p.Dominated, r)
	}
	names := p.number()
	for i, x := range rivals {
		for _, k := range x.By {
			p.Dominated[i].By = append(p.Dominated[i].By, names[k])
		}
	}
	r := &report{name: s.m.Name, plane: p}
	if f.draws() {
		r.picture, err = p.picture(s.m.Name, f.File)
	}
	return r, err
}

// strategy describes a strategy.
func (s *solver) strategy(ctx context.Context, x *decide.Trade) strategy {
	out := strategy{Strategy: "strategy", Cost: x.Cost, Effect: x.Effect, Policies: []policy{}}
	if x.Option >= 0 {
		out.Strategy = s.m.States(x.First)[x.Option]
	}
	for _, p := range x.Policies {
		out.Policies = append(out.Policies, s.named(p))
	}
	if s.m.Diagram.Asymmetry != nil {
		root, err := x.Tree(ctx)
		if err != nil {
			out.Remark = err.Error()
		} else {
			out.Plan = s.steps(root.Branches)
		}
	}
	return out
}

// number adds numbers to names that several strategies have, and returns all names.
func (p *plane) number() (names []string) {
	all := []*strategy{}
	for i := range p.Frontier {
		all = append(all, &p.Frontier[i].strategy)
	}
	for i := range p.Dominated {
		all = append(all, &p.Dominated[i].strategy)
	}
	count := map[string]int{}
	for _, x := range all {
		count[x.Strategy]++
	}
	at := map[string]int{}
	for _, x := range all {
		if n := x.Strategy; count[n] > 1 {
			at[n]++
			x.Strategy = fmt.Sprint(n, " ", at[n])
		}
		names = append(names, x.Strategy)
	}
	return names
}

// text returns a line for each strategy of the frontier and for each other one, and then what those
// of the frontier do.
func (p *plane) text() string {
	t, others, each := table.Table{}, table.Table{}, ""
	t.Add("willingness from", "to", "strategy", "cost", "effect")
	for _, x := range p.Frontier {
		t.Add(number(x.From), number(x.To), x.Strategy, number(x.Cost), number(x.Effect))
		each += fmt.Sprintf("\n%s, from %s to %s:\n", x.Strategy, number(x.From), number(x.To)) + policiesText(x.Policies)
		if x.Plan != nil {
			each += "\n" + planText(x.Plan)
		}
		if x.Remark != "" {
			each += "\n" + x.Remark + "\n"
		}
	}
	if len(p.Dominated) == 0 {
		return t.String() + each
	}
	others.Add("off the frontier", "cost", "effect")
	for _, x := range p.Dominated {
		others.Add(x.Strategy, number(x.Cost), number(x.Effect), x.why())
	}
	return t.String() + "\n" + others.String() + each
}

// why says why a strategy is not on the frontier.
func (r *rival) why() string {
	by := r.By[0]
	if len(r.By) > 1 {
		by = "a mixture of " + r.By[0] + " and " + r.By[1]
	}
	switch {
	case r.Equal:
		return "as good as " + by
	case r.Beyond != nil && r.Below:
		return "better than " + by + " below " + number(*r.Beyond)
	case r.Beyond != nil:
		return "better than " + by + " above " + number(*r.Beyond)
	}
	return "dominated by " + by
}
