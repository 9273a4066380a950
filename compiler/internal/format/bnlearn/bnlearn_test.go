package bnlearn_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bnlearn"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/json"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// network returns a network of d, e -> x <- p with the CPD of x in the given fields, on line 6.
func network(fields string) string {
	return `{"nodes": ["d", "e", "p", "x"], "cpds": {
"d": {"type": "discrete", "parents": [], "levels": ["s", "t"], "cpt": {"t": 0.75, "s": 0.25}},
"e": {"type": "discrete", "parents": "d", "levels": ["u", "v", "w"], "rows": [[0.5, 0.25, 0.25], [1, 0, 0]]},
"p": {"coefficients": {"(Intercept)": [1]}, "variance": [2], "parents": []},

"x": {` + fields + `}}}
`
}

const good = `"type": "cgnode", "parents": ["d", "p", "e"], "dparents": [3, 1], "gparents": 2,
"coefficients": {"p": {"5": 6, "0": 1, "1": 2, "2": 3, "3": 4, "4": 5}, "(Intercept)": [10, 20, 30, 40, 50, 60]}, "sd": [1, 2, 3, 0, 5, 6]`

var texts = []formattest.Model{
	{Name: "cgnode", Text: network(good)},
	{Name: "gaussian", Text: network(`"type": "gaussian", "parents": "p", "coefficients": {"(Intercept)": 1, "p": -2}, "sd": 0`)},
	{Name: "cpt", Text: network(`"type": "discrete", "parents": ["d", "e"], "levels": ["y"], "plevels": {"d": ["s", "t"]}, "cpt": {
"d=s,e=u": {"y": 1}, "d=t,e=u": {"y": 1}, "d=s,e=v": {"y": 1}, "d=t,e=v": {"y": 1}, "d=s,e=w": {"y": 1}, "d=t,e=w": {"y": 1}}`)},
}

