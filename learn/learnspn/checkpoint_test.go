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
		{State: `{"made":[[{"groups":[[0,0]]}]]}`, Want: "a group has no variables or all of them"},
		{State: `{"made":[[{"groups":[[0,0],[1]]}]]}`, Want: "the groups have other variables than the node"},
		{State: `{"made":[[{"clusters":"AAE="}]]}`, Want: "the clusters have other rows than the node"},
	}
	learnertest.Resume(t, Learner, learner.Job{Train: s}, damaged, "-alpha", "0.05", "-cluster-penalty", "0.01", "-min-rows", "2")
	learnertest.Resume(t, Learner, learner.Job{Train: s, Valid: s, Seed: 3}, nil, "-alpha", "0.05", "-min-rows", "2")
}
