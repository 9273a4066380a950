package codegen_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// picnic returns a diagram of two decisions, in which the forecast is bought or not, and then known
// or missing.
func picnic() *model.Model {
	m := &model.Model{Name: "picnic", Diagram: &model.Diagram{}}
	buy, weather, forecast, walk := m.NewVar("buy", "yes", "no"), m.NewVar("weather", "wet", "dry"), m.NewVar("forecast", "wet", "dry", "none"), m.NewVar("go", "yes", "no")
	buy.Given, walk.Given = true, true
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{weather.ID}, Dist: &model.Table{Values: []float64{.25, .75}}},
		{Scope: []model.VarID{buy.ID, weather.ID, forecast.ID}, Child: 2, Dist: &model.Table{Values: []float64{.75, .25, 0, .25, .75, 0, 0, 0, 1, 0, 0, 1}}},
	}
	m.Diagram.Decisions = []*model.Decision{{Var: buy.ID}, {Var: walk.ID, Known: []model.VarID{buy.ID, forecast.ID}}}
	m.Diagram.Utilities = []*model.Utility{
		{Name: "price", Scope: []model.VarID{buy.ID}, Values: []float64{-1, 0}},
		{Name: "fun", Scope: []model.VarID{weather.ID, walk.ID}, Values: []float64{-16, 0, 8, 0}},
	}
	return m
}

// wide returns a diagram of a decision with many options, which knows two variables of n states.
// The second one is never in its last state.
func wide(n, options int) *model.Model {
	m, rng := &model.Model{Name: "wide", Diagram: &model.Diagram{}}, rand.New(rand.NewPCG(1, 2))
	var known []model.VarID
	for i := range 2 {
		v := m.NewVar(fmt.Sprint("k", i), many(n)...)
		p := make([]float64, n)
		for s := range n - 1 {
			p[s] = 1 / float64(n-i)
		}
		p[n-1] = float64(1-i) / float64(n)
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: p}})
		known = append(known, v.ID)
	}
	d := m.NewVar("d", many(options)...)
	d.Given = true
	m.Diagram.Decisions = []*model.Decision{{Var: d.ID, Known: known}}
	for _, v := range known {
		u := make([]float64, n*options)
		for i := range u {
			u[i] = float64(rng.IntN(1000))
		}
		m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: "u", Scope: []model.VarID{v, d.ID}, Values: u})
	}
	return m
}

// wideChoice returns the best option of the diagram wide, from 1, or 0.
func wideChoice(m *model.Model, a, b int) (best int) {
	n, options, u := m.Card(0), m.Card(2), m.Diagram.Utilities
	if b == n-1 {
		return 0
	}
	worth := func(d int) float64 { return u[0].Values[a*options+d] + u[1].Values[b*options+d] }
	for d := range options {
		if worth(d) > worth(best) {
			best = d
		}
	}
	return best + 1
}

// TestPolicies checks the functions of decisions in packages: as a switch, as a table of bytes, and
// as one of two bytes a case, beside other queries and alone, with the names of a package for
// variables and states.
func TestPolicies(t *testing.T) {
	t.Parallel()
	mod := newModule(t, "")
	for name, queries := range map[string][]string{"alone": {"policy"}, "beside": {"policy", "marginals"}} {
		mod.compiled(picnic(), codegen.Options{Package: name}, ir.Const, queries...)
		mod.check(name, "package "+name+usePicnic)
	}
	for name, size := range map[string][2]int{"switched": {63, 300}, "bytes": {65, 255}, "pairs": {65, 300}} {
		m := wide(size[0], size[1])
		mod.compiled(m, codegen.Options{Package: name}, ir.Const, "policy")
		var want strings.Builder
		for a := range size[0] {
			for b := range size[0] {
				fmt.Fprintf(&want, "%d ", wideChoice(m, a, b))
			}
		}
		mod.check(name, "package "+name+fmt.Sprintf(useTables, size[0], want.String()))
	}
	for i, name := range []string{"DPolicy", "policy", "at", "out", "dPolicyChoices", "contents", "D"} {
		m := wide(65, 3)
		m.Vars[0].Name, m.Vars[1].Name = name, name+"s"
		m.Vars[2].Name = "D"
		if name == "D" {
			m.Vars[2].Name = "d"
		}
		mod.compiled(m, codegen.Options{Package: fmt.Sprint("named", i), Types: codegen.TypesShared}, ir.Const, "policy")
	}
	mod.test()
}

