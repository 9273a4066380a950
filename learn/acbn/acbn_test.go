package acbn_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/learn/acbn"
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
	for _, name := range []string{"cold.data", "alarm.data.gz"} {
		s := load(t, "libra", "test", "acbn", name)
		r := learnertest.Learn(t, acbn.Learner, &learner.Job{Train: s, Cores: 2})
		t.Log(r.Report.Total/float64(s.Len()), r.Report.Remarks)
	}
	_ = math.Pi
}
