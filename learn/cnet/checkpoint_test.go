package cnet

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func TestResume(t *testing.T) {
	s := learnertest.Load(t, "libra", "test", "acbn", "cold.data")
	learnertest.Resume(t, Learner, learner.Job{Train: s}, []learnertest.Damage{
		{State: `{}`, Want: "it has 0 parts; want 1"},
		{State: `{"made":[[100]]}`, Want: "variable 99 cannot be tested where it is"},
		{State: `{"made":[[1,1]]}`, Want: "variable 0 cannot be tested where it is"},
		{State: `{"made":[[0,1]]}`, Want: "it has choices after the end of the search"},
	}, "-min-rows", "1", "-penalty", "0")
	learnertest.Resume(t, Learner, learner.Job{Train: s, Valid: s, Seed: 3}, []learnertest.Damage{
		{State: `{"made":[[],[]]}`, Want: "it has 2 parts; want 3"},
	}, "-min-rows", "1", "-bags", "3")
}
