package acbn_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/acbn"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func TestResume(t *testing.T) {
	s := learnertest.Load(t, "libra", "test", "acbn", "cold.data")
	learnertest.Resume(t, acbn.Learner, s, "-shrink", "-max-edges", "300", "-split-penalty", "1")
	learnertest.Resume(t, acbn.Learner, s, "-quick", "-shrink", "-max-edges", "300")
	learnertest.Resume(t, acbn.Learner, s, "-quick", "-shrink", "-max-edges", "300", "-restarts", "3")
}
