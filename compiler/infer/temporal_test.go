package infer_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// newEngine returns an engine for m.
func newEngine(t *testing.T, m *model.Model) *infer.Engine {
	t.Helper()
	e, err := infer.New(context.Background(), m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// switching is a file of the reference collection: an autoregression whose mean and coefficients
// follow a Markov chain of two regimes.
type switching struct {
	Transition      [][]float64
	Mu              []float64
	Phi             [][]float64
	Sigma2          float64
	Order           int
	Y               []float64
	PublishedFilter []float64 `json:"published_filtered_P_S_t_is_1"`
	PublishedSmooth []float64 `json:"published_smoothed_P_S_t_is_1"`
	OwnFilter       []float64 `json:"own_filtered_P_S_t_is_0"`
	OwnSmooth       []float64 `json:"own_smoothed_P_S_t_is_0"`
	OwnLoglik       float64   `json:"own_loglik"`
}

func list(x []float64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(x), "[]"), " ", ", ")
}

// text returns the model as a file: the regimes s of the last slices persist, and the earlier
// observations y1, y2 and so on are given.
func (w *switching) text() string {
	var b strings.Builder
	b.WriteString(`{"pgmc": 2, "kind": "bayes", "variables": [{"name": "s", "states": ["0", "1"]}, {"name": "y", "real": true}`)
	for k := range w.Order {
		fmt.Fprintf(&b, `, {"name": "y%d", "real": true, "given": true}`, k+1)
	}
	first := w.Transition[1][0] / (w.Transition[0][1] + w.Transition[1][0]) // stationary
	fmt.Fprintf(&b, `], "factors": [{"scope": [["s", %d]], "child": ["s", %[1]d], "table": [%v, %v]}`, w.Order, first, 1-first)
	rows := list(slices.Concat(w.Transition...))
	for k := w.Order - 1; k > 0; k-- {
		fmt.Fprintf(&b, `, {"scope": [["s", %d], ["s", %d]], "child": ["s", %[2]d], "table": [%s]}`, k+1, k, rows)
	}
	fmt.Fprintf(&b, `, {"scope": [["s", 1], "s"], "child": "s", "table": [%s]}, %s`, rows, w.emission())
	fmt.Fprintf(&b, `], "next": {"factors": [{"scope": [["s", 1], "s"], "child": "s", "table": [%s]}, %s]}}`, rows, w.emission())
	return b.String()
}

// emission returns the CPD of y given the regimes s, the latest first, and the earlier values.
func (w *switching) emission() string {
	var mean, coef, variance []float64
	for row := range 1 << (w.Order + 1) {
		regime := func(k int) int { return row >> (w.Order - k) & 1 } // k slices ago
		phi := w.Phi[regime(0)]
		m := w.Mu[regime(0)]
		for k := range w.Order {
			m -= phi[k] * w.Mu[regime(k+1)]
		}
		mean, coef, variance = append(mean, m), append(coef, phi...), append(variance, w.Sigma2)
	}
	scope := `"s"`
	for k := range w.Order {
		scope += fmt.Sprintf(`, ["s", %d]`, k+1)
	}
	for k := range w.Order {
		scope += fmt.Sprintf(`, "y%d"`, k+1)
	}
	return fmt.Sprintf(`{"scope": [%s, "y"], "child": "y", "gaussian": {"mean": [%s], "coef": [%s], "var": [%s]}}`, scope, list(mean), list(coef), list(variance))
}

