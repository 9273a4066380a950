package dsc_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/dsc"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/xdsl"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ab declares two nodes on lines 2 and 3; what follows starts on line 4.
const ab = "belief network \"ab\"\n" +
	"node a { name : \"first\"; type : discrete [ 2 ] = { \"x\", \"y\" }; }\n" +
	"node b { type : discrete [ 3 ] = { \"p\", \"q\", \"r\" }; }\n"

const abc = ab + "node c { type: discrete[2]={yes,no}; } // a comment\n" +
	"probability (a) { 0.25, 0.75; } probability (b) { 0.5, 0.25, 0.25; } /* another */\n" +
	"probability (c | a, b) { (1, 2): 0.1, 0.9; (0,0): 1, 0; (1,0): 0.5, 0.5; (0,1): 0.2, 0.8; (1,1): 0.3, 0.7; (0,2): 0.4, 0.6; }\n"

var texts = []formattest.Model{
	{Name: "abc", Text: abc, Posteriors: []formattest.Posterior{
		{Var: "c", State: "yes", Evidence: map[string]string{"a": "y", "b": "r"}, Want: .1, From: "the text"},
		{Var: "c", State: "yes", Evidence: map[string]string{"a": "x"}, Want: .5*1 + .25*.2 + .25*.4, From: "by hand"},
	}},
}

var broken = []formattest.Broken{
	{Name: "empty", Want: `empty:1:1: found the end of the file; want "belief"`},
	{Name: "no nodes", Text: "belief network x", Want: "no nodes:1:17: found the end of the file; want a node"},
	{Name: "blanks", Text: `belief network "a b"`, Want: `blanks:1:16: found the network "a b"; want a name without blanks`},
	{Name: "block", Text: ab + "belief", Want: `block:4:1: found "belief"; want "node" or "probability"`},
	{Name: "type", Text: ab + "node c { type : real; }", Want: `type:4:17: found "real"; want "discrete"`},
	{Name: "twice", Text: ab + "node a { }", Want: `twice:4:6: node "a" is declared twice; first at twice:2:6`},
	{Name: "states", Text: ab + "node c { type : discrete [ 2 ] = { u }; }", Want: `states:4:28: found 1 states of "c"; want 2`},
	{Name: "number of states", Text: ab + "node c { type : discrete [ '2' ] = { u, v }; }", Want: `number of states:4:28: found "'2'"; want the number of states`},
	{Name: "no type", Text: ab + "node c { }", Want: "no type:4:6: variable \"c\" has no states; want at least one"},
	{Name: "number", Text: ab + "probability (a) { D, 0.25; }", Want: `number:4:19: found "D"; want a number`},
	{Name: "stranger", Text: ab + "probability (d) { 1; }", Want: `stranger:4:14: found "d"; want a variable that is declared`},
	{Name: "few", Text: ab + "probability (a) { 1; }", Want: `few:4:19: found 1 numbers; want 2, one for each state of "a"`},
	{Name: "rows", Text: ab + "probability (a | b) { (0): 1, 0; }", Want: `rows:4:34: found 1 rows; want 3, one for each joint state of the parents of "a"`},
	{Name: "label", Text: ab + "probability (b | a) { (0): 1, 0, 0; (2): 0, 0, 1; }", Want: `label:4:37: found the states [2]; want the number of a state for each parent of "b"`},
	{Name: "labels", Text: ab + "probability (b | a) { (0, 1): 1, 0, 0; (1): 0, 0, 1; }", Want: `labels:4:23: found the states [0 1]; want the number of a state for each parent of "b"`},
	{Name: "row twice", Text: ab + "probability (b | a) { (0): 1, 0, 0; (0): 0, 0, 1; }", Want: `row twice:4:37: found a second row for the states [0]; the first is at row twice:4:23`},
	{Name: "no label", Text: ab + "probability (b | a) { 1, 0, 0; }", Want: `no label:4:23: found "1"; want "("`},
	{Name: "string", Text: "belief network \"a\nnode", Want: "string:2:5: found the end of the file; want the name of a node"},
}

func TestContract(t *testing.T) {
	formattest.Run(t, dsc.Format, formattest.Cases{Models: texts, Errors: broken})
}

// FuzzRead checks that no text makes the reader panic.
func FuzzRead(f *testing.F) {
	for _, c := range texts {
		f.Add(c.Text)
	}
	for _, c := range broken {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		format.ReadSource(dsc.Format, &format.Source{Name: "fuzz.dsc", Data: []byte(text)}, format.ReadOptions{MaxEntries: 1 << 16})
	})
}

func read(t *testing.T, path ...string) (*model.Model, error) {
	t.Helper()
	path = append([]string{irtest.Shared(t), "data", "hybrid"}, path...)
	m, list := format.Read([]format.Format{dsc.Format, xdsl.Format}, filepath.Join(path...), "", format.ReadOptions{})
	if m != nil {
		_, rows := m.NormalizeRows(model.RowsNormalize)
		list.Append(rows)
	}
	return m, list.Err()
}

// TestNetworks compares networks with their other files. The states of a variable may have another
// order there, so that only some are compared number by number.
func TestNetworks(t *testing.T) {
	compared := 0
	for _, name := range []string{"constructionproductivity", "fire", "gasexplosion", "macrophytes", "permaBN", "seismic", "flood.gz", "diarrhoea.gz", "polymorphic.gz", "sports"} {
		base, gz, _ := strings.Cut(name, ".")
		path := base + ".dsc"
		if gz != "" {
			path += ".gz"
		}
		got, err := read(t, "networks", path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		path = base + ".xdsl"
		if base == "diarrhoea" {
			path += ".gz"
		}
		want, err := read(t, "networks", path)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Vars) != len(want.Vars) {
			t.Errorf("%s: %d variables; want %d", name, len(got.Vars), len(want.Vars))
		}
		same := true
		for _, v := range want.Vars {
			w, ok := got.VarByName(v.Name)
			same = same && ok && slices.Equal(got.States(w.ID), want.States(v.ID))
		}
		if same {
			compared++
			formattest.SameNumbers(t, got, want, 1e-6)
		}
	}
	if compared < 2 {
		t.Errorf("compared %d networks; want 2 at least", compared)
	}
}

// TestMalformed reads files that are wrong on purpose. Two blanks before a name are right here.
func TestMalformed(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(irtest.Shared(t), "data", "hybrid", "dsc-malformed", "*.dsc"))
	if err != nil || len(paths) < 18 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if _, err := read(t, "dsc-malformed", name); (err == nil) != (name == "ab_bad_node1.dsc") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"ab.dsc", "abc.dsc"} {
		if _, err := read(t, "dsc-valid", name); err != nil {
			t.Error(err)
		}
	}
}
