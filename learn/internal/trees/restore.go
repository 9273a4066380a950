package trees

import (
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
)

// Restore reads a tree of all variables from a checkpoint. It returns an error if the tree is not
// valid.
func (t *Tree) Restore(vars []data.Var) error {
	if len(t.Parent) != len(vars) || len(t.Tables) != len(vars) {
		return fmt.Errorf("found a tree of %d variables with %d tables; want %d of each", len(t.Parent), len(t.Tables), len(vars))
	}
	t.Vars = nil
	for i, p := range t.Parent {
		t.Vars = append(t.Vars, i)
		rows := 1
		if p >= 0 && p < len(vars) {
			rows = len(vars[p].States)
		} else if p != -1 {
			return fmt.Errorf("variable %d has parent %d; want a variable of the tree or -1", i, p)
		}
		card := len(vars[i].States)
		if n := len(t.Tables[i]); n != rows*card {
			return fmt.Errorf("the table of variable %d has %d numbers; want %d", i, n, rows*card)
		}
		if err := spn.CheckSums(t.Tables[i], card); err != nil {
			return fmt.Errorf("variable %d: %w", i, err)
		}
	}
	if !rooted(t.Parent) {
		return errors.New("the tree has a cycle")
	}
	t.log()
	return nil
}

// rooted reports whether the path from each node through its parents ends.
func rooted(parent []int) bool {
	ends := make([]bool, len(parent))
	for start := range parent {
		var way []int
		for i := start; i >= 0 && !ends[i]; i = parent[i] {
			if way = append(way, i); len(way) > len(parent) {
				return false
			}
		}
		for _, i := range way {
			ends[i] = true
		}
	}
	return true
}
