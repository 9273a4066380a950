package formattest

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Diff describes the first difference between got and want. It ignores positions and file names,
// and returns "" if the rest is the same. A distribution may have become one of another kind with
// the same values.
func Diff(got, want *model.Model) string {
	switch {
	case got.Name != want.Name:
		return fmt.Sprintf("name is %q; want %q", got.Name, want.Name)
	case got.Kind != want.Kind:
		return fmt.Sprintf("kind is %v; want %v", got.Kind, want.Kind)
	case len(got.Vars) != len(want.Vars):
		return fmt.Sprintf("%d variables; want %d", len(got.Vars), len(want.Vars))
	case len(got.Factors) != len(want.Factors):
		return fmt.Sprintf("%d factors; want %d", len(got.Factors), len(want.Factors))
	}
	if !slices.EqualFunc(got.Tied, want.Tied, slices.Equal) {
		return fmt.Sprintf("tied groups are %v; want %v", got.Tied, want.Tied)
	}
	for i, v := range want.Vars {
		g := got.Vars[i]
		if g.Name != v.Name || g.Latent != v.Latent || g.Given != v.Given || !slices.Equal(got.States(g.ID), want.States(v.ID)) {
			return fmt.Sprintf("variable %d is %q (latent %v, given %v) with states %q; want %q (latent %v, given %v) with %q",
				i, g.Name, g.Latent, g.Given, got.States(g.ID), v.Name, v.Latent, v.Given, want.States(v.ID))
		}
	}
	for i, f := range want.Factors {
		g := got.Factors[i]
		if g.ChildVar() != f.ChildVar() || !slices.Equal(g.Parents(), f.Parents()) {
			return fmt.Sprintf("factor %d is the %s with parents %v; want the %s with parents %v",
				i, got.FactorName(g), g.Parents(), want.FactorName(f), f.Parents())
		}
		if diff := diffDist(got, want, g, f); diff != "" {
			return fmt.Sprintf("%s: %s", want.FactorName(f), diff)
		}
	}
	return ""
}

func diffDist(gotModel, wantModel *model.Model, got, want *model.Factor) string {
	if reflect.TypeOf(got.Dist) == reflect.TypeOf(want.Dist) && !reordered(got, want) {
		g, w := fmt.Append(nil, got.Dist), fmt.Append(nil, want.Dist) // treats nil and empty lists alike
		if !bytes.Equal(g, w) {
			return fmt.Sprintf("%T %s; want %s", got.Dist, clip(g), clip(w))
		}
		return ""
	}
	if n, ok := wantModel.TableSize(want.Scope); !ok || n > maxJoint {
		return fmt.Sprintf("it became a %T from a %T, with too many joint states to compare", got.Dist, want.Dist)
	}
	state := make([]int, len(wantModel.Vars))
	for more := true; more; more = wantModel.Next(want.Scope, state) {
		g, w := gotModel.Value(got, state), wantModel.Value(want, state)
		if g != w {
			return fmt.Sprintf("%v where %v was", g, w)
		}
	}
	return ""
}

// reordered reports whether the two scopes list different variables or list them in another order.
func reordered(got, want *model.Factor) bool { return !slices.Equal(got.Scope, want.Scope) }

// renamed returns m with the names, kind and children of other, if both have as many variables,
// states and factors. It keeps what does not fit, for [Diff] to find.
func renamed(m, other *model.Model) *model.Model {
	out := *m
	out.Name, out.Kind = other.Name, other.Kind
	if len(m.Vars) != len(other.Vars) || len(m.Factors) != len(other.Factors) {
		return &out
	}
	out.Vars = slices.Clone(m.Vars)
	for i, v := range m.Vars {
		w := *v
		w.Name, w.Latent = other.Vars[i].Name, other.Vars[i].Latent
		if m.Card(v.ID) == other.Card(v.ID) {
			w.Domain = other.Vars[i].Domain
		}
		out.Vars[i] = &w
	}
	if m.Kind == other.Kind {
		return &out
	}
	out.Factors = slices.Clone(m.Factors)
	for i, f := range m.Factors {
		values, err := m.Tabulate(f, maxJoint)
		if err != nil || !slices.Equal(f.Scope, other.Factors[i].Scope) {
			continue
		}
		g := *f
		g.Child, g.Dist = other.Factors[i].Child, &model.Table{Values: values}
		out.Factors[i] = &g
	}
	return &out
}
