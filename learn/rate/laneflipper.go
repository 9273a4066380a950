package rate

import (
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// laneFlipper evaluates a circuit as a flipper does, in lanes. A place is an index of l.
type laneFlipper struct {
	code  []int32
	l     []float64
	root  int     // the place of the values of rows
	least float64 // the least value of a row at which underflow changes no digit
	state []int   // by axis: the place of the states of rows; -1 if lanes read none
	slope []int   // by axis: the place of the first derivative
}

// run evaluates rows.
func (p *laneFlipper) run(scope []model.VarID, rows [][]int) {
	for i, row := range rows {
		for axis, v := range scope {
			if at := p.state[axis]; at >= 0 {
				p.l[at+i] = float64(row[v] + 1)
			}
		}
	}
	pgmrt.RunLanes(p.code, p.l)
}

// flip is [flipper.flip] for the row in a lane. It reports false, and does nothing, if its values
// may have underflowed.
func (p *laneFlipper) flip(scope []model.VarID, lane int, flips [][]float64) bool {
	if x := p.l[p.root+lane]; !(x > 0 && x >= p.least) {
		return false
	}
	for axis, v := range scope {
		if p.state[axis] < 0 {
			continue
		}
		at := p.slope[axis] + lane
		for s := range flips[v] {
			flips[v][s] += pgmrt.Ln(p.l[at+s*pgmrt.Lanes])
		}
	}
	return true
}
