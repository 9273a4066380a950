package rate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// generator makes random circuits that are smooth and decomposable, with shared nodes, zeros and
// numbers near the ends of the range of a float64.
type generator struct {
	*rand.Rand
	m     *model.Model
	d     *model.Circuit
	known map[string][]int32 // by axes: nodes over them
	plain bool               // a node is not decomposable, and no number is extreme
}

func (g *generator) add(op model.CircuitOp, args ...int32) int32 {
	g.d.Nodes = append(g.d.Nodes, model.CircuitNode{Op: op, Args: args})
	return int32(len(g.d.Nodes) - 1)
}

// extremes are numbers of which some products are below the least number of a float64.
var extremes = []float64{1e-30, 1e-90, 1e-100, 1e-120, 1e-140, 1e20}

// number adds a number.
func (g *generator) number() int32 {
	n := g.add(model.CircuitNumber)
	switch x := g.IntN(40); {
	case x == 0:
	case g.plain || x > len(extremes):
		g.d.Nodes[n].Value = g.Float64()
	default:
		g.d.Nodes[n].Value = extremes[x-1]
	}
	return n
}

// over returns a node over the given axes.
func (g *generator) over(axes []int) int32 {
	key := fmt.Sprint(axes)
	if some := g.known[key]; len(some) > 0 && g.IntN(2) == 0 {
		return some[g.IntN(len(some))]
	}
	var terms []int32
	if len(axes) == 1 {
		for s := range g.m.Card(model.VarID(axes[0])) {
			i := g.add(model.CircuitIndicator)
			g.d.Nodes[i].Axis, g.d.Nodes[i].State = axes[0], int32(s)
			terms = append(terms, g.add(model.CircuitProduct, i, g.number()))
		}
	}
	for len(axes) > 1 && (len(terms) == 0 || g.IntN(2) == 0) {
		args := []int32{g.number()}
		for parts := [][]int{axes}; len(parts) > 0; parts = parts[1:] {
			if part := parts[0]; len(part) == len(axes) || len(part) > 2 && g.IntN(3) == 0 {
				cut := 1 + g.IntN(len(part)-1)
				parts = append(parts, part[:cut], part[cut:])
			} else {
				args = append(args, g.over(part))
			}
		}
		g.Shuffle(len(args), func(i, j int) { args[i], args[j] = args[j], args[i] })
		terms = append(terms, g.add(model.CircuitProduct, args...))
	}
	n := g.add(model.CircuitSum, terms...)
	g.known[key] = append(g.known[key], n)
	return n
}

// randomCircuit returns a model that is a circuit, in part also with a table, with latent variables
// and with variables on which the circuit does not depend.
func randomCircuit(seed uint64) *model.Model {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 3)), m: &model.Model{Kind: model.Markov}, d: &model.Circuit{}, known: map[string][]int32{}}
	var axes []int
	f := &model.Factor{Child: -1, Dist: g.d}
	for v := range 2 + g.IntN(5) {
		id := g.m.NewVar(fmt.Sprint("x", v), []string{"0", "1", "2"}[:1+g.IntN(3)]...).ID
		if f.Scope = append(f.Scope, id); v == 0 || g.IntN(8) > 0 {
			axes = append(axes, v)
		}
	}
	if g.plain = g.IntN(4) == 0; g.plain {
		g.add(model.CircuitProduct, g.over(axes), g.over(axes[:1]))
	} else {
		g.over(axes)
	}
	if g.m.Factors = append(g.m.Factors, f); g.IntN(4) == 0 {
		table := &model.Table{Values: make([]float64, g.m.Card(0)*g.m.Card(1))}
		for i := range table.Values {
			table.Values[i] = float64(g.IntN(4))
		}
		g.m.Factors = append(g.m.Factors, &model.Factor{Scope: []model.VarID{0, 1}, Child: -1, Dist: table})
	}
	return g.m
}

// enumeration sums a model out in logarithms, state by state.
type enumeration struct {
	m   *model.Model
	buf []float64
}

// weight returns ln of the product of the factors at a joint state.
func (e *enumeration) weight(state []int) float64 {
	sum := 0.0
	for _, f := range e.m.Factors {
		if d := f.Circuit(); d == nil {
			sum += math.Log(e.m.Value(f, state))
		} else {
			sum += d.EvalLog(func(axis int, s int32) float64 {
				if state[f.Scope[axis]] == int(s) {
					return 1
				}
				return 0
			}, e.buf)
		}
	}
	return sum
}

// sum returns ln of the sum over the variables from v on whose state is missing.
func (e *enumeration) sum(row []int, v int) float64 {
	for v < len(row) && row[v] != data.Missing {
		v++
	}
	if v == len(row) {
		return e.weight(row)
	}
	var logs []float64
	for row[v] = range e.m.Card(model.VarID(v)) {
		logs = append(logs, e.sum(row, v+1))
	}
	row[v] = data.Missing
	return floats.LogSumExp(logs)
}

// conditionals returns ln of the probability of each state of a row given the others: 0 for one
// that is missing.
func (e *enumeration) conditionals(row []int) []float64 {
	whole := e.sum(row, 0)
	logs := make([]float64, len(row))
	for v, s := range row {
		if s == data.Missing {
			continue
		}
		if logs[v] = whole; !math.IsInf(whole, -1) {
			row[v] = data.Missing
			logs[v] = whole - e.sum(row, 0)
			row[v] = s
		}
	}
	return logs
}

