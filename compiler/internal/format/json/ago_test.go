package json_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/json"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
)

func readText(t *testing.T, text string) *model.Model {
	t.Helper()
	m, list := format.ReadSource(json.Format, &format.Source{Name: "t", Data: []byte(text)}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestAgo unrolls a chain of order 3 with copies, and compares the distribution of its slices with
// that of a network that has the same parents without copies.
func TestAgo(t *testing.T) {
	third := []float64{.9, .1, .2, .8, .7, .3, .4, .6, .5, .5, .3, .7, .6, .4, .1, .9}
	numbers := strings.Trim(strings.ReplaceAll(fmt.Sprint(third), " ", ","), "[]")
	m := readText(t, `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "x", "states": ["a", "b"]}],
"factors": [{"scope": [["x", 2]], "child": ["x", 2], "table": [0.5, 0.5]},
 {"scope": [["x", 2], ["x", 1]], "child": ["x", 1], "table": [0.8, 0.2, 0.3, 0.7]},
 {"scope": [["x", 2], ["x", 1], "x"], "child": "x", "table": [0.6, 0.4, 0.5, 0.5, 0.1, 0.9, 0.25, 0.75]}],
"next": {"factors": [{"scope": [["x", 3], ["x", 2], ["x", 1], "x"], "child": "x", "table": [`+numbers+`]}]}}`)
	same(t, m)
	flat := m.Unroll(4)

	plain := &model.Model{}
	for i := range 6 {
		plain.NewVar(fmt.Sprint("x", i-2), "a", "b")
	}
	plain.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Table{Values: []float64{.8, .2, .3, .7}}},
		{Scope: []model.VarID{0, 1, 2}, Child: 2, Dist: &model.Table{Values: []float64{.6, .4, .5, .5, .1, .9, .25, .75}}},
	}
	for i := model.VarID(3); i < 6; i++ {
		plain.Factors = append(plain.Factors, &model.Factor{Scope: []model.VarID{i - 3, i - 2, i - 1, i}, Child: 3, Dist: &model.Table{Values: third}})
	}
	for i := range 4 {
		v, _ := flat.VarByName(fmt.Sprintf("x@%d", i))
		w, _ := plain.VarByName(fmt.Sprint("x", i))
		got, want := marginal(t, flat, v.ID), marginal(t, plain, w.ID)
		for k := range want {
			if d := got[k] - want[k]; d > 1e-12 || d < -1e-12 {
				t.Errorf("slice %d: P is %v; want %v", i, got, want)
			}
		}
	}
}

func marginal(t *testing.T, m *model.Model, v model.VarID) []float64 {
	t.Helper()
	j, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return j.Posterior(v, brute.Evidence{})
}

// TestAgoPlates reads a plate of autoregressions with expressions.
func TestAgoPlates(t *testing.T) {
	m := readText(t, `{"pgmc": 2, "kind": "bayes", "plates": {"gauge": 2}, "variables": [{"name": "x", "real": true, "in": ["gauge"]}],
"factors": [{"in": ["gauge"], "scope": [["x", 1]], "child": ["x", 1], "gaussian": {"mean": [1], "var": [1]}},
 {"in": ["gauge"], "scope": [["x", 1], "x"], "child": "x", "func": {"mean": "`+"`x@-1`"+`^2", "var": [1]}}],
"next": {"factors": [{"in": ["gauge"], "scope": [["x", 2], ["x", 1], "x"], "child": "x", "func": {"mean": "`+"`x@-1` - 2*`x@-2`"+`", "var": [1]}}]}}`)
	if text := written(t, m); written(t, readText(t, text)) != text { // the variables of the slice before have another order
		t.Errorf("written again, it is another model than\n%s", text)
	}
	if got, want := m.Step().Vars[5].Name+" "+m.Step().Vars[6].Name, "x[2][-1]@-1 x[1]@-1"; got != want {
		t.Errorf("the variables of the slice before are %s; want %s", got, want)
	}
	v, _ := m.VarByName("x[2]")
	step := m.Step()
	text, err := step.CPD(v.ID).Dist.(*model.Func).Text(step, step.CPD(v.ID))
	if want := "`x[2]@-1` - 2*`x[2][-1]@-1`"; err != nil || text != want {
		t.Errorf("the expression is %s, error %v; want %s", text, err, want)
	}
}

// TestDiffuse reads and writes a diffuse prior, and refuses it elsewhere.
func TestDiffuse(t *testing.T) {
	const start = `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "x", "real": true}, {"name": "y", "real": true}], "factors": [`
	const x, y = `{"scope": ["x"], "child": "x", "diffuse": true}`, `{"scope": ["x", "y"], "child": "y", "gaussian": {"mean": [0], "coef": [1], "var": [1]}}`
	same(t, readText(t, start+x+`, `+y+`]}`))
	for _, c := range []struct{ text, want string }{
		{start + strings.Replace(x, "true", "false", 1) + `, ` + y + `]}`, `t:1:157: found false; want true, or no such field`},
		{start + x + `, {"scope": ["x", "y"], "child": "y", "diffuse": true}]}`, `t:1:164: CPD of "y" is of kind diffuse; want a real variable alone in its scope`},
		{start + x + `, ` + y + `], "next": {"factors": [` + x + `, ` + y + `]}}`, `t:1:275: a CPD of the transition is of kind diffuse; want that in slice 0 only`},
	} {
		_, list := format.ReadSource(json.Format, &format.Source{Name: "t", Data: []byte(c.text)}, format.ReadOptions{})
		if err := list.Err(); err == nil || err.Error() != c.want {
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
}

// TestAgoErrors compares messages.
func TestAgoErrors(t *testing.T) {
	const start, slice = `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "x", "real": true}], "factors": [`, `{"scope": ["x"], "child": "x", "gaussian": {"mean": [0], "var": [1]}}`
	for _, c := range []struct{ text, want string }{
		{start + slice + `], "next": {"factors": [{"scope": [["x", 2], "x"], "child": "x", "gaussian": {"mean": [0], "coef": [1], "var": [1]}}]}}`,
			`t:1:190: found "x" 2 slices ago; want a CPD of it 1 slices ago among the factors of slice 0`},
		{start + slice + `, {"scope": [["x", 1]], "child": ["x", 1], "gaussian": {"mean": [0], "var": [1]}}]}`,
			`t:1:168: found a variable some slices ago in a network without "next"; want one, or only variables of the list`},
		{start + `{"scope": [["x", 1], "x"], "child": "x", "gaussian": {"mean": [0], "coef": [1], "var": [1]}}], "next": {"factors": [{"scope": [["x", 1], "x"], "child": "x", "gaussian": {"mean": [0], "coef": [1], "var": [1]}}]}}`,
			`t:1:97: variable "x[-1]" has no probability block`},
		{start + `{"scope": [["x", 101], "x"], "child": "x", "gaussian": {"mean": [0], "coef": [1], "var": [1]}}]}`,
			`t:1:103: found a variable 101 slices ago; want 1 to 100`},
	} {
		_, list := format.ReadSource(json.Format, &format.Source{Name: "t", Data: []byte(c.text)}, format.ReadOptions{})
		if err := list.Err(); err == nil || err.Error() != c.want {
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
}
