package acmn_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/acmn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func TestResume(t *testing.T) {
	s := learnertest.Load(t, "libra", "test", "acbn", "cold.data")
	job := learner.Job{Train: s, Valid: s}
	learnertest.Resume(t, acmn.Learner, job, learnertest.Splits, "-shrink", "-max-edges", "300", "-split-penalty", "1")
	learnertest.Resume(t, acmn.Learner, job, learnertest.Splits, "-quick", "-shrink", "-max-edges", "300")
	learnertest.Resume(t, acmn.Learner, job, learnertest.Splits, "-quick", "-shrink", "-max-edges", "200", "-restarts", "2")
}
