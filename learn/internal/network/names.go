package network

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Class returns the index of the named variable, or of the last one as given if the name is empty.
// It must be discrete.
func Class(s *data.Set, name string) (int, error) {
	vars, columns := s.Given()
	class := len(vars) - 1
	if name != "" {
		var err error
		if class, err = data.Find(vars, name); err != nil {
			return 0, err
		}
	}
	if vars[class].Real {
		return 0, fmt.Errorf("the class %q is real-valued; want a discrete variable", vars[class].Name)
	}
	return columns[class], nil
}

// NameClass adds a remark to a result on which variable is the class, if none was named.
func NameClass(r *learner.Result, vars []data.Var, class int, name string) {
	if r != nil && name == "" {
		r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("the class is %q, the last variable", vars[class].Name))
	}
}

// Discrete returns which variables are discrete, or nil if all are.
func Discrete(vars []data.Var) []bool {
	if !slices.ContainsFunc(vars, func(v data.Var) bool { return v.Real }) {
		return nil
	}
	out := make([]bool, len(vars))
	for i, v := range vars {
		out[i] = !v.Real
	}
	return out
}

// Order reads an order of all variables: their names, separated as on a line of CSV. An empty list
// is the order of the data as given. Variables of the slice before come first unless they are
// listed.
func Order(s *data.Set, list string) ([]int, error) {
	vars, columns := s.Given()
	if list == "" {
		return columns, nil
	}
	order, err := data.Names(vars, list)
	if err != nil {
		return nil, fmt.Errorf("order: %w", err)
	}
	seen := make([]bool, len(vars))
	for _, i := range order {
		seen[i] = true
	}
	for i := len(vars) - 1; i >= 0; i-- {
		if vars[i].Before && !seen[i] {
			seen[i], order = true, slices.Insert(order, 0, i)
		}
	}
	for i, ok := range seen {
		if !ok {
			return nil, fmt.Errorf("order: found %d of %d variables; %q is missing", len(order), len(vars), vars[i].Name)
		}
	}
	for i, v := range order {
		order[i] = columns[v]
	}
	return order, nil
}
