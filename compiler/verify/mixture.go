package verify

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// nearComponent is the largest relative difference between the means and the variances of
// components that are compared as one.
const nearComponent = 1e-6

// mixture compares two mixtures. One may have several components where the other has one, so that
// the weights of equal components are added, and their means and variances averaged.
func (c *check) mixture(v model.VarID, got, want []float64) {
	name := infer.QuoteName(c.m.Vars[v].Name)
	for i := 0; i+2 < len(want); i += 3 {
		p, mean, variance := near(want, want[i+1], want[i+2])
		p2, mean2, variance2 := near(got, want[i+1], want[i+2])
		c.mixed(name+" has a component of weight", p2, p, 1)
		if p > c.tolerance && p2 > c.tolerance { // the moments of others do not matter
			c.mixed(name+" has a component with the mean", mean2, mean, max(1, math.Abs(mean)))
			c.mixed(name+" has a component with the variance", variance2, variance, max(1, variance))
		}
	}
	total := 0.0
	for i := 0; i < len(got); i += 3 {
		total += got[i]
	}
	c.number(ir.Mixture, "the sum of the weights of the mixture of "+name, total, 1, 1)
}

func (c *check) mixed(what string, got, want, scale float64) {
	c.number(ir.Mixture, "the mixture of "+what, got, want, scale)
}

// near returns the weight of the components with about the given mean and variance, and the
// weighted means of their means and variances.
func near(list []float64, mean, variance float64) (p, means, variances float64) {
	for i := 0; i+2 < len(list); i += 3 {
		sd := math.Sqrt(variance)
		if math.Abs(list[i+1]-mean) <= nearComponent*max(1, math.Abs(mean), sd) && math.Abs(list[i+2]-variance) <= nearComponent*max(1, variance) {
			p += list[i]
			means += float64(list[i] * list[i+1])
			variances += float64(list[i] * list[i+2])
		}
	}
	return p, means / p, variances / p
}
