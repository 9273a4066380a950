package decision

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/model"
)

// until returns m with the horizon of a flag, if there is one.
func (f *Options) until(m *model.Model) (*model.Model, error) {
	switch {
	case !f.Until:
		return m, nil
	case f.Horizon < 1:
		return nil, cli.Usagef("--horizon is %d; want a number of slices, 1 or more", f.Horizon)
	case m.Transition == nil:
		return nil, cli.Usagef("--horizon is for templates of sequences, and %s has one slice; leave it out", m.File)
	case m.Diagram == nil:
		return m, nil
	}
	out, d := *m, *m.Diagram
	out.Diagram, d.Horizon = &d, f.Horizon
	return &out, nil
}

// stage is a policy of a slice of a sequence, with names from there. One that is taken once has
// none.
type stage struct {
	slice    int
	decision string
	known    []string
}

// named returns a policy by names.
func (s *solver) named(p *decide.Policy) policy {
	q := policy{Decision: s.m.Vars[p.Decision].Name, Known: s.names(p.Known), Choices: s.choices(p)}
	if s.template == nil {
		return q
	}
	size := len(s.template.Vars)
	if d := s.template.Decides(p.Decision); d == nil || !d.Once {
		g := &stage{slice: int(p.Decision) / size, decision: s.template.Vars[int(p.Decision)%size].Name, known: []string{}}
		for i, v := range p.Known {
			of, before := s.template.Original(v % model.VarID(size))
			name, ago := s.template.Vars[of].Name, g.slice-int(v)/size+before
			if name == q.Known[i] { // a decision that is taken once
				ago = 0
			}
			if ago > 0 {
				name = fmt.Sprintf("%s@-%d", name, ago)
			}
			g.known = append(g.known, name)
		}
		q.stage = g
	}
	return q
}

// in reports whether a policy is one of a slice.
func (p *policy) in(slice int) bool { return p.stage != nil && p.stage.slice == slice }

// same reports whether two policies of different slices are the same, and say no more.
func (p *policy) same(q *policy) bool {
	return p.Options == nil && q.Options == nil && p.Cases == nil && q.Cases == nil && p.stage.decision == q.stage.decision &&
		reflect.DeepEqual(p.stage.known, q.stage.known) && reflect.DeepEqual(p.Choices, q.Choices)
}

// policiesText returns a table for each policy. Slices of a sequence with the same policies have
// one.
func policiesText(list []policy) string {
	var b strings.Builder
	for len(list) > 0 {
		if list[0].stage == nil || list[0].Cases != nil {
			b.WriteString("\n" + list[0].text())
			list = list[1:]
			continue
		}
		n := 1
		for n < len(list) && list[n].in(list[0].stage.slice) {
			n++
		}
		end := n
		for end+n <= len(list) && repeated(list[:n], list[end:end+n]) {
			end += n
		}
		if first, last := list[0].stage.slice, list[end-1].stage.slice; first == last {
			fmt.Fprintf(&b, "\nslice %d\n", first)
		} else {
			fmt.Fprintf(&b, "\nslices %d to %d\n", first, last)
		}
		for _, p := range list[:n] {
			p.Decision, p.Known = p.stage.decision, p.stage.known
			b.WriteString("\n" + p.text())
		}
		list = list[end:]
	}
	return b.String()
}

// repeated reports whether the policies of a slice are those of a later one.
func repeated(a, b []policy) bool {
	for i := range a {
		if b[0].stage == nil || !b[i].in(b[0].stage.slice) || !a[i].same(&b[i]) {
			return false
		}
	}
	return true
}

// staged reports whether the answers need no diagram of all slices.
func (f *Options) staged() bool {
	return !f.Limited && f.Strategy == "" && !f.Cases && !f.Variance && f.RiskTolerance == 0 && !f.Information && f.Know == nil && !f.draws()
}

// early returns the likelihoods of slice 0 of a template, and whether there are no others.
func (s *solver) early() (list [][]float64, ok bool) {
	if s.template == nil {
		return nil, false
	}
	size := len(s.template.Vars)
	later := slices.ContainsFunc(s.likelihood[size:], func(l []float64) bool { return l != nil })
	return s.likelihood[:size], !later
}

// induction returns the solution of slice 0 of a template, and the policies of later ones. It is
// nil if the template is not solved slice by slice.
func (s *solver) induction(ctx context.Context, f *Options) (*decide.Solution, []*decide.Policy, error) {
	likelihood, ok := s.early()
	if !ok || !f.staged() {
		return nil, nil, nil
	}
	x, err := decide.Induct(ctx, s.template, likelihood, s.options)
	if errors.Is(err, decide.ErrHidden) {
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, err
	}
	return x.First, x.Later, nil
}
