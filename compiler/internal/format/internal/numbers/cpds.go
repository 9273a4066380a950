package numbers

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// KeepCPDs checks that the rows of the CPDs of m, which are all tables, sum to one as closely as
// [model.Model.NormalizeRows] accepts. If one does not, only the product of the tables has a
// meaning: all factors become potentials, m becomes a Markov network, and list gets a warning.
func KeepCPDs(m *model.Model, list *diag.List) {
	bad := 0
	var first *model.Factor
	var at diag.Pos
	var sum float64
	for _, f := range m.Factors {
		eachRow(m, f, func(row int, s float64) {
			if math.Abs(s-1) <= model.RowsWarn {
				return
			}
			if bad == 0 {
				first, at, sum = f, f.RowPos[row], s
			}
			bad++
		})
	}
	if bad == 0 {
		return
	}
	list.Warnf(at, "row of the %s sums to %v; want 1 (%d such rows in all); %s", m.FactorName(first), sum, bad, TakenForMarkov)
	Undirected(m)
}

// TakenForMarkov ends the warnings about tables that are no Bayesian network.
const TakenForMarkov = "the model is read as a Markov network, the product of its tables"

// eachRow yields the sum of each row of the table of a CPD, in the order of its RowPos.
func eachRow(m *model.Model, f *model.Factor, yield func(row int, sum float64)) {
	values, _ := f.Table()
	card, step := m.Card(f.ChildVar()), m.Inner(f)
	row := 0
	for start := 0; start < len(values); start += card * step {
		for i := range step {
			s := 0.0
			for x := range card {
				s += values[start+i+x*step]
			}
			yield(row, s)
			row++
		}
	}
}

// Undirected makes m a Markov network of the same factors.
func Undirected(m *model.Model) {
	m.Kind = model.Markov
	for _, f := range m.Factors {
		f.Child, f.RowPos = -1, nil
	}
}
