package lda_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/lda"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// bars returns words of documents, and further words of the same ones: the nine words are a square,
// and the six topics are its rows and columns, as in figure 1 of Griffiths and Steyvers 2004. It
// returns the probability of each word in each document too.
func bars(t testing.TB, documents, words int) (train, held *data.Set, p [][]float64) {
	rng := rand.New(rand.NewPCG(2, 8))
	vars := learnertest.Vars("document", 1, "word", 9)
	vars[0].States = nil
	var rows, further [][]int
	for d := range documents {
		vars[0].States = append(vars[0].States, fmt.Sprint("d", d))
		mix, total := make([]float64, 6), 0.0
		for k := range mix {
			mix[k] = math.Pow(rng.Float64(), 8)
			total += mix[k]
		}
		at := make([]float64, 9)
		for w := range at {
			at[w] = (mix[w/3] + mix[3+w%3]) / 3 / total
		}
		p = append(p, at)
		for i := range words {
			u, w := rng.Float64(), 0
			for u -= at[0]; u >= 0 && w < 8; u -= at[w] {
				w++
			}
			if i%5 == 0 {
				further = append(further, []int{d, w})
			} else {
				rows = append(rows, []int{d, w})
			}
		}
	}
	return learnertest.New(t, vars, rows, nil), learnertest.New(t, vars, further, nil), p
}

// TestBars finds the topics of bars, and predicts further words nearly as the true distribution.
func TestBars(t *testing.T) {
	train, held, p := bars(t, 200, 100)
	r := learnertest.Learn(t, lda.Learner, &learner.Job{Train: train, Valid: held, Seed: 1, Cores: 1}, "-topics", "6", "-sweeps", "200")
	m := r.Models[0]
	words := m.Factors[2].Dist.(*model.Table).Values
	for bar := range 6 {
		nearest := math.Inf(1)
		for k := range 6 {
			distance := 0.0
			for w := range 9 {
				want := 0.0
				if w/3 == bar || 3+w%3 == bar {
					want = 1. / 3
				}
				distance += math.Abs(words[k*9+w] - want)
			}
			nearest = min(nearest, distance)
		}
		if nearest > 0.1 {
			t.Errorf("no topic is within 0.1 of bar %d; the nearest is %v away", bar, nearest)
		}
	}
	best, n := 0.0, held.Len()
	var got float64
	for i := range n {
		row := make([]int, 2)
		held.Row(i, row)
		best += math.Log(p[row[0]][row[1]])
	}
	last := r.Report.Remarks[len(r.Report.Remarks)-1]
	if _, err := fmt.Sscanf(last, "perplexity of the validation words given their documents: %f", &got); err != nil {
		t.Fatal(last, err)
	}
	if want := math.Exp(-best / float64(n)); got < want || got > 1.05*want {
		t.Errorf("perplexity %v; the true distribution has %v", got, want)
	}
	if !strings.HasPrefix(r.Report.Remarks[0], "pseudo-counts: ") || !strings.HasPrefix(r.Report.Remarks[1], "topic 1, 19.") {
		t.Error(r.Report.Remarks)
	}
}

