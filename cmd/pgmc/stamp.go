package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/codegen"
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
	add("method", f.Method.Value, f.Method.Words[0])
	words = append(words, f.MethodFlags.Stamp()...)
	add("backend", f.backend.Value, f.backend.Words[0])
	add("types", f.types.Value, f.types.Words[0])
	add("names", f.relative(f.names), "")
	if _, err := order.ParseHeuristic(f.Order); err == nil {
		add("order", f.Order, "auto")
	} else {
		add("order", f.relative(f.Order), "auto")
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
	return words
}

// relative returns the name of a file relative to the package's folder. A name that is not a
// file's, such as that of a heuristic, stays.
func (f *compileFlags) relative(name string) string {
	if _, err := os.Stat(name); err != nil {
		return name
	}
	dir, err := filepath.Abs(f.dir)
	if err != nil {
		return name
	}
	file, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if rel, err := filepath.Rel(dir, file); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(file)
}

// absolute is the inverse of relative, for a package's folder.
func absolute(dir, name string) string {
	joined := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(joined); name == "" || err != nil {
		return name
	}
	return joined
}

// stamped returns the flags and the seed by which the package in dir was made. They are the
// defaults if the package has no stamp, as when its main file is gone. Flags that are set in given,
// which may be nil, replace those of the stamp. A folder without files of pgmc is an error.
func stamped(dir, path string, given *pflag.FlagSet) (*compileFlags, uint64, error) {
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
	if err := cmd.ParseFlags(made.Flags); err != nil {
		return nil, 0, fmt.Errorf("%s: the flags that it was made with: %w", dir, err)
	}
	f.names, f.Order = absolute(dir, f.names), absolute(dir, f.Order)
	if err := override(cmd.Flags(), given); err != nil {
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

// override sets the flags to the values that are set in given.
func override(flags, given *pflag.FlagSet) (err error) {
	if given == nil {
		return nil
	}
	given.Visit(func(from *pflag.Flag) {
		to := flags.Lookup(from.Name)
		if to == nil || err != nil {
			return
		}
		if list, ok := from.Value.(pflag.SliceValue); ok {
			err = to.Value.(pflag.SliceValue).Replace(list.GetSlice())
			return
		}
		err = to.Value.Set(from.Value.String())
	})
	return err
}
