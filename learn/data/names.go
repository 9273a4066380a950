package data

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Find returns the index of the variable with a name.
func Find(vars []Var, name string) (int, error) {
	for i, v := range vars {
		if v.Name == name {
			return i, nil
		}
	}
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = v.Name
	}
	return 0, fmt.Errorf("the data has no variable %q; the first of its %d is %q%s", name, len(vars), vars[0].Name, diag.DidYouMean(name, names))
}

// Names parses a list of different variables, separated like a line of CSV.
func Names(vars []Var, list string) ([]int, error) {
	names, err := Items(list)
	if err != nil {
		return nil, err
	}
	var out []int
	seen := make([]bool, len(vars))
	for _, name := range names {
		i, err := Find(vars, name)
		if err != nil {
			return nil, err
		}
		if seen[i] {
			return nil, fmt.Errorf("%q stands there twice", name)
		}
		seen[i] = true
		out = append(out, i)
	}
	return out, nil
}

// Edges parses a list of edges such as "a->b,b->c".
func Edges(vars []Var, list string) ([][2]int, error) {
	if list == "" {
		return nil, nil
	}
	quoting := ""
	if i := slices.IndexFunc(vars, func(v Var) bool { return strings.Contains(v.Name, ",") }); i >= 0 {
		quoting = fmt.Sprintf("; an edge of a name with a comma goes into quotes as a whole, as in %q", vars[i].Name+"->b")
	}
	items, err := Items(list)
	if err != nil {
		return nil, fmt.Errorf("%w%s", err, quoting)
	}
	var out [][2]int
	for _, item := range items {
		from, to, _ := Ends(vars, item, "->")
		if from == item {
			return nil, fmt.Errorf("edge %q; want one like a->b%s", item, quoting)
		}
		var e [2]int
		for k, name := range []string{from, to} {
			if e[k], err = Find(vars, name); err != nil {
				return nil, fmt.Errorf("edge %q: %w", item, err)
			}
		}
		if e[0] == e[1] {
			return nil, fmt.Errorf("edge %q joins a variable to itself", item)
		}
		out = append(out, e)
	}
	return out, nil
}

// Ends returns the names on both sides of an arrow. If names contain arrows, the first arrow between
// names of variables counts, and known reports that there is one; otherwise the first arrow counts.
// Without an arrow, from is the whole edge.
func Ends(vars []Var, edge, arrow string) (from, to string, known bool) {
	is := func(name string) bool { return slices.ContainsFunc(vars, func(v Var) bool { return v.Name == name }) }
	for at := range edge {
		if !strings.HasPrefix(edge[at:], arrow) {
			continue
		}
		from, to = strings.TrimSpace(edge[:at]), strings.TrimSpace(edge[at+len(arrow):])
		if is(from) && is(to) {
			return from, to, true
		}
	}
	if from, to, ok := strings.Cut(edge, arrow); ok {
		return strings.TrimSpace(from), strings.TrimSpace(to), false
	}
	return edge, "", false
}

// Items splits lines of names, or of edges, at commas. An item with commas is in quotes.
func Items(list string) ([]string, error) {
	r := csv.NewReader(strings.NewReader(list))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("list of names: %w", err)
	}
	var out []string
	for _, rec := range records {
		for _, name := range rec {
			if name = strings.TrimSpace(name); name != "" {
				out = append(out, name)
			}
		}
	}
	return out, nil
}
