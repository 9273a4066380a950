package acmn_test

import (
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/learn/acmn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func load(t *testing.T, path ...string) *data.Set {
	t.Helper()
	s, err := data.Load(filepath.Join(append([]string{irtest.Shared(t), "data"}, path...)...), data.Libra, data.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestX(t *testing.T) {
	s := load(t, "libra", "test", "acbn", "cold.data")
	r := learnertest.Learn(t, acmn.Learner, &learner.Job{Train: s, Cores: 2})
	t.Log(r.Report.Total/float64(s.Len()), r.Report.Remarks)
}

func TestLearner(t *testing.T) { learnertest.Run(t, acmn.Learner) }