// A forecast is dry with probability .75*.75 + .25*.25, and going then is worth 8*.5625 - 16*.0625,
// which is 3.5 for a price of 1. Without the forecast, going is worth 2.
const usePicnic = `

import "testing"

func TestPicnic(t *testing.T) {
	if buy, ok := BuyPolicy(); buy != BuyYes || !ok {
		t.Error(buy, ok)
	}
	for _, c := range []struct {
		buy      Buy
		forecast Forecast
		want     Go
	}{
		{BuyYes, ForecastWet, GoNo}, {BuyYes, ForecastDry, GoYes}, {BuyYes, ForecastNone, GoUnset}, {BuyNo, ForecastWet, GoUnset},
		{BuyNo, ForecastDry, GoUnset}, {BuyNo, ForecastNone, GoYes}, {BuyUnset, ForecastDry, GoUnset}, {BuyYes, ForecastUnset, GoUnset},
		{3, ForecastDry, GoUnset}, {BuyYes, 4, GoUnset}, {255, 255, GoUnset},
	} {
		if got, ok := GoPolicy(c.buy, c.forecast); got != c.want || ok != (c.want != GoUnset) {
			t.Errorf("%v, %v: %v, %v; want %v", c.buy, c.forecast, got, ok, c.want)
		}
	}
	if n := testing.AllocsPerRun(5, func() { GoPolicy(BuyYes, ForecastDry) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
`

const useTables = `

import (
	"strconv"
	"strings"
	"testing"
)

func TestWide(t *testing.T) {
	const n = %d
	for i, text := range strings.Fields(%q) {
		want, _ := strconv.Atoi(text)
		if got, ok := DPolicy(K0(i/n+1), K1(i%%n+1)); int(got) != want || ok != (want > 0) {
			t.Fatalf("case %%d: %%d, %%v; want %%d", i, got, ok, want)
		}
	}
	for _, bad := range [][2]int{{0, 1}, {1, 0}, {n + 1, 1}, {1, n + 1}, {255, 255}} {
		if got, ok := DPolicy(K0(bad[0]), K1(bad[1])); got != DUnset || ok {
			t.Errorf("%%v: %%d, %%v; want nothing", bad, got, ok)
		}
	}
	if n := testing.AllocsPerRun(5, func() { DPolicy(1, 2) }); n != 0 {
		t.Errorf("%%v allocations", n)
	}
}
`

// TestPoliciesOfSlices checks the functions of decisions of sequences: of one that is seen, for
// many slices, and of one that depends on what was heard before.
func TestPoliciesOfSlices(t *testing.T) {
	t.Parallel()
	mod := newModule(t, "")
	for _, name := range []string{"machine", "tiger"} {
		m, list := format.Read(compiler.Formats, filepath.Join("testdata", name+".pgmc.json"), "", format.ReadOptions{})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		mod.compiled(m, codegen.Options{Package: name}, ir.Const, "policy", "filter")
	}
	mod.check("machine", useMachine)
	mod.check("tiger", useTiger)
	mod.test()
}

// By dynamic programming over three states, a machine that is not good is repaired but in the last
// slice.
const useMachine = `package machine

import "testing"

func TestMachine(t *testing.T) {
	for slice := range 10 {
		for state, want := range map[State]Action{StateGood: ActionRun, StateWorn: ActionRepair, StateBroken: ActionRepair} {
			if slice == 9 {
				want = ActionRun
			}
			if slice == 0 && state != StateGood {
				continue // it cannot be
			}
			if got, ok := ActionPolicy(slice, state); got != want || !ok {
				t.Errorf("slice %d, %v: %v, %v; want %v", slice, state, got, ok, want)
			}
		}
	}
	for _, c := range []struct{slice int; state State}{{-1, StateGood}, {10, StateGood}, {3, StateUnset}, {3, 4}} {
		if got, ok := ActionPolicy(c.slice, c.state); got != ActionUnset || ok {
			t.Errorf("%v: %v, %v; want nothing", c, got, ok)
		}
	}
	if n := testing.AllocsPerRun(5, func() { ActionPolicy(5, StateWorn) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
`

