package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/order"
)

// stamp returns the flags by which compile makes the package again, as the package's main file
// holds them: those that differ from their defaults and can change the files. Paths are relative to
// the package's folder.
func (f *compileFlags) stamp(path string, seed uint64) []string {
	var words []string
	add := func(flag, value, normal string) {
		if value != normal {
			words = append(words, "--"+flag, value)
		}
	}
	add("format", f.Format.Value, "")
	add("pkg", f.pkg, codegen.PackageName(cli.ModelName(path)))
	for _, q := range f.queries {
		words = append(words, "--query", q)
	}
	for _, x := range f.do {
		words = append(words, "--do", x)
	}
	add("method", f.Method.Value, f.Method.Words[0])
	words = append(words, f.MethodFlags.Stamp()...)
	add("backend", f.backend.Value, f.backend.Words[0])
	add("types", f.types.Value, f.types.Words[0])
	add("names", cli.RelativeTo(f.dir, f.names), "")
	if _, err := order.ParseHeuristic(f.Order); err == nil {
		add("order", f.Order, "auto")
	} else {
		add("order", cli.RelativeTo(f.dir, f.Order), "auto")
	}
	add("params", f.params.Value, f.params.Words[0])
	for _, b := range []struct {
		flag string
		is   bool
	}{{"--measurements", f.measurements}, {"--arrays", f.arrays}, {"--http", f.http}} {
		if b.is {
			words = append(words, b.flag)
		}
	}
	add("rows", f.Rows.Value, f.Rows.Words[0])
	add("runtime", f.runtime.Value, f.runtime.Words[0])
	add("seed", strconv.FormatUint(seed, 10), "0")
	add("max-table", strconv.Itoa(f.maxTable), strconv.Itoa(compiler.DefaultMaxTable))
	if f.maxMem != compiler.DefaultMaxMem {
		words = append(words, "--max-mem", f.maxMem.String())
	}
	return words
}

// command returns the command that writes the package of f again.
func (f *compileFlags) command(path string, seed uint64) string {
	words, here := []string{"pgmc", "compile", path}, *f
	if f.dir != codegen.PackageName(cli.ModelName(path)) {
		words = append(words, "-o", f.dir)
	}
	here.dir = "."
	return cli.ShellQuoteAll(append(words, here.stamp(path, seed)...))
}

// stamped returns the flags and the seed by which the package in dir was made. They are the
// defaults if the package has no stamp, as when its main file is gone. Flags that are set in given,
// which may be nil, replace the stamp's. The limits are a's if the stamp has none. A folder without
// files of pgmc is an error.
func (a *app) stamped(dir, path string, given *pflag.FlagSet) (*compileFlags, uint64, error) {
	made, err := codegen.ReadStamp(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("%s: no such package; pgmc compile makes it", dir)
	}
	if err != nil {
		return nil, 0, err
	}
	f := &compileFlags{}
	cmd := &cobra.Command{}
	f.addAll(cmd)
	seed := cmd.Flags().Uint64("seed", 0, "")
	f.maxMem = a.MaxMem
	cmd.Flags().Var(&f.maxMem, "max-mem", "")
	cmd.Flags().IntVar(&f.maxTable, "max-table", a.MaxTable, "")
	if err := cmd.ParseFlags(made.Flags); err != nil {
		return nil, 0, fmt.Errorf("%s: the flags that it was made with: %w", dir, err)
	}
	f.names, f.Order = cli.PathIn(dir, f.names), cli.PathIn(dir, f.Order)
	if err := cli.Override(cmd.Flags(), given); err != nil {
		return nil, 0, err
	}
	if err := f.MethodFlags.Check(); err != nil {
		return nil, 0, fmt.Errorf("%s: the flags that it was made with: %w", dir, err)
	}
	f.dir, f.version = dir, made.Version
	if f.pkg == "" {
		f.pkg = made.Package
	}
	return f, *seed, f.complete(path)
}
