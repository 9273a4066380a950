package infer

import codelanes "github.com/pgmc-go/pgmc/codegen/lanes"

// RefuseLanes has programs refuse the form for several rows until the function is called that it
// returns.
func RefuseLanes() (restore func()) {
	before := laneLimit
	laneLimit = codelanes.Limit{}
	return func() { laneLimit = before }
}
