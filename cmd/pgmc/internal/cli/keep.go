package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// KeepFlags say which columns of the rows that are read a command copies.
type KeepFlags struct {
	Keep Choice
	Key  []string // names of columns
}

// AddTo adds the flags to a command.
func (f *KeepFlags) AddTo(cmd *cobra.Command) {
	AddChoice(cmd, &f.Keep, "keep", "copy the columns of --key, all columns of the data, or none; the key of a Parquet file if --key names it, and otherwise all, unless given", "auto", "key", "all", "none")
	cmd.Flags().StringArrayVar(&f.Key, "key", nil, "the `columns` that tell rows apart, for --keep: id,day; repeatable")
}

// Check returns a usage error if rows are to be numbered of which f leaves some out.
func (f *KeepFlags) Check(d *DataFlags) error {
	if f.Keep.Value == "none" && (d.Split != "" || d.BadRows != "" && d.BadRows != "fail") {
		return Usagef("--keep none numbers the rows that are written, and --split and --bad-rows leave out rows of the data; want --key, with the columns that tell rows apart")
	}
	return nil
}

// Given reports whether a flag is given.
func (f *KeepFlags) Given() bool {
	return f.Key != nil || f.Keep.Value != "" && f.Keep.Value != "auto"
}

// Columns returns the numbers of the columns to copy, of which some are of variables.
func (f *KeepFlags) Columns(r *rowfile.Reader, vars []data.Var) (list []int, err error) {
	key, err := NamesOf("--key", f.Key...)
	if err != nil {
		return nil, err
	}
	for _, name := range key {
		i, err := r.Find(name)
		if err != nil {
			return nil, err
		}
		list = append(list, i)
	}
	switch {
	case f.Keep.Value == "key" && key == nil:
		return nil, Usagef("--keep key: --key is missing; want the columns that tell rows apart")
	case f.Keep.Value == "none" && key != nil:
		return nil, Usagef("--keep none copies no column; leave out --key")
	case f.Keep.Value == "none":
		return nil, nil
	case f.Keep.Value == "key", f.Keep.Value == "auto" && key != nil && r.Format == rowfile.Parquet:
		slices.Sort(list)
		return slices.Compact(list), nil
	}
	return AllColumns(r, vars), nil
}

// AllColumns returns the numbers of all columns, except those of no variable that the first of
// several files does not have.
func AllColumns(r *rowfile.Reader, vars []data.Var) (list []int) {
	for i, c := range r.Columns {
		if !r.Further(c.Name) || slices.ContainsFunc(vars, func(v data.Var) bool { return v.Name == c.Name }) {
			list = append(list, i)
		}
	}
	return list
}
