package ldfm

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// A stopped search resumes to the same model, also with real variables and stop weights.
func TestResume(t *testing.T) {
	s := learnertest.Load(t, "libra", "test", "acbn", "cold.data")
	damaged := []learnertest.Damage{
		{State: `{"tried":[{},{},{}]}`, Want: "there is no such alpha"},
		{State: `{"tried":[{}]}`, Want: "its best alpha is none of those that were tried"},
		{State: `{"steps":-1}`, Want: "it has a negative count"},
		{State: `{"climb":{"round":-1}}`, Want: "there is no round -1"},
		{State: `{"climb":{"now":{"Weights":[1]}}}`, Want: "it has 1 weights, 0 stop weights and 0 normal distributions; want "},
	}
	learnertest.Resume(t, Plain, learner.Job{Train: s, Valid: s}, damaged, "-rounds", "3")
	learnertest.Resume(t, Plain, learner.Job{Train: s, Valid: s}, []learnertest.Damage{
		{State: `{"climb":{"cut":true}}`, Want: "there is no round 0"},
	}, "-rounds", "3", "-max-edges", "12")
	learnertest.Resume(t, Stopping, learner.Job{Train: mixed(t, 40, false), Valid: mixed(t, 40, false)}, nil, "-rounds", "3")
}
