package minibucket_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/compiler/method/minibucket"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestContract compares 800 queries of random networks, with zeros and ties, with brute force. The
// boxes have at most a few numbers, so that the search has to branch, with and without tables of
// contexts.
func TestContract(t *testing.T) {
	for _, options := range [][]string{{"numbers=1", "improve=0"}, {"numbers=40", "improve=5", "contexts=0"}} {
		d := methodtest.Decode(t, minibucket.Search, options...)
		if open := d.Statuses[0] + d.Statuses[2] + d.Statuses[3] + d.Statuses[4]; open != 0 {
			t.Errorf("%v: %+v; want a proof of every answer", options, d)
		}
		irtest.SkipUnlessLong(t)
	}
}

func TestImpossible(t *testing.T) { methodtest.Impossible(t, minibucket.Search) }
