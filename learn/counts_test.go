package learn_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/counts"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// Hill climbing on alarm has the same result from rows, from a source of counts in at most 60
// requests, and from a file of the counts that the source gave.
func TestAlarmFromCounts(t *testing.T) {
	rows, _ := alarm(t)
	if irtest.Long(t) {
		rows = drawn(t, network37(t), 1_000_000)
	}
	fit := func(s *data.Set) *learner.Result {
		r, err := learn.Fit(t.Context(), hillclimb.Options{}, &learner.Job{Train: s, Cores: 2})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	want, from := fit(rows), learnertest.NewRows(rows)
	s, kept := learnertest.Counted(t, from)
	if got := fit(s); !reflect.DeepEqual(got, want) {
		t.Errorf("from counts %v %v; want %v %v", learnertest.Parents(got), got.Report.Total, learnertest.Parents(want), want.Report.Total)
	}
	if from.Requests > 60 {
		t.Errorf("%d requests for %d families; want at most 60", from.Requests, from.Families)
	}
	t.Logf("%d requests for %d families", from.Requests, from.Families)
	var file bytes.Buffer
	if err := kept.WriteJSON(&file); err != nil {
		t.Fatal(err)
	}
	c, err := counts.ReadJSON(&file, "kept.json", 0)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = data.NewCounted(c.Vars, c); err != nil {
		t.Fatal(err)
	}
	if got := fit(s); !reflect.DeepEqual(got, want) {
		t.Errorf("from a file of counts %v; want %v", got.Report.Total, want.Report.Total)
	}
}

// failing is a source that fails after some requests.
type failing struct {
	*learnertest.Rows
	after int
}

func (f *failing) Count(families []data.Family) ([]data.Table, error) {
	if f.Requests >= f.after {
		return nil, errGone
	}
	return f.Rows.Count(families)
}

var errGone = errors.New("the table is gone")

// A failure of the source is the error of the learner, and of a fit.
func TestFailingSource(t *testing.T) {
	for after := 1; after <= 3; after++ {
		from := &failing{learnertest.NewRows(learnertest.Diamond(t)), after}
		s, err := data.NewCounted(from.Set.Vars, from)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := learn.Fit(context.Background(), nil, &learner.Job{Train: s, Cores: 2}); !errors.Is(err, errGone) {
			t.Errorf("after %d requests got %v, error %v", after, r, err)
		}
	}
}

// A fit to counts has the numbers of a fit to rows: to the bit for tables. What needs rows is
// refused.
func TestFitToCounts(t *testing.T) {
	rows, m := learnertest.Drawn(t, 3, 6), &model.Model{Name: "m"}
	for v, x := range rows.Vars {
		m.NewVar(x.Name, x.States...)
		scope := []model.VarID{model.VarID(v)}
		size := len(x.States)
		if v > 0 {
			scope = []model.VarID{model.VarID(v - 1), model.VarID(v)}
			size *= len(rows.Vars[v-1].States)
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: make([]float64, size)}})
	}
	fit := func(s *data.Set, opt learn.ParameterOptions) (*learner.Result, error) {
		return learn.FitParameters(t.Context(), &learner.Job{Init: m, Train: s, Cores: 1}, opt)
	}
	s, _ := learnertest.Counted(t, learnertest.NewRows(rows))
	var opt learn.ParameterOptions
	opt.Prior.Kind, opt.Prior.Size = mle.BDeu, 1
	want, err := fit(rows, opt)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := fit(s, opt); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, error %v; want %v", got, err, want)
	}
	opt.EM = true
	if _, err := fit(s, opt); err == nil || !strings.Contains(err.Error(), "fitting by EM needs rows, and the data has counts in place of them") {
		t.Errorf("error %v", err)
	}
}
