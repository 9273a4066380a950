package learn_test

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// published is a result of the literature for a learner on one of the density estimation data sets.
type published struct {
	set, algo, args string
	long            bool    // takes minutes
	mean            float64 // of the test data, in nats a row
}

// run learns from training and validation data, and requires a mean of the measure over the test
// data of at least slack times the published one.
func (p *published) run(t *testing.T, slack float64, rate func(t *testing.T, m *model.Model, test *data.Set) float64) {
	t.Run(strings.Join(strings.Fields(p.set+" "+p.algo+" "+p.args), " "), func(t *testing.T) {
		if p.long {
			irtest.SkipUnlessLong(t)
		}
		l, err := learn.Find(p.algo)
		if err != nil {
			t.Fatal(err)
		}
		r := learnertest.Learn(t, *l, &learner.Job{Train: learnertest.DEBD(t, p.set, "train"), Valid: learnertest.DEBD(t, p.set, "valid"), Seed: 1, Cores: 2}, strings.Fields(p.args)...)
		if got := rate(t, r.Models[0], learnertest.DEBD(t, p.set, "test").Merged()); !(got >= slack*p.mean) {
			t.Errorf("%.4f a row of the test data; published is %v", got, p.mean)
		} else {
			t.Logf("%.4f a row; published is %v", got, p.mean)
		}
	})
}
