package main

import (
	"math"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// realScores collects how good the predictions of a real target are.
type realScores struct {
	name    string
	rows    int
	weight  float64
	squares float64
	loss    float64 // the sum of -ln of the density of the truth
}

// add counts a prediction, which is a mean and a variance.
func (s *realScores) add(answer []float64, truth, weight float64) {
	s.rows++
	s.weight += weight
	s.squares += weight * (answer[0] - truth) * (answer[0] - truth)
	s.loss -= weight * logDensity(answer, truth)
}

func (s *realScores) summary() targetSummary {
	t := targetSummary{Name: s.name, Rows: s.rows, Weight: s.weight, Real: true}
	if s.weight > 0 {
		rmse := math.Sqrt(s.squares / s.weight)
		t.RMSE, t.LogLoss = &rmse, s.loss/s.weight
	}
	return t
}

// realTable is the errors of the predictions of real targets, below a heading.
func (s *summary) realTable() *table.Table {
	t := &table.Table{}
	t.Add("target", "rows", "RMSE", "log-loss")
	for _, x := range s.Targets {
		if x.Real {
			t.Add(x.Name, strconv.Itoa(x.Rows), table.Optional("%.6f", x.RMSE), x.loss())
		}
	}
	return t
}
