package rate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// given returns the row with only its evidence, and the number of other states.
func given(row []int, evidence []bool) (part []int, asked int) {
	part = slices.Clone(row)
	for v, s := range row {
		if !evidence[v] {
			part[v] = data.Missing
			if s != data.Missing {
				asked++
			}
		}
	}
	return part, asked
}

// Conditional returns ln of the probability of the states of a row given those that are evidence.
// whole is ln of the probability of the row.
func Conditional(in *Engine, row []int, evidence []bool, whole float64) (float64, error) {
	part, _ := given(row, evidence)
	known, err := in.LogProb(part)
	if err != nil || math.IsInf(whole, -1) {
		return math.Inf(-1), err
	}
	return whole - known, nil
}

// Marginal returns the mean of ln of the probability of each state that is not evidence, given the
// evidence (Lowd and Shamaei 2011, equation 8). For real variables it uses the density of the
// value. There must be such a state, and the evidence must be possible.
func Marginal(in *Engine, row []int, evidence []bool) (float64, error) {
	part, asked := given(row, evidence)
	posteriors, err := in.Posteriors(part)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for v, s := range row {
		if evidence[v] || s == data.Missing {
			continue
		}
		if log, real := in.LogDensity(v); real {
			sum += log
			continue
		}
		sum += pgmrt.Ln(posteriors[v][s])
	}
	return sum / float64(asked), nil
}

// AllFractions is the list of fractions of Lowd and Shamaei 2011.
const AllFractions = "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9"

// Fractions parses a list of fractions of variables, such as 0.1,0.5. A fraction is at least 0 and
// below 1.
func Fractions(list string) ([]float64, error) {
	var out []float64
	for text := range strings.SplitSeq(list, ",") {
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(f >= 0 && f < 1) {
			return nil, fmt.Errorf("fraction %q; want numbers from 0 and below 1, separated by commas", text)
		}
		out = append(out, f)
	}
	return out, nil
}

// Protocol scores rows with fractions of their variables as evidence, drawn at random for each row.
// The evidence of a smaller fraction is part of the evidence of a larger one.
type Protocol struct {
	Fractions []float64
	Seed      uint64
	rows      uint64
}

// Draw draws the evidence of the next row, by fraction and variable. If the row has n states, n
// times the fraction of them are evidence, rounded, but never all. For a row without states it
// draws nothing and returns nil.
func (p *Protocol) Draw(row []int) [][]bool {
	rng := rand.New(rand.NewPCG(p.Seed, p.rows))
	p.rows++
	var order []int
	for v, s := range row {
		if s != data.Missing {
			order = append(order, v)
		}
	}
	if len(order) == 0 {
		return nil
	}
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	list := make([][]bool, len(p.Fractions))
	for i, f := range p.Fractions {
		list[i] = make([]bool, len(row))
		for _, v := range order[:min(len(order)-1, int(math.Round(f*float64(len(order)))))] {
			list[i][v] = true
		}
	}
	return list
}

// Row scores the next row, with evidence from Draw. It calls do for each fraction with the results
// of Marginal and of Conditional, the latter divided by the number of queried states. Both are
// minus infinity if the row has probability 0; the second is NaN if probabilities are not
// available. Row skips a row without states.
func (p *Protocol) Row(in *Engine, row []int, do func(fraction int, cmll, cll float64)) error {
	drawn := p.Draw(row)
	if len(drawn) == 0 {
		return nil
	}
	whole, err := in.LogProb(row)
	if err != nil {
		return err
	}
	for i, evidence := range drawn {
		cll, err := Conditional(in, row, evidence, whole)
		cmll := cll
		if err == nil && !math.IsInf(cll, -1) {
			cmll, err = Marginal(in, row, evidence)
		}
		if err != nil {
			return err
		}
		_, asked := given(row, evidence)
		do(i, cmll, cll/float64(asked))
	}
	return nil
}
