package mixture

import (
	"testing"

	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// A stopped search resumes, also if a row of the validation data has probability 0, so that no
// score is finite.
func TestResume(t *testing.T) {
	s := learnertest.Load(t, "libra", "test", "acbn", "cold.data")
	damaged := []learnertest.Damage{
		{State: `{"try":-1}`, Want: "there is no such number of trees"},
		{State: `{"steps":-1}`, Want: "it has a negative count"},
		{State: `{"climb":{"round":1}}`, Want: "there is no round 1"},
		{State: `{"climb":{"round":1,"now":{}}}`, Want: "0 trees with 0 weights; want "},
		{State: `{"best":{"trees":[null],"weights":[1]}}`, Want: "a tree is missing"},
		{State: `{"best":{"trees":[{"parent":[0,-1,-1,-1,-1,-1]}],"weights":[1]}}`, Want: "found a tree of 6 variables with 0 tables; want "},
	}
	learnertest.Resume(t, Learner, learner.Job{Train: s, Valid: s}, damaged, "-rounds", "6", "-max-components", "6")
	learnertest.Resume(t, Learner, learner.Job{Train: s}, damaged)
	half := learnertest.New(t, xor(t).Vars, [][]int{{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {0, 1, 0}}, nil)
	learnertest.Resume(t, Learner, learner.Job{Train: half, Valid: xor(t)}, nil, "-pseudo", "0", "-step", "1", "-max-components", "3")
}
