package counts

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// NamesError is an error in a line of a file of families.
type NamesError struct{ Err error }

// Error returns the text of the error that is wrapped.
func (e NamesError) Error() string { return e.Err.Error() }

// Unwrap returns the error that is wrapped.
func (e NamesError) Unwrap() error { return e.Err }

// ReadFamilies reads a file with the names of the variables of a family on each line.
func ReadFamilies(path string) (lists [][]string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		names, err := diag.Names(lines.Text())
		if err != nil {
			return nil, NamesError{fmt.Errorf("%s:%d: family %q: %w", path, n, lines.Text(), err)}
		}
		lists = append(lists, names)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if lists == nil {
		return nil, fmt.Errorf("%s: there is no family; want the names of its variables on each line, as in A,B", path)
	}
	return lists, nil
}

// Families returns the families of some names, and each variable as a family of its own, which
// shows whether rows miss its value.
func Families(vars []data.Var, lists [][]string) (families []data.Family, err error) {
	c := New(vars, 0)
	for _, x := range vars {
		lists = append(lists, []string{x.Name})
	}
	for _, names := range lists {
		f, err := c.Family(names)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(families, func(g data.Family) bool { return g.Key() == f.Key() }) {
			families = append(families, f)
		}
	}
	return families, nil
}
