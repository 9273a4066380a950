package compiler

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Growth says how an exact belief about discrete and real variables grows, which has a Gaussian for
// each history of states, and the cost of a filter that keeps fewer.
type Growth struct {
	Most int // histories that are kept
	// Slices is the number of slices after which there are at most as many, for any evidence; -1 if
	// that is so for all.
	Slices int
	// Real holds the real variables that persist, if observing them leaves one history for each
	// joint state of the discrete ones; nil if it does not.
	Real []string
	// Discrete holds the discrete parents of real variables, if observing them does; nil if it does
	// not.
	Discrete []string
	Ways     []Way // the filters that keep fewer
}

// Way is a filter with a belief of bounded size.
type Way struct {
	By         diag.Option
	What       string  // what the belief has, as in "one Gaussian"
	Operations float64 // of a slice, estimated
	Histories  bool    // whether the belief is of single histories, which have paths
}

// bounded returns the methods with a belief of bounded size, those with the fewest runs first.
func bounded() (list []*method.Method) {
	for i := range Methods {
		if Methods[i].Bounded != nil {
			list = append(list, &Methods[i])
		}
	}
	slices.SortStableFunc(list, func(x, y *method.Method) int { return cmp.Compare(x.Bounded.Runs, y.Bounded.Runs) })
	return list
}

// GrowthOf returns how the belief of a compiled filter grows that keeps at most most histories. It
// returns nil if the filter is none that keeps all histories.
func GrowthOf(ctx context.Context, m *model.Model, p *ir.Program, most int) (*Growth, error) {
	first, next := p.Entry(ir.FilterFirst), p.Entry(ir.FilterNext)
	if next == nil { // a program of paths, whose histories are as many
		first, next = p.Entry(ir.MaxFirst), p.Entry(ir.MaxNext)
	}
	if next == nil || next.Stream.Histories == nil || next.Stream.Histories.Beyond != ir.RefuseHistories {
		return nil, nil
	}
	g := &Growth{Most: most}
	var err error
	if g.Slices, err = lasting(m, p, first, next, most); err != nil {
		return nil, err
	}
	g.Real, g.Discrete = mergers(m)
	g.Ways, err = ways(ctx, m)
	return g, err
}

// longest is the most slices that lasting looks at. A belief that has not outgrown its limit by
// then has histories that come to an end as fast as others begin. mostRuns is the most joint states
// that are run one by one.
const (
	longest  = 10_000
	mostRuns = 256
)

// lasting counts the histories of slice after slice that are possible without evidence; evidence
// may rule out or merge some. It returns the number of slices with at most most of them, or -1.
func lasting(m *model.Model, p *ir.Program, first, next *ir.Entry, most int) (int, error) {
	machine := eval.New(p, m)
	states := p.Spans[next.Stream.In[0]].Len
	now, err := follows(machine, first, states, nil)
	if err != nil {
		return 0, err
	}
	if states > mostRuns {
		return outgrown(now, p.Spans[next.Stream.Out[0]].Len, most), nil
	}
	by := make([][]float64, states)
	for t := 1; t <= longest; t++ {
		after, total := make([]float64, states), 0.0
		for s, n := range now {
			if total += n; n == 0 {
				continue
			}
			if by[s] == nil {
				in := make([]float64, states)
				in[s] = 1
				if by[s], err = follows(machine, next, states, in); err != nil {
					return 0, err
				}
			}
			for to, k := range by[s] {
				after[to] += n * k
			}
		}
		if total > float64(most) {
			return t - 1, nil
		}
		now = after
	}
	return -1, nil
}

// outgrown is lasting if all of a number of histories may follow from each.
func outgrown(now []float64, elements, most int) (slices int) {
	total := 0.0
	for _, n := range now {
		total += n
	}
	for ; total <= float64(most) && slices < longest; slices++ {
		total *= float64(elements)
	}
	return slices
}

// follows runs an entry for one history without evidence. It returns the number of histories that
// may follow, by their state.
func follows(machine *eval.Machine, e *ir.Entry, states int, in []float64) ([]float64, error) {
	if in != nil {
		copy(machine.Span(e.Stream.In[0]), in)
	}
	if err := machine.Run(e); err != nil {
		return nil, fmt.Errorf("the histories of %s: %w", e.Query.Name, err)
	}
	share := machine.Span(e.Stream.Out[0])
	counts := make([]float64, states)
	for k, p := range share {
		if p > 0 {
			counts[k/(len(share)/states)]++
		}
	}
	return counts, nil
}

