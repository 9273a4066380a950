package learner

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Point is the result of one of several strengths of the prior.
type Point struct {
	Kappa  float64  `json:"kappa,omitempty"` // prior odds of a parameter
	L1     float64  `json:"l1,omitempty"`    // penalty for each unit of a weight
	Splits int      `json:"splits,omitempty"`
	Params int      `json:"parameters"`
	Valid  *float64 `json:"valid,omitempty"` // log-likelihood of the validation data, in nats per row
}

// Choose returns the index of the point with the best validation score, the first of equals, and
// remarks if there was a choice. Either all points have a validation score, or there is one point.
func Choose(points []Point) (best int, remarks []string) {
	if len(points) < 2 {
		return 0, nil
	}
	for i, p := range points {
		if *p.Valid > *points[best].Valid {
			best = i
		}
	}
	for i, p := range points {
		text := fmt.Sprintf("l1 %g", p.L1)
		if p.Kappa > 0 {
			text = fmt.Sprintf("kappa %g: %d splits", p.Kappa, p.Splits)
		}
		text += fmt.Sprintf(", %d parameters, %.6f nats a row of the validation data", p.Params, *p.Valid)
		if i == best {
			text += ", chosen"
		}
		remarks = append(remarks, text)
	}
	return best, remarks
}

// Penalties parses a list of L1 penalties and returns each once, the largest first. They must be
// positive, or with zero at least 0.
func Penalties(list string, zero bool) ([]float64, error) {
	least := "a number above 0"
	if zero {
		least = "a number from 0"
	}
	var out []float64
	for text := range strings.SplitSeq(list, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(x >= 0) || x == 0 && !zero || math.IsInf(x, 0) {
			return nil, fmt.Errorf("l1 %q; want %s, or several separated by commas", text, least)
		}
		out = append(out, x)
	}
	slices.Sort(out)
	slices.Reverse(out)
	return slices.Compact(out), nil
}
