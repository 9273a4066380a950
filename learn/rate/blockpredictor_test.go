package rate_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// TestPredictBlocks checks that rows have the predictions in blocks that they have one by one, up
// to rounding, and to the bit the same on any number of cores and in a file of their own.
func TestPredictBlocks(t *testing.T) {
	for _, c := range []struct {
		name    string
		m       *model.Model
		targets []model.VarID
	}{
		{"asia", irtest.Asia(), []model.VarID{3}},
		{"either", irtest.Asia(), []model.VarID{5}},
		{"two", irtest.Asia(), []model.VarID{3, 4}},
		{"hybrid", hybrid(), []model.VarID{0}},
		{"real", hybrid(), []model.VarID{2}},
		{"tiny", tiny(), []model.VarID{0}},
	} {
		lines := randomLines(c.m, 300)
		one := predictLines(t, c.m, c.targets, lines, 0)
		several := predictLines(t, c.m, c.targets, lines, 1)
		if three := predictLines(t, c.m, c.targets, lines, 3); !reflect.DeepEqual(texts(several), texts(three)) {
			t.Errorf("%s: three cores give other predictions", c.name)
		}
		failed := 0
		for i, got := range several {
			want := one[i]
			if errors.Is(want.Err, infer.ErrImpossible) {
				failed++
			}
			if (got.Err == nil) != (want.Err == nil) || got.Err != nil && got.Err.Error() != want.Err.Error() {
				t.Fatalf("%s, %s: got error %v; want %v", c.name, lines[1+i], got.Err, want.Err)
			}
			for k := range want.Posteriors {
				if got.Posteriors[k].Var != want.Posteriors[k].Var {
					t.Errorf("%s: got %q; want %q", c.name, got.Posteriors[k].Var, want.Posteriors[k].Var)
				}
				irtest.Close(t, got.Posteriors[k].Numbers(), want.Posteriors[k].Numbers(), 1e-12)
			}
			if i%50 == 0 {
				alone := predictLines(t, c.m, c.targets, []string{lines[0], lines[1+i]}, 1)
				if !reflect.DeepEqual(texts(alone), texts(several[i:i+1])) {
					t.Errorf("%s, %s: %v alone; want %v", c.name, lines[1+i], alone, got)
				}
			}
		}
		if failed == 0 && c.name == "asia" {
			t.Errorf("%s: no row is impossible", c.name)
		}
	}
}

// tiny returns a network with three findings of a probability of 1e-100 or 2e-100.
func tiny() *model.Model {
	m := &model.Model{}
	m.NewVar("t", "no", "yes")
	m.Factors = []*model.Factor{{Scope: []model.VarID{0}, Dist: &model.Table{Values: []float64{.5, .5}}}}
	for _, name := range []string{"a", "b", "c"} {
		v := m.NewVar(name, "no", "yes")
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0, v.ID}, Child: 1, Dist: &model.Table{Values: []float64{1, 1e-100, 1, 2e-100}}})
	}
	return m
}

// texts returns the predictions with errors as texts.
func texts(list []rate.Prediction) (out []any) {
	for _, x := range list {
		text := ""
		if x.Err != nil {
			text = x.Err.Error()
		}
		out = append(out, x.Posteriors, text)
	}
	return out
}

// predictLines predicts targets of lines of CSV: in blocks on a number of cores, or one by one if
// it is 0.
func predictLines(t *testing.T, m *model.Model, targets []model.VarID, lines []string, cores int) (all []rate.Prediction) {
	t.Helper()
	r, err := rowfile.NewReader("rows.csv", strings.NewReader(strings.Join(lines, "\n")), rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	e, err := infer.New(t.Context(), m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := rate.NewPredictor(e, targets...)
	b, err := r.Bind(data.VarsOf(m), rowfile.UnseenError)
	if err != nil {
		t.Fatal(err)
	}
	if cores == 0 {
		err = b.Each(t.Context(), func(rec *data.Record, states []int) error {
			list, err := p.Row(t.Context(), states, b.Values, rec.Weight)
			all = append(all, rate.Prediction{Posteriors: list, Err: err})
			return nil
		})
	} else {
		err = b.EachBlock(t.Context(), rowfile.BlockOptions{Cores: p.Cores(cores),
			Work: func(core int, k *rowfile.Block) (err error) {
				k.Scratch, err = p.Predict(t.Context(), core, k)
				return err
			},
			Then: func(k *rowfile.Block) error { all = append(all, k.Scratch.([]rate.Prediction)...); return nil },
		})
	}
	if err != nil || len(all) != len(lines)-1 {
		t.Fatalf("%d predictions and %v; want %d", len(all), err, len(lines)-1)
	}
	return all
}
