package learning

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
)

// variables sets the options about variables by the flags --conditional, --normal-gamma, --tie,
// --share, --fix and --fix-mean.
func (f *FitOptions) variables(m *model.Model) error {
	if f.Conditional != "" {
		var err error
		if f.Opt.Conditional, err = named(m, f.Conditional, 0); err != nil {
			return fmt.Errorf("--conditional: %w", err)
		}
	}
	if err := f.normalGammas(m); err != nil {
		return err
	}
	for _, x := range []struct {
		flag  string
		lists []string
		set   func(group []model.VarID)
	}{
		{"--tie", f.Tie, func(group []model.VarID) { f.Opt.Tied = append(f.Opt.Tied, group) }},
		{"--share", f.Share, func(group []model.VarID) { f.Opt.Shared = append(f.Opt.Shared, group) }},
		{"--fix", f.Fix, func(group []model.VarID) { f.Opt.Fixed = append(f.Opt.Fixed, group...) }},
		{"--fix-mean", f.FixMean, func(group []model.VarID) { f.Opt.FixedMean = append(f.Opt.FixedMean, group...) }},
	} {
		for _, list := range x.lists {
			groups, err := groupsOf(m, list)
			if err != nil {
				return fmt.Errorf("%s: %w", x.flag, err)
			}
			for _, g := range groups {
				x.set(g)
			}
		}
	}
	return nil
}

// groupsOf returns the variables that a list names. In a model with a transition a name such as x@0
// names a variable in slice 0, and x@1 of one in later slices; a list of names without slices
// stands for both slices, a group each.
func groupsOf(m *model.Model, list string) (groups [][]model.VarID, err error) {
	of := m
	if m.Transition != nil {
		of = learn.TwoSlices(m, learn.TieNone)
	}
	group, err := named(of, list, 0)
	if err == nil {
		return [][]model.VarID{group}, nil
	}
	if m.Transition == nil {
		return nil, err
	}
	for _, from := range []int{0, len(m.Vars)} {
		group, failed := named(m, list, from)
		if failed != nil {
			return nil, err
		}
		groups = append(groups, group)
	}
	return groups, nil
}

// named returns the variables of m that a list names, with from added to their numbers.
func named(m *model.Model, list string, from int) (group []model.VarID, err error) {
	vars := make([]data.Var, len(m.Vars))
	for i, v := range m.Vars {
		vars[i] = data.Var{Name: v.Name, States: m.States(v.ID)}
	}
	found, err := data.Names(vars, list)
	for _, v := range found {
		group = append(group, model.VarID(v+from))
	}
	return group, err
}
