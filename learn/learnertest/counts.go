package learnertest

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/pgmc-go/pgmc/learn/counts"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Rows is a source of counts of the rows of a set, which counts its requests.
type Rows struct {
	Set      *data.Set
	Requests int
	Families int // in all requests

	moments func() *data.Moments
}

// NewRows returns the source of a set.
func NewRows(s *data.Set) *Rows {
	return &Rows{Set: s, moments: sync.OnceValue(func() *data.Moments { return data.NewMoments(s, 1) })}
}

// Count implements data.CountSource.
func (r *Rows) Count(families []data.Family) (tables []data.Table, err error) {
	r.Requests++
	r.Families += len(families)
	c := data.NewCounter(r.Set, 1)
	for _, f := range families {
		if f.Real == nil {
			tables = append(tables, data.Table{N: c.Counts(f.Discrete...)})
		} else {
			tables = append(tables, data.Table{Moments: r.moments().Of(f.Discrete, f.Real)})
		}
	}
	return tables, nil
}

// Counted returns the set of the counts that a source gives, and the counts that it keeps.
func Counted(t testing.TB, from *Rows) (*data.Set, *counts.Counts) {
	t.Helper()
	c := counts.New(from.Set.Vars, 0)
	c.From = from
	s, err := data.NewCounted(from.Set.Vars, c)
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// fromCounts checks that a learner learns from counts what it learns from the rows, in requests
// that do not depend on the number of cores. Without rows, names decide about equal columns, and
// then the result may be another one.
func fromCounts(t *testing.T, l learner.Learner, s *data.Set, want *learner.Result, args []string) {
	requests := 0
	for cores := 1; cores <= 2; cores++ {
		from := NewRows(s)
		counted, _ := Counted(t, from)
		got := Learn(t, l, &learner.Job{Train: counted, Seed: 5, Cores: cores}, args...)
		if cores == 2 && from.Requests != requests {
			t.Errorf("%d requests on two cores; want %d, as on one", from.Requests, requests)
		}
		requests = from.Requests
		sound(t, s, got)
		_, order := s.Canonical(false, 1)
		if _, other := counted.Canonical(false, 1); !slices.Equal(order, other) {
			continue
		}
		if a, b := got.Report.Total, want.Report.Total; math.Abs(a-b) > 1e-9*math.Abs(b) || Parents(got) != Parents(want) {
			t.Errorf("from counts %s, %v; want %s, %v", Parents(got), a, Parents(want), b)
		}
		if a, b := content(got, nil), content(want, nil); s.Weights() == nil && !slices.ContainsFunc(s.Vars, func(x data.Var) bool { return x.Real }) && a != b {
			t.Errorf("from counts %s; want %s", a, b)
		}
	}
}
