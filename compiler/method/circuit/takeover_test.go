package circuit_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestTakeOver compiles models that are circuits, far too large to tabulate, and compares all
// answers to rows with missing values with sums over the model's own circuit, in logarithms. Values
// of the last three leave the range of a float64.
func TestTakeOver(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data")
	paths := []string{
		"libra/test/acbn/alarm-test2.ac.gz", "libra/test/acbn/cold-test1.ac", "circuits/psdd/asia.uai.psdd", "circuits/psdd/bnetflix.psdd.gz",
	}
	if irtest.Long(t) {
		paths = append(paths, "circuits/psdd/book.psdd.gz", "circuits/psdd/cr52.psdd.gz", "circuits/psdd/c20ng.psdd.gz")
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			m, list := format.Read(compiler.Formats, filepath.Join(dir, path), "", format.ReadOptions{})
			if list.HasErrors() {
				t.Fatal(list.Err())
			}
			if p := taken(t, m, []string{"marginals", "mpe", "sample"}, rand.New(rand.NewPCG(1, 2)), 5); p.SoftBits < 240 {
				t.Errorf("soft evidence has %v bits; want at least 240", p.SoftBits)
			}
		})
	}
}

// TestTakeOverMixture is TestTakeOver without most probable completions, which mixtures do not
// support.
func TestTakeOverMixture(t *testing.T) {
	path := filepath.Join(irtest.Shared(t), "data", "libra", "examples", "msweb-mt.spn")
	m, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	taken(t, m, []string{"marginals", "sample"}, rand.New(rand.NewPCG(1, 2)), 5)
	_, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("circuit"), Queries: []string{"mpe"}})
	want := "node 33319 of the circuit is a sum of operands that can be positive together; a most probable completion needs a circuit in which at most one " +
		"operand of each sum is positive at a joint state, or a table of 10^89 entries; ask for other queries, such as marginals and sample"
	if err == nil || !strings.HasSuffix(err.Error(), want) || !strings.HasPrefix(err.Error(), "query mpe: ") {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// takenOver is a compiled model that is a circuit.
type takenOver struct {
	*testing.T
	m       *model.Model
	d       *model.Circuit
	r       *compiler.Result
	machine *eval.Machine
	buf     []float64
}

// taken compiles m and compares some rows: samples with about half of the variables observed. It
// returns the program.
func taken(t *testing.T, m *model.Model, queries []string, rng *rand.Rand, rows int) *ir.Program {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("circuit"), Queries: queries, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	x := &takenOver{T: t, m: m, d: m.Factors[0].Dist.(*model.Circuit), r: r, machine: eval.New(r.Program, r.Model)}
	x.machine.Rand = pgmrt.NewRand(rng.Uint64())
	x.buf = make([]float64, len(x.d.Nodes))
	for range rows {
		x.machine.ClearEvidence()
		observed := x.run("sample")
		for v := range observed {
			if rng.IntN(2) == 0 {
				observed[v] = -1
			} else if err := x.machine.Observe(model.VarID(v), observed[v]); err != nil {
				t.Fatal(err)
			}
		}
		x.row(observed)
	}
	return r.Program
}

// run runs a query and returns the states that it sets.
func (x *takenOver) run(query string) []int {
	x.Helper()
	if err := x.machine.Run(x.r.Program.Entry(query)); err != nil {
		x.Fatal(err)
	}
	states := make([]int, len(x.m.Vars))
	for v, s := range x.machine.State() {
		states[v] = int(s)
	}
	return states
}

// value returns the logarithm of the circuit at states, summed over the variables whose state is
// negative.
func (x *takenOver) value(states []int) float64 {
	scope := x.m.Factors[0].Scope
	return x.d.EvalLog(func(axis int, s int32) float64 {
		if at := states[scope[axis]]; at >= 0 && at != int(s) {
			return 0
		}
		return 1
	}, x.buf)
}

// row compares the answers to an observation.
func (x *takenOver) row(observed []int) {
	logp := x.value(observed)
	x.run("marginals")
	irtest.CloseTo(x, x.machine.LogP()+x.r.Program.LogZ, logp, 1e-11)
	for v := 0; v < len(x.m.Vars); v += 1 + len(x.m.Vars)/10 {
		var want []float64
		for s := range x.m.Card(model.VarID(v)) {
			if observed[v] >= 0 && observed[v] != s {
				want = append(want, 0)
				continue
			}
			states := append([]int(nil), observed...)
			states[v] = s
			want = append(want, math.Exp(x.value(states)-logp))
		}
		irtest.Close(x, x.machine.Posterior(v), want, 1e-11)
	}
	sample := x.run("sample")
	drawn := x.complete("sample", sample, observed)
	if x.r.Program.Entry("mpe") == nil {
		return
	}
	best := x.run("mpe")
	logp = x.machine.LogP() + x.r.Program.LogZ
	irtest.CloseTo(x, x.complete("best completion", best, observed), logp, 1e-11)
	if drawn > logp+1e-9 {
		x.Errorf("a sample has ln P %v, the best completion %v", drawn, logp)
	}
	for v := range best {
		if old := best[v]; observed[v] < 0 {
			best[v] = (old + 1) % x.m.Card(model.VarID(v))
			if other := x.value(best); other > logp+1e-9 {
				x.Errorf("with variable %d at %d ln P is %v, the best completion has %v", v, best[v], other, logp)
			}
			best[v] = old
		}
	}
}

// complete returns ln P of states, which must agree with the observation.
func (x *takenOver) complete(what string, states, observed []int) float64 {
	for v, o := range observed {
		if o >= 0 && states[v] != o {
			x.Errorf("%s: variable %d is %d; observed was %d", what, v, states[v], o)
		}
	}
	logp := x.value(states)
	if math.IsInf(logp, -1) {
		x.Errorf("%s is impossible", what)
	}
	return logp
}

// circuitMaker builds random smooth and decomposable circuits. Nodes over the same variables may
// split them in different ways.
type circuitMaker struct {
	r       *rand.Rand
	d       *model.Circuit
	mixture bool // operands of some sums are positive together
	bits    float64
	card    []int
	known   map[string][]int32 // by variables: nodes over them
}

func (g *circuitMaker) add(op model.CircuitOp, args ...int32) int32 {
	g.d.Nodes = append(g.d.Nodes, model.CircuitNode{Op: op, Args: args})
	return int32(len(g.d.Nodes) - 1)
}

// number returns a weight from a wide range, and sometimes zero.
func (g *circuitMaker) number() int32 {
	x := math.Exp2((2*g.r.Float64() - 1.5) * g.bits)
	if g.r.IntN(12) == 0 {
		x = 0
	}
	g.d.Nodes = append(g.d.Nodes, model.CircuitNode{Op: model.CircuitNumber, Value: x})
	return int32(len(g.d.Nodes) - 1)
}

// node returns a node over some variables, often an existing one.
func (g *circuitMaker) node(vars []int) int32 {
	key := fmt.Sprint(vars)
	if list := g.known[key]; len(list) > 0 && g.r.IntN(3) > 0 {
		return list[g.r.IntN(len(list))]
	}
	var n int32
	switch {
	case g.mixture && g.r.IntN(4) == 0 && len(vars) > 1:
		n = g.add(model.CircuitSum, g.add(model.CircuitProduct, g.number(), g.split(vars)), g.add(model.CircuitProduct, g.number(), g.split(vars)))
	default:
		n = g.decide(vars)
	}
	g.known[key] = append(g.known[key], n)
	return n
}

// split returns a product of nodes over two parts of the variables.
func (g *circuitMaker) split(vars []int) int32 {
	if len(vars) == 1 {
		return g.node(vars)
	}
	var a, b []int
	for i, v := range vars {
		if i == 0 || i < len(vars)-1 && g.r.IntN(2) == 0 {
			a = append(a, v)
		} else {
			b = append(b, v)
		}
	}
	return g.add(model.CircuitProduct, g.node(a), g.node(b))
}

// decide returns a sum over the states of one of the variables.
func (g *circuitMaker) decide(vars []int) int32 {
	k := g.r.IntN(len(vars))
	rest := append(append([]int(nil), vars[:k]...), vars[k+1:]...)
	var terms []int32
	for s := range g.card[vars[k]] {
		args := []int32{g.number(), int32(len(g.d.Nodes))}
		g.d.Nodes = append(g.d.Nodes, model.CircuitNode{Op: model.CircuitIndicator, Axis: vars[k], State: int32(s)})
		args[1] = int32(len(g.d.Nodes) - 1)
		if len(rest) > 0 {
			args = append(args, g.split(rest))
		}
		terms = append(terms, g.add(model.CircuitProduct, args...))
	}
	return g.add(model.CircuitSum, terms...)
}

// TestTakeOverRandom compares random circuits, many of whose values leave the range of a float64,
// and whose most probable completions can be enumerated.
func TestTakeOverRandom(t *testing.T) {
	compared, scaled := 0, 0
	for seed := range uint64(300) {
		g := &circuitMaker{r: rand.New(rand.NewPCG(seed, 1)), d: &model.Circuit{}, mixture: seed%2 == 1, known: map[string][]int32{}}
		g.bits = []float64{1, 60, 120}[seed%3]
		m := &model.Model{Name: "random", Kind: model.Markov}
		var scope []model.VarID
		var vars []int
		for v := range 8 {
			g.card = append(g.card, 2+g.r.IntN(2))
			scope = append(scope, m.NewVar(fmt.Sprint("x", v), strings.Split("abc", "")[:g.card[v]]...).ID)
			vars = append(vars, v)
		}
		g.node(vars)
		m.Factors = []*model.Factor{{Scope: scope, Child: -1, Dist: g.d}}
		if node, why := g.d.Structure(); node >= 0 {
			t.Fatalf("seed %d: node %d %s", seed, node, why)
		}
		queries := []string{"marginals", "sample"}
		if !g.mixture {
			queries = append(queries, "mpe")
		}
		if !possible(m) {
			continue
		}
		p := taken(t, m, queries, g.r, 3)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		compared++
		if slices.ContainsFunc(p.Blocks, func(b ir.Block) bool { return slices.ContainsFunc(b.Steps, isRescale) }) {
			scaled++
		}
	}
	if compared < 200 || scaled < 40 {
		t.Errorf("%d circuits are possible, of which %d are rescaled; want 200 and 40", compared, scaled)
	}
}

// TestTakeOverLifted compares answers to rows of probability below 2^-1022 with sums in logarithms,
// for a circuit that cannot be rescaled. The rows have a probability of about 2^-1340, and of the
// square root of that with half of the row missing.
func TestTakeOverLifted(t *testing.T) {
	const n = 150
	m := irtest.CrossedMixture(n)
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("circuit"), Queries: []string{"marginals", "sample"}, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	x := &takenOver{T: t, m: m, d: m.Factors[0].Dist.(*model.Circuit), r: r, machine: eval.New(r.Program, r.Model)}
	x.machine.Rand, x.buf = pgmrt.NewRand(1), make([]float64, len(x.d.Nodes))
	for _, missing := range []int{0, 1, n / 2} {
		observed := make([]int, n)
		x.machine.ClearEvidence()
		for v := range observed {
			if v < missing {
				observed[v] = -1
			} else if err := x.machine.Observe(model.VarID(v), 0); err != nil {
				t.Fatal(err)
			}
		}
		if bits := x.value(observed) / math.Ln2; missing < 2 && bits > -1300 {
			t.Errorf("the row has 2^%.0f; want one below what a float64 can be", bits)
		}
		x.row(observed)
	}
}

// TestTakeOverLowered compares the same circuit with sums in logarithms where values are up to
// 2^1200, and 2^1800.
func TestTakeOverLowered(t *testing.T) {
	for _, weight := range []int{8, 12} {
		takeOverLowered(t, weight)
	}
}

// takeOverLowered is TestTakeOverLowered with the numbers of each variable times a power of two.
func takeOverLowered(t *testing.T, weight int) {
	t.Helper()
	const n = 150
	m := irtest.CrossedMixture(n)
	d := m.Factors[0].Dist.(*model.Circuit)
	for i := range d.Nodes {
		if x := &d.Nodes[i]; x.Op == model.CircuitNumber && x.Value != .5 {
			x.Value = math.Ldexp(x.Value, weight)
		}
	}
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("circuit"), Queries: []string{"marginals"}, Check: true, Unnormalised: true})
	if err != nil {
		t.Fatal(err)
	}
	machine := eval.New(r.Program, r.Model)
	for _, missing := range []int{0, 1, n / 2, n} {
		machine.ClearEvidence()
		for v := missing; v < n; v++ {
			if err := machine.Observe(model.VarID(v), v%2); err != nil {
				t.Fatal(err)
			}
		}
		if err := machine.Run(r.Program.Entry("marginals")); err != nil {
			t.Fatal(err)
		}
		value := func(v, state int) float64 { // with the state of one more variable
			return d.EvalLog(func(axis int, s int32) float64 {
				if axis == v && int(s) != state || axis >= missing && int(s) != axis%2 {
					return 0
				}
				return 1
			}, make([]float64, len(d.Nodes)))
		}
		want := value(-1, 0)
		irtest.CloseTo(t, machine.LogP(), want, 1e-12)
		for _, v := range []int{0, n / 3, n - 1} {
			irtest.CloseTo(t, machine.Posterior(v)[1], math.Exp(value(v, 1)-want), 1e-11)
		}
	}
}