// TestRandomCircuits compares pseudo-log-likelihoods of random circuits with enumeration, also with
// latent variables and missing states, in lanes and in logarithms.
func TestRandomCircuits(t *testing.T) {
	for _, inLanes := range []bool{true, false} {
		if !inLanes {
			defer rate.RefuseLanes()()
		}
		possible := 0
		for seed := range uint64(800) {
			possible += compareWithEnumeration(t, randomCircuit(seed), seed)
			if t.Failed() {
				t.Fatalf("seed %d, in lanes: %v", seed, inLanes)
			}
		}
		if possible < 3000 {
			t.Errorf("only %d rows were possible", possible)
		}
	}
}

// compareWithEnumeration compares some rows, and returns how many of them are possible.
func compareWithEnumeration(t *testing.T, m *model.Model, seed uint64) (possible int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 4))
	d := m.Factors[0].Circuit()
	node, _ := d.Structure()
	sums := node < 0 && len(m.Factors) == 1
	m.Vars[len(m.Vars)-1].Latent = sums && rng.IntN(3) == 0
	r, err := rate.NewRows(m)
	if err != nil {
		t.Fatal(err)
	}
	if r.SumsOut() != sums {
		t.Errorf("sums out: %v; want %v", r.SumsOut(), sums)
	}
	rows := make([][]int, 11)
	for i := range rows {
		rows[i] = make([]int, len(m.Vars))
		for v := range rows[i] {
			rows[i][v] = rng.IntN(m.Card(model.VarID(v)))
			if m.Vars[v].Latent || sums && i%3 == 0 && rng.IntN(3) == 0 {
				rows[i][v] = data.Missing
			}
		}
	}
	e := &enumeration{m, make([]float64, len(d.Nodes))}
	logs, terms := make([]float64, len(rows)), make([]float64, len(m.Vars))
	r.Pseudos(rows, logs)
	for i, row := range rows {
		want := e.conditionals(row)
		sum := floats.Sum(want)
		if !math.IsInf(sum, -1) {
			possible++
			r.Conditionals(row, terms)
			for v := range want {
				if !same(terms[v], want[v]) {
					t.Errorf("row %v, variable %d: %v; want %v", row, v, terms[v], want[v])
				}
			}
		}
		if !same(logs[i], sum) || !same(r.Pseudo(row), sum) {
			t.Errorf("row %v: %v, alone %v; want %v", row, logs[i], r.Pseudo(row), sum)
		}
	}
	return possible
}

// large returns a circuit of independent variables whose values are larger than a float64 can be.
func large() *model.Model {
	g := &generator{Rand: rand.New(rand.NewPCG(1, 6)), m: &model.Model{Name: "large", Kind: model.Markov}, d: &model.Circuit{}, known: map[string][]int32{}}
	f := &model.Factor{Child: -1, Dist: g.d}
	var args []int32
	for v := range 5 {
		f.Scope = append(f.Scope, g.m.NewVar(fmt.Sprint("x", v), "0", "1").ID)
		n := g.add(model.CircuitNumber)
		g.d.Nodes[n].Value = 1e150
		args = append(args, n, g.over([]int{v}))
	}
	g.add(model.CircuitProduct, args...)
	g.m.Factors = []*model.Factor{f}
	return g.m
}

// TestPseudoOutOfRange compares rows of circuits whose values are smaller or larger than a float64
// can be.
func TestPseudoOutOfRange(t *testing.T) {
	compareRows(t, irtest.CrossedMixture(150))
	compareRows(t, large())
}

// TestPseudoOfCircuits compares rows of circuits of some thousand nodes.
func TestPseudoOfCircuits(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data")
	for _, path := range []string{"circuits/psdd/msnbc-yitao-a.psdd.gz", "circuits/psdd/kdd-6k.psdd.gz", "libra/test/acbn/alarm-test2.ac.gz"} {
		m, list := format.Read(compiler.Formats, filepath.Join(dir, path), "", format.ReadOptions{})
		if list.HasErrors() {
			t.Fatal(list.Err())
		}
		compareRows(t, m)
	}
}

// compareRows compares random rows of a model that is a circuit with enumeration.
func compareRows(t *testing.T, m *model.Model) {
	t.Helper()
	r, err := rate.NewRows(m)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 5))
	rows := make([][]int, 9)
	for i := range rows {
		rows[i] = make([]int, len(m.Vars))
		for v := range rows[i] {
			rows[i][v] = rng.IntN(min(2, m.Card(model.VarID(v))))
		}
	}
	logs := make([]float64, len(rows))
	r.Pseudos(rows, logs)
	e := &enumeration{m, make([]float64, len(m.Factors[0].Circuit().Nodes))}
	for i, row := range rows {
		if want := floats.Sum(e.conditionals(row)); !same(logs[i], want) {
			t.Errorf("%s, row %d: %v; want %v", m.Name, i, logs[i], want)
		}
	}
}

// BenchmarkPseudoOfCircuit scores eight rows of a PSDD of 6,681 nodes over 17 variables.
func BenchmarkPseudoOfCircuit(b *testing.B) {
	path := filepath.Join(irtest.Shared(b), "data", "circuits", "psdd", "msnbc-yitao-a.psdd.gz")
	m, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if list.HasErrors() {
		b.Fatal(list.Err())
	}
	r, err := rate.NewRows(m)
	if err != nil {
		b.Fatal(err)
	}
	rows, logs := make([][]int, r.AtOnce()), make([]float64, r.AtOnce())
	for i := range rows {
		rows[i] = make([]int, len(m.Vars))
	}
	for b.Loop() {
		r.Pseudos(rows, logs)
	}
}
