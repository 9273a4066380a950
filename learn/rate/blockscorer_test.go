package rate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// TestScoreBlocks checks that rows score in blocks as they do one by one, up to rounding, and to
// the bit the same on any number of cores and in a file of their own.
func TestScoreBlocks(t *testing.T) {
	latent := irtest.Asia()
	latent.Vars[3].Latent = true
	zeros := irtest.Asia() // either is the disjunction of two others
	for name, m := range map[string]*model.Model{"asia": zeros, "latent": latent, "markov": irtest.Misconception(), "hybrid": hybrid()} {
		lines := randomLines(m, 700)
		one, n := scoreLines(t, m, lines, 0)
		several, _ := scoreLines(t, m, lines, 1)
		three, tally := scoreLines(t, m, lines, 3)
		if !slices.Equal(several, three) || tally.Impossible != n.Impossible || tally.First != n.First {
			t.Errorf("%s: three cores give %d impossible rows, the first at %v; want %d and %v, or other scores", name, tally.Impossible, tally.First, n.Impossible, n.First)
		}
		if name == "asia" && n.Impossible == 0 {
			t.Error("asia: no row is impossible")
		}
		for i, got := range several {
			if got != one[i] && !irtest.Near(got, one[i], 1e-12) {
				t.Errorf("%s, %s: %v; want %v", name, lines[1+i], got, one[i])
			}
			if i%50 == 0 {
				if alone, _ := scoreLines(t, m, []string{lines[0], lines[1+i]}, 1); alone[0] != got {
					t.Errorf("%s, %s: %v alone; want %v", name, lines[1+i], alone[0], got)
				}
			}
		}
	}
}

// randomLines returns lines of CSV with random values of the variables that are not latent, a tenth
// of them missing in every second row.
func randomLines(m *model.Model, rows int) []string {
	rng := rand.New(rand.NewPCG(38, 2))
	lines := make([]string, 1+rows)
	for i := range lines {
		var cells []string
		for _, v := range data.VarsOf(m) {
			switch {
			case i == 0:
				cells = append(cells, v.Name)
			case i%2 == 0 && rng.IntN(10) == 0:
				cells = append(cells, "NA")
			case v.Real:
				cells = append(cells, fmt.Sprint(rng.NormFloat64()))
			default:
				cells = append(cells, v.States[rng.IntN(len(v.States))])
			}
		}
		lines[i] = strings.Join(cells, ",")
	}
	return lines
}

// scoreLines scores lines of CSV: in blocks on a number of cores, or one by one if it is 0.
func scoreLines(t *testing.T, m *model.Model, lines []string, cores int) ([]float64, rate.Tally) {
	t.Helper()
	r, err := rowfile.NewReader("rows.csv", strings.NewReader(strings.Join(lines, "\n")), rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	s, err := rate.NewScorer(m, rate.ScorerOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Bind(data.VarsOf(s.Model()), rowfile.UnseenError)
	if err != nil {
		t.Fatal(err)
	}
	if cores == 0 {
		err = b.Each(t.Context(), func(rec *data.Record, states []int) error {
			return s.Add(t.Context(), rec.Pos, states, b.Values, rec.Weight)
		})
		if err == nil {
			err = s.Flush(t.Context())
		}
	} else {
		s.Cores(cores)
		err = b.EachBlock(t.Context(), rowfile.BlockOptions{Cores: cores,
			Work: func(core int, k *rowfile.Block) error { return s.Score(t.Context(), core, k, k.Scores()) },
			Then: func(k *rowfile.Block) error { s.Count(k, k.Scores()); return nil },
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	tally, _ := s.LL()
	if int(s.Len()) != len(lines)-1 || len(s.Logs()) != len(lines)-1 || math.IsNaN(tally.Value) {
		t.Fatalf("%d rows and %d scores; want %d", s.Len(), len(s.Logs()), len(lines)-1)
	}
	return s.Logs(), tally
}
