package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// maxRanks is the most different posteriors of which the area under the ROC curve is worked out, so that memory does not grow
// with the rows.
const maxRanks = 1 << 20

// scores collects how good the predictions of one target are.
type scores struct {
	name      string
	states    []string
	rows      int
	weight    float64
	correct   float64
	loss      float64     // the sum of -ln P(truth)
	zero      int         // rows whose truth has probability 0
	confusion [][]float64 // by truth and prediction: weights
	reliability

	// By state, then by its probability: the weights of rows of another state and of this one. Nil once it grew too large.
	ranks []map[uint64]*[2]float64
}

func newScores(name string, states []string) *scores {
	s := &scores{name: name, states: states}
	for range states {
		s.confusion = append(s.confusion, make([]float64, len(states)))
		s.ranks = append(s.ranks, map[uint64]*[2]float64{})
	}
	return s
}

// add counts a prediction.
func (s *scores) add(posterior []float64, predicted, truth int, weight float64) {
	s.rows++
	s.weight += weight
	s.confusion[truth][predicted] += weight
	if predicted == truth {
		s.correct += weight
	}
	if posterior[truth] == 0 {
		s.zero++
	} else {
		s.loss -= weight * math.Log(posterior[truth])
	}
	s.reliability.add(posterior, predicted, truth, weight)
	s.rank(posterior, truth, weight)
}

// rank adds a row to those of the same probability of a state, for each state but the first of two, of which the other says all.
// Probabilities that differ by rounding are one: eight bits of the fraction are rounded off.
func (s *scores) rank(posterior []float64, truth int, weight float64) {
	size := 0
	for k := range s.ranks {
		if len(s.states) == 2 && k == 0 {
			continue
		}
		key := (math.Float64bits(posterior[k]) + 1<<7) >> 8
		w := s.ranks[k][key]
		if w == nil {
			w = new([2]float64)
			s.ranks[k][key] = w
		}
		if truth == k {
			w[1] += weight
		} else {
			w[0] += weight
		}
		size += len(s.ranks[k])
	}
	if size > maxRanks {
		s.ranks = nil
	}
}

// area is the probability that of two rows, one with state k and one without, the first has the larger probability of k;
// ties count half (Hanley and McNeil 1982). ok is false where one kind of row is missing.
func (s *scores) area(k int) (auc float64, ok bool) {
	keys := make([]uint64, 0, len(s.ranks[k]))
	for key := range s.ranks[k] {
		keys = append(keys, key)
	}
	slices.Sort(keys) // positive floats are in the order of their bits
	below, wins, positive := 0.0, 0.0, 0.0
	for _, key := range keys {
		w := s.ranks[k][key]
		wins += w[1] * (below + w[0]/2)
		below += w[0]
		positive += w[1]
	}
	if below == 0 || positive == 0 {
		return 0, false
	}
	return wins / (below * positive), true
}

// auc is the area of the second state of two, or the mean over the states that some rows have and some don't; nil where
// there are none, or too many different posteriors.
func (s *scores) auc() *float64 {
	sum, n := 0.0, 0
	for k := range s.ranks {
		if a, ok := s.area(k); ok {
			sum += a
			n++
		}
	}
	if n == 0 {
		return nil
	}
	sum /= float64(n)
	return &sum
}

// summary is what predict reports, as JSON or as text.
type summary struct {
	Rows       int64           `json:"rows"`
	Impossible int             `json:"impossible_rows"`
	Targets    []targetSummary `json:"targets"`
}

// targetSummary is how good the predictions of one target are, where the truth is known. Numbers that are not defined are nil.
type targetSummary struct {
	Name      string      `json:"target"`
	Rows      int         `json:"rows"`   // with a truth
	Weight    float64     `json:"weight"` // of those
	Accuracy  *float64    `json:"accuracy"`
	LogLoss   any         `json:"log_loss"` // a number of nats, or "inf" where Zero is not 0
	Zero      int         `json:"zero_probability_rows"`
	AUC       *float64    `json:"auc"`
	Average   string      `json:"auc_average"` // "binary", or "one-vs-rest macro"
	States    []string    `json:"states"`
	Confusion [][]float64 `json:"confusion"` // by truth, then prediction

	Brier       *float64         `json:"brier"`             // mean of the sum over states of (posterior - 1 for the truth)^2
	Calibration *float64         `json:"calibration_error"` // expected
	Reliability []reliabilityBin `json:"reliability"`

	Real bool     `json:"real,omitempty"` // its values are numbers, the log-loss is of densities, and of the rest there is this:
	RMSE *float64 `json:"rmse,omitempty"` // the root of the mean squared distance of the truth from the posterior mean
}

func (s *scores) summary() targetSummary {
	t := targetSummary{Name: s.name, Rows: s.rows, Weight: s.weight, Zero: s.zero, AUC: s.auc(), Average: "one-vs-rest macro", States: s.states, Confusion: s.confusion}
	if len(s.states) == 2 {
		t.Average = "binary"
	}
	if s.weight > 0 {
		accuracy := s.correct / s.weight
		t.Accuracy = &accuracy
		t.LogLoss = s.loss / s.weight
		t.Brier, t.Calibration, t.Reliability = s.reliability.summary(s.weight)
		if s.zero > 0 {
			t.LogLoss = "inf"
		}
	}
	return t
}

// print writes a table of numbers, and a confusion matrix for each target.
func (s *summary) print(w io.Writer) error {
	t := &table.Table{}
	t.Add("target", "rows", "accuracy", "log-loss", "Brier", "calibration", "AUC", "")
	for _, x := range s.Targets {
		if x.Real {
			continue
		}
		t.Add(x.Name, strconv.Itoa(x.Rows), table.Optional("%.6f", x.Accuracy), x.loss(), table.Optional("%.6f", x.Brier), table.Optional("%.6f", x.Calibration), table.Optional("%.6f", x.AUC), "("+x.Average+")")
	}
	head := fmt.Sprintf("%d rows, %d of them impossible\n", s.Rows, s.Impossible)
	parts := []string{}
	for _, x := range []*table.Table{t, s.realTable()} {
		if len(x.Rows) > 1 {
			parts = append(parts, head+x.String())
			head = ""
		}
	}
	for _, x := range s.Targets {
		if x.Rows > 0 && !x.Real {
			parts = append(parts, x.matrix(), x.reliability())
		}
	}
	_, err := io.WriteString(w, strings.Join(parts, "\n"))
	return err
}

// loss shows the log-loss.
func (x *targetSummary) loss() string {
	loss, ok := x.LogLoss.(float64)
	switch {
	case ok:
		return table.Optional("%.6f", &loss)
	case x.LogLoss != nil:
		return "inf"
	}
	return "-"
}

// matrix is the confusion matrix as text.
func (x *targetSummary) matrix() string {
	t := &table.Table{}
	t.Add(append([]string{x.Name + ", by truth"}, x.States...)...)
	for k, row := range x.Confusion {
		cells := []string{x.States[k]}
		for _, n := range row {
			cells = append(cells, strconv.FormatFloat(n, 'g', 6, 64))
		}
		t.Add(cells...)
	}
	return t.String()
}
