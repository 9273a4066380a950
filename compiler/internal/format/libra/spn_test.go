package libra_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/libra"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Leaves of two variables and of one. The first sums to four: it is 2 * P with P(0) = 1/4 for both
// variables.
const (
	leafOf01 = "(2 2)\nn 0.5\nn 1.5\nv 0 0\nv 0 1\nv 1 0\nv 1 1\n* 0 2\n* 1 3\n+ 6 7\n* 0 4\n* 1 5\n+ 9 10\n* 8 11\nEOF\n"
	leafOf0  = "(2)\nn 0.5\nv 0 0\nv 0 1\n+ 1 2\n* 0 3\nEOF\n"
)

var spnTexts = []string{
	"spac\n2\nn 0 * -1\n1 2\n0 1 2\nn 1 ac 0\n2 0\nn 2 ac 0\n1\n",
	"spac\n3\nn 0 + -1 \n1 3 \n" + lnHalf + " " + lnHalf + "\n0 1\nn 1 ac 0 \n0 1\nn 3 * 0\n0.001000\n1\n1 0\nn 7 null 3 \n",
	"spac\n1\nn 0 ac -1\n0\n",
}

// folder returns an .spn folder with the two leaves.
func folder(main string) *format.Source {
	return &format.Source{Name: "x.spn", Side: map[string][]byte{
		"spac.m": []byte(main), "spac-1.ac": []byte(leafOf01), "spac-2.ac": []byte(leafOf0),
	}}
}

// readWritten reads the files in out.
func readWritten(t testing.TB, out *format.Sink) *model.Model {
	t.Helper()
	src := &format.Source{Name: out.Name, Side: map[string][]byte{}}
	for _, f := range out.Files {
		src.Side[filepath.Base(f.Name)] = f.Data.Bytes()
	}
	m, list := format.ReadSource(libra.SPN, src, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSPNByHand reads a product of a leaf over v2 and v0, in that order, and one over v1.
func TestSPNByHand(t *testing.T) {
	m, list := format.ReadSource(libra.SPN, folder(spnTexts[0]), format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		state []int
		want  float64
	}{
		{[]int{0, 0, 0}, 1. / 32},
		{[]int{1, 0, 0}, 3. / 32},
		{[]int{1, 1, 1}, 9. / 32},
	} {
		if got := m.Value(m.Factors[0], c.state); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("P(%v) = %v; want %v", c.state, got, c.want)
		}
	}
}

// TestSPNErrors reads folders that must be rejected.
func TestSPNErrors(t *testing.T) {
	for _, c := range []struct{ name, main, want string }{
		{"empty", "", `x.spn/spac.m:1:1: found end of file; want spac`},
		{"fewer nodes than announced", "spac\n999999999\nn 0 ac -1\n0\n", `x.spn/spac.m:2:1: the header declares 999999999 nodes; found 1: the file may be truncated`},
		{"no root", "spac\n1\nn 1 ac 0\n0 1\n", `x.spn/spac.m:5:1: found end of file; want node 0, the root`},
		{"second node", "spac\n1\nn 1 ac 0\n0\nn 1 ac 0\n0\n", `x.spn/spac.m:5:3: second node 1; the first is at x.spn/spac.m:3:1`},
		{"kind", "spac\n1\nn 0 bn -1\n0\n", `x.spn/spac.m:3:5: found "bn"; want a kind of node: +, *, ac or null`},
		{"lines", "spac\n1\nn 0 ac -1\n", `x.spn/spac.m:3:1: node has 0 lines after its first; want 1`},
		{"weights", "spac\n1\nn 0 + -1\n1 2\n0\n0 1\n", `x.spn/spac.m:5:1: found 1 weights; want 2, one for each child`},
		{"weight", "spac\n1\nn 0 + -1\n1\ninf\n0 1\n", `x.spn/spac.m:5:1: found "inf"; want a logarithm of at most 709`},
		{"missing leaf", "spac\n1\nn 0 * -1\n3\n0 1\nn 3 ac 0\n0 1\n", `x.spn/spac.m:6:1: x.spn/spac-3.ac: file does not exist`},
		{"missing child", "spac\n1\nn 0 * -1\n1 9\n0 1\nn 1 ac 0\n0 1\n", `x.spn/spac.m:3:1: child 9 is not a sum, a product or a leaf`},
		{"missing scope", "spac\n1\nn 0 * -1\n9\n0 1\n", `x.spn/spac.m:3:1: child 9 is not a sum, a product or a leaf`},
		{"cycle", "spac\n1\nn 0 * -1\n0\n0 1\n", `x.spn/spac.m:3:1: child 0 leads back to its parent, or deeper than 10000 levels`},
		{"scope of the root", "spac\n1\nn 0 ac -1\n0 2\n", `x.spn/spac.m:3:1: the scope of the root has 2; want 0 to 1, each once`},
		{"scope of a child", "spac\n1\nn 0 * -1\n1\n0 1\nn 1 ac 0\n0 5\n", `x.spn/spac.m:6:1: the scope has variable 5, which is not in the scope of its parent`},
		{"not decomposable", "spac\n1\nn 0 * -1\n1 2\n0 1\nn 1 ac 0\n0 1\nn 2 ac 0\n0\n", `x.spn/spac.m:3:1: variable 0 of the scope is in 2 of 2 children; want 1`},
		{"not complete", "spac\n1\nn 0 + -1\n1 2\n0 0\n0 1\nn 1 ac 0\n0 1\nn 2 ac 0\n0\n", `x.spn/spac.m:3:1: variable 1 of the scope is in 1 of 2 children; want 2`},
		{"size of a leaf", "spac\n1\nn 0 * -1\n1\n0\nn 1 ac 0\n0\n", `x.spn/spac-1.ac:1:1: the circuit has 2 variables; want 1, as in the scope at x.spn/spac.m:6:1`},
	} {
		m, list := format.ReadSource(libra.SPN, folder(c.main), format.ReadOptions{})
		if m != nil || list.Err() == nil || list.Err().Error() != c.want {
			t.Errorf("%s: got %v; want %s", c.name, list.Err(), c.want)
		}
	}
	_, list := format.ReadSource(libra.SPN, &format.Source{Name: "x.spn", Side: map[string][]byte{}}, format.ReadOptions{})
	if err := list.Err(); err == nil || err.Error() != "x.spn: x.spn/spac.m: file does not exist" {
		t.Errorf("empty folder: %v", err)
	}
}

// TestDeep reads nested texts that must be rejected before their depth costs memory.
func TestDeep(t *testing.T) {
	for _, c := range []struct {
		f          format.Format
		text, want string
	}{
		{libra.MN, "2\nMN {\ntree {\n" + strings.Repeat("(v0_0 ", 100_000), "x:4:60001: tree is nested more than 10000 deep"},
		{libra.XMOD, xmodOf("<LocalModel variable='a'><Inputs><Input variable='b'/></Inputs>" + strings.Repeat("<Vertex split='b'><Branch>", 100_000)),
			"x:4:130012: elements are nested more than 10000 deep"},
	} {
		m, list := format.ReadSource(c.f, &format.Source{Name: "x", Data: []byte(c.text)}, format.ReadOptions{})
		if m != nil || list.Err() == nil || list.Err().Error() != c.want {
			t.Errorf("%s: got %v; want %s", c.f.Name, list.Err(), c.want)
		}
	}
}
