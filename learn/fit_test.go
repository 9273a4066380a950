package learn_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/structem"
)

// Zero fields of a value become defaults; a pointer is used unchanged.
func TestFit(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2), [][]int{{0, 0}, {0, 0}, {1, 1}, {1, 1}}, nil)
	edges := func(algo any) int {
		t.Helper()
		r, err := learn.Fit(context.Background(), algo, &learner.Job{Train: s})
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Report.Strengths)
	}
	if n := edges(hillclimb.Options{Score: "loglik"}); n != 1 {
		t.Errorf("%d edges; want 1", n)
	}
	none := hillclimb.NewOptions()
	none.MaxParents = 0
	if n := edges(none); n != 0 {
		t.Errorf("%d edges without parents; want 0", n)
	}
	if n := edges(structem.Options{Options: hillclimb.Options{Score: "loglik"}}); n != 0 {
		t.Errorf("%d strengths of edges by EM, which reports none", n)
	}
	const want = "options of type string; want those of a learner, such as hillclimb.Options"
	if _, err := learn.Fit(context.Background(), "hillclimb", &learner.Job{Train: s}); err == nil || err.Error() != want {
		t.Errorf("got error %v; want %s", err, want)
	}
}

// The options of each learner are an exported struct of its own, all of whose fields are exported.
func TestOptions(t *testing.T) {
	seen := map[reflect.Type]string{}
	for _, l := range learn.Learners {
		in := reflect.TypeOf(l.New())
		if in.Kind() != reflect.Pointer || in.Elem().Kind() != reflect.Struct || in.Elem().Name()[0] < 'A' || in.Elem().Name()[0] > 'Z' {
			t.Errorf("%s has options of type %v; want a pointer to an exported struct", l.Name, in)
			continue
		}
		if other := seen[in]; other != "" {
			t.Errorf("%s and %s have options of the same type %v", other, l.Name, in)
		}
		seen[in] = l.Name
		irtest.CheckOptions(t, l.New())
		if _, err := options.Of(reflect.Zero(in.Elem()).Interface(), l.New()); err != nil {
			t.Errorf("%s: %v", l.Name, err)
		}
	}
}
