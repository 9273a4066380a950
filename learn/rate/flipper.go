package rate

import "github.com/pgmc-go/pgmc/ir/model"

// flipper evaluates a factor that is a circuit in each state of each variable while the others keep
// theirs. In a smooth and decomposable circuit these values are the derivatives by the indicators
// of the states, so that one pass up and one down compute all of them (Darwiche 2003, section 4).
// The lanes of the runtime take pgmrt.Lanes rows at once. A row is computed again in logarithms if
// its values may underflow. Variables with the state data.Missing are summed out.
type flipper struct {
	scope  []model.VarID
	inLogs *logFlipper
	lanes  *laneFlipper // nil if the circuit or its values may be too large for them
}

// newFlipper returns the flipper of factor f, or nil if that is not a smooth and decomposable
// circuit.
func newFlipper(m *model.Model, f *model.Factor) *flipper {
	d := f.Circuit()
	if d == nil {
		return nil
	}
	if node, _ := d.Structure(); node >= 0 {
		return nil
	}
	return &flipper{scope: f.Scope, inLogs: newLogFlipper(m, f), lanes: newLaneFlipper(m, f)}
}

// flip adds to flips, by row, variable and state, the logarithms of the values. There are at most
// pgmrt.Lanes rows, each with a state for each variable. If the value of a row itself is 0, flip
// adds its logarithm only to the states of the row.
func (p *flipper) flip(rows [][]int, flips [][][]float64) {
	if p.lanes != nil {
		p.lanes.run(p.scope, rows)
	}
	for i, row := range rows {
		if p.lanes == nil || !p.lanes.flip(p.scope, i, flips[i]) {
			p.inLogs.flip(p.scope, row, flips[i])
		}
	}
}
