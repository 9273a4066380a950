package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Gaussian is the CPD of a real child, linear Gaussian or conditional linear Gaussian (CLG). The
// scope of its factor lists the discrete parents, then the real parents, then the child. There is
// one row for each joint state of the discrete parents, row-major, the last fastest; without
// discrete parents there is one row. In row r the child is normal with mean
//
//	Mean[r] + Σ Coef[r*n+k]·x[k]
//
// over the n real parents in the order of the scope, and variance Var[r] >= 0. A row with variance
// 0 is a linear function of the real parents.
//
// Source: Lauritzen 1992, "Propagation of probabilities, means and variances in mixed graphical
// association models"; Koller and Friedman, definitions 5.14 and 5.15.
type Gaussian struct{ Mean, Coef, Var []float64 }

// Kind returns "gaussian".
func (*Gaussian) Kind() string { return "gaussian" }

// Numbers returns the means, the coefficients and the variances, in a new slice.
func (d *Gaussian) Numbers() []float64 { return slices.Concat(d.Mean, d.Coef, d.Var) }

// Columns returns the means, then the coefficients of each real parent, then the variances, each by
// row: the layout of parameters that can be replaced.
func (d *Gaussian) Columns() []float64 {
	n := len(d.Coef) / len(d.Mean)
	out := slices.Clone(d.Mean)
	for k := range n {
		for r := range d.Mean {
			out = append(out, d.Coef[r*n+k])
		}
	}
	return append(out, d.Var...)
}

// Size returns the number of numbers.
func (d *Gaussian) Size() int { return len(d.Mean) + len(d.Coef) + len(d.Var) }

// HasZeros reports whether a row is a function: it has density at one value only.
func (d *Gaussian) HasZeros() bool { return slices.Contains(d.Var, 0) }

// Work returns one step per variable.
func (d *Gaussian) Work(m *Model, f *Factor) int { return len(f.Scope) }

// Statistics returns the length of the counts of a factor with this distribution, see Factor: for
// each row the weight w of the data, the means of the n real parents and the child in the order of
// the scope, and the lower triangle, row by row, of the sums of w times the products of their
// differences from the means.
func (d *Gaussian) Statistics() int {
	n := len(d.Coef)/len(d.Mean) + 1
	return len(d.Mean) * (1 + n + n*(n+1)/2)
}

// checkStatistics reports weights and sums of squares below 0, and numbers that are not finite.
func (d *Gaussian) checkStatistics(c *checker, pos diag.Pos, what string, list []float64) {
	n := len(d.Coef)/len(d.Mean) + 1
	for row := range slices.Chunk(list, len(list)/len(d.Mean)) {
		c.numbers(pos, what, row[:1])
		for i := range n {
			c.numbers(pos, what, row[1+n+i*(i+3)/2:][:1])
		}
		for _, x := range row {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				c.Errorf(pos, "%s hold %v; want a finite number", what, x)
				return
			}
		}
	}
}

// Row returns the numbers of row r. The coefficients are shared with d.
func (d *Gaussian) Row(r int) (mean float64, coef []float64, variance float64) {
	n := len(d.Coef) / len(d.Mean)
	return d.Mean[r], d.Coef[r*n:][:n:n], d.Var[r]
}

// row returns all numbers of row r.
func (d *Gaussian) row(r int) []float64 {
	mean, coef, variance := d.Row(r)
	return append([]float64{mean, variance}, coef...)
}

// QuadraticLog implements [QuadraticLog].
func (d *Gaussian) QuadraticLog(r int) (k, h []float64, g float64, ok bool) {
	mean, coef, variance := d.Row(r)
	if variance == 0 {
		return nil, nil, 0, false
	}
	by := make([]float64, 0, len(coef)+1)
	for _, x := range coef {
		by = append(by, -x)
	}
	by = append(by, 1)
	for i, x := range by {
		h = append(h, x*mean/variance)
		for _, y := range by[i:] {
			k = append(k, x*y/variance)
		}
	}
	return k, h, -.5 * (mean*mean/variance + pgmrt.Ln(2*math.Pi*variance)), true
}

// Gaussian returns the distribution of f if it is a Gaussian CPD, and nil otherwise.
func (f *Factor) Gaussian() *Gaussian {
	d, _ := f.Dist.(*Gaussian)
	return d
}

