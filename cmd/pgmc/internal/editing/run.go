package editing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// Options are the flags of pgmc edit.
type Options struct {
	Script
	From, To cli.Choice // empty: by extension
	Output   string     // empty for standard output
	InPlace  bool
}

// run is a model under its edits.
type run struct {
	ctx    context.Context
	path   string // of the file, for messages
	m      *model.Model
	limit  int   // the most numbers of a table
	maxMem int64 // for marginals
}

// result is the outcome as JSON.
type result struct {
	File    string        `json:"file"`
	Effects []edit.Effect `json:"effects"`
}

// Run edits the model at path.
func Run(ctx context.Context, a *cli.App, path string, f *Options) error {
	if f.Empty() {
		return cli.Usagef("found no edits; want --set, --edge or others, as pgmc edit --help lists them")
	}
	out, to, err := f.output(path)
	if err != nil {
		return err
	}
	if a.JSON && out == cli.Standard {
		return cli.Usagef("--json prints what was changed, and standard output has the model; want -o or --in-place")
	}
	m, err := a.Load(ctx, path, f.From.Value)
	if err != nil {
		return err
	}
	r := &run{ctx: ctx, path: path, m: m, limit: a.MaxTable, maxMem: int64(a.MaxMem)}
	effects := []edit.Effect{}
	for _, s := range f.steps {
		changed, more, err := s.apply(r)
		if err != nil {
			return fmt.Errorf("%s: --%s %s: %w", path, s.flag, cli.ShellQuote(s.text), err)
		}
		r.m, effects = changed, append(effects, more...)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := readable(m, r.m); err != nil {
		return fmt.Errorf("%s: after all edits, %w", path, err)
	}
	if !to.Described && f.has("describe") && r.m.Described() {
		return fmt.Errorf("%s: format %s keeps no descriptions; want -o with a name that ends in .pgmc.json", path, to.Name)
	}
	if f.InPlace {
		err = overwrite(a, to, path, r.m)
	} else {
		err = a.WriteModel(to, out, r.m, false)
	}
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.PrintJSON(result{out, effects})
	case a.Quiet:
		return nil
	}
	for _, e := range effects {
		fmt.Fprintln(a.Stderr, e)
	}
	return nil
}

// readable returns the first error of the rows of a changed model, if the model itself had none: an
// edit may give the states for which a row of zeros stands a positive probability.
func readable(m, changed *model.Model) error {
	_, list := changed.NormalizeRows(model.RowsNormalize)
	if !list.HasErrors() {
		return nil
	}
	if _, before := m.NormalizeRows(model.RowsNormalize); before.HasErrors() {
		return nil
	}
	return errors.New(list.Errors()[0].Msg)
}

// comments has the signs with which comments begin, by the name of a format.
var comments = map[string][]string{format.BIF: {"//", "/*"}, "net": {"%"}, "xdsl": {"<!--"}, "xmlbif": {"<!--"}}

// overwrite writes m over its file, and warns if that had comments, which a model does not keep.
func overwrite(a *cli.App, to format.Format, path string, m *model.Model) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is read-only; want -o with another file", path)
	}
	if file, err := filepath.EvalSymlinks(path); err == nil {
		path = file // the link stays
	}
	text, err := os.ReadFile(path)
	commented := err == nil && slices.ContainsFunc(comments[to.Name], func(sign string) bool { return bytes.Contains(text, []byte(sign)) })
	if err := a.OverwriteModel(to, path, m); err != nil || !commented {
		return err
	}
	var list diag.List
	list.Warnf(diag.Pos{File: path}, "the file had comments, which are lost")
	a.Warn(list.Warnings())
	return nil
}

// output returns the file to write and its format, which is the one of the model unless a flag or
// the extension chooses another.
func (f *Options) output(path string) (string, format.Format, error) {
	out := f.Output
	switch {
	case f.InPlace && out != "":
		return "", format.Format{}, cli.Usagef("found --in-place and -o %s; want one of them", out)
	case f.InPlace && f.To.Value != "":
		return "", format.Format{}, cli.Usagef("--in-place keeps the format of %s; want -o for the format %s", path, f.To.Value)
	case f.InPlace && path == cli.Standard:
		return "", format.Format{}, cli.Usagef("--in-place is for a file; want -o with a model on standard input")
	case f.InPlace:
		if _, err := os.Stat(path); err != nil {
			if _, _, ok := cli.BuiltIn(path); ok {
				return "", format.Format{}, cli.Usagef("%s is part of pgmc; want -o with a file of your own", path)
			}
		}
		out = path
	case out == "":
		out = cli.Standard
	}
	name := f.To.Value
	if out == cli.Standard && name == "" {
		name = f.From.Value
		if of, err := format.Find(compiler.Formats, path, name); err == nil {
			name = of.Name
		} else if of, _, ok := cli.BuiltIn(path); ok {
			name = of.Name
		}
	}
	if f.InPlace && name == "" {
		name = f.From.Value
	}
	to, err := cli.OutputFormat(out, name)
	return out, to, err
}

