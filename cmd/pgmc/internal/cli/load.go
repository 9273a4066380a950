package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cost"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// EndsItself returns ctx, or a context that does not end if a query of p does so itself when ctx
// ends, with the best answer so far.
func EndsItself(ctx context.Context, p *ir.Program) context.Context {
	for i := range p.Entries {
		if e := &p.Entries[i]; e.Search || e.Query.By != nil && e.Query.By.Anytime {
			return context.WithoutCancel(ctx)
		}
	}
	return ctx
}

// Lasting returns ctx, or with beyond set, a context that ends when ctx is cancelled but goes on
// past its deadline, which then ends the work on an answer and not the reading of files.
func Lasting(ctx context.Context, beyond bool) (context.Context, context.CancelFunc) {
	if !beyond {
		return context.WithCancel(ctx)
	}
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})
	return out, func() { stop(); cancel() }
}

// late returns the error of a context that has ended, also if no timer has said so yet.
func late(ctx context.Context) error {
	if end, ok := ctx.Deadline(); ok && !time.Now().Before(end) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// Await runs f, which must have no side effects, and returns early with ctx.Err() if ctx ends
// first. f keeps running then, and its result is dropped.
func Await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = Guard(func() (err error) {
			o.value, err = f()
			return err
		})
		done <- o
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// Load reads the model that path names and prints warnings about it: a file, "-" for standard
// input, or the name of a model that is part of pgmc. name is the name of its format; if it is
// empty, the extension decides. The plates of the model have the objects of a skeleton, if any.
func (a *App) Load(ctx context.Context, path, name string, skeleton ...*format.Table) (*model.Model, error) {
	var list diag.List
	m, err := Await(ctx, func() (m *model.Model, err error) {
		m, list = a.read(path, name, skeleton)
		return m, nil
	})
	if err != nil {
		return nil, err
	}
	a.Warn(list.Warnings())
	return m, list.Err()
}

// LoadWithOptions reads the model in a file and returns it with the compiler's options for it.
func (a *App) LoadWithOptions(ctx context.Context, path string, f *ModelFlags) (*model.Model, compiler.Options, error) {
	m, err := a.Load(ctx, path, f.Format.Value)
	if err == nil {
		m, err = Fold(m, path, f.Slices)
	}
	if err != nil {
		return nil, compiler.Options{}, err
	}
	opt, err := a.Options(m, f)
	return m, opt, err
}

// Fold returns the template of a sequence that a network of two slices stands for, with variables
// that have the suffixes of --slices, or the model itself without the flag.
func Fold(m *model.Model, path, slices string) (*model.Model, error) {
	if slices == "" {
		return m, nil
	}
	first, next, err := suffixes("--slices", slices)
	if err != nil {
		return nil, err
	}
	if m, err = m.Fold(first, next); err == nil {
		list := m.Check()
		err = list.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: --slices %s: %w", path, slices, err)
	}
	return m, nil
}

// suffixes returns the suffixes of the names of two slices, which a flag has.
func suffixes(flag, text string) (first, next string, err error) {
	first, next, ok := strings.Cut(text, ",")
	if !ok || first == next || strings.Contains(next, ",") {
		err = Usagef("%s %s: want the ends of the names of slice 0 and of the next slice, such as 0,t", flag, ShellQuote(text))
	}
	return first, next, err
}

// AddSlices adds --slices to a command.
func AddSlices(cmd *cobra.Command, slices *string) {
	cmd.Flags().StringVar(slices, "slices", "", "read a network of two slices as a template of a sequence: the `suffixes` of the names of slice 0 and of the next one, such as 0,t for x_0 and x_t")
}

// Options returns the compiler's options for m by the global flags and f. It names the method of
// --method, or the approximate method that the compiler prefers for m unless queries name one.
func (a *App) Options(m *model.Model, f *ModelFlags) (compiler.Options, error) {
	opt := compiler.Options{Seed: a.Seed, MaxTable: a.MaxTable, MaxMem: int64(a.MaxMem), Machine: MachineMemory(), Lasting: f.Lasting, Interpreted: !f.Lasting}
	if f.Method.Value != "auto" {
		opt.Method = compiler.Named(f.Method.Value)
	} else if p := compiler.Preferred(m); p != nil && p.Answers != nil && !f.Asked {
		opt.Method = compiler.Named(p.Name)
	} else if f.Lasting {
		opt.Method = compiler.Named(compiler.Auto)
	}
	var err error
	if opt.Rows, err = f.policy(); err != nil {
		return opt, err
	}
	return opt, f.setOrder(&opt, m)
}

// Compile compiles m, which was read from path, and prints warnings. Unless dump is nil, it returns
// the writer for the result of a pass.
func (a *App) Compile(ctx context.Context, path string, m *model.Model, opt compiler.Options, dump func(number int, pass string) io.WriteCloser) (*compiler.Result, error) {
	passes := compiler.Pipeline
	a.Stage = passes[0].Name
	a.Phase(a.Stage, 1, len(passes))
	opt.Dump = func(number int, pass string) io.WriteCloser {
		if number < len(passes) {
			a.Stage = passes[number].Name
			a.Phase(a.Stage, number+1, len(passes))
		}
		if dump == nil {
			return nil
		}
		return dump(number, pass)
	}
	opt.Trying = a.trying
	r, err := Await(ctx, func() (*compiler.Result, error) { return compiler.Compile(ctx, m, opt) })
	if err != nil {
		return nil, a.CompileError(path, err)
	}
	a.Stage = ""
	a.Phase("method "+r.Method, 0, 0)
	a.Warn(r.Warnings)
	if p := compiler.Preferred(m); p != nil && p.Inexact && r.Choice == nil && (opt.MethodName() == "" || opt.MethodName() == compiler.Auto) && !a.Quiet {
		fmt.Fprintf(a.Stderr, "%s: no method is exact for this model; answers are approximate, by method %s, which %s\n", path, p.Name, p.Doc)
	}
	return r, late(ctx)
}

// Decide replaces method [compiler.Best] in opt, for m that was read from path. The choice is
// [compiler.Decide]'s.
func (a *App) Decide(ctx context.Context, path string, m *model.Model, opt compiler.Options) (compiler.Options, *compiler.Choice, error) {
	var choice *compiler.Choice
	opt.Trying = a.trying
	decided, err := Await(ctx, func() (d compiler.Options, err error) {
		d, choice, err = compiler.Decide(ctx, m, opt)
		return d, err
	})
	if err != nil {
		err = a.CompileError(path, err)
	}
	return decided, choice, err
}

// trying reports which method the compiler looks at, and what does not fit.
func (a *App) trying(method string, operations float64) {
	text := "does " + method + " fit"
	if operations > 0 {
		text += ", where one program takes " + compiler.Count(operations) + " operations"
	}
	a.Phase(text, 0, 0)
}

// Estimate estimates the cost of compiling m, which was read from path.
func (a *App) Estimate(ctx context.Context, path string, m *model.Model, opt compiler.Options) (*compiler.Estimation, error) {
	est, err := Await(ctx, func() (*compiler.Estimation, error) { return compiler.Estimate(ctx, m, opt) })
	if err != nil {
		return nil, a.CompileError(path, err)
	}
	return est, nil
}

// CompileError adds the path to an error without a position. It turns an option that the method
// does not have into a usage error, and one of a broken invariant into an [InternalError].
func (a *App) CompileError(path string, err error) error {
	var list diag.Errors
	var untaken *model.Untaken
	var internal *InternalError
	var option *compiler.OptionError
	var broken *compiler.InvariantError
	switch {
	case errors.As(err, &option):
		return Usage(option)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &list), errors.As(err, &internal),
		errors.As(err, &untaken) && untaken.Need.Pos.File != "":
		return err
	case errors.As(err, &broken):
		return &InternalError{Cause: err.Error()}
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Emit generates the package of a compiled program.
func (a *App) Emit(ctx context.Context, r *compiler.Result, opt codegen.Options) (*codegen.Package, error) {
	size := cost.SizeOfSource(r.Program)
	if err := cost.FitsSource(r.Model, &size); err != nil {
		return nil, err
	}
	a.Stage = "codegen"
	a.Phase("writing Go", 0, 0)
	if r.Choice != nil && r.Choice.Proven != "" {
		opt.Claim = "No exact method fits the limits;\n" + r.Choice.Proven + "."
	} else if r.Claim != method.Exact {
		opt.Claim = "Answers are " + r.Claim.String() + "."
		if r.Claim == method.Bound {
			opt.Claim = "Answers come with a bound, and may be proven by that."
		}
	}
	pkg, err := Await(ctx, func() (*codegen.Package, error) { return codegen.Emit(r.Model, r.Program, opt) })
	if err != nil {
		return nil, err
	}
	a.Stage = ""
	return pkg, late(ctx)
}

// ModelName returns the name of a model's file without its folder and extensions, which may be
// several, as in .pgmc.json.gz.
func ModelName(path string) string {
	base := filepath.Base(path)
	if strings.EqualFold(filepath.Ext(base), ".gz") {
		base = base[:len(base)-len(".gz")]
	}
	ext := filepath.Ext(base)
	for _, f := range compiler.Formats {
		for _, e := range f.Exts {
			if len(e) > len(ext) && len(e) < len(base) && strings.EqualFold(base[len(base)-len(e):], e) {
				ext = base[len(base)-len(e):]
			}
		}
	}
	if ext != base {
		base = strings.TrimSuffix(base, ext)
	}
	return base
}

// OneModel returns an error unless the arguments of a command are one model file.
func OneModel(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	for _, arg := range args {
		if strings.Contains(arg, "=") && cmd.Flags().Lookup("evidence") != nil {
			return fmt.Errorf("found the argument %q; want one model file, and evidence as --evidence %s", arg, ShellQuote(arg))
		}
	}
	for _, arg := range args[min(1, len(args)):] {
		if f := cmd.Flags().Lookup(strings.TrimPrefix(filepath.Ext(arg), ".")); f != nil && f.Value.Type() == "string" {
			return fmt.Errorf("found the argument %q; want one model file, and that file as --%s %s", arg, f.Name, ShellQuote(arg))
		}
	}
	return WrongCount(args, "one model file, or the name of one that pgmc models lists")
}

// WrongCount returns the error for a wrong number of arguments.
func WrongCount(args []string, want string) error {
	if len(args) == 0 {
		return fmt.Errorf("found no arguments; want %s", want)
	}
	return fmt.Errorf("found %d %s; want %s", len(args), table.Plural("argument", len(args)), want)
}
