package network

import (
	"fmt"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Class returns the index of the named variable, or of the last one if the name is empty.
func Class(vars []data.Var, name string) (int, error) {
	if name == "" {
		return len(vars) - 1, nil
	}
	return data.Find(vars, name)
}

// Order reads an order of all variables: their names, separated as on a line of CSV. An empty list
// is the order of the data.
func Order(vars []data.Var, list string) ([]int, error) {
	if list == "" {
		order := make([]int, len(vars))
		for i := range order {
			order[i] = i
		}
		return order, nil
	}
	order, err := data.Names(vars, list)
	if err != nil {
		return nil, fmt.Errorf("order: %w", err)
	}
	seen := make([]bool, len(vars))
	for _, i := range order {
		seen[i] = true
	}
	for i, ok := range seen {
		if !ok {
			return nil, fmt.Errorf("order: found %d of %d variables; %q is missing", len(order), len(vars), vars[i].Name)
		}
	}
	return order, nil
}