// value panics: a Gaussian CPD has a density, see logDensity.
func (d *Gaussian) value(m *Model, f *Factor, _ []int) float64 { return noValue(m, f) }

func (d *Gaussian) logDensity(m *Model, f *Factor, state []int, x []float64) float64 {
	discrete, real := m.SplitParents(f)
	mean, coef, variance := d.Row(m.Index(discrete, state))
	size := math.Abs(mean)
	for k, p := range real {
		term := float64(coef[k] * x[p])
		mean += term
		size += math.Abs(term)
	}
	return m.logNormal(f.ChildVar(), x[f.ChildVar()], mean, variance, size)
}

// MeanAt returns the mean at the states and values of the parents.
func (d *Gaussian) MeanAt(m *Model, f *Factor, state []int, x []float64) float64 {
	discrete, real := m.SplitParents(f)
	mean, coef, _ := d.Row(m.Index(discrete, state))
	for k, p := range real {
		mean += float64(coef[k] * x[p])
	}
	return mean
}

// FunctionTolerance is the largest difference, relative to the sizes of its terms, between a linear
// function and the value of its child: a few hundred roundings.
const FunctionTolerance = 1e-13

// logNormal returns ln of the density of y under a normal distribution. If its variance is 0, the
// result is 0 if y is the mean within the rounding of terms of the given size, and -Inf otherwise.
func logNormal(y, mean, variance, size float64) float64 {
	z := y - mean
	if variance > 0 {
		return -.5 * (z*z/variance + pgmrt.Ln(2*math.Pi*variance))
	}
	if math.Abs(z) <= FunctionTolerance*(size+math.Abs(y)) {
		return 0
	}
	return math.Inf(-1)
}

// logNormal returns ln of the density of the value y of v, which is the wrapped normal density if v
// is circular. Its terms beyond three periods are left out: they add less than 1e-7 if the
// deviation is at most a period.
func (m *Model) logNormal(v VarID, y, mean, variance, size float64) float64 {
	period := m.Period(v)
	if period == 0 {
		return logNormal(y, mean, variance, size)
	}
	off := math.Remainder(y-mean, period)
	log := logNormal(mean+off, mean, variance, size)
	if variance == 0 {
		return log
	}
	sum := 1.0
	for _, k := range []float64{-3, -2, -1, 1, 2, 3} {
		far := off + float64(k*period)
		sum += math.Exp((off*off - far*far) / (2 * variance))
	}
	return log + pgmrt.Ln(sum)
}

// MapRows implements [Rowwise]. A row of several states is normal with the mean and the variance of
// their mixture where the real parents are 0. What is not known is standard normal.
func (d *Gaussian) MapRows(m *Model, f *Factor, _ []VarID, _ VarID, change RowChange) Dist {
	over, _ := m.SplitParents(f)
	squares := make([]float64, len(d.Mean))
	for r, x := range d.Mean {
		squares[r] = x * x
	}
	zero := []float64{0}
	out := &Gaussian{Mean: change(d.Mean, over, zero), Var: change(d.Var, over, []float64{1})}
	out.Coef = change(d.Coef, over, make([]float64, len(d.Coef)/len(d.Mean)))
	for r, x := range change(squares, over, zero) {
		out.Var[r] += max(0, x-float64(out.Mean[r]*out.Mean[r]))
	}
	return out
}

func (*Gaussian) regression() {}

// Parameters implements [Parametric].
func (*Gaussian) Parameters(m *Model, f *Factor) []Parameter {
	return append(m.linearParameters(f, Mean), Parameter{Kind: Variance})
}

// ParameterRows implements [Parametric].
func (d *Gaussian) ParameterRows() (rows []float64) {
	for r := range d.Mean {
		mean, coef, variance := d.Row(r)
		rows = append(append(append(rows, mean), coef...), variance)
	}
	return rows
}

// WithParameterRows implements [Parametric].
func (*Gaussian) WithParameterRows(rows []float64, n int) Dist {
	out := &Gaussian{Coef: []float64{}}
	for row := range slices.Chunk(rows, n+2) {
		out.Mean, out.Coef, out.Var = append(out.Mean, row[0]), append(out.Coef, row[1:n+1]...), append(out.Var, row[n+1])
	}
	return out
}

