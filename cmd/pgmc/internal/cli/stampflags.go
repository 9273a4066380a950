package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/pflag"
)

// RelativeTo returns the name of a file relative to a folder. A name that is not a file's, such as
// a heuristic's, stays.
func RelativeTo(folder, name string) string {
	if _, err := os.Stat(name); err != nil {
		return name
	}
	dir, err := filepath.Abs(folder)
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

// PathIn is the inverse of [RelativeTo].
func PathIn(folder, name string) string {
	joined := filepath.Join(folder, filepath.FromSlash(name))
	if _, err := os.Stat(joined); name == "" || err != nil {
		return name
	}
	return joined
}

// Override sets flags to the values that are set in given, which may be nil.
func Override(flags, given *pflag.FlagSet) (err error) {
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
