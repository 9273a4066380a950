package infer

import irlanes "github.com/pgmc-go/pgmc/ir/lanes"

// RefuseLanes has programs refuse the form for several rows until the function is called that it
// returns.
func RefuseLanes() (restore func()) {
	before := laneLimit
	laneLimit = irlanes.Limit{}
	return func() { laneLimit = before }
}
