package idspn

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func TestResume(t *testing.T) {
	damaged := []learnertest.Damage{
		{State: `{"leaves":[{"circuit":[]}]}`, Want: `circuit 0: -: potential over "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" is a circuit without nodes`},
		{State: `{"leaves":[{"circuit":[{"Value":0.5}]}]}`, Want: "circuit 0: the circuit sums to 0.5"},
		{State: `{"leaves":[{"circuit":[{"Value":1}],"features":[{}]}]}`, Want: "circuit 0: a feature is missing"},
		{State: `{"leaves":[{"open":{}}]}`, Want: `circuit 0: the checkpoint was saved by learner ""`},
	}
	learnertest.Resume(t, Learner, learner.Job{Train: twoKinds(t, 4, 60)}, damaged, "-extensions", "2", "-min-rows", "20", "-max-edges", "100", "-mutual", "0.02", "-min-vars", "2", "-split-penalty", "1")
}