// TestMarkovSwitching compares with published probabilities of regimes and with an independent
// computation.
func TestMarkovSwitching(t *testing.T) {
	ctx := context.Background()
	for name, published := range map[string]float64{"hamilton-ar4": -181.26339, "hamilton-ar2-short": -10.14066, "stata-ar2-switching": -179.32354} {
		w := &switching{}
		load(t, "markov-switching-"+name+".json", w)
		m := read(t, w.text())
		var given []infer.Given
		for i := w.Order; i < len(w.Y); i++ {
			row := infer.Evidence{"y": w.Y[i]}
			for k := range w.Order {
				row[fmt.Sprint("y", k+1)] = w.Y[i-k-1]
			}
			given = append(given, row)
		}
		e := newEngine(t, m)
		smooth, err := e.Smooth(ctx, given)
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Filter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		near := func(what string, got, want, tolerance float64) {
			if !(math.Abs(got-want) <= tolerance) {
				t.Errorf("%s: %s is %v; want %v", name, what, got, want)
			}
		}
		for i := range given {
			got, err := f.Step(ctx, given[i])
			if err != nil {
				t.Fatal(err)
			}
			near("a filtered probability", got.Of("s").P[0], w.OwnFilter[i], 1e-10)
			near("a smoothed probability", smooth[i].Of("s").P[0], w.OwnSmooth[i], 1e-10)
			if w.PublishedFilter != nil {
				near("a published filtered probability", got.Of("s").P[1], w.PublishedFilter[i], 1e-5)
			}
			if w.PublishedSmooth != nil {
				near("a published smoothed probability", smooth[i].Of("s").P[1], w.PublishedSmooth[i], 1e-5)
			}
		}
		near("ln P", f.LogProb(), w.OwnLoglik, 1e-9)
		near("the published ln P", f.LogProb(), published, 1e-5)
	}
}

// network is a dynamic network of the reference collection; parents of the slice before end in
// "[-1]".
type network struct {
	States     any
	Transition map[string]cpd
	Nodes      map[string]struct {
		Parents     []string
		Rows        [][]float64
		NextParents []string    `json:"next_parents"`
		NextRows    [][]float64 `json:"next_rows"`
	}
}

type cpd struct {
	Parents []string
	Rows    [][]float64
}

// factor returns a CPD. Variables of the slice before must be in before.
func (c *cpd) factor(t *testing.T, m *model.Model, before []model.VarID, child string) *model.Factor {
	t.Helper()
	f := &model.Factor{Child: len(c.Parents), Dist: &model.Table{Values: slices.Concat(c.Rows...)}}
	for _, name := range append(slices.Clone(c.Parents), child) {
		base, earlier := strings.CutSuffix(name, "[-1]")
		v, ok := m.VarByName(base)
		if !ok {
			t.Fatalf("no variable is called %q", name)
		}
		id := v.ID
		if earlier {
			id = model.VarID(len(m.Vars) + slices.Index(before, v.ID))
		}
		f.Scope = append(f.Scope, id)
	}
	return f
}

// TestDynamicNetwork compares with published posteriors of a network of three variables.
func TestDynamicNetwork(t *testing.T) {
	n := &network{}
	load(t, "dbn-pgmpy-net2.json", n)
	m := &model.Model{}
	for _, name := range []string{"Z", "X", "Y"} {
		m.NewVar(name, "0", "1")
	}
	m.Transition = &model.Transition{Before: []model.VarID{0}}
	for _, v := range m.Vars {
		of := n.Nodes[v.Name]
		first, next := cpd{of.Parents, of.Rows}, cpd{of.Parents, of.Rows}
		if of.NextRows != nil {
			next = cpd{of.NextParents, of.NextRows}
		}
		m.Factors = append(m.Factors, first.factor(t, m, nil, v.Name))
		m.Transition.Factors = append(m.Transition.Factors, next.factor(t, m, m.Transition.Before, v.Name))
	}
	e := newEngine(t, m)
	ctx := context.Background()
	for _, c := range []struct {
		y     string // observed, by slice
		of    string
		slice int
		want  float64 // of state 0
		last  bool    // filtered
	}{
		{"101", "X", 2, .76738736, true}, {"", "Y", 0, .225, true}, {"", "X", 0, .75, true},
		{"011", "X", 0, .66594382, false}, {"011", "X", 1, .762177, false},
	} {
		given := []infer.Given{}
		for _, y := range c.y {
			given = append(given, infer.Evidence{"Y": string(y)})
		}
		if c.y == "" {
			given = append(given, infer.Evidence{})
		}
		smooth, err := e.Smooth(ctx, given)
		if err != nil {
			t.Fatal(err)
		}
		if got := smooth[c.slice].Of(c.of).P[0]; math.Abs(got-c.want) > 1e-6 {
			t.Errorf("Y is %s: P(%s of slice %d is 0) = %v; want %v", c.y, c.of, c.slice, got, c.want)
		}
	}
}