// slice is a network under an edit: the model, or the step of its transition.
type slice struct {
	m        *model.Model
	template bool // the model has a transition
	step     bool // variables have names as x@0 and x@1
}

// slice returns the model itself.
func (r *run) slice() *slice { return &slice{m: r.m, template: r.m.Transition != nil} }

// The suffixes of the names of variables in two slices of a sequence, as pgmc show model prints
// them.
const (
	first = "@0"
	later = "@1"
)

// inSlice applies an operation on a variable to the network that has its CPD: the step of a
// template if its name ends in "@1".
func (r *run) inSlice(name string, apply func(at *slice, v model.VarID) (*model.Model, []edit.Effect, error)) (*model.Model, []edit.Effect, error) {
	of := func(at *slice) (*model.Model, []edit.Effect, error) {
		v, err := at.variable(name)
		if err != nil {
			return nil, nil, err
		}
		return apply(at, v)
	}
	if _, taken := r.m.VarByName(name); taken || r.m.Transition == nil || !strings.HasSuffix(name, later) {
		return of(r.slice())
	}
	return edit.InStep(r.m, func(step *model.Model) (*model.Model, []edit.Effect, error) {
		return of(&slice{m: suffixed(step, len(r.m.Vars), later), template: true, step: true})
	})
}

// suffixed returns m with a suffix of the names of the first n variables, and of the others the one
// of the slice before.
func suffixed(m *model.Model, n int, suffix string) *model.Model {
	out := *m
	out.Vars = make([]*model.Var, len(m.Vars))
	for i, v := range m.Vars {
		w := *v
		if i < n {
			w.Name += suffix
		} else {
			w.Name = strings.TrimSuffix(v.Name, model.NameBefore("")) + first
		}
		out.Vars[i] = &w
	}
	return &out
}

// shown returns the network with the names that pgmc show model prints.
func (s *slice) shown() *model.Model {
	if !s.template || s.step {
		return s.m
	}
	return suffixed(s.m, len(s.m.Vars), first)
}

// variable returns the variable with a name. In a template, x@0 is x. In its step, x@0 is the one
// of the slice before and x stands for x@1.
func (s *slice) variable(name string) (model.VarID, error) {
	v, ok := s.m.VarByName(name)
	if base, of := strings.CutSuffix(name, first); !ok && of && s.template {
		v, ok = s.m.VarByName(base)
	}
	if !ok && s.step {
		v, ok = s.m.VarByName(name + later)
	}
	if !ok {
		var known []string
		for _, v := range s.m.Vars {
			known = append(known, v.Name)
		}
		return 0, fmt.Errorf("unknown variable %q%s", name, diag.DidYouMean(name, known))
	}
	return v.ID, nil
}

// state returns the number of a state of v.
func (s *slice) state(v model.VarID, name string) (int, error) {
	if s.m.IsReal(v) {
		return 0, fmt.Errorf("%q is real and has no states", s.m.Vars[v].Name)
	}
	x, ok := s.m.StateByName(v, name)
	if !ok {
		return 0, fmt.Errorf("variable %q has no state %q; want one of %q%s", s.m.Vars[v].Name, name, s.m.States(v), diag.DidYouMean(name, s.m.States(v)))
	}
	return x, nil
}

// states returns states of parents.
func (s *slice) states(given [][]string) (list []edit.State, err error) {
	for _, p := range given {
		v, err := s.variable(p[0])
		if err != nil {
			return nil, err
		}
		x, err := s.state(v, p[1])
		if err != nil {
			return nil, err
		}
		list = append(list, edit.State{Var: v, State: x})
	}
	return list, nil
}

// utility returns the number of the utility with a name, or -1 if there is none or a variable has
// the name.
func (r *run) utility(name string) int {
	if _, ok := r.m.VarByName(name); ok || r.m.Diagram == nil {
		return -1
	}
	return slices.IndexFunc(r.m.Diagram.Utilities, func(u *model.Utility) bool { return u.Name == name })
}
