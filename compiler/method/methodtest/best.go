package methodtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// bestQueries returns a query for few or many most probable completions, and a MAP query for some
// variables that are not latent.
func bestQueries(r *rand.Rand, m *model.Model) []string {
	queries := []string{"kmpe=" + strconv.Itoa(1+r.IntN([]int{4, 40}[r.IntN(2)]))}
	var names []string
	for _, v := range m.Vars {
		if !v.Latent && r.IntN(2) == 0 {
			names = append(names, strconv.Quote(v.Name))
		}
	}
	r.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	if len(names) > 0 {
		queries = append(queries, "map("+strings.Join(names, ", ")+")")
	}
	return queries
}

// mapStates checks the answer of a MAP query.
func (c *checked) mapStates(entry *ir.Entry, e brute.Evidence) {
	logp, best := c.joint.MAP(entry.Query.Targets, e)
	irtest.CloseTo(c, c.machine.LogP(), logp, c.tol)
	got := make([]int, len(entry.Query.Targets))
	for i, v := range entry.Query.Targets {
		got[i] = int(c.machine.State()[v])
	}
	if !slices.ContainsFunc(best, func(s []int) bool { return slices.Equal(s, got) }) {
		c.Errorf("%s: %v is not among %v", entry.Query.Name, got, best)
	}
}

// completions checks the values of several completions, and that they are distinct.
func (c *checked) completions(entry *ir.Entry, e brute.Evidence) {
	want := c.joint.KMPE(entry.Query.K, e)
	if c.machine.Found() != len(want) {
		c.Errorf("%s: %d completions; want %d", entry.Query.Name, c.machine.Found(), len(want))
		return
	}
	vars, seen := c.joint.Observable(), map[string]bool{}
	for k, logp := range want {
		state, got := c.machine.Completion(k)
		states := make([]int, len(vars))
		for i, v := range vars {
			states[i] = int(state[v])
		}
		irtest.CloseTo(c, got, logp, c.tol)
		irtest.CloseTo(c, c.joint.LogValue(vars, states, e), logp, c.tol)
		if key := fmt.Sprint(states); seen[key] {
			c.Errorf("%s: %v occurs twice", entry.Query.Name, states)
		} else {
			seen[key] = true
		}
	}
}
