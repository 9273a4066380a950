package learn_test

import (
	"context"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/auto"
	"github.com/pgmc-go/pgmc/learn/average"
	"github.com/pgmc-go/pgmc/learn/boss"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/structem"
)

// TestStartWithoutStructure begins learners that start from the structure of a model with a Markov
// network, which has none.
func TestStartWithoutStructure(t *testing.T) {
	s := priorRows(t)
	m := &model.Model{Kind: model.Markov, File: "start.uai"}
	for _, v := range s.Vars {
		m.NewVar(v.Name, v.States...)
	}
	for _, algo := range []any{hillclimb.Options{}, boss.Options{}, auto.Options{}, structem.Options{}, average.Options{Over: "structures"}} {
		_, err := learn.Fit(context.Background(), algo, &learner.Job{Train: s, Init: m})
		const want = "start.uai: the model is a Markov network; want a Bayesian network to begin from"
		if err == nil || err.Error() != want {
			t.Errorf("%T: %v; want %s", algo, err, want)
		}
	}
}
