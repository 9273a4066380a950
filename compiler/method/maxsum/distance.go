package maxsum

import (
	"math"
	"math/bits"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// minDistances is the least number of states for which energies by distances pay: two states have
// four sums, and an envelope no fewer.
const minDistances = 3

// distances holds the energies of the factors that have no table, since they depend only on the
// distance between two states. Equal ones share their numbers.
type distances struct {
	form   []ir.Form // by factor
	limit  int       // of the entries of a table that is looked at
	shared map[distance]ir.TableID
}

// distance identifies the numbers of a formula over variables of n states.
type distance struct {
	model.Pairwise
	n int
}

// formula adds the energies of factor n by distances, and reports false if they need a table. A
// minimum over all pairs of states must be a lower envelope, which rules out energies that fall
// with the distance, except straight lines without a cap.
func (b *plan) formula(n int, f *model.Factor) (ir.TableID, bool) {
	d, top := b.Model.FormulaOf(f, b.limit)
	if d == nil || d.Weight < 0 && (d.Metric == model.Quadratic || d.Cap > 0) {
		return ir.NoTable, false
	}
	key := distance{*d, b.Model.Card(b.Model.Several(f)[0])}
	if key.n < minDistances {
		return ir.NoTable, false
	}
	t, known := b.shared[key]
	if !known {
		t = b.Leaves("energies of distances", key.energies())
		b.shared[key] = t
	}
	b.form[n] = ir.FormPotts + ir.Form(d.Metric)
	b.scales[n] = top
	return t, true
}

// energies returns the energies of the distances from -(n-1) to n-1. The least is 0. The weight is
// rounded so that its multiples are exact.
func (d distance) energies() []float64 {
	d.Weight = rounded(d.Weight, bits.Len(uint(d.n)))
	least := min(0, d.Energy(0, d.n-1))
	values := make([]float64, 2*d.n-1)
	for i := range values {
		values[i] = d.Energy(i, d.n-1) - least
	}
	return values
}

// rounded returns x without its last digits, by so many bits.
func rounded(x float64, digits int) float64 {
	fraction, exp := math.Frexp(x)
	return math.Ldexp(math.Round(math.Ldexp(fraction, 53-digits)), exp-53+digits)
}

// tabled gives factor n a table, which its energies by distances are not.
func (b *plan) tabled(n int) {
	if b.form[n] == ir.FormTable {
		return
	}
	t := b.Factor(b.Model.Factors[n])
	b.form[n] = ir.FormTable
	b.energy[n], b.constant[n], b.factorOf[t] = t, t, n
}
