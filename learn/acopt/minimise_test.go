package acopt_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/acbn"
	"github.com/pgmc-go/pgmc/learn/acopt"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// A stopped fit resumes, for rows and for a network.
func TestResume(t *testing.T) {
	s := learnertest.Load(t, "libra", "test", "acbn", "cold.data")
	models := learnertest.Learn(t, acbn.Learner, &learner.Job{Train: s, Cores: 1}, "-max-edges", "200").Models
	damaged := []learnertest.Damage{
		{State: `{}`, Want: "found 0 variables and 0 and 0 remembered steps of 0; want "},
		{State: `{"fit":{"moves":[[]]}}`, Want: "found 0 variables and 1 and 0 remembered steps of 0; want "},
	}
	learnertest.Resume(t, acopt.Learner, learner.Job{Train: s, Init: models[1]}, damaged, "-tolerance", "1e-9", "-weight-variance", "0.5")
	learnertest.Resume(t, acopt.Learner, learner.Job{Train: learnertest.New(t, s.Vars, nil, nil), Target: models[0]}, damaged, "-tolerance", "1e-12")
}
