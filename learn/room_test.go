package learn_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/average"
	"github.com/pgmc-go/pgmc/learn/boss"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/mixture"
)

// TestRoom gives learners numbers for which there is no memory. They return an error before they
// allocate, or begin with what fits.
func TestRoom(t *testing.T) {
	set := learnertest.New(t, learnertest.Vars("a", 2, "b", 2, "c", 3), [][]int{{0, 0, 1}, {1, 1, 2}, {0, 1, 0}, {1, 1, 1}}, nil)
	trees := mixture.NewOptions()
	trees.Components = 1e9
	chains := average.NewOptions()
	chains.Chains = 1e9
	searches := boss.NewOptions()
	searches.Restarts = 1e9
	for name, c := range map[string]struct {
		l    learner.Instance
		want string
	}{
		"mt":      {trees, "the shares of 4 rows in 1000000000 trees take 6.4e+10 bytes; want at most 1073741824: fewer trees, or more memory"},
		"average": {chains, "the edges of 1000000000 chains take 7.2e+10 bytes; want at most 1073741824: fewer chains, or more memory"},
		"boss":    {searches, ""},
	} {
		r, err := learn.Fit(context.Background(), c.l, &learner.Job{Train: set, Cores: 2, MaxTime: 50 * time.Millisecond})
		switch {
		case c.want == "" && (err != nil || r == nil || !r.Report.Stopped):
			t.Errorf("%s: error %v; want a result of a search that was stopped", name, err)
		case c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)):
			t.Errorf("%s: error %v; want %s", name, err, c.want)
		}
	}
}
