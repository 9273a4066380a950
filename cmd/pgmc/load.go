package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/ldfm"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// await gives what f does, which has no effects, or the error of ctx once that is done: f is left to itself then.
func await[T any](ctx context.Context, a *app, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = a.guard(func() (err error) {
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

// load reads the model in a file and prints warnings about it; name is that of its format, and empty to go by the extension.
func (a *app) load(ctx context.Context, path, name string) (*model.Model, error) {
	var list diag.List
	m, err := await(ctx, a, func() (m *model.Model, err error) {
		m, list = format.Read(compiler.Formats, path, name, format.ReadOptions{})
		return m, nil
	})
	if err != nil {
		return nil, err
	}
	a.warn(list.Warnings())
	return m, list.Err()
}

// loadWithOptions reads the model in a file, and gives the compiler's options for it.
func (a *app) loadWithOptions(ctx context.Context, path string, f *modelFlags) (*model.Model, compiler.Options, error) {
	m, err := a.load(ctx, path, f.format.value)
	if err != nil {
		return nil, compiler.Options{}, err
	}
	opt, err := a.options(m, f)
	return m, opt, err
}

// options are the compiler's options by the flags.
func (a *app) options(m *model.Model, f *modelFlags) (compiler.Options, error) {
	opt := compiler.Options{Seed: a.seed, MaxTable: a.maxTable, MaxMem: int64(a.maxMem), Machine: machineMemory()}
	if f.method.value != "auto" {
		opt.Method = f.method.value
	} else if m.Kind == model.Forest {
		opt.Method = ldfm.Method.Name
	} else if f.lasting {
		opt.Method = compiler.Auto
	}
	var err error
	if opt.Rows, err = f.policy(); err != nil {
		return opt, err
	}
	return opt, f.setOrder(&opt, m)
}

// compile compiles m, which came from path, and prints warnings. dump gets what each pass made; nil is none.
func (a *app) compile(ctx context.Context, path string, m *model.Model, opt compiler.Options, dump func(number int, pass string) io.WriteCloser) (*compiler.Result, error) {
	passes := compiler.Pipeline
	a.stage = passes[0].Name
	opt.Dump = func(number int, pass string) io.WriteCloser {
		if number < len(passes) {
			a.stage = passes[number].Name
		}
		if dump == nil {
			return nil
		}
		return dump(number, pass)
	}
	r, err := await(ctx, a, func() (*compiler.Result, error) { return compiler.Compile(ctx, m, opt) })
	if err != nil {
		return nil, a.compileError(path, err)
	}
	a.stage = ""
	a.warn(r.Warnings)
	return r, ctx.Err()
}

// compileError adds the file to an error without a place, and tells our mistakes from the user's.
func (a *app) compileError(path string, err error) error {
	var list diag.Errors
	var internal *internalError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &list), errors.As(err, &internal):
		return err
	case a.stage == "program-verify":
		return &internalError{cause: err.Error()}
	}
	return fmt.Errorf("%s: %w", path, err)
}

// emit generates the package of a compiled program.
func (a *app) emit(ctx context.Context, r *compiler.Result, opt codegen.Options) (*codegen.Package, error) {
	if err := fitsSource(r); err != nil {
		return nil, err
	}
	a.stage = "codegen"
	if r.Claim != method.Exact {
		opt.Claim = "Answers are " + r.Claim.String() + "."
		if r.Claim == method.Bound {
			opt.Claim = "Answers come with a bound, and may be proven by that."
		}
	}
	pkg, err := await(ctx, a, func() (*codegen.Package, error) { return codegen.Emit(r.Model, r.Program, opt) })
	if err != nil {
		return nil, err
	}
	a.stage = ""
	return pkg, ctx.Err()
}

// modelName is the name of a model's file without folders and extensions.
func modelName(path string) string {
	base := filepath.Base(path)
	if strings.EqualFold(filepath.Ext(base), ".gz") {
		base = base[:len(base)-len(".gz")]
	}
	if ext := filepath.Ext(base); ext != base {
		base = strings.TrimSuffix(base, ext)
	}
	return base
}

// oneModel checks that the operands of a command are one model file.
func oneModel(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("found %d operands; want one model file", len(args))
	}
	return nil
}
