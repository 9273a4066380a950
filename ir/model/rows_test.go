package model_test

import (
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestParseRows(t *testing.T) {
	for name, want := range map[string]model.Rows{"normalize": model.RowsNormalize, "asis": model.RowsAsIs, "strict": model.RowsStrict} {
		if got, err := model.ParseRows(name); got != want || err != nil {
			t.Errorf("%q is %v, %v", name, got, err)
		}
	}
	if _, err := model.ParseRows("x"); err == nil || err.Error() != `unknown row policy "x"; want normalize, asis, strict or uniform` {
		t.Errorf("got %v", err)
	}
}

// One row is off by 0, 1e-9, 1e-4 and 0.1, under each policy: the message, and whether the row is
// rescaled.
func TestNormalizeRows(t *testing.T) {
	for _, c := range []struct {
		name     string
		policy   model.Rows
		off      float64
		errors   string
		warnings string
		scaled   bool
	}{
		{"normalize exact", model.RowsNormalize, 0, "", "", false},
		{"normalize printed digits", model.RowsNormalize, 1e-9, "", "", true},
		{"normalize hand-rounded", model.RowsNormalize, 0x1p-12, "", `m.bif:6:1: warning: row of the CPD of "b" sums to 1.000244140625; want 1 (rescaled)`, true},
		{"normalize wrong", model.RowsNormalize, 0.125, `m.bif:6:1: row of the CPD of "b" sums to 1.125; want 1`, "", true},
		{"normalize zeros", model.RowsNormalize, -1, `m.bif:6:1: row of the CPD of "b" sums to 0; want 1`, "", false},
		{"asis", model.RowsAsIs, 0.125, "", "", false},
		{"strict exact", model.RowsStrict, 0, "", "", false},
		{"strict rounding", model.RowsStrict, 1e-14, "", "", false},
		{"strict", model.RowsStrict, 0x1p-30, `m.bif:6:1: row of the CPD of "b" sums to 1.0000000009313226; want 1`, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := twoNodes()
			row := []float64{.125, .625, .25 + c.off}
			if c.off == -1 {
				row = []float64{0, 0, 0}
			}
			table := m.Factors[1].Dist.(*model.Table)
			table.Values = []float64{.5, row[0], .25, row[1], .25, row[2]}
			before := append([]float64(nil), table.Values...)
			out, list := m.NormalizeRows(c.policy)
			if got := lines(list.Errors()); got != c.errors {
				t.Errorf("errors %q; want %q", got, c.errors)
			}
			if got := lines(list.Warnings()); got != c.warnings {
				t.Errorf("warnings %q; want %q", got, c.warnings)
			}
			if !reflect.DeepEqual(table.Values, before) {
				t.Error("the model that was given has changed")
			}
			got := out.Factors[1].Dist.(*model.Table).Values
			if want := 1 + c.off; c.scaled {
				irtest.Close(t, got, []float64{.5, .125 / want, .25, .625 / want, .25, (.25 + c.off) / want}, 1e-15) // one division each
			} else if !reflect.DeepEqual(got, before) {
				t.Errorf("got %v; want %v as it was", got, before)
			}
			if out.Factors[0] != m.Factors[0] {
				t.Error("a factor without need was copied")
			}
		})
	}
}

// Every kind of distribution is scaled by row; the position is that of the row.
func TestNormalizeRowsOfEveryKind(t *testing.T) {
	for _, c := range []struct {
		name string
		dist model.Dist
		want model.Dist
		at   string
	}{
		{"noisy-max", &model.NoisyMax{Leak: []float64{1, 0, 0}, Cause: [][]float64{{.5, .25, .25, .5, .25, .25 + 0x1p-10}}},
			&model.NoisyMax{Leak: []float64{1, 0, 0}, Cause: [][]float64{{.5, .25, .25, .5 / (1 + 0x1p-10), .25 / (1 + 0x1p-10), (.25 + 0x1p-10) / (1 + 0x1p-10)}}}, "m.bif:7:1"},
		{"tree", &model.Tree{Nodes: []model.TreeNode{{Axis: 1, Next: []int32{1, 2}}, {Leaf: []float64{0, .999, 0}}, {Leaf: []float64{0, .5, .5}}}},
			&model.Tree{Nodes: []model.TreeNode{{Axis: 1, Next: []int32{1, 2}}, {Leaf: []float64{0, 1, 0}}, {Leaf: []float64{0, .5, .5}}}}, "m.bif:5:1"},
		{"deterministic", &model.Deterministic{States: []int32{1, 2}}, &model.Deterministic{States: []int32{1, 2}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := twoNodes()
			m.Factors[1].Dist = c.dist
			m.Factors[1].RowPos = append(m.Factors[1].RowPos, at(7, 1))
			out, list := m.NormalizeRows(model.RowsNormalize)
			if !reflect.DeepEqual(out.Factors[1].Dist, c.want) {
				t.Errorf("got %+v; want %+v", out.Factors[1].Dist, c.want)
			}
			var where string
			for _, w := range list.Warnings() {
				where += w.Pos.String()
			}
			if where != c.at || list.HasErrors() {
				t.Errorf("warned at %q; want %q (%v)", where, c.at, list.Err())
			}
		})
	}
}

func TestPotentialsAreLeftAlone(t *testing.T) {
	m := irtest.Misconception()
	out, list := m.NormalizeRows(model.RowsStrict)
	if list.HasErrors() || !reflect.DeepEqual(out, m) {
		t.Errorf("potentials were touched: %v", list.Err())
	}
}

func TestRowPositionsFallBackToTheFactor(t *testing.T) {
	m := twoNodes()
	m.Factors[0].Dist = &model.Table{Values: []float64{.5, .75}}
	_, list := m.NormalizeRows(model.RowsNormalize)
	want := diag.Pos{File: "m.bif", Line: 3, Col: 1}
	if es := list.Errors(); len(es) != 1 || es[0].Pos != want {
		t.Errorf("got %v; want one error at %v", es, want)
	}
}
