package rate

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Tally is the mean log-likelihood of the possible rows, in nats, with a count of the impossible
// ones.
type Tally struct {
	Mean
	Impossible int
	First      diag.Pos // of the first impossible row
}

// Add adds a row at pos with its log-likelihood and its weight.
func (t *Tally) Add(pos diag.Pos, log, weight float64) {
	if math.IsInf(log, -1) {
		if t.Impossible == 0 {
			t.First = pos
		}
		t.Impossible++
		return
	}
	t.Mean.Add(log, weight)
}

// Merge adds the rows of another tally, which follow.
func (t *Tally) Merge(o Tally) {
	if t.Impossible == 0 {
		t.First = o.First
	}
	t.Impossible += o.Impossible
	t.Mean.Merge(o.Mean)
}

// Result returns the mean over all rows and its standard error: -Inf and +Inf if a row is
// impossible.
func (t *Tally) Result() (mean, stderr float64) {
	if t.Impossible > 0 {
		return math.Inf(-1), math.Inf(1)
	}
	return t.Value, t.StdErr()
}

// MeanOf returns the mean of log-likelihoods and its standard error: -Inf and +Inf if one of them
// is -Inf.
func MeanOf(logs []float64) (mean, stderr float64) {
	var t Tally
	for _, x := range logs {
		t.Add(diag.Pos{}, x, 1)
	}
	return t.Result()
}