var broken = []formattest.Broken{
	{Name: "empty", Text: "", Want: "empty:1:1: found the end of the file; want {"},
	{Name: "type", Text: network(`"type": "poisson"`), Want: `type:6:15: found the type "poisson"; want discrete, gaussian or cgnode`},
	{Name: "stranger", Text: network(`"parents": ["z"]`), Want: `stranger:6:19: found "z"; want a node of the list`},
	{Name: "position", Text: network(strings.Replace(good, "[3, 1]", "[3, 4]", 1)), Want: `position:6:69: found the position 4; want 1 to 3, a position among the parents`},
	{Name: "wrong list", Text: network(strings.Replace(good, "[3, 1]", "[3, 2]", 1)), Want: `wrong list:6:6: found "p" among the wrong parents of "x"; want levels in dparents alone`},
	{Name: "few", Text: network(strings.Replace(good, "[1, 2, 3, 0, 5, 6]", "[1, 2]", 1)), Want: `few:7:121: found 2 numbers; want 6, one for each joint state of the discrete parents`},
	{Name: "many", Text: network(strings.Replace(good, "[1, 2, 3, 0, 5, 6]", "[1, 2, 3, 4, 5, 6, 7]", 1)), Want: `many:7:140: found more than 6 numbers; want one for each joint state of the discrete parents`},
	{Name: "negative", Text: network(strings.Replace(good, "[1, 2, 3, 0, 5, 6]", "[1, 2, 3, 4, 5, -6]", 1)), Want: `negative:7:121: found the deviation or variance -6; want at least 0`},
	{Name: "key", Text: network(strings.Replace(good, `"5": 6`, `"6": 6`, 1)), Want: `key:7:24: found "6"; want the number of a joint state from 0 to 5, once`},
	{Name: "no spread", Text: network(`"coefficients": {"(Intercept)": 1}`), Want: `no spread:6:6: found a Gaussian CPD without "sd" and "variance"; want one of them`},
	{Name: "no intercept", Text: network(`"coefficients": {}, "sd": 1`), Want: `no intercept:6:23: found coefficients without "(Intercept)"; want one`},
	{Name: "no coefficient", Text: network(`"parents": ["p"], "coefficients": {"(Intercept)": 1}, "sd": 1`), Want: `no coefficient:6:41: found no coefficient of "p"; want one for each continuous parent`},
	{Name: "coefficient of no parent", Text: network(`"coefficients": {"(Intercept)": 1, "p": 2}, "sd": 1`), Want: `coefficient of no parent:6:42: found "p"; want the intercept and each continuous parent, once`},
	{Name: "levels", Text: network(`"dlevels": {"d": ["t", "s"]}, "dparents": ["d"], "type": "cgnode"`), Want: `levels:6:24: found the levels ["t" "s"] of "d"; want ["s" "t"], as its own CPD has them`},
	{Name: "continuous parent", Text: network(`"type": "discrete", "parents": ["p"], "levels": ["y"]`), Want: `continuous parent:6:6: found the continuous parent "p" of a discrete node; want discrete parents`},
	{Name: "rows", Text: network(`"type": "discrete", "parents": ["d"], "levels": ["y"], "rows": [[1]]`), Want: `rows:6:70: found 1 rows; want 2, one for each joint state of the parents`},
	{Name: "level", Text: network(`"type": "discrete", "levels": ["y"], "cpt": {"z": 1}`), Want: `level:6:52: found "z"; want each level of "x", once`},
	{Name: "no level", Text: network(`"type": "discrete", "levels": ["y"], "cpt": {}`), Want: `no level:6:51: found 0 probabilities; want 1, one for each level of "x"`},
	{Name: "cycle", Text: network(`"parents": ["x"], "coefficients": {"(Intercept)": 1, "x": 1}, "sd": 1`), Want: `cycle:6:6: factor names "x" twice`},
	{Name: "no CPD", Text: `{"nodes": ["a"], "cpds": {}}`, Want: `no CPD:1:12: found the node "a" without a CPD; want one for each node, once`},
	{Name: "node twice", Text: `{"nodes": ["a", "a"], "cpds": {"a": {"coefficients": {"(Intercept)": 0}, "sd": 1}}}`, Want: `node twice:1:17: found the node "a" without a CPD; want one for each node, once`},
	{Name: "not a node", Text: `{"nodes": [], "cpds": {"a": {}}}`, Want: `not a node:1:1: found 1 CPDs of nodes that are not among the nodes; want every node in the list`},
	{Name: "no nodes", Text: `{"cpds": {}}`, Want: `no nodes:1:1: found an object without the field "nodes"; want one`},
}

func TestContract(t *testing.T) {
	formattest.Run(t, bnlearn.Format, formattest.Cases{Models: texts, Errors: broken})
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
		format.ReadSource(bnlearn.Format, &format.Source{Name: "fuzz.json", Data: []byte(text)}, format.ReadOptions{MaxEntries: 1 << 16})
	})
}

// row is a row of a Gaussian CPD as a file has it.
type row struct {
	file, child string
	states      []string // of the discrete parents
	mean        float64
	coef        map[string]float64
	sd          float64
}

func (r row) check(t *testing.T, m *model.Model) {
	t.Helper()
	v, _ := m.VarByName(r.child)
	f := m.CPD(v.ID)
	discrete, real := m.SplitParents(f)
	at := 0
	for i, u := range discrete {
		s, ok := m.StateByName(u, r.states[i])
		if !ok {
			t.Fatalf("%s: no state %q of %q", r.file, r.states[i], m.Vars[u].Name)
		}
		at = at*m.Card(u) + s
	}
	mean, coef, variance := f.Gaussian().Row(at)
	if mean != r.mean || math.Abs(variance-r.sd*r.sd) > 1e-15*variance || len(real) != len(r.coef) {
		t.Errorf("%s: %s given %q has mean %v, variance %v; want %v, %v", r.file, r.child, r.states, mean, variance, r.mean, r.sd*r.sd)
	}
	for k, u := range real {
		if name := m.Vars[u].Name; coef[k] != r.coef[name] {
			t.Errorf("%s: %s given %q has the coefficient %v of %s; want %v", r.file, r.child, r.states, coef[k], name, r.coef[name])
		}
	}
}

