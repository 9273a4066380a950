package uai_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/uai"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestReadQuery(t *testing.T) {
	m := &model.Model{Name: "three"}
	for _, name := range []string{"a", "b", "c"} {
		m.NewVar(name, "s0", "s1")
	}
	for _, c := range []struct {
		text string
		want []model.VarID
		err  string
	}{
		{"2 2 0\n", []model.VarID{2, 0}, ""},
		{"# MAP variables; count = 1\n1\n1\n", []model.VarID{1}, ""},
		{"", nil, "q:1:1: found end of file; want the number of variables of the query"},
		{"0\n", nil, `q:1:1: found "0"; want the number of variables of the query, from 1 to 3`},
		{"99999999999 1", nil, `q:1:1: found "99999999999"; want the number of variables of the query, from 1 to 3`},
		{"3 1\n", nil, "q:1:1: found 3 variables announced; the rest of the file has room for 1 at most"},
		{"2 1 1\n", nil, `q:1:5: found variable "1" for the second time; want each once`},
		{"1 3\n", nil, `q:1:3: found "3"; want the number of a variable, from 0 to 2`},
		{"1 1 2\n", nil, `q:1:5: found "2"; want end of file`},
	} {
		got, list := uai.ReadQuery(&format.Source{Name: "q", Data: []byte(c.text)}, m)
		if c.err == "" && (list.HasErrors() || !slices.Equal(got, c.want)) {
			t.Errorf("%q: %v, %v; want %v", c.text, got, list, c.want)
		}
		if c.err != "" && (got != nil || !list.HasErrors() || !strings.Contains(list.Err().Error(), c.err)) {
			t.Errorf("%q: %v, %v; want the error %s", c.text, got, list.Err(), c.err)
		}
	}
}
