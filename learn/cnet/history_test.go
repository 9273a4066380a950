package cnet

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func TestResume(t *testing.T) {
	s := learnertest.Load(t, "libra", "test", "acbn", "cold.data")
	learnertest.Resume(t, Learner, learner.Job{Train: s}, []learnertest.Damage{
		{State: `[]`, Want: "it has 0 networks; want 1"},
		{State: `[[99]]`, Want: "variable 99 cannot be tested where it is"},
		{State: `[[0,0]]`, Want: "variable 0 cannot be tested where it is"},
		{State: `[[-1,0]]`, Want: "it has more tests than there are nodes"},
	}, "-min-rows", "1", "-penalty", "0")
	learnertest.Resume(t, Learner, learner.Job{Train: s, Valid: s, Seed: 3}, []learnertest.Damage{
		{State: `[[],[]]`, Want: "it has 2 networks; want 3"},
	}, "-min-rows", "1", "-bags", "3")
}
