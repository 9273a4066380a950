package model

import (
	"fmt"
	"slices"
	"strings"
)

// Fold makes a template of a sequence of a Bayesian network of two slices. The ends of the
// variables' names tell the slices apart: x0 and xt, or x_0 and x_t, for the suffixes 0 and t.
// Variables of slice 0 with their CPDs are slice 0 of the template; variables of the next slice and
// their CPDs, which may have parents in slice 0, are the transition. One of the suffixes may be
// empty. The result must be checked.
//
// Each variable must be in one slice and have a twin of the same domain in the other one, and no
// variable of slice 0 may have a parent in the next slice.
func (m *Model) Fold(first, next string) (*Model, error) {
	if m.Kind != Bayes || m.Transition != nil {
		return nil, fmt.Errorf("the model is a %v, or has a transition; want a Bayesian network of two slices", m.Kind)
	}
	f := &folder{m: m, out: &Model{Name: m.Name, Kind: m.Kind, File: m.File, Transition: &Transition{}}}
	f.slice, f.id = make([]int, len(m.Vars)), make([]VarID, len(m.Vars))
	if err := f.vars(first, next); err != nil {
		return nil, err
	}
	for _, x := range m.Factors {
		if err := f.factor(x); err != nil {
			return nil, err
		}
	}
	return f.out, nil
}

// folder makes a template.
type folder struct {
	m, out *Model
	slice  []int   // by variable of m
	id     []VarID // in out
}

// SliceOf returns the slice of a variable by the end of its name, and its name without it: 0 and x
// of x0 and x_0, and 1 and x of xt and x_t, for the suffixes 0 and t. Of two suffixes that fit, the
// longer one counts. The slice is -1 if none fits.
func SliceOf(name, first, next string) (slice int, base string) {
	order := []int{0, 1}
	if len(next) > len(first) { // the other may be empty
		order = []int{1, 0}
	}
	for _, s := range order {
		if base, ok := without(name, []string{first, next}[s]); ok {
			return s, base
		}
	}
	return -1, name
}

// without returns the name without a suffix and an underscore before it.
func without(name, suffix string) (string, bool) {
	rest, ok := strings.CutSuffix(name, suffix)
	if suffix != "" {
		rest = strings.TrimSuffix(rest, "_")
	}
	return rest, ok && rest != ""
}

// vars finds the slice of each variable.
func (f *folder) vars(first, next string) error {
	suffixes := [2]string{first, next}
	twin := [2]map[string]*Var{{}, {}}
	for _, v := range f.m.Vars {
		s, name := SliceOf(v.Name, first, next)
		switch {
		case s < 0:
			return fmt.Errorf("variable %q ends neither in %q nor in %q; want each variable in one of two slices", v.Name, first, next)
		case twin[s][name] != nil:
			return fmt.Errorf("the variables %q and %q are both %q of one slice; want one", twin[s][name].Name, v.Name, name)
		}
		f.slice[v.ID], twin[s][name] = s, v
	}
	for _, v := range f.m.Vars {
		s, name := SliceOf(v.Name, first, next)
		other := twin[1-s][name]
		if other == nil || !slices.Equal(f.m.States(other.ID), f.m.States(v.ID)) || f.m.IsReal(other.ID) != f.m.IsReal(v.ID) || other.Given != v.Given {
			return fmt.Errorf("variable %q has no twin of the same kind and states in the other slice; want one called %q", v.Name, strings.TrimSuffix(v.Name, suffixes[s])+suffixes[1-s])
		}
		if s == 0 {
			w := *v
			w.ID, w.Name = VarID(len(f.out.Vars)), name
			f.out.Vars = append(f.out.Vars, &w)
			f.id[v.ID], f.id[other.ID] = w.ID, w.ID
		}
	}
	return nil
}

// factor adds a CPD to the slice of its child.
func (f *folder) factor(x *Factor) error {
	g := *x
	g.Scope = slices.Clone(x.Scope)
	s := f.slice[x.ChildVar()]
	for i, v := range x.Scope {
		g.Scope[i] = f.id[v]
		switch {
		case f.slice[v] == s:
		case s == 0:
			return fmt.Errorf("the %s has the parent %q of the next slice; want those of slice 0 only", f.m.FactorName(x), f.m.Vars[v].Name)
		default:
			g.Scope[i] = VarID(len(f.out.Vars)) + f.keep(f.id[v])
		}
	}
	if s == 0 {
		f.out.Factors = append(f.out.Factors, &g)
	} else {
		f.out.Transition.Factors = append(f.out.Transition.Factors, &g)
	}
	return nil
}

// keep returns the place of a variable in Before, to which it adds it.
func (f *folder) keep(v VarID) VarID {
	t := f.out.Transition
	k := slices.Index(t.Before, v)
	if k < 0 {
		k, t.Before = len(t.Before), append(t.Before, v)
	}
	return VarID(k)
}