// TestBatmobile filters the network of Forbes et al. 1995, whose belief has 66,528 joint states,
// and compares it with the unrolled network.
func TestBatmobile(t *testing.T) {
	n := &network{}
	load(t, "dbn-bat.json.gz", n)
	m := batmobile(t, n)
	e, flat := newEngine(t, m), newEngine(t, m.Unroll(2))
	sequence, all := irtest.RandomSequence(m, 2, 1)
	ctx := context.Background()
	f, err := e.Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sequence {
		got, err := f.Step(ctx, infer.Evidence(sequence[i]))
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			compareSlice(ctx, t, "batmobile", got, flat, infer.Evidence(all), i)
		}
	}
}

// batmobile returns the network. The variables of its first slice are uniform given their parents.
func batmobile(t *testing.T, n *network) *model.Model {
	t.Helper()
	m := &model.Model{}
	var names []string
	for name := range n.States.(map[string]any) {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		var states []string
		for k := range int(n.States.(map[string]any)[name].(float64)) {
			states = append(states, fmt.Sprint(k))
		}
		m.NewVar(name, states...)
	}
	m.Transition = &model.Transition{}
	for _, v := range m.Vars {
		c := n.Transition[v.Name]
		for _, p := range c.Parents {
			if base, earlier := strings.CutSuffix(p, "[-1]"); earlier {
				if u, _ := m.VarByName(base); !slices.Contains(m.Transition.Before, u.ID) {
					m.Transition.Before = append(m.Transition.Before, u.ID)
				}
			}
		}
		uniform := slices.Repeat([]float64{1 / float64(m.Card(v.ID))}, m.Card(v.ID))
		m.Factors = append(m.Factors, (&cpd{nil, [][]float64{uniform}}).factor(t, m, nil, v.Name))
	}
	for _, v := range m.Vars {
		c := n.Transition[v.Name]
		m.Transition.Factors = append(m.Transition.Factors, c.factor(t, m, m.Transition.Before, v.Name))
	}
	return m
}

// TestCasino compares with the published numbers of 300 rolls of a dishonest casino.
func TestCasino(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(irtest.Shared(t), "data/temporal/casino.csv"))
	if err != nil {
		t.Fatal(err)
	}
	m := &model.Model{}
	die, roll := m.NewVar("die", "Fair", "Loaded").ID, m.NewVar("roll", "1", "2", "3", "4", "5", "6").ID
	emit := &model.Factor{Scope: []model.VarID{die, roll}, Child: 1, Dist: &model.Table{Values: []float64{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, .1, .1, .1, .1, .1, .5}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{die}, Dist: &model.Table{Values: []float64{.99, .01}}}, emit}
	m.Transition = &model.Transition{Before: []model.VarID{die}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, die}, Child: 1, Dist: &model.Table{Values: []float64{.95, .05, .1, .9}}}, emit}}
	var given []infer.Given
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		given = append(given, infer.Evidence{"roll": strings.Split(line, ",")[1]})
	}
	ctx := context.Background()
	e := newEngine(t, m)
	smooth, err := e.Smooth(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	path, err := e.Viterbi(ctx, given)
	if err != nil {
		t.Fatal(err)
	}
	fair := 0
	for _, s := range path.Slices {
		if s.Of("die") == "Fair" {
			fair++
		}
	}
	if math.Abs(smooth[0].LogProb+516.4525) > 5e-5 || math.Abs(path.LogProb+538.8109) > 5e-5 || fair != 216 || len(given) != 300 {
		t.Errorf("ln P %v, of the path %v with %d fair rolls of %d; want -516.4525, -538.8109, 216 of 300", smooth[0].LogProb, path.LogProb, fair, len(given))
	}
}

// TestLongSequence checks that ln P of 10^5 slices stays finite and exact: the slices are
// independent.
func TestLongSequence(t *testing.T) {
	m := &model.Model{}
	x := m.NewVar("x", "a", "b").ID
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Table{Values: []float64{.001, .999}}}}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{
		{Scope: []model.VarID{1, x}, Child: 1, Dist: &model.Table{Values: []float64{.001, .999, .001, .999}}}}}
	ctx := context.Background()
	f, err := newEngine(t, m).Filter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	const n = 100000
	for range n {
		if _, err := f.Step(ctx, infer.Evidence{"x": "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if want := n * math.Log(.001); math.Abs(f.LogProb()-want) > 1e-9*math.Abs(want) {
		t.Errorf("ln P is %v; want %v", f.LogProb(), want)
	}
}
