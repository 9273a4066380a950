package main

import (
	"math"

	"github.com/pgmc-go/pgmc/learn/rate"
)

// fieldResult is all that was found.
type fieldResult struct {
	Engine      string         `json:"engine"`
	Fractions   []float64      `json:"fractions"` // of the variables, as evidence
	Sets        []*fieldReport `json:"sets"`
	Wins        []fieldWins    `json:"wins"`
	Conclusions []conclusion   `json:"conclusions"`
}

// fieldReport is what was found on a data set.
type fieldReport struct {
	Set       string         `json:"set"`
	Variables int            `json:"variables"`
	TestRows  int            `json:"test_rows"`
	BN        fieldLearned   `json:"bn"`
	DN        fieldLearned   `json:"dn"`
	PLLTest   float64        `json:"pll_p"`   // how probable it is that the networks differ so much in PLL by chance
	LLRows    int            `json:"ll_rows"` // of whose log-likelihood the networks are compared by
	LLTest    float64        `json:"ll_p"`
	WholeLL   float64        `json:"bn_ll_all_rows"`
	Published float64        `json:"published_bn_ll"` // of all rows
	Rows      int            `json:"rows"`            // that questions are about
	Methods   []*fieldMethod `json:"methods"`
	Cut       *fieldMethod   `json:"cut"` // Gibbs sampling in the time of mean field
	CutSweeps []int          `json:"cut_sweeps"`
}

// fieldLearned is a row of table 2.
type fieldLearned struct {
	Seconds    float64 `json:"learning_seconds"`
	Parameters int     `json:"parameters"`
	PLL        float64 `json:"pll"`
	PLLStdErr  float64 `json:"pll_stderr"`
	LL         float64 `json:"ll"`
	LLStdErr   float64 `json:"ll_stderr"`
}

// fieldMethod is how one method answered; lists are by fraction.
type fieldMethod struct {
	Name    string      `json:"method"`
	CMLL    []float64   `json:"cmll"`    // the mean over rows, in nats for each variable that is no evidence
	Seconds []float64   `json:"seconds"` // a query, on average
	Settled []float64   `json:"settled"` // the share of queries
	RMS     float64     `json:"rms"`     // root mean squared difference of probabilities from those of DN.MF
	rows    [][]float64 // by fraction and row

	squares  float64
	compared int
}

func newFieldMethod(name string, fractions int) *fieldMethod {
	return &fieldMethod{Name: name, CMLL: make([]float64, fractions), Seconds: make([]float64, fractions), Settled: make([]float64, fractions), rows: make([][]float64, fractions)}
}

// add counts an answer at a fraction, beside that of DN.MF. A probability that underflows counts as the smallest number.
func (m *fieldMethod) add(fraction int, q *inquiry, answer, field *told) {
	sum, n := 0.0, 0
	known := 0
	for v := range q.Row {
		if known < len(q.Known) && q.Known[known] == v {
			known++
			continue
		}
		sum += math.Log(max(answer.P[v], math.SmallestNonzeroFloat64))
		n++
		off := answer.P[v] - field.P[v]
		m.squares += off * off
		m.compared++
	}
	m.RMS = math.Sqrt(m.squares / float64(m.compared))
	m.rows[fraction] = append(m.rows[fraction], sum/float64(n))
	count := float64(len(m.rows[fraction]))
	settled := 0.0
	if answer.Settled {
		settled = 1
	}
	for _, x := range []struct {
		mean *float64
		next float64
	}{{&m.CMLL[fraction], sum / float64(n)}, {&m.Seconds[fraction], answer.Seconds}, {&m.Settled[fraction], settled}} {
		*x.mean += (x.next - *x.mean) / count
	}
}

// average is the mean of a list.
func average(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

// method is how a method answered; nil where it did not.
func (r *fieldReport) method(name string) *fieldMethod {
	for _, m := range r.Methods {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// fieldWins is on how many sets a method answers better than another one, by fraction: better on average, and significantly (p < 0.05).
type fieldWins struct {
	First       string `json:"first"`
	Second      string `json:"second"`
	Wins        []int  `json:"wins"`
	Losses      []int  `json:"losses"`
	Significant []int  `json:"significant_wins"`
	Against     []int  `json:"significant_losses"`
}

// significance is the level of the tests of the paper.
const significance = 0.05

// fieldPairs are compared by fraction.
var fieldPairs = [][2]string{{"DN.MF", "BN.MF"}, {"DN.MF", "BN.BP"}, {"DN.MF", "BN.Gibbs"}, {"DN.Gibbs", "BN.MF"}, {"DN.Gibbs", "BN.BP"}, {"DN.Gibbs", "BN.Gibbs"}, {"DN.MF", "DN.Gibbs"}}

// add adds a set, and brings up to date what is of all sets.
func (x *fieldResult) add(r *fieldReport) {
	x.Sets = append(x.Sets, r)
	r.Published = fieldPublished[acmnPlace(r.Set)]
	x.Wins = nil
	for _, pair := range fieldPairs {
		x.Wins = append(x.Wins, x.wins(pair[0], pair[1]))
	}
	x.Conclusions = x.conclusions()
}

// wins compares two methods, which have answers on all sets.
func (x *fieldResult) wins(first, second string) fieldWins {
	n := len(x.Fractions)
	w := fieldWins{first, second, make([]int, n), make([]int, n), make([]int, n), make([]int, n)}
	for _, r := range x.Sets {
		a, b := r.method(first), r.method(second)
		for f := range n {
			mean, p := rate.Paired(a.rows[f], b.rows[f])
			more, sure := w.Wins, w.Significant
			switch {
			case mean == 0:
				continue
			case mean < 0:
				more, sure = w.Losses, w.Against
			}
			more[f]++
			if p < significance {
				sure[f]++
			}
		}
	}
	return w
}