// TestOrder compares rows with the files, read by eye. With the first discrete parent fastest, row
// 1 of algorithms5's X5 is X2 = d, X3 = e, and row 3 of healthcare's D is A = young, H = any:
// without the other condition the cost is 0 and certain.
func TestOrder(t *testing.T) {
	for _, r := range []row{
		{"clg/bnrep-algorithms5.json", "X5", []string{"d", "e"}, .2, nil, .6},
		{"clg/bnrep-algorithms5.json", "X5", []string{"c", "f"}, .4, nil, .9},
		{"clg/bnrep-algorithms5.json", "X4", []string{"d"}, .6, map[string]float64{"X5": .8}, .6},
		{"clg/bnrep-algorithms5.json", "X6", nil, .1, map[string]float64{"X4": .2}, 1},
		{"clg/healthcare.json", "D", []string{"old", "none"}, 0, nil, 0},
		{"clg/healthcare.json", "D", []string{"young", "any"}, 1, nil, .5},
		{"clg/healthcare.json", "D", []string{"adult", "any"}, 4, nil, 1},
		{"clg/healthcare.json", "I", []string{"severe"}, 100, map[string]float64{"D": 800}, 100},
		{"clg/healthcare.json", "T", nil, 120, map[string]float64{"I": 1.02, "O": 1.05}, 10},
		{"clg/bnrep-healthinsurance.json", "charges", []string{"yes"}, -22367.44972775119,
			map[string]float64{"age": 266.292223706597, "bmi": 1438.0909828862696}, 5754.370973253999},
		{"clg/bnrep-darktriad.json", "Narcissism", []string{"Female"}, 1.87, nil, .65},
		{"gauss/bnrep-algorithms1.json", "X4", nil, .2, map[string]float64{"X1": 1.5, "X2": 2.6}, 1.0488088481701516},
		{"gauss/arth150.json", "13", nil, .986, map[string]float64{"331": .2848, "422": .3555}, math.Sqrt(.0704)},
		{"gauss/ecoli70.json", "atpD", nil, -.0403, map[string]float64{"sucA": .2603, "ygcE": -.7252}, math.Sqrt(.4131)},
	} {
		r.check(t, load(t, r.file))
	}
	m := load(t, "clg/bnrep-algorithms5.json")
	x2, _ := m.VarByName("X2")
	if got, _ := m.CPD(x2.ID).Table(); !slices.Equal(got, []float64{.5, .5, .3, .7}) {
		t.Errorf("X2 given X1 is %v", got)
	}
	// In the order of the parents of the text: e is the first discrete parent, and fastest.
	m, list := format.ReadSource(bnlearn.Format, &format.Source{Name: "x", Data: []byte(network(good))}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	row{"text", "x", []string{"v", "s"}, 20, map[string]float64{"p": 2}, 2}.check(t, m)
	row{"text", "x", []string{"u", "t"}, 40, map[string]float64{"p": 4}, 0}.check(t, m)
}

// load reads a file of the shared data by its extension alone.
func load(t *testing.T, name string) *model.Model {
	t.Helper()
	m, list := format.Read([]format.Format{json.Format, bnlearn.Format}, filepath.Join(irtest.Shared(t), "data", name), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestShared reads all networks of the shared data, and writes and reads them as pgmc's JSON.
func TestShared(t *testing.T) {
	count := 0
	for _, folder := range []string{"gauss", "clg"} {
		files, err := filepath.Glob(filepath.Join(irtest.Shared(t), "data", folder, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			count++
			m := load(t, filepath.Join(folder, filepath.Base(file)))
			if folder == "gauss" && m.Traits() != model.Reals|model.Gaussians {
				t.Errorf("%s: traits %b", file, m.Traits())
			}
			if !formattest.RoundTrip(t, json.Format, m) {
				t.Errorf("%s: not written", file)
			}
		}
	}
	if count != 20 {
		t.Errorf("%d networks; want 20", count)
	}
}
