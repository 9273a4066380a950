package rate_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// garden is a network of rain and a wet lawn.
func garden() *model.Model {
	m := &model.Model{Name: "garden"}
	rain, wet := m.NewVar("rain", "no", "yes"), m.NewVar("wet", "no", "yes")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{rain.ID}, Dist: &model.Table{Values: []float64{0.6, 0.4}}},
		{Scope: []model.VarID{rain.ID, wet.ID}, Child: 1, Dist: &model.Table{Values: []float64{0.8, 0.2, 0.1, 0.9}}},
	}
	return m
}

// Rate rows by their log-likelihood and pseudo-log-likelihood.
func ExampleRows() {
	rows, err := rate.NewRows(garden())
	if err != nil {
		log.Fatal(err)
	}
	var ll, pll rate.Mean
	for _, row := range [][]int{{0, 0}, {0, 0}, {1, 1}, {1, 0}} {
		ll.Add(rows.Log(row), 1)
		pll.Add(rows.Pseudo(row), 1)
	}
	fmt.Printf("LL %.4f ± %.4f, PLL %.4f\n", ll.Value, ll.StdErr(), pll.Value)
	// Output:
	// LL -1.4271 ± 0.6011, PLL -1.4667
}

// Compare a learned structure with the true one: both give the parents of each variable.
func ExampleCompareStructures() {
	truth := [][]int{{}, {}, {0, 1}}
	learned := [][]int{{}, {0}, {1}}
	d := rate.CompareStructures(truth, learned)
	fmt.Println("SHD", d.SHD, "missing", d.Missing, "extra", d.Extra)
	// Output:
	// SHD 3 missing 1 extra 1
}

// Which of two models rates rows better: Student's paired t-test.
func ExamplePaired() {
	mean, p := rate.Paired([]float64{-1.0, -1.2, -0.9, -1.1}, []float64{-1.3, -1.4, -1.3, -1.2})
	fmt.Printf("%.3f nats a row, p %.3f\n", mean, p)
	// Output:
	// 0.250 nats a row, p 0.030
}

