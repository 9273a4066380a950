package learn_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// Every learner fulfils the contract with its defaults, has a unique name, and is found by it.
func TestLearners(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range learn.Learners {
		t.Run(l.Name, func(t *testing.T) { learnertest.Run(t, l) })
		if seen[l.Name] {
			t.Errorf("two learners are called %q", l.Name)
		}
		seen[l.Name] = true
		if found, err := learn.Find(l.Name); err != nil || found.Name != l.Name {
			t.Errorf("%q is not found: %v", l.Name, err)
		}
	}
	if _, err := learn.Find("nothing"); err == nil || err.Error() != `unknown learner "nothing"; want one of naivebayes, tan, chowliu, k2, knownorder, hillclimb, exact, order, ges, pc, average, treebn, depnet, dn2mn, mnweights, l1mn, gssl, em, structem, acbn, acmn, acopt, mt, hclt, ltm, cnet, learnspn, idspn, ldfm, ldfm-s` {
		t.Errorf("got %v", err)
	}
}
