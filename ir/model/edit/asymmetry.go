package edit

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// governed returns the variables that v restricts or reveals.
func governed(m *model.Model, v model.VarID) (list []model.VarID) {
	if m.Diagram == nil || m.Diagram.Asymmetry == nil {
		return nil
	}
	for _, r := range m.Diagram.Asymmetry.Restrictions {
		if r.Parent == v {
			list = append(list, r.Child)
		}
	}
	for _, r := range m.Diagram.Asymmetry.Reveals {
		if r.By == v {
			list = append(list, r.Var)
		}
	}
	return list
}

// asymmetry changes the restrictions and revelations of v. A new state is not restricted, restricts
// nothing and reveals nothing.
func (r *recoding) asymmetry(out *model.Model) (effects []Effect) {
	if out.Diagram == nil || out.Diagram.Asymmetry == nil {
		return nil
	}
	a := out.Diagram.Asymmetry
	for i, x := range a.Restrictions {
		if x.Parent != r.v && x.Child != r.v {
			continue
		}
		w, rows := *x, make([]float64, len(x.Allowed))
		w.Allowed = nil
		for k, allowed := range x.Allowed {
			if allowed {
				rows[k] = 1
			}
		}
		for _, x := range r.rows(rows, []model.VarID{x.Parent, x.Child}, []float64{1}) {
			w.Allowed = append(w.Allowed, x == 1)
		}
		a.Restrictions[i] = &w
		effects = append(effects, Effect{Of: fmt.Sprintf("restriction of %s by %s", name(r.m, x.Child), name(r.m, x.Parent)), Text: r.text("it is kept for the states of %s that stay")})
	}
	for i, x := range a.Reveals {
		if x.By != r.v {
			continue
		}
		w := *x
		w.States = nil
		for k, from := range r.from {
			if slices.Contains(x.States, from) {
				w.States = append(w.States, k)
			}
		}
		a.Reveals[i] = &w
		effects = append(effects, Effect{Of: fmt.Sprintf("revelation of %s by %s", name(r.m, x.Var), name(r.m, x.By)), Text: r.text("it is kept for the states of %s that stay")})
	}
	return effects
}
