package codegen_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestKnownSequences compares packages with numbers that others have published: the dishonest
// casino by the package aphid of R, the umbrella world of Russell and Norvig, whose further digits
// were enumerated, and the flow of the Nile by Durbin and Koopman and by statsmodels.
func TestKnownSequences(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for _, c := range []struct {
		name, data string // data is a file with a column
		column     int
		mod        *model.Model
		check      string
	}{
		{"casino", "casino.csv", 1, casino(), casinoCheck},
		{"umbrella", "", 0, umbrella(), umbrellaCheck},
		{"nile", "nile.csv", 1, nile(), nileCheck},
	} {
		check := c.check
		if c.data != "" {
			check += fmt.Sprintf("\nvar column = %q\n", column(t, c.data, c.column))
		}
		m.add(t, c.name, "auto", c.mod, compiler.Options{Queries: []string{"filter", "smooth", "viterbi"}}, func(*compiler.Result) string { return check })
	}
	m.test()
}

// column returns the cells of a column of a file of sequences, separated by blanks.
func column(t *testing.T, name string, k int) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(irtest.Shared(t), "data", "temporal", name))
	if err != nil {
		t.Fatal(err)
	}
	var cells []string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		cells = append(cells, strings.TrimSpace(strings.Split(line, ",")[k]))
	}
	return strings.Join(cells, " ")
}

// casino returns the dishonest casino: two dice, of which the loaded one shows a six half the time.
func casino() *model.Model {
	m := &model.Model{Name: "casino"}
	die, roll := m.NewVar("die", "fair", "loaded").ID, m.NewVar("roll", "1", "2", "3", "4", "5", "6").ID
	sides := &model.Factor{Scope: []model.VarID{die, roll}, Child: 1,
		Dist: &model.Table{Values: []float64{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, .1, .1, .1, .1, .1, .5}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{die}, Dist: &model.Table{Values: []float64{.99, .01}}}, sides}
	m.Transition = &model.Transition{Before: []model.VarID{die}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, die}, Child: 1, Dist: &model.Table{Values: []float64{.95, .05, .1, .9}}}, sides}}
	return m
}

// umbrella returns the umbrella world. Its slice 0 is the day before the first observation.
func umbrella() *model.Model {
	m := &model.Model{Name: "umbrella"}
	rain, umbrella := m.NewVar("rain", "yes", "no").ID, m.NewVar("umbrella", "yes", "no").ID
	sensor := &model.Factor{Scope: []model.VarID{rain, umbrella}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .2, .8}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{rain}, Dist: &model.Table{Values: []float64{.5, .5}}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{rain}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, rain}, Child: 1, Dist: &model.Table{Values: []float64{.7, .3, .3, .7}}}, sensor}}
	return m
}

// nile returns the local level of the Nile, of a start of which nothing is known.
func nile() *model.Model {
	m := &model.Model{Name: "nile"}
	level, flow := m.NewReal("level").ID, m.NewReal("flow").ID
	sensor := &model.Factor{Scope: []model.VarID{level, flow}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{15099}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{level}, Dist: &model.Diffuse{}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{level}, Factors: []*model.Factor{
		{Scope: []model.VarID{2, level}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1469.1}}}, sensor}}
	return m
}

const casinoCheck = `package casino

import (
	"math"
	"strings"
	"testing"
)

func TestKnown(t *testing.T) {
	var evs []Evidence
	f := NewFilter()
	for _, roll := range strings.Fields(column) {
		var ev Evidence
		if err := ev.Set("roll", roll); err != nil {
			t.Fatal(err)
		}
		if err := f.Step(&ev, nil, nil); err != nil {
			t.Fatal(err)
		}
		evs = append(evs, ev)
	}
	if f.Len() != 300 || math.Abs(f.LogProb()+516.4525) > 5e-5 {
		t.Errorf("ln P of %d rolls is %v; want -516.4525", f.Len(), f.LogProb())
	}
	path := make([]Assignment, len(evs))
	logP, err := New().Viterbi(evs, nil, nil, path)
	if err != nil || math.Abs(logP+538.8109) > 5e-5 {
		t.Errorf("the path has ln P %v, error %v; want -538.8109", logP, err)
	}
	dice := map[Die]int{}
	for _, a := range path {
		dice[a.Die]++
	}
	if dice[DieFair] != 216 || dice[DieLoaded] != 84 {
		t.Errorf("the path has the dice %v; want 216 fair and 84 loaded", dice)
	}
}
`

