package pgmrt

import "math"

// LaneWork returns the number of products that a single query with the observations of a lane
// forms, in the contractions that code lists, or at least most if it is most or more. A contraction
// is its number of products, a float32, and the number of variables that divide it if observed; for
// each of these the slot of its states, and the float32 by which its observation multiplies the
// products.
func LaneWork(code []int32, l []float64, lane int, most float64) float64 {
	work := 0.0
	for len(code) >= 2 && work < most {
		n, variables := math.Float32frombits(uint32(code[0])), code[2:][:2*code[1]]
		code = code[2+len(variables):]
		for ; len(variables) >= 2; variables = variables[2:] {
			share := uint32(variables[1])
			if math.Float64bits(l[int(variables[0])+lane]) == 0 { // without a branch, which nothing predicts
				share = math.Float32bits(1)
			}
			n *= math.Float32frombits(share)
		}
		work += float64(n)
	}
	return work
}

// LightLanes reports whether single queries of rows, each in the lane of its number, form fewer
// than most products in the contractions that code lists. observe enters the observations of a row
// in its lane, and fails if a single query must answer the row.
func LightLanes(code []int32, l []float64, rows int, most float64, observe func(row int) error) bool {
	work := 0.0
	for row := range rows {
		if observe(row) != nil {
			return false
		}
		work += LaneWork(code, l, row, most-work)
		if work >= most {
			return false
		}
	}
	return true
}
