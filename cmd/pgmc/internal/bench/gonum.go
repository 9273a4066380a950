package bench

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The subjects that condition a multivariate normal distribution with gonum: of all variables, and
// of the six of a signature alone.
const (
	gonumAll = "gonum"
	gonumSix = "gonum, six variables"
)

// twin is a computation of the same answers by other means, in process.
type twin struct {
	subject, query string
	sampler        timing.Sampler
	series         timing.Series
}

// addGonum adds the twins of a linear Gaussian network, after it has compared their answers with
// those of the interpreter. Networks that have no joint density get a note.
func (n *run) addGonum(marginals [][]float64) error {
	if len(n.model.Reals()) != len(n.model.Vars) {
		return nil
	}
	mean, cov := joint(n.model)
	prior, ok := distmv.NewNormal(mean, cov, nil)
	if !ok {
		n.note("gonum: the network has no joint density, which some variance of 0 or a given variable prevents")
		return nil
	}
	vars := observable(n.model)
	seen, values := make([][]int, len(n.evidence.Sets)), make([][]float64, len(n.evidence.Sets))
	for i, set := range n.evidence.Sets {
		for k, x := range set {
			if x != nil {
				seen[i], values[i] = append(seen[i], int(vars[k])), append(values[i], *x)
			}
		}
		if len(seen[i]) == len(vars) {
			n.note("gonum: a set of evidence observes all variables")
			return nil
		}
		if err := n.checkGonum(prior, seen[i], values[i], marginals[i]); err != nil {
			return err
		}
	}
	var cond mat.SymDense
	out := make([]float64, 0, len(vars))
	n.twins = append(n.twins, &twin{subject: gonumAll, query: ir.Marginals.String(), sampler: timing.Sampler{Each: len(seen), Run: func(times int) {
		for range times {
			for i := range seen {
				d, _ := prior.ConditionNormal(seen[i], values[i], nil)
				cond.Reset()
				d.CovarianceMatrix(&cond)
				out = d.Mean(out[:len(vars)-len(seen[i])])
				sink += out[0] + cond.At(0, 0)
			}
		}
	}}})
	n.gonumSignature(mean, cov, prior)
	return nil
}

// sink receives answers, so that the Go compiler cannot drop a computation as unused.
var sink float64

// joint returns the joint moments of a linear Gaussian network.
func joint(m *model.Model) (mean []float64, cov *mat.SymDense) {
	n := len(m.Vars)
	mean, cov = make([]float64, n), mat.NewSymDense(n, nil)
	var before []int
	for _, v := range m.Topological() {
		f := m.CPD(v)
		if f == nil {
			continue // a given variable, whose variance of 0 no density has
		}
		at, coef, variance := f.Gaussian().Row(0)
		_, parents := m.SplitParents(f)
		for i, u := range parents {
			at += float64(coef[i] * mean[u])
		}
		mean[v] = at
		for _, w := range before {
			sum := 0.0
			for i, u := range parents {
				sum += float64(coef[i] * cov.At(int(u), w))
			}
			cov.SetSym(int(v), w, sum)
		}
		for i, u := range parents {
			variance += float64(coef[i] * cov.At(int(u), int(v)))
		}
		cov.SetSym(int(v), int(v), variance)
		before = append(before, int(v))
	}
	return mean, cov
}

// checkGonum compares the posterior of one set of evidence with the interpreter's: ln P, and then
// mean and variance of each variable.
func (n *run) checkGonum(prior *distmv.Normal, seen []int, values, want []float64) error {
	d, ok := prior.ConditionNormal(seen, values, nil)
	if !ok {
		return fmt.Errorf("gonum does not condition on variables %v", seen)
	}
	var cov mat.SymDense
	d.CovarianceMatrix(&cov)
	mean, k := d.Mean(nil), 0
	for i, v := range observable(n.model) {
		if slices.Contains(seen, int(v)) {
			continue
		}
		// gonum's rounding errors grow with the condition of the covariances; those of building
		// are 4e-12.
		for part, x := range []float64{mean[k], cov.At(k, k)} {
			if w := want[1+2*i+part]; !(math.Abs(x-w) <= 1e-6*max(1, math.Abs(w))) {
				return &cli.InternalError{Cause: fmt.Sprintf("gonum gives %v for %q; the interpreter says %v", x, n.model.Vars[v].Name, w)}
			}
		}
		k++
	}
	return nil
}

// gonumSignature adds the twins of the signature: the same conditional mean and variance from the
// distribution of all variables, and from that of the six.
func (n *run) gonumSignature(mean []float64, cov *mat.SymDense, prior *distmv.Normal) {
	target, given := realSignature(n.model)
	if len(n.evidence.Given) == 0 {
		return
	}
	seen := make([]int, len(given))
	for i, v := range given {
		seen[i] = int(v)
	}
	place := int(target)
	for _, v := range given {
		if v < target {
			place--
		}
	}
	six := append(slices.Clone(seen), int(target))
	small, within := mat.NewSymDense(len(six), nil), make([]float64, len(six))
	for i, v := range six {
		within[i] = mean[v]
		for k, w := range six[:i+1] {
			small.SetSym(i, k, cov.At(v, w))
		}
	}
	alone, ok := distmv.NewNormal(within, small, nil)
	if !ok {
		return
	}
	first := make([]int, len(given))
	for i := range first {
		first[i] = i
	}
	add := func(subject string, d *distmv.Normal, seen []int, place int) {
		var cond mat.SymDense
		out := make([]float64, d.Dim()-len(seen))
		n.twins = append(n.twins, &twin{subject: subject, query: ir.Signature.String(), sampler: timing.Sampler{Each: len(n.evidence.Given), Run: func(times int) {
			for range times {
				for _, x := range n.evidence.Given {
					c, _ := d.ConditionNormal(seen, x, nil)
					cond.Reset()
					c.CovarianceMatrix(&cond)
					sink += c.Mean(out)[place] + cond.At(place, place)
				}
			}
		}}})
	}
	add(gonumAll, prior, seen, place)
	add(gonumSix, alone, first, 0)
}
