package cpt_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestFactor(t *testing.T) {
	m := &model.Model{}
	a, b := m.NewVar("a", "0", "1"), m.NewVar("b", "0", "1", "2")
	names := map[string]model.VarID{"a": a.ID, "b": b.ID}
	at := func(line int) diag.Pos { return diag.Pos{File: "f", Line: line, Col: 1} }
	table := func(child, parent string, n int) *cpt.Table {
		t := &cpt.Table{Pos: at(1), Child: cpt.Name{Text: child, Pos: at(2)}, Parents: []cpt.Name{{Text: parent, Pos: at(3)}}, End: at(99)}
		for i := range n {
			t.Values, t.Offsets = append(t.Values, float64(i)), append(t.Offsets, 10+i)
		}
		return t
	}
	for _, c := range []struct {
		name  string
		table *cpt.Table
		max   int
		want  string // scope and positions of rows, or the error
	}{
		{"b given a", table("b", "a", 6), 6, "[0 1] [f:10:1 f:13:1]"},
		{"a given b", table("a", "b", 6), 6, "[1 0] [f:10:1 f:12:1 f:14:1]"},
		{"unknown child", table("c", "a", 6), 6, `f:2:1: found "c"; want a variable that is declared`},
		{"unknown parent", table("a", "c", 6), 6, `f:3:1: found "c"; want a variable that is declared`},
		{"twice", table("a", "a", 4), 6, `f:2:1: found "a"; want each variable once`},
		{"few", table("b", "a", 5), 6, `f:99:1: found 5 numbers; want 6, one for each joint state of the parents and "b"`},
		{"many", table("b", "a", 8), 6, `f:16:1: found 8 numbers; want 6, one for each joint state of the parents and "b"`},
		{"large", table("b", "a", 6), 5, `f:1:1: CPD of "b" would have 6 numbers; the limit is 5`},
	} {
		var list diag.List
		file := cpt.File{Model: m, Names: names, Pos: at, ReadOptions: format.ReadOptions{MaxEntries: c.max}, List: &list}
		f, ok := file.Factor(c.table)
		got := ""
		if ok {
			got = fmt.Sprint(f.Scope, " ", f.RowPos)
			if !slices.Equal(f.Dist.(*model.Table).Values, c.table.Values) || f.Child != 1 || f.Pos != at(1) {
				t.Errorf("%s: factor is %+v", c.name, f)
			}
		} else {
			got = list.Err().Error()
		}
		if got != c.want {
			t.Errorf("%s: got %s; want %s", c.name, got, c.want)
		}
	}
}