// The tiger is behind one door with probability .85*.85/(.85*.85 + .15*.15) after two equal sounds.
const useTiger = `package tiger

import "testing"

func TestTiger(t *testing.T) {
	for _, c := range []struct {
		slice         int
		before, first Sound
		want          Action
	}{
		{0, SoundUnset, SoundUnset, ActionListen}, {1, SoundHearLeft, SoundUnset, ActionListen},
		{2, SoundHearLeft, SoundHearLeft, ActionRight}, {2, SoundHearRight, SoundHearRight, ActionLeft}, {2, SoundHearLeft, SoundHearRight, ActionListen},
		{3, SoundHearLeft, SoundHearLeft, ActionUnset},
	} {
		if got, ok := ActionPolicy(c.slice, c.before, c.first); got != c.want || ok != (c.want != ActionUnset) {
			t.Errorf("%v: %v, %v", c, got, ok)
		}
	}
}
`

// TestPolicyErrors checks what Emit refuses.
func TestPolicyErrors(t *testing.T) {
	r := compiled(t, picnic(), "policy")
	r.Model.Vars[2].Latent = true
	_, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "p"})
	if want := `codegen: query "policy": the policy of "go" names the latent variable "forecast"`; err == nil || err.Error() != want {
		t.Errorf("error %v; want %s", err, want)
	}
	r = compiled(t, picnic(), "policy")
	r.Program.Entries[0].Decisions[1].Known = nil
	_, err = codegen.Emit(r.Model, r.Program, codegen.Options{Package: "p"})
	if want := `codegen: query "policy": the policy of "go" does not fit its variables`; err == nil || err.Error() != want {
		t.Errorf("error %v; want %s", err, want)
	}
}

// BenchmarkDecisions times the second decision of the oil wildcatter in a package: the policy, the
// options given evidence, the value of information of two variables, and what happens under the
// best strategy; the options of 64 rows, too. Use -benchtime=1x.
func BenchmarkDecisions(b *testing.B) {
	m, list := format.Read(compiler.Formats, filepath.Join(irtest.Shared(b), "data", "decide", "oil.pgmc.json"), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		b.Fatal(err)
	}
	mod := newModule(b, "")
	mod.compiled(m, codegen.Options{Package: "oil"}, ir.Const, "policy, best, information, follow")
	mod.write("oil/policy_test.go", benchOil)
	b.Log(mod.run(nil, "test", "-vet=off", "-bench", ".", "-count", "5", "./oil"))
}

const benchOil = `package oil

import "testing"

func BenchmarkDrillPolicy(b *testing.B) {
	i, yes := 0, 0
	for b.Loop() {
		if d, _ := DrillPolicy(Test(i&1+1), Result(i&3+1)); d == DrillYes {
			yes++
		}
		i++
	}
}

func BenchmarkBestDrill(b *testing.B) {
	e, ev := New(), Evidence{Test: TestYes, Result: ResultDiffuse}
	for b.Loop() {
		if _, err := e.BestDrill(&ev, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInformationDrill(b *testing.B) {
	e, ev := New(), Evidence{Test: TestYes}
	var out DrillInformation
	for b.Loop() {
		if err := e.InformationDrill(&ev, nil, &out); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFollow(b *testing.B) {
	e := New()
	var out Outcome
	for b.Loop() {
		if err := e.Follow(nil, nil, &out); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBestDrillBatch(b *testing.B) {
	e, evs, out := New(), make([]Evidence, 64), make([]DrillChoice, 64)
	for i := range evs {
		evs[i] = Evidence{Test: TestYes, Result: Result(i&1 + 2)}
	}
	for b.Loop() {
		if err := e.BestDrillBatch(evs, nil, out); err != nil {
			b.Fatal(err)
		}
	}
}
`
