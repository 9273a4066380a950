package rate

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Turn is a variable in the order in which algorithm 1 of Heckerman et al. 2000 visits the
// variables of a dependency network.
type Turn struct {
	Var   model.VarID
	Known bool // all parents come before it, so its CPD is its conditional probability
}

// Turns returns the order of algorithm 1 of Heckerman et al. 2000: the next variable is the one
// with the fewest parents not yet visited, the first of ties. m is a dependency network with one
// CPD for each variable.
func Turns(m *model.Model) []Turn {
	open := make([]int, len(m.Vars)) // number of parents not yet visited
	children := make([][]model.VarID, len(m.Vars))
	for _, f := range m.Factors {
		v := f.ChildVar()
		for _, p := range f.Parents() {
			open[v]++
			children[p] = append(children[p], v)
		}
	}
	turns := make([]Turn, 0, len(m.Vars))
	const taken = math.MaxInt
	for range m.Vars {
		v := slices.Index(open, slices.Min(open))
		turns = append(turns, Turn{model.VarID(v), open[v] == 0})
		open[v] = taken
		for _, c := range children[v] {
			if open[c] != taken {
				open[c]--
			}
		}
	}
	return turns
}

// InTurn returns ln of the probability of a row of a dependency network by algorithm 1 of Heckerman
// et al. 2000: the sum over turns of the value of each state given the earlier ones. logs holds the
// logs of the CPDs at the row, by variable, as from Rows.Conditionals, for turns with Known. For
// the others, posterior gets a variable and its predecessors, and returns the probability of its
// state given theirs.
func InTurn(turns []Turn, logs []float64, posterior func(v model.VarID, given []model.VarID) (float64, error)) (float64, error) {
	sum := 0.0
	var given []model.VarID
	for _, t := range turns {
		if t.Known {
			sum += logs[t.Var]
		} else {
			p, err := posterior(t.Var, given)
			if err != nil {
				return 0, err
			}
			sum += pgmrt.Ln(p)
		}
		given = append(given, t.Var)
	}
	return sum, nil
}
