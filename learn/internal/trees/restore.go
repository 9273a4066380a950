package trees

import (
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
)

// Restore takes a tree of all variables from a checkpoint, and says what is wrong with it.
func (t *Tree) Restore(vars []data.Var) error {
	if len(t.Parent) != len(vars) || len(t.Tables) != len(vars) {
		return fmt.Errorf("a tree of %d variables with %d tables; want %d", len(t.Parent), len(t.Tables), len(vars))
	}
	t.Vars = nil
	for i, p := range t.Parent {
		t.Vars = append(t.Vars, i)
		rows := 1
		if p >= 0 && p < len(vars) {
			rows = len(vars[p].States)
		} else if p != -1 {
			return fmt.Errorf("the parent of variable %d is number %d", i, p)
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
		return errors.New("a tree with a cycle")
	}
	t.log()
	return nil
}

// rooted says whether the way from each node to its parent, and so on, ends.
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
