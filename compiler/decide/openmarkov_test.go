package decide_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestMarkov compares costs and effects of each option of Markov influence diagrams, which are taken
// once, with those that OpenMarkov's tests expect. The tests set discount rates in percent and the
// number of slices. Those of the hip prosthesis are of exercise 3.5 of Briggs, Claxton and Sculpher
// 2006, whose numbers 4.8 shares. The expected costs of chap are those of months, of which a cycle
// has twelve.
func TestMarkov(t *testing.T) {
	for _, c := range []struct {
		name         string
		slices       int
		cost, effect float64 // discount rates
		evidence     string
		want         [][2]float64 // cost and effect, by option
		tol          float64
	}{
		{"MID-Chancellor.pgmx", 20, .06, 0, "", [][2]float64{{44663.453558, 7.99121}, {50599.843384, 8.93739}}, 1e-5},
		{"MID-dmhee-2.5.pgmx", 20, .06, 0, "", [][2]float64{{50585.917, 8.935}, {44662.217, 7.991}}, 1e-3},
		{"MID-dmhee-2.5-sv.pgmx", 20, .06, 0, "", [][2]float64{{50585.917, 8.935}, {44662.217, 7.991}}, 1e-3},
		{"MID-dmhee-4.8.pgmx", 60, .06, .015, "Sex=female", [][2]float64{{510.948, 14.666}, {609.904, 14.701}}, 1e-3},
		{"MID-dmhee-4.8.pgmx", 60, .06, .015, "Sex=male", [][2]float64{{604.264, 12.59}, {635.217, 12.643}}, 1e-3},
		{"chap.pgmx.gz", 3, .03, .03, "", [][2]float64{{15.4 + (1066.744-15.4)/12, 1.444}, {15.4 + (852.399-15.4)/12, 1.709}}, 1e-3},
	} {
		m := load(t, filepath.Join(irtest.Shared(t), "data", "decision", c.name))
		m.Diagram.Horizon = c.slices + 1
		d := m.Diagram.Decisions[0]
		for i, option := range m.States(d.Var) {
			likelihood := likelihoods(t, m, strings.Trim(c.evidence+", "+m.Vars[d.Var].Name+"="+option, ", "))
			for k, want := range c.want[i] {
				for _, x := range m.Diagram.Criteria {
					x.Discount, x.Scale = 1/(1+[]float64{c.cost, c.effect}[k]), [][]float64{{x.Cost, 0}, {0, x.Effect}}[k][k]
				}
				s, err := decide.Induct(t.Context(), m, likelihood, decide.Options{})
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				if got := s.First.Utility; math.Abs(got-want) > c.tol {
					t.Errorf("%s given %q, %s: %v; want %v", c.name, c.evidence, option, got, want)
				}
			}
		}
	}
	_, _, _ = slices.Contains[[]int], compiler.Formats, format.Read
	_ = model.Bayes
}
