package rate

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// logFlipper evaluates a circuit as a flipper does, row by row and in logarithms.
type logFlipper struct {
	flat         circuit.Flat
	value, slope []float64
	indicators   []indicator
	sums         [][]float64 // by axis and state: the derivatives; nil if the circuit does not depend on the variable
}

// indicator is a node that tests a variable.
type indicator struct{ node, axis, state int }

func newLogFlipper(m *model.Model, f *model.Factor) *logFlipper {
	d := f.Circuit()
	x := &logFlipper{value: make([]float64, len(d.Nodes)), slope: make([]float64, len(d.Nodes)), sums: make([][]float64, len(f.Scope))}
	for i, needed := range d.Needed() {
		switch n := &d.Nodes[i]; n.Op {
		case model.CircuitNumber:
			x.flat.Add(circuit.Const)
			x.value[i] = pgmrt.Ln(n.Value)
		case model.CircuitIndicator:
			x.flat.Add(circuit.Input)
			x.indicators = append(x.indicators, indicator{i, n.Axis, int(n.State)})
			if needed && x.sums[n.Axis] == nil {
				x.sums[n.Axis] = make([]float64, m.Card(f.Scope[n.Axis]))
			}
		case model.CircuitSum:
			x.flat.Add(circuit.Sum, n.Args...)
		case model.CircuitProduct:
			x.flat.Add(circuit.Prod, n.Args...)
		}
	}
	return x
}

// flip is [flipper.flip] for one row.
func (x *logFlipper) flip(scope []model.VarID, row []int, flips [][]float64) {
	for _, n := range x.indicators {
		x.value[n.node] = 0
		if s := row[scope[n.axis]]; s >= 0 && s != n.state {
			x.value[n.node] = math.Inf(-1)
		}
	}
	if log := x.flat.LogUp(x.value); math.IsInf(log, -1) {
		for _, v := range scope {
			if s := row[v]; s >= 0 {
				flips[v][s] = log
			}
		}
		return
	}
	x.flat.LogDown(x.value, x.slope)
	for _, sum := range x.sums {
		for s := range sum {
			sum[s] = math.Inf(-1)
		}
	}
	for _, n := range x.indicators {
		if sum := x.sums[n.axis]; sum != nil {
			sum[n.state] = circuit.LogAdd(sum[n.state], x.slope[n.node])
		}
	}
	for axis, sum := range x.sums {
		for s, log := range sum {
			flips[scope[axis]][s] += log
		}
	}
}