// Score the rows of a data set by a network. The second row misses a value, which is summed out.
func ExampleScorer() {
	m := garden()
	rows, err := data.New(data.VarsOf(m), [][]int{{0, 0}, {1, data.Missing}, {1, 1}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	s, err := rate.NewScorer(m, rate.ScorerOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err := s.AddSet(context.Background(), rows); err != nil {
		log.Fatal(err)
	}
	ll, _ := s.LL()
	fmt.Printf("%d rows, LL %.4f ± %.4f\n", s.Len(), ll.Value, ll.StdErr())
	// Output:
	// 3 rows, LL -0.8906 ± 0.0840
}

// Score the wetness of the lawn given rain, and each half of a row given the other.
func ExampleConditionals() {
	ctx := context.Background()
	e, err := infer.New(ctx, garden(), infer.Options{})
	if err != nil {
		log.Fatal(err)
	}
	c := rate.NewConditionals(rate.NewEngine(ctx, e, nil), []int{1}, rate.Protocol{Fractions: []float64{0.5}})
	for _, row := range [][]int{{0, 0}, {1, 1}} {
		if err := c.Add(diag.Pos{}, row, 1); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("CLL of wet %.4f, CMLL with half of a row as evidence %.4f\n", c.Joint.Value, c.CMLL[0].Value)
	// Output:
	// CLL of wet -0.1643, CMLL with half of a row as evidence -0.1839
}

// Rate maximum likelihood by cross-validation: each fold is scored by the network that is fitted to
// the other folds.
func ExampleCrossValidate() {
	m := garden()
	var list [][]int
	for range 10 {
		list = append(list, []int{0, 0}, []int{0, 0}, []int{1, 1}, []int{1, 0})
	}
	rows, err := data.New(data.VarsOf(m), list, nil)
	if err != nil {
		log.Fatal(err)
	}
	c, err := rate.CrossValidate(context.Background(), rows, 4, 1, rate.ScorerOptions{},
		func(ctx context.Context, train *data.Set) (*model.Model, rate.Measure, error) {
			job := &learner.Job{Train: train, Init: m}
			r, err := learn.FitParameters(ctx, job, learn.ParameterOptions{})
			if err != nil {
				return nil, rate.LL, err
			}
			return r.Models[0], rate.LL, nil
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d folds, LL %.2f ± %.2f\n", len(c.Folds), c.All.Value, c.All.StdErr())
	// Output:
	// 4 folds, LL -1.10 ± 0.06
}

// Predict rain from the lawn, and measure the predictions on rows whose weather is known.
func ExamplePredictor() {
	ctx := context.Background()
	e, err := infer.New(ctx, garden(), infer.Options{})
	if err != nil {
		log.Fatal(err)
	}
	rain, _ := e.Model().VarByName("rain")
	p := rate.NewPredictor(e, rain.ID)
	for _, row := range [][]int{{0, 0}, {1, 1}, {1, 0}} {
		posteriors, err := p.Row(ctx, row, nil, 1)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("P(rain) is %.3f\n", posteriors[0].Of("yes"))
	}
	fmt.Printf("accuracy %.3f\n", *p.Report()[0].Accuracy)
	// Output:
	// P(rain) is 0.077
	// P(rain) is 0.750
	// P(rain) is 0.077
	// accuracy 0.667
}

// Compare the structure of a learned network with that of the true one.
func ExampleCompare() {
	truth, learned := garden(), garden()
	learned.Factors[1] = &model.Factor{Scope: []model.VarID{1}, Child: 0, Dist: &model.Table{Values: []float64{0.5, 0.5}}}
	d, ok := rate.Compare(truth, learned, data.VarsOf(truth))
	fmt.Println(ok, "SHD", d.SHD, "missing", d.Missing)
	// Output:
	// true SHD 1 missing 1
}

func ExampleCompareDrawn() {
	m := &model.Model{Kind: model.Bayes, Name: "coins"}
	for _, name := range []string{"left", "right"} {
		v := m.NewVar(name, "heads", "tails")
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{.5, .5}}})
	}
	rows := make([][]int, 40)
	for i := range rows {
		rows[i] = []int{i % 2, i % 2} // the coins always agree
	}
	s, err := data.New(data.VarsOf(m), rows, nil)
	if err != nil {
		log.Fatal(err)
	}
	g, err := rate.CompareDrawn(context.Background(), m, s, rate.GoodnessOptions{Sets: 199})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s and %s: information %.4f, p %.2f\n", g.Pairs[0].A, g.Pairs[0].B, g.Pairs[0].Value, g.Pairs[0].P)
	fmt.Printf("log-likelihood: p %.2f\n", g.LogLik.P)
	// Output:
	// left and right: information 0.6931, p 0.01
	// log-likelihood: p 1.00
}

func ExampleSampleSize() {
	rows, err := rate.SampleSize(.05, .01)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", rows)
	// Output: 1059.66
}

func ExampleNetworkSampleSize() {
	rows, err := rate.NetworkSampleSize(garden(), .2, .05)
	if err != nil {
		log.Fatal(err)
	}
	loss, err := rate.NetworkLoss(garden(), rows, .05)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f rows for a loss of %.1f nats a variable\n", rows, loss)
	// Output: 913531 rows for a loss of 0.2 nats a variable
}

// The log-likelihood of a row of a latent dependency forest model is its ln Z_x less ln Z.
func ExampleScorer_LogWeights() {
	m := irtest.ContextForest()
	s, err := rate.NewScorer(m, rate.ScorerOptions{Measure: rate.LogWeight})
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Add(context.Background(), diag.Pos{}, []int{1, 1, 1}, nil, 1); err != nil {
		log.Fatal(err)
	}
	weights, _ := s.LogWeights()
	z, _ := m.ForestLogSum()
	fmt.Printf("%.4f less %.4f is %.4f\n", weights.Value, z, weights.Value-z)
	// Output: -7.3560 less -5.9581 is -1.3979
}

// Four posteriors of a target with the states no and yes, and the true states.
func ExamplePredictions() {
	p := rate.NewPredictions("rain", []string{"no", "yes"})
	for _, x := range []struct {
		yes   float64
		truth int
	}{{.1, 0}, {.4, 0}, {.35, 1}, {.8, 1}} {
		predicted := 0
		if x.yes >= .5 {
			predicted = 1
		}
		p.Add([]float64{1 - x.yes, x.yes}, predicted, x.truth, 1)
	}
	r := p.Report()
	fmt.Printf("accuracy %.2f, area %.2f, %v\n", *r.Accuracy, *r.AUC, r.Confusion)
	// Output: accuracy 0.75, area 0.75, [[2 0] [1 1]]
}
