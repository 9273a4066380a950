package learnspn

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// A stopped search resumes, with one try and with several followed by EM.
func TestResume(t *testing.T) {
	s := learnertest.Load(t, "libra", "test", "acbn", "cold.data")
	damaged := []learnertest.Damage{
		{State: `{}`, Want: "it has 0 parts; want 1"},
		{State: `{"made":[[{"groups":[[0,0]]}]]}`, Want: "a group of no variables, or of all"},
		{State: `{"made":[[{"groups":[[0,0],[1]]}]]}`, Want: "groups of other variables"},
		{State: `{"made":[[{"clusters":"AAE="}]]}`, Want: "clusters of other rows"},
	}
	learnertest.Resume(t, Learner, learner.Job{Train: s}, damaged, "-alpha", "0.05", "-cluster-penalty", "0.01", "-min-rows", "2")
	learnertest.Resume(t, Learner, learner.Job{Train: s, Valid: s, Seed: 3}, nil, "-alpha", "0.05", "-min-rows", "2")
}
