package eval

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// BestOption returns the best option after a run of a Best, and sets utilities to the mean utility
// of each.
func (m *Machine) BestOption(utilities []float64) int {
	return pgmrt.BestOption(m.Posterior(0), m.entry.Least, utilities)
}

// Information returns, after a run of an Information, by how much the mean utility grows if variable
// i of those after the decision is known.
func (m *Machine) Information(i int) float64 {
	return pgmrt.Information(m.Posterior(0), m.Posterior(i+1))
}

// Moments returns, after a run of a Follow, the moments of utility i, or after these of their sum.
func (m *Machine) Moments(i int) pgmrt.Moments {
	u := &m.entry.Utilities[i]
	if u.Values == ir.NoSpan {
		return pgmrt.SumMoments(m.Span(u.In), u.Least, u.Scale)
	}
	return pgmrt.TableMoments(m.Span(u.In), m.Span(u.Values))
}

// untimely is the error of evidence about a variable, by name, that is not known when a decision is
// taken.
type untimely struct{ name, text string }

// Error names the variable.
func (u untimely) Error() string { return fmt.Sprintf("variable %q%s", u.name, u.text) }

// Unwrap returns ErrState.
func (u untimely) Unwrap() error { return pgmrt.ErrState }

// timely returns an error if a decision before d is not known, or if evidence is about something
// after an open decision.
func (m *Machine) timely(d model.VarID) error {
	t := m.timings[d]
	if t == nil {
		t = m.model.Timing(d)
		m.timings[d] = t
	}
	for _, v := range m.model.Vars {
		e := &m.evidence[v.ID]
		known := e.state != 0 || len(e.set) > 0 || e.soft != nil
		switch {
		case slices.Contains(t.Earlier, v.ID):
			if e.state == 0 {
				return unobserved(v.Name)
			}
		case v.ID == d && known:
			return untimely{v.Name, pgmrt.AskedFor}
		case known && slices.Contains(t.After[v.ID], d):
			return untimely{v.Name, pgmrt.DependsOn(m.model.Vars[d].Name)}
		case slices.Contains(t.Later, v.ID) && e.soft != nil:
			return untimely{v.Name, pgmrt.OpenLater}
		}
		for _, x := range t.After[v.ID] {
			if known && (e.soft != nil || m.evidence[x].state == 0) {
				return untimely{v.Name, pgmrt.DependsOn(m.model.Vars[x].Name)}
			}
		}
	}
	return nil
}
