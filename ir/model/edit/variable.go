package edit

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pgmc-go/pgmc/ir/model"
)

// free returns an error if a name is empty or taken by a variable other than v.
func free(m *model.Model, name string, v model.VarID) error {
	if name == "" {
		return fmt.Errorf("the name of a variable is empty")
	}
	if u, ok := m.VarByName(name); ok && u.ID != v {
		return fmt.Errorf("there is a variable %q already; want another name", name)
	}
	return nil
}

// Add adds a variable that no edge joins to others. Its states are equally probable; a real
// variable is standard normal. If it is given, it has no CPD. The number of v is set.
func Add(m *model.Model, v model.Var) (*model.Model, []Effect, error) {
	if err := free(m, v.Name, -1); err != nil {
		return nil, nil, err
	}
	if m.Kind == model.Forest {
		return nil, nil, fmt.Errorf("a %v has one potential over all variables, and takes no further one", m.Kind)
	}
	out := copyOf(m)
	v.ID = model.VarID(len(m.Vars))
	out.Vars = append(out.Vars, &v)
	if m.Transition != nil { // a variable of the slice before has a number behind all others
		numbering(func(u model.VarID) model.VarID {
			if u >= v.ID {
				u++
			}
			return u
		}).transition(out.Transition)
	}
	if v.Given || m.Kind == model.Markov {
		return checked(out, nil)
	}
	f := &model.Factor{Scope: []model.VarID{v.ID}, Dist: prior(&v)}
	out.Factors = append(out.Factors, f)
	if out.Transition != nil {
		out.Transition.Factors = append(out.Transition.Factors, f)
	}
	return checked(out, []Effect{unknown(out, f, &v)})
}

// prior returns the CPD of a variable about which nothing is known.
func prior(v *model.Var) model.Dist {
	if v.Domain.Names() == nil {
		return &model.Gaussian{Mean: []float64{0}, Coef: []float64{}, Var: []float64{1}}
	}
	return &model.Table{Values: uniform(len(v.Domain.Names()))}
}

// unknown is the effect of a new prior.
func unknown(m *model.Model, f *model.Factor, v *model.Var) Effect {
	e := Effect{Of: m.FactorName(f), Text: "it is new"}
	if v.Domain.Names() == nil {
		e.Text += ", with the mean 0 and the variance 1"
	} else {
		e.Uniform = 1
	}
	return e
}

// Rename gives a variable another name, and its latent copies some slices ago theirs.
func Rename(m *model.Model, v model.VarID, name string) (*model.Model, []Effect, error) {
	out, list := copyOf(m), append([]model.VarID{v}, m.Copies(v)...)
	for ago, u := range list {
		w := *m.Vars[u]
		if w.Name = name; ago > 0 {
			w.Name = model.NameAgo(name, ago)
		}
		if err := free(m, w.Name, u); err != nil {
			return nil, nil, err
		}
		out.Vars[u] = &w
	}
	return checked(out, nil)
}

// Describe gives a variable a description, or the model itself if v is negative. An empty text
// removes it. Line ends and control characters become blanks.
func Describe(m *model.Model, v model.VarID, text string) (*model.Model, []Effect, error) {
	text = strings.Join(strings.FieldsFunc(text, unicode.IsControl), " ")
	out := copyOf(m)
	if v < 0 {
		out.Description = text
		return checked(out, nil)
	}
	w := *m.Vars[v]
	w.Description = text
	out.Vars[v] = &w
	return checked(out, nil)
}

// Remove removes a variable, its latent copies some slices ago and their edges. Their children are
// changed as by [RemoveEdge], and so are utilities.
func Remove(m *model.Model, v model.VarID, marginal []float64, limit int) (*model.Model, []Effect, error) {
	i := slices.IndexFunc(m.Factors, func(f *model.Factor) bool {
		return slices.Contains(f.Scope, v) && f.Child < 0
	})
	if i >= 0 {
		return nil, nil, fmt.Errorf("the %s names %q; want a variable of a network of CPDs", m.FactorName(m.Factors[i]), m.Vars[v].Name)
	}
	out, gone := copyOf(m), append(m.Copies(v), v)
	of := func(f *model.Factor) bool { return slices.Contains(gone, f.ChildVar()) }
	out.Factors = slices.DeleteFunc(out.Factors, of)
	if t := out.Transition; t != nil {
		t.Factors = slices.DeleteFunc(t.Factors, of)
	}
	var effects []Effect
	for _, v := range gone {
		more, err := isolate(out, v, marginal, limit)
		if err != nil {
			return nil, nil, err
		}
		effects = append(effects, more...)
		if t := out.Transition; t != nil {
			if k := slices.Index(t.Before, v); k >= 0 {
				gone = append(gone, model.VarID(len(m.Vars)+k))
			}
		}
	}
	without(gone...).all(out)
	return checked(out, effects)
}

// isolate takes v, whose CPD was removed, out of the ties, the CPDs and the utilities of m.
func isolate(m *model.Model, v model.VarID, marginal []float64, limit int) ([]Effect, error) {
	if of := governed(m, v); of != nil {
		return nil, fmt.Errorf("%q restricts or reveals %q; want a variable that does neither", m.Vars[v].Name, m.Vars[of[0]].Name)
	}
	m.Tied = untie(m.Tied, v)
	if t := m.Transition; t != nil {
		t.Tied = untie(t.Tied, v)
	}
	return throughout(m, v, func(m *model.Model, v model.VarID) ([]Effect, error) {
		effects, err := each(m, v, func(f *model.Factor) (*model.Factor, Effect, error) {
			g, text, err := withoutOne(m, f, v, marginal, limit)
			return g, Effect{Of: m.FactorName(f), Text: text}, err
		})
		return append(effects, withoutUtilities(m, v, marginal)...), err
	})
}
