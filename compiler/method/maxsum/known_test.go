package maxsum_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/method/maxsum"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestLibDAI compares with the rows of libDAI's table that run max-product. They are by three
// programs, of which the third has weights of one here, with several schedules and domains, and
// agree in all digits.
func TestLibDAI(t *testing.T) {
	for _, c := range []struct {
		option    string
		schedules []string
	}{{"schedule=sequential", []string{"SEQFIX", "SEQRND"}}, {"schedule=flooding", []string{"PARALL"}}} {
		var rows []string
		for _, program := range []string{"MP", "FMP", "TRWMP"} {
			for _, schedule := range c.schedules {
				rows = append(rows, program+"_"+schedule, program+"_"+schedule+"_LOG")
			}
		}
		t.Run(c.option, func(t *testing.T) { methodtest.LibDAIMax(t, maxsum.MaxProduct, rows, c.option) })
	}
}

// TestLibra compares with Libra's two cases: the completions of a tree over 294 variables given
// seven rows of evidence, which Libra wrote out, and, for a network with cycles, the share of a
// query's variables whose states differ from the query's.
func TestLibra(t *testing.T) {
	evidence := methodtest.LibraRows(t, "../examples/msweb.ev")
	want := methodtest.LibraRows(t, "manual/msweb-cl.mpe")
	for i, states := range libraStates(t, "acopt/msweb-cl.xmod.gz", evidence) {
		for v, word := range strings.Split(want[i], ",") {
			if strconv.Itoa(states[v]) != word {
				t.Errorf("row %d, variable %d: %d; Libra has %s", i, v, states[v], word)
			}
		}
	}
	queries := methodtest.LibraRows(t, "../examples/msweb.q")
	shares := methodtest.LibraRows(t, "manual/test29.log")
	for i, states := range libraStates(t, "../examples/msweb.xmod.gz", evidence) {
		known, others, all := strings.Split(evidence[i], ","), 0, 0
		for v, word := range strings.Split(queries[i], ",") {
			if word == "*" || known[v] != "*" {
				continue
			}
			all++
			if strconv.Itoa(states[v]) != word {
				others++
			}
		}
		if got := strconv.FormatFloat(float64(others)/float64(all), 'f', 6, 64); got != shares[i] {
			t.Errorf("row %d: %s of the query differs; Libra has %s", i, got, shares[i])
		}
	}
}

// libraStates returns the states that are chosen given rows of evidence.
func libraStates(t *testing.T, file string, evidence []string) (rows [][]int) {
	t.Helper()
	x, list := format.Read(compiler.Formats, filepath.Join(irtest.Shared(t), "data", "libra", "test", file), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	r, err := compiler.Compile(context.Background(), x, compiler.Options{Method: compiler.Named(maxsum.MaxProduct.Name)})
	if err != nil {
		t.Fatal(err)
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	for _, row := range evidence {
		machine.ClearEvidence()
		for v, s := range strings.Split(row, ",") {
			if state, err := strconv.Atoi(s); err == nil {
				if err := machine.Observe(model.VarID(v), state); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{Iterations: 100}); err != nil {
			t.Fatal(err)
		}
		var states []int
		for _, s := range machine.State() {
			states = append(states, int(s))
		}
		rows = append(rows, states)
	}
	return rows
}

// TestStrongLocalOptimum checks that states on which all beliefs of a network with many cycles
// agree cannot be improved by changing variables that induce at most one cycle per component: sets
// of libDAI's grid and of random ones (Koller and Friedman, theorem 13.7 and exercise 13.14).
func TestStrongLocalOptimum(t *testing.T) {
	path := filepath.Join(irtest.Shared(t), "data", "libdai", "testfast.fg")
	x, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	if !strongOptimum(t, x) {
		t.Error("libDAI's grid: the beliefs do not agree on states")
	}
	agreed := 0
	for _, seed := range irtest.Cases(t, 20, 300) {
		shuffle(x, rand.New(rand.NewPCG(seed, 137)))
		if strongOptimum(t, x) {
			agreed++
		}
	}
	if agreed < 5 {
		t.Errorf("beliefs agree on %d random grids; want 5", agreed)
	}
}

// strongOptimum checks the states on which the beliefs of a grid of 4 x 4 agree. It reports whether
// they do.
func strongOptimum(t *testing.T, x *model.Model) bool {
	t.Helper()
	r, err := compiler.Compile(context.Background(), x, compiler.Options{Method: compiler.Named(maxsum.MaxProduct.Name)})
	if err != nil {
		t.Fatal(err)
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	went, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if machine.Decoded(entry, went).Status != pgmrt.DecodeConverged {
		return false
	}
	for _, set := range nearlyTrees() {
		state := make([]int, len(x.Vars))
		for v, s := range machine.State() {
			state[v] = int(s)
		}
		chosen := weight(x, state)
		for _, v := range set {
			state[v] = 0
		}
		for range states(x, set) {
			if w := weight(x, state); w > chosen*(1+1e-9) {
				t.Errorf("other states of %v weigh %v; those that were chosen %v", set, w, chosen)
			}
			x.Next(set, state)
		}
	}
	return true
}

// nearlyTrees returns sets of variables of a grid of 4 x 4: its rows, columns and squares, a comb,
// two rows, and a square beside the last row and column.
func nearlyTrees() (sets [][]model.VarID) {
	for i := range model.VarID(4) {
		sets = append(sets, []model.VarID{4 * i, 4*i + 1, 4*i + 2, 4*i + 3}, []model.VarID{i, 4 + i, 8 + i, 12 + i})
	}
	for row := range model.VarID(3) {
		for column := range model.VarID(3) {
			v := 4*row + column
			sets = append(sets, []model.VarID{v, v + 1, v + 4, v + 5})
		}
	}
	return append(sets, []model.VarID{0, 1, 2, 3, 5, 9, 13, 7, 11, 15}, []model.VarID{0, 1, 2, 3, 8, 9, 10, 11},
		[]model.VarID{0, 1, 4, 5, 3, 7, 11, 15, 14, 13, 12})
}

// states returns the number of joint states of a set of variables.
func states(m *model.Model, set []model.VarID) int {
	n := 1
	for _, v := range set {
		n *= m.Card(v)
	}
	return n
}

// weight returns the product of all factors.
func weight(m *model.Model, state []int) float64 {
	w := 1.0
	for _, f := range m.Factors {
		w *= m.Value(f, state)
	}
	return w
}
