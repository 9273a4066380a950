package infer

import irlanes "github.com/pgmc-go/pgmc/ir/lanes"

// RefuseLanes makes all programs refuse lanes until restore is called.
func RefuseLanes() (restore func()) {
	before := laneLimit
	laneLimit = irlanes.Limit{}
	return func() { laneLimit = before }
}