const umbrellaCheck = `package umbrella

import (
	"math"
	"testing"
)

func TestKnown(t *testing.T) {
	for _, c := range []struct {
		days             string
		smooth, filtered []float64
		logP             float64
	}{
		{"yynyy", []float64{.6469355558, .8673388896, .8204190536, .3074835760, .8204190536, .8673388896},
			[]float64{.5, .8181818182, .8833570413, .1906679397, .7307940046, .8673388896}, -3.3725020443},
		{"ynyny", []float64{.5870736123, .7176840309, .2324001713, .6071949247, .2324001713, .7176840309},
			[]float64{.5, .8181818182, .1738035264, .7250810039, .1524720889, .7176840309}, -4.1383334724},
	} {
		evs := []Evidence{{}}
		for _, day := range c.days {
			evs = append(evs, Evidence{Umbrella: map[rune]Umbrella{'y': UmbrellaYes, 'n': UmbrellaNo}[day]})
		}
		out := make([]Marginals, len(evs))
		logP, err := New().Smooth(evs, nil, nil, out)
		if err != nil || math.Abs(logP-c.logP) > 1e-10 {
			t.Errorf("%s: ln P is %v, error %v; want %v", c.days, logP, err, c.logP)
		}
		f := NewFilter()
		for i := range evs {
			var m Marginals
			if err := f.Step(&evs[i], nil, nil); err != nil {
				t.Fatal(err)
			}
			f.Belief(&m)
			if got := m.Rain.P(RainYes); math.Abs(got-c.filtered[i]) > 1e-10 {
				t.Errorf("%s, day %d: filtered %v; want %v", c.days, i, got, c.filtered[i])
			}
			if got := out[i].Rain.P(RainYes); math.Abs(got-c.smooth[i]) > 1e-10 {
				t.Errorf("%s, day %d: smoothed %v; want %v", c.days, i, got, c.smooth[i])
			}
		}
	}
}
`

const nileCheck = `package nile

import (
	"math"
	"strings"
	"testing"
)

func TestKnown(t *testing.T) {
	var evs []Evidence
	f := NewFilter()
	var m Marginals
	for _, flow := range strings.Fields(column) {
		var ev Evidence
		if err := ev.Set("flow", flow); err != nil {
			t.Fatal(err)
		}
		evs = append(evs, ev)
	}
	if err := f.Step(nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	if f.Belief(&m); !math.IsInf(m.Level.Var, 1) {
		t.Errorf("without evidence the level has the variance %v; want +Inf", m.Level.Var)
	}
	f.Reset()
	for i := range evs {
		if err := f.Step(&evs[i], nil, nil); err != nil {
			t.Fatal(err)
		}
		if f.Belief(&m); i == 0 && m.Level != (Normal{1120, 15099}) {
			t.Errorf("the first year leaves the level %v; want 1120 with variance 15099", m.Level)
		}
	}
	if math.Abs(f.LogProb()+632.5456) > 5e-5 {
		t.Errorf("ln P is %v; want -632.5456", f.LogProb())
	}
	out := make([]Marginals, len(evs))
	if _, err := New().Smooth(evs, nil, nil, out); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		year           int
		mean, variance float64
	}{{0, 1111.66831913, 4032.157942}, {49, 834.76325910, 2326.756870}, {99, 798.37029261, 4032.157942}} {
		if got := out[c.year].Level; math.Abs(got.Mean-c.mean) > 1e-5 || math.Abs(got.Var-c.variance) > 1e-5 {
			t.Errorf("year %d: %v; want %v, %v", c.year, got, c.mean, c.variance)
		}
	}
}
`

// TestFiltersImportRuntime checks that a package of filters can import the runtime; Emit checks its
// types.
func TestFiltersImportRuntime(t *testing.T) {
	r, err := compiler.Compile(t.Context(), umbrella(), compiler.Options{Queries: []string{"filter", "smooth", "viterbi"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "umbrella", Runtime: codegen.RuntimeImport}); err != nil {
		t.Error(err)
	}
}