// mergers returns the real variables that persist, nil if observing those that may be observed does
// not tell the values of the others, and the discrete parents of real variables, nil if some cannot
// be observed.
func mergers(m *model.Model) (persist, discrete []string) {
	told := told(m)
	for _, v := range m.Transition.Before {
		if m.IsReal(v) && !told[v] {
			persist = nil
			break
		}
		if m.IsReal(v) && !m.Vars[v].Latent {
			persist = append(persist, m.Vars[v].Name)
		}
	}
	parents := make([]bool, len(m.Vars))
	for _, f := range slices.Concat(m.Factors, m.Transition.Factors) {
		for _, v := range f.Scope {
			if v = ofSlice(m, v); m.IsReal(f.ChildVar()) && !m.IsReal(v) && !m.Vars[v].Given {
				parents[v] = true
			}
		}
	}
	for v, is := range parents {
		if is && m.Vars[v].Latent {
			return persist, nil
		}
		if is {
			discrete = append(discrete, m.Vars[v].Name)
		}
	}
	return persist, discrete
}

// ofSlice returns the variable of the model that v is, maybe a slice ago.
func ofSlice(m *model.Model, v model.VarID) model.VarID {
	if k := int(v) - len(m.Vars); k >= 0 {
		return m.Transition.Before[k]
	}
	return v
}

// told returns the real variables with known values if all that may be observed are: these, and
// functions of such variables that do not depend on states, as copies of an earlier slice are.
func told(m *model.Model) []bool {
	told := make([]bool, len(m.Vars))
	for _, v := range m.Reals() {
		told[v] = !m.Vars[v].Latent
	}
	for more := true; more; {
		more = false
		for _, f := range m.Transition.Factors {
			v := f.ChildVar()
			if g := f.Gaussian(); g == nil || told[v] || len(g.Var) > 1 || g.Var[0] > 0 {
				continue
			}
			if !slices.ContainsFunc(f.Parents(), func(x model.VarID) bool { return !told[ofSlice(m, x)] }) {
				told[v], more = true, true
			}
		}
	}
	return told
}

// ways returns the filters with a belief of bounded size that are within the default limits.
func ways(ctx context.Context, m *model.Model) (list []Way, err error) {
	for _, x := range bounded() {
		w, by := Way{By: method.By(x.Name), What: x.Bounded.What}, Named(x.Name)
		if o := x.Bounded.Option; o.Name != "" {
			by = Named(x.Name, o.Name+"="+o.Value)
		}
		if !x.Inexact { // the exact filter, which is bounded only by that option
			w.By, w.Histories = x.Bounded.Option, true
		}
		est, err := Estimate(ctx, m, Options{Method: by, Queries: []string{ir.Filter.String()}, Steps: -1})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // it does not take the network, or is over a limit
		}
		for _, q := range est.Queries {
			if q.Query.Name == ir.FilterNext {
				w.Operations = x.Bounded.Runs * q.Operations
				list = append(list, w)
			}
		}
	}
	return list, nil
}

// Lasts says how long the histories suffice, as in "at least 10 slices, and for longer if mode, or
// x, is observed".
func (g *Growth) Lasts() string {
	if g.Slices < 0 {
		return "any number of slices"
	}
	text := fmt.Sprintf("at least %d slices", g.Slices)
	var sets []string
	for _, set := range [][]string{g.Discrete, g.Real} {
		if len(set) > 0 {
			sets = append(sets, strings.Join(set, " and "))
		}
	}
	if sets != nil {
		text += ", and for longer if " + strings.Join(sets, ", or ") + ", is observed"
	}
	return text
}

// Instead names the filters that keep fewer histories, with their prices.
func (g *Growth) Instead() *diag.Message { return instead(g.Ways) }

// InsteadOfPaths is Instead for paths, which follow single histories: most probable ones and draws.
// Filters that merge histories have none.
func (g *Growth) InsteadOfPaths() *diag.Message {
	return instead(slices.DeleteFunc(slices.Clone(g.Ways), func(w Way) bool { return !w.Histories }))
}

// instead names filters with their prices.
func instead(ways []Way) *diag.Message {
	if len(ways) == 0 {
		return diag.Errorf("no filter keeps fewer")
	}
	list := make([]*diag.Message, len(ways))
	for i, w := range ways {
		list[i] = diag.Errorf("%s by %v (%s)", w.What, w.By, Count(math.Round(w.Operations)))
		if i == 0 {
			list[i] = diag.Errorf("%s by %v (about %s operations a slice)", w.What, w.By, Count(math.Round(w.Operations)))
		}
	}
	return diag.Join(list, ", ")
}

// Warning returns a message about a belief that may outgrow its limit, or nil.
func (g *Growth) Warning() *diag.Message {
	if g.Slices < 0 {
		return nil
	}
	return diag.Errorf("the exact belief has a Gaussian for each history of states; the %d that are kept suffice for %s, and a slice that leaves more fails; bounded, and approximate, are %v",
		g.Most, g.Lasts(), g.Instead())
}
