package rate

import "github.com/pgmc-go/pgmc/ir/lanes"

// TwoSided exports twoSided for tests of its accuracy.
var TwoSided = twoSided

// RefuseLanes makes all circuits too large for lanes until restore is called.
func RefuseLanes() (restore func()) {
	before := laneLimit
	laneLimit = lanes.Limit{}
	return func() { laneLimit = before }
}

// NewValues returns the measures of a variable.
var NewValues = newValues