// TestCounts checks that a column of counts, weights and repeated rows are the same words, and that
// the report has the log-likelihood of the model.
func TestCounts(t *testing.T) {
	vars := learnertest.Vars("page", 2, "word", 3)
	repeated := learnertest.New(t, vars, [][]int{{0, 0}, {0, 0}, {0, 1}, {1, 1}, {1, 2}, {1, 2}}, nil)
	weighted := learnertest.New(t, vars, [][]int{{0, 0}, {0, 1}, {1, 1}, {1, 2}}, []float64{2, 1, 1, 2})
	counted := learnertest.New(t, append(vars, data.Var{Name: "n", States: []string{"1", "2"}}), [][]int{{0, 0, 1}, {0, 1, 0}, {1, 1, 0}, {1, 2, 1}}, nil)
	learn := func(s *data.Set, cores int, args ...string) *learner.Result {
		return learnertest.Learn(t, lda.Learner, &learner.Job{Train: s, Seed: 4, Cores: cores}, append(args, "-topics", "2", "-sweeps", "20", "-restarts", "3")...)
	}
	want := learn(repeated, 1)
	for name, got := range map[string]*learner.Result{"weights": learn(weighted, 1), "counts": learn(counted, 1, "-count", "n"), "four cores": learn(repeated, 4)} {
		if !reflect.DeepEqual(got.Models, want.Models) || math.Abs(got.Report.Total-want.Report.Total) > 1e-12 || name == "four cores" && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v; want %v", name, got.Report, want.Report)
		}
	}
	m, sum := want.Models[0], 0.0
	for i := range repeated.Len() {
		state := make([]int, 3)
		repeated.Row(i, state[:2])
		row := 0.0
		for state[2] = range 2 {
			row += m.Value(m.Factors[0], state) * m.Value(m.Factors[1], state) * m.Value(m.Factors[2], state)
		}
		sum += math.Log(row)
	}
	if math.Abs(sum-want.Report.Total) > 1e-12 {
		t.Errorf("log-likelihood %v; want %v", want.Report.Total, sum)
	}
}

// TestOneDocument learns from a column of words, and calls the topic otherwise if a column has that
// name.
func TestOneDocument(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("topic", 2), [][]int{{0}, {1}, {1}}, nil)
	r := learnertest.Learn(t, lda.Learner, &learner.Job{Train: s, Cores: 1}, "-topics", "1", "-beta", "1", "-fixed")
	m := r.Models[0]
	if m.Vars[1].Name != "hidden_topic" || !reflect.DeepEqual(m.Factors[1].Dist.(*model.Table).Values, []float64{2. / 5, 3. / 5}) {
		t.Errorf("%s: %v", m.Vars[1].Name, m.Factors[1].Dist)
	}
}

func TestErrors(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("page", 2, "word", 2), [][]int{{0, 0}, {1, 1}}, nil)
	words := learnertest.New(t, []data.Var{{Name: "page", States: []string{"a"}}, {Name: "n", States: []string{"two"}}}, [][]int{{0, 0}}, nil)
	learnertest.Error(t, lda.Learner, s, "0 topics; want 1 to 10000", "-topics", "0")
	learnertest.Error(t, lda.Learner, s, "pseudo-count 0.1 of topics and 0 of words; want more than 0 and at most 1e6", "-beta", "0")
	learnertest.Error(t, lda.Learner, s, `the data has no variable "pages"; the first of its 2 is "page"; did you mean "page"?`, "-document", "pages")
	learnertest.Error(t, lda.Learner, s, `the data has no column of words; want one`, "-document", "page", "-count", "word")
	learnertest.Error(t, lda.Learner, s, `"page" is both the column of documents and of counts; want two`, "-document", "page", "-count", "page")
	learnertest.Error(t, lda.Learner, words, `the column "n" has the value "two"; want counts, from 0 to 2147483647`, "-count", "n")
	none := learnertest.New(t, learnertest.Vars("page", 2, "word", 2), [][]int{{0, data.Missing}, {data.Missing, 1}}, nil)
	learnertest.Error(t, lda.Learner, none, "no row has a word and its document; want at least one")
}

// TestStopped returns what there is after a time limit.
func TestStopped(t *testing.T) {
	train, _, _ := bars(t, 50, 50)
	r := learnertest.Learn(t, lda.Learner, &learner.Job{Train: train, Cores: 1, MaxTime: time.Millisecond}, "-sweeps", "1000000")
	if !r.Report.Stopped || len(r.Models) != 1 {
		t.Errorf("report %+v", r.Report)
	}
	if list := r.Models[0].Check(); list.HasErrors() {
		t.Error(list.Err())
	}
}
