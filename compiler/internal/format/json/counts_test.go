package json_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/json"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestCounts checks that counts of data read back exactly, in the order of a table or of the leaves
// of a tree, and that another format reports their loss.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		dist model.Dist
		n    []float64
		want string
	}{
		{"table", &model.Table{Values: []float64{0.5, 0.25, 0.25, 0.2, 0.2, 0.6}}, []float64{4, 2, 2, 1.5, 1.5, 4.5},
			"\"counts\": [\n        4, 2, 2,\n        1.5, 1.5, 4.5\n      ]"},
		{"tree", &model.Tree{Nodes: []model.TreeNode{{Leaf: []float64{0.5, 0.25, 0.25}}}}, []float64{4, 2, 2}, "\"counts\": [\n        4, 2, 2\n      ]"},
	} {
		m := two(c.dist)
		m.Vars[1].Domain = model.Discrete{States: []string{"p", "q", "r"}}
		m.Factors[1].Counts = c.n
		out, err := format.Encode(nil, json.Format, "x.json", m)
		if err != nil {
			t.Fatal(err)
		}
		text := out.Files[0].Data.Bytes()
		if !strings.Contains(string(text), c.want) || len(out.Lost) > 0 {
			t.Errorf("%s: got\n%s, lost %q; want %s", c.name, text, out.Lost, c.want)
		}
		again, list := format.ReadSource(json.Format, &format.Source{Name: "x.json", Data: text}, format.ReadOptions{})
		if list.HasErrors() {
			t.Fatal(list.Err())
		}
		if !reflect.DeepEqual(again.Factors[1].Counts, c.n) || again.Factors[0].Counts != nil {
			t.Errorf("%s: read %v and %v; want %v and none", c.name, again.Factors[1].Counts, again.Factors[0].Counts, c.n)
		}
	}
	m := two(&model.Table{Values: []float64{0.5, 0.25, 0.25, 0.2, 0.2, 0.6}})
	m.Factors[0].Counts = []float64{1, 2}
	uai, err := format.Find(compiler.Formats, "x.uai", "")
	if err != nil {
		t.Fatal(err)
	}
	out, err := format.Encode(nil, uai, "x.uai", m)
	if err != nil {
		t.Fatal(err)
	}
	if want := "counts of the data behind the numbers: only the format json keeps them"; !strings.Contains(strings.Join(out.Lost, "\n"), want) {
		t.Errorf("UAI loses %q; want %s", out.Lost, want)
	}
}
