package meanfield

import (
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Result is all that was found.
type Result struct {
	Engine      string                  `json:"engine"`
	Fractions   []float64               `json:"fractions"` // of the variables, as evidence
	Sets        []*Report               `json:"sets"`
	Wins        []Wins                  `json:"wins"`
	Conclusions []experiment.Conclusion `json:"conclusions"`
}

// Report is what was found on a data set.
type Report struct {
	Set       string    `json:"set"`
	Variables int       `json:"variables"`
	TestRows  int       `json:"test_rows"`
	BN        Learned   `json:"bn"`
	DN        Learned   `json:"dn"`
	PLLTest   float64   `json:"pll_p"`   // how probable it is that the networks differ so much in PLL by chance
	LLRows    int       `json:"ll_rows"` // of whose log-likelihood the networks are compared by
	LLTest    float64   `json:"ll_p"`
	WholeLL   float64   `json:"bn_ll_all_rows"`
	Published float64   `json:"published_bn_ll"` // of all rows
	Rows      int       `json:"rows"`            // that questions are about
	Methods   []*Method `json:"methods"`
	Cut       *Method   `json:"cut"` // Gibbs sampling in the time of mean field
	CutSweeps []int     `json:"cut_sweeps"`
}

// Learned is a row of table 2.
type Learned struct {
	Seconds    float64 `json:"learning_seconds"`
	Parameters int     `json:"parameters"`
	PLL        float64 `json:"pll"`
	PLLStdErr  float64 `json:"pll_stderr"`
	LL         float64 `json:"ll"`
	LLStdErr   float64 `json:"ll_stderr"`
}

// Method is how one method answered; lists are by fraction.
type Method struct {
	Name    string      `json:"method"`
	CMLL    []float64   `json:"cmll"`    // the mean over rows, in nats for each variable that is no evidence
	Seconds []float64   `json:"seconds"` // a query, on average
	Settled []float64   `json:"settled"` // the share of queries
	RMS     float64     `json:"rms"`     // root mean squared difference of probabilities from those of DN.MF
	rows    [][]float64 // by fraction and row

	squares  float64
	compared int
}

func newMethod(name string, fractions int) *Method {
	return &Method{Name: name, CMLL: make([]float64, fractions), Seconds: make([]float64, fractions), Settled: make([]float64, fractions), rows: make([][]float64, fractions)}
}

// add counts an answer at a fraction, beside that of DN.MF. A probability that underflows counts as
// the smallest number.
func (m *Method) add(fraction int, q *Query, answer, field *Answer) {
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
func (r *Report) method(name string) *Method {
	for _, m := range r.Methods {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Wins is on how many sets a method answers better than another one, by fraction: better on
// average, and significantly (p < 0.05).
type Wins struct {
	First       string `json:"first"`
	Second      string `json:"second"`
	Wins        []int  `json:"wins"`
	Losses      []int  `json:"losses"`
	Significant []int  `json:"significant_wins"`
	Against     []int  `json:"significant_losses"`
}

// significance is the level of the tests of the paper.
const significance = 0.05

// pairs are compared by fraction.
var pairs = [][2]string{{"DN.MF", "BN.MF"}, {"DN.MF", "BN.BP"}, {"DN.MF", "BN.Gibbs"}, {"DN.Gibbs", "BN.MF"}, {"DN.Gibbs", "BN.BP"}, {"DN.Gibbs", "BN.Gibbs"}, {"DN.MF", "DN.Gibbs"}}

// add adds a set, and brings up to date what is of all sets.
func (x *Result) add(r *Report) {
	x.Sets = append(x.Sets, r)
	r.Published = published[experiment.PlaceOf(r.Set)]
	x.Wins = nil
	for _, pair := range pairs {
		x.Wins = append(x.Wins, x.wins(pair[0], pair[1]))
	}
	x.Conclusions = x.conclusions()
}

// wins compares two methods, which have answers on all sets.
func (x *Result) wins(first, second string) Wins {
	n := len(x.Fractions)
	w := Wins{first, second, make([]int, n), make([]int, n), make([]int, n), make([]int, n)}
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