func isRescale(s ir.Step) bool {
	_, ok := s.(*ir.Rescale)
	return ok
}

// possible reports whether a circuit is positive somewhere.
func possible(m *model.Model) bool {
	d := m.Factors[0].Dist.(*model.Circuit)
	return !math.IsInf(d.EvalLog(func(int, int32) float64 { return 1 }, make([]float64, len(d.Nodes))), -1)
}

// TestLibraCompletions compares most probable completions with those that Libra's acquery stores
// for a circuit of a Chow-Liu tree. It also compares the shares of queried variables, without
// observed ones, whose states differ from the truth.
func TestLibraCompletions(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "libra")
	m, list := format.Read(compiler.Formats, filepath.Join(dir, "test", "manual", "msweb-cl.ac.gz"), "", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("circuit"), Queries: []string{"mpe"}, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	lines := func(path ...string) []string {
		text, err := os.ReadFile(filepath.Join(append([]string{dir}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(string(text))
	}
	evidence, truth := lines("examples", "msweb.ev"), lines("examples", "msweb.q")
	want, share := lines("test", "manual", "msweb-cl.mpe"), lines("test", "manual", "test16.log")
	machine := eval.New(r.Program, r.Model)
	for i, line := range evidence {
		machine.ClearEvidence()
		for v, s := range strings.Split(line, ",") {
			if s != "*" {
				if err := machine.Observe(model.VarID(v), int(s[0]-'0')); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := machine.Run(r.Program.Entry("mpe")); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range machine.State() {
			got = append(got, fmt.Sprint(s))
		}
		if strings.Join(got, ",") != want[i] {
			t.Errorf("row %d: %v\nwant %s", i, got, want[i])
		}
		asked, wrong := 0.0, 0.0
		observed := strings.Split(line, ",")
		for v, s := range strings.Split(truth[i], ",") {
			if s != "*" && observed[v] == "*" {
				asked++
				if s != got[v] {
					wrong++
				}
			}
		}
		if text := fmt.Sprintf("%.6f", wrong/asked); text != share[i] {
			t.Errorf("row %d: a share of %s is wrong; want %s", i, text, share[i])
		}
	}
}
