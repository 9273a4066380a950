package latent

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func TestResume(t *testing.T) {
	s := learnertest.Load(t, "libra", "test", "acbn", "cold.data")
	damaged := []learnertest.Damage{
		{State: `{"try":7}`, Want: "there is no such number of states"},
		{State: `{"steps":-1}`, Want: "it has a negative count"},
		{State: `{"climb":{"best":3}}`, Want: "the best round is 3 of 0"},
		{State: `{"climb":{"weights":[]}}`, Want: "found weights of 0 blocks"},
	}
	learnertest.Resume(t, HCLT, learner.Job{Train: s, Valid: s}, damaged, "-rounds", "7", "-max-states", "16")
	learnertest.Resume(t, LTM, learner.Job{Train: s}, damaged, "-rounds", "20")
}
