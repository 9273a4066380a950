package meanfield

import (
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/learn/rate"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Result holds the results.
type Result struct {
	Engine      string                  `json:"engine"`
	Fractions   []float64               `json:"fractions"` // shares of the variables that are evidence
	Sets        []*Report               `json:"sets"`
	Wins        []Wins                  `json:"wins"`
	Conclusions []experiment.Conclusion `json:"conclusions"`
}

// Report holds the results on a data set.
type Report struct {
	Set       string    `json:"set"`
	Variables int       `json:"variables"`
	TestRows  int       `json:"test_rows"`
	BN        Learned   `json:"bn"`
	DN        Learned   `json:"dn"`
	PLLTest   float64   `json:"pll_p"`   // p-value of the difference in PLL
	LLRows    int       `json:"ll_rows"` // number of rows for comparing log-likelihoods
	LLTest    float64   `json:"ll_p"`
	WholeLL   float64   `json:"bn_ll_all_rows"`
	Published float64   `json:"published_bn_ll"` // on all rows
	Rows      int       `json:"rows"`            // number of rows with queries
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

// Method holds the results of a method. Lists are by share of evidence.
type Method struct {
	Name    string      `json:"method"`
	CMLL    []float64   `json:"cmll"`    // mean over rows, in nats for each variable that is not evidence
	Seconds []float64   `json:"seconds"` // mean of a query
	Settled []float64   `json:"settled"` // share of queries that converged
	RMS     float64     `json:"rms"`     // root mean squared difference of probabilities from those of DN.MF
	rows    [][]float64 // by fraction and row

	squares  float64
	compared int
}

func newMethod(name string, fractions int) *Method {
	return &Method{Name: name, CMLL: make([]float64, fractions), Seconds: make([]float64, fractions), Settled: make([]float64, fractions), rows: make([][]float64, fractions)}
}

// add adds an answer at a share of evidence and compares it with that of DN.MF. A probability that
// underflows counts as the smallest positive number.
func (m *Method) add(fraction int, q *Query, answer, field *Answer) {
	sum, n := 0.0, 0
	known := 0
	for v := range q.Row {
		if known < len(q.Known) && q.Known[known] == v {
			known++
			continue
		}
		sum += pgmrt.Ln(max(answer.P[v], math.SmallestNonzeroFloat64))
		n++
		off := answer.P[v] - field.P[v]
		m.squares += off * off
		m.compared++
	}
	m.RMS = math.Sqrt(m.squares / float64(m.compared))
	m.rows[fraction] = append(m.rows[fraction], sum/float64(n))
	count := float64(len(m.rows[fraction]))
	converged := 0.0
	if answer.Settled {
		converged = 1
	}
	for _, x := range []struct {
		mean *float64
		next float64
	}{{&m.CMLL[fraction], sum / float64(n)}, {&m.Seconds[fraction], answer.Seconds}, {&m.Settled[fraction], converged}} {
		*x.mean += (x.next - *x.mean) / count
	}
}

// average returns the mean of a list.
func average(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

// method returns the results of a method, or nil if it did not run.
func (r *Report) method(name string) *Method {
	for _, m := range r.Methods {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Wins holds the numbers of sets on which a method answers better than another, by share of
// evidence: on average, and significantly (p < 0.05).
type Wins struct {
	First       string `json:"first"`
	Second      string `json:"second"`
	Wins        []int  `json:"wins"`
	Losses      []int  `json:"losses"`
	Significant []int  `json:"significant_wins"`
	Against     []int  `json:"significant_losses"`
}

// significance is the level of the paper's tests.
const significance = 0.05

// pairs holds the methods that are compared, by share of evidence.
var pairs = [][2]string{{"DN.MF", "BN.MF"}, {"DN.MF", "BN.BP"}, {"DN.MF", "BN.Gibbs"}, {"DN.Gibbs", "BN.MF"}, {"DN.Gibbs", "BN.BP"}, {"DN.Gibbs", "BN.Gibbs"}, {"DN.MF", "DN.Gibbs"}}

// add adds a set and updates the totals.
func (x *Result) add(r *Report) {
	x.Sets = append(x.Sets, r)
	r.Published = published[experiment.PlaceOf(r.Set)]
	x.Wins = nil
	for _, pair := range pairs {
		x.Wins = append(x.Wins, x.wins(pair[0], pair[1]))
	}
	x.Conclusions = x.conclusions()
}

// wins compares two methods that have answers on all sets.
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