// sumsToOne returns true: the densities of a row integrate to one.
func (*Gaussian) sumsToOne(*Model, *Factor) bool { return true }

func (*Gaussian) fits(cpd bool) bool { return cpd }

func (d *Gaussian) normalized(*Model, *Factor) Dist { return d }

// check reports no rows, since the numbers of a row do not sum to one.
func (d *Gaussian) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	n, reals, ok := c.hybridScope(f, pos, what, true)
	if !ok {
		return nil, false
	}
	if len(d.Mean) != n || len(d.Var) != n || len(d.Coef) != n*reals {
		c.Errorf(pos, "%s has %d means, %d coefficients and %d variances; want %d, %d and %d, for each joint state of the discrete parents a mean, one coefficient for each real parent, and a variance",
			what, len(d.Mean), len(d.Coef), len(d.Var), n, n*reals, n)
		return nil, false
	}
	variances := slices.Clone(d.Var)
	for r := range n {
		if c.undefined(f, d.row(r)) {
			variances[r] = 0
			continue
		}
		mean, coef, _ := d.Row(r)
		c.reals(c.rowPos(f, r), what, "mean", mean)
		c.reals(c.rowPos(f, r), what, "coefficient", coef...)
	}
	return nil, c.variances(f, what, variances) && !c.HasErrors()
}

// hybridScope checks that the scope of f lists discrete parents, then real parents, then the child,
// which is real or discrete as real says. It returns the number of joint states of the discrete
// parents and the number of real parents.
func (c *checker) hybridScope(f *Factor, pos diag.Pos, what string, real bool) (rows, reals int, ok bool) {
	m, last := c.m, len(f.Scope)-1
	kind := f.Dist.Kind()
	if f.Child != last || m.IsReal(f.ChildVar()) != real {
		c.Errorf(pos, "%s is of kind %s; want its child last in the scope, and %s", what, kind, map[bool]string{true: "real", false: "discrete"}[real])
		return 0, 0, false
	}
	for i, v := range f.Scope[:last] {
		if m.IsReal(v) {
			reals++
		} else if reals > 0 {
			c.Errorf(pos, "%s is of kind %s and has the discrete parent %q after the real parent %q; want discrete parents first", what, kind, m.Vars[v].Name, m.Vars[f.Scope[i-1]].Name)
			return 0, 0, false
		}
	}
	rows, ok = m.TableSize(f.Scope[:last-reals])
	if !ok {
		c.Errorf(pos, "%s has e^%.1f joint states of discrete parents; want %d at most", what, m.LogTableSize(f.Scope[:last-reals]), math.MaxInt32)
	}
	return rows, reals, ok
}

// reals reports a number that is not within MaxReal.
func (c *checker) reals(pos diag.Pos, what, name string, list ...float64) {
	for _, x := range list {
		if !(math.Abs(x) <= MaxReal) {
			c.Errorf(pos, "%s has the %s %v; want a number of a size of at most %g", what, name, x, MaxReal)
			return
		}
	}
}

// variances reports a variance that is neither 0 nor within the bounds of variances.
func (c *checker) variances(f *Factor, what string, list []float64) (ok bool) {
	for r, x := range list {
		if x != 0 && !(x >= 1/MaxReal && x <= MaxReal) {
			c.Errorf(c.rowPos(f, r), "%s has the variance %v; want 0, or a number from %g to %g", what, x, 1/MaxReal, MaxReal)
			return false
		}
	}
	return true
}

// SplitParents returns the discrete and the real parents of f, each in the order of its scope.
func (m *Model) SplitParents(f *Factor) (discrete, real []VarID) {
	for i, v := range f.Scope {
		switch {
		case i == f.Child:
		case m.IsReal(v):
			real = append(real, v)
		default:
			discrete = append(discrete, v)
		}
	}
	return discrete, real
}

// noValue panics for a factor that has a density instead of a value at a joint state. Traits keep
// such factors from what knows only states.
func noValue(m *Model, f *Factor) float64 {
	panic(fmt.Sprintf("model: the %s is of kind %s, whose value depends on real variables", m.FactorName(f), f.Dist.Kind()))
}
