package particle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// kept plans particles that have values of some real variables, and of the others, the kept ones, a
// normal distribution given these: means, variances, and those covariances of variables that
// persist which are not 0 in every slice.
type kept struct {
	base  *model.Model
	drawn []model.VarID // the real variables with values
	own   []model.VarID // the kept ones
	after []model.VarID // of these the ones that persist, in the order of the transition
	rule  *gauss.Rule
	how   *ir.Histories
	apart [][]bool // by variables of after, the lower triangle: the covariance is 0 in every slice
}

// names returns the names of the option Draw.
func (o *RBPFOptions) names() (list []string) {
	for _, name := range strings.Split(o.Draw, ",") {
		list = append(list, strings.TrimSpace(name))
	}
	return list
}

// checkDraw adds the reasons why real variables cannot be drawn as the options say.
func (o *RBPFOptions) checkDraw(list *diag.List, p *ir.Problem) {
	m, pos := p.Model, diag.Pos{File: p.Model.File}
	var may []string
	for _, v := range m.Reals() {
		if !m.Vars[v].Given {
			may = append(may, m.Vars[v].Name)
		}
	}
	names := o.names()
	for i, name := range names {
		switch {
		case len(may) == 0:
			list.Errorf(pos, "found %q to draw in a network without real variables that are not given; want no %v", name, diag.Option{Name: "draw"})
			return
		case !slices.Contains(may, name):
			list.Errorf(pos, "found %q to draw; want real variables that are not given: %s", name, strings.Join(may, ", "))
		case slices.Contains(names[:i], name):
			list.Errorf(pos, "found %q to draw twice; want it once", name)
		}
	}
	if proposal, ok := ir.ProposalOf(o.Proposal); !ok && o.Proposal != "" || proposal == ir.FromPosterior {
		list.Errorf(pos, "unknown proposal %q; want one of bootstrap, ekf, ukf", o.Proposal)
	}
	for _, q := range p.Queries {
		if q.Kind != ir.Filter {
			list.Errorf(pos, "method rbpf does not answer %s with %v; want filter", q.Word(), diag.Option{Name: "draw", Value: o.Draw})
			return
		}
	}
}

// planKept returns a schedule with entries that draw one particle.
func (o *RBPFOptions) planKept(c *method.Context, p *ir.Problem, how *ir.Histories) (*ir.Plan, error) {
	m := p.Model
	k := &kept{base: m, rule: rules[how.Draw.Proposal], how: how}
	if k.rule == nil {
		k.rule = gauss.Tangents()
	}
	names := o.names()
	for _, v := range m.Reals() {
		if slices.Contains(names, m.Vars[v].Name) {
			k.drawn = append(k.drawn, v)
		} else {
			k.own = append(k.own, v)
		}
	}
	for _, v := range m.Transition.Before {
		if slices.Contains(k.own, v) {
			k.after = append(k.after, v)
		}
	}
	for i := range k.after {
		k.apart = append(k.apart, slices.Repeat([]bool{true}, i))
	}
	for {
		s, lost, err := k.plan(c, p)
		if err != nil {
			return nil, fmt.Errorf("rbpf: %w", err)
		}
		if !lost {
			return &ir.Plan{Schedule: s}, c.Fits(s)
		}
	}
}

// plan returns the schedule if the covariances of apart are 0 before a slice. If others are not 0
// after it, lost is true, and apart is without these.
func (k *kept) plan(c *method.Context, p *ir.Problem) (s *ir.Schedule, lost bool, err error) {
	k.how.Draw.Kept = k.layout()
	first := *p.Model
	first.Transition = nil
	step := hideBefore(p.Model)
	s = &ir.Schedule{Model: step, Params: p.Params}
	var ends []*gauss.Moments
	for _, of := range []struct {
		name string
		m    *model.Model
	}{{ir.FilterFirst, &first}, {ir.FilterNext, step}} {
		moments, err := k.slice(c, s, of.m, p, of.name)
		if err != nil {
			return nil, false, err
		}
		ends = append(ends, moments)
	}
	for _, moments := range ends {
		for i, v := range k.after {
			for j, w := range k.after[:i] {
				if k.apart[i][j] && moments.Between(v, w) != circuit.Zero {
					k.apart[i][j], lost = false, true
				}
			}
		}
	}
	return s, lost, nil
}

// layout returns the places of the numbers of a particle.
func (k *kept) layout() *ir.Kept {
	out := &ir.Kept{Values: len(k.base.Reals())}
	for _, v := range k.base.Reals() {
		at := 0
		if slices.Contains(k.own, v) {
			at = out.Values
			out.Values++
		}
		out.Spread = append(out.Spread, at)
	}
	for i, v := range k.after {
		for j := range i {
			if !k.apart[i][j] {
				out.Carried = append(out.Carried, out.Values)
				out.Values++
			}
		}
		out.Carried = append(out.Carried, out.Spread[slices.Index(k.base.Reals(), v)])
	}
	return out
}

// isDrawn reports whether a variable of a slice, or of the one before it, has a value.
func (k *kept) isDrawn(v model.VarID) bool {
	if n := len(k.base.Vars); int(v) >= n {
		v = k.base.Transition.Before[int(v)-n]
	}
	return slices.Contains(k.drawn, v)
}

// enter returns the moments of the real variables before a slice, whose values are at the beginning
// of a table, and the numbers that it carries after them.
func (k *kept) enter(t ir.TableID, real []model.VarID) (m gauss.Stored) {
	carried := len(real)
	var own []int // places of kept ones in real
	m.Scope = real
	for i, v := range real {
		m.Mean = append(m.Mean, gauss.Part(t, i))
		row := slices.Repeat([]gauss.Number{gauss.Constant(0)}, i+1)
		if !k.isDrawn(v) {
			for j, at := range append(own, i) {
				if at == i || !k.apart[len(own)][j] {
					row[at] = gauss.Part(t, carried)
					carried++
				}
			}
			own = append(own, i)
		}
		m.Cov = append(m.Cov, row)
	}
	return m
}
