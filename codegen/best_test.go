package codegen_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// someNames returns the quoted names of some of the variables that are not latent. i determines
// which ones.
func someNames(m *model.Model, i int) string {
	var names []string
	for _, v := range m.Vars {
		if !v.Latent && (int(v.ID)+i)%3 != 0 {
			names = append(names, strconv.Quote(v.Name))
		}
	}
	return strings.Join(names, ", ")
}

// completionsOf returns the number of completions that the package of case i finds.
func completionsOf(i uint64) int { return []int{3, 30}[i%2] }

// compareBest compares the best states of some variables and the best completions with brute force,
// by their values.
func compareBest(t *testing.T, r *reply, k int, joint *brute.Joint, e brute.Evidence) {
	t.Helper()
	observable := joint.Observable()
	if r.MAP != nil {
		var vars []model.VarID
		var got []int
		for i, s := range r.MAP {
			if s >= 0 {
				vars, got = append(vars, observable[i]), append(got, s)
			}
		}
		logp, best := joint.MAP(vars, e)
		irtest.CloseTo(t, r.MAPP, logp, 1e-12)
		if !slices.ContainsFunc(best, func(s []int) bool { return slices.Equal(s, got) }) {
			t.Errorf("map: %v is not among %v", got, best)
		}
	}
	if r.KMPE == nil {
		return
	}
	irtest.Close(t, r.KMPEP, joint.KMPE(k, e), 1e-12)
	seen := map[string]bool{}
	for i, states := range r.KMPE {
		irtest.CloseTo(t, joint.LogValue(observable, states, e), r.KMPEP[i], 1e-12)
		if key := fmt.Sprint(states); seen[key] {
			t.Errorf("kmpe: %v occurs twice", states)
		} else {
			seen[key] = true
		}
	}
}
