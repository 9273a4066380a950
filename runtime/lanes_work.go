package pgmrt

import "math"

// LaneWork returns the number of products that a single query with the observations of a lane
// forms, in the contractions that code lists: each is its number of products, and the number of
// variables that divide it if observed; for each of these the slot of its states, and how many it
// has.
func LaneWork(code []int32, l []float64, lane int) int {
	work := 0
	for len(code) >= 2 {
		n, variables := int(code[0]), code[2:][:2*code[1]]
		code = code[2+len(variables):]
		divisor := 1
		for ; len(variables) >= 2; variables = variables[2:] {
			states := int(variables[1])
			if math.Float64bits(l[int(variables[0])+lane]) == 0 { // without a branch, which nothing predicts
				states = 1
			}
			divisor *= states
		}
		work += n / divisor
	}
	return work
}
