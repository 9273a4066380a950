package model

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Canonical is a potential over discrete and real variables in canonical form. The scope lists the
// discrete variables and then the n real ones. For each joint state of the discrete variables,
// row-major, the last fastest, the value is
//
//	exp(g + h·x - x'Kx/2)
//
// with one number of G, n of H and n(n+1)/2 of K, the upper triangle of a symmetric matrix row by
// row. K need not be positive definite, as long as the product of all potentials is. A G of -Inf
// makes a joint state impossible.
//
// Source: Lauritzen 1992; Koller and Friedman, definition 14.1.
type Canonical struct{ K, H, G []float64 }

// Kind returns "canonical".
func (*Canonical) Kind() string { return "canonical" }

// Numbers returns K, H and G, in a new slice.
func (d *Canonical) Numbers() []float64 { return slices.Concat(d.K, d.H, d.G) }

// Size returns the number of numbers.
func (d *Canonical) Size() int { return len(d.K) + len(d.H) + len(d.G) }

// HasZeros reports whether a joint state is impossible.
func (d *Canonical) HasZeros() bool { return slices.Contains(d.G, math.Inf(-1)) }

// Work returns the number of entries of the matrix.
func (d *Canonical) Work(_ *Model, f *Factor) int { return len(f.Scope) * len(f.Scope) }

// Row returns the numbers of row r. The slices are shared with d.
func (d *Canonical) Row(r int) (k, h []float64, g float64) {
	n, m := len(d.K)/len(d.G), len(d.H)/len(d.G)
	return d.K[r*n:][:n:n], d.H[r*m:][:m:m], d.G[r]
}

// QuadraticLog implements [QuadraticLog].
func (d *Canonical) QuadraticLog(r int) (k, h []float64, g float64, ok bool) {
	k, h, g = d.Row(r)
	return k, h, g, true
}

func (d *Canonical) value(m *Model, f *Factor, _ []int) float64 { return noValue(m, f) }

func (d *Canonical) logDensity(m *Model, f *Factor, state []int, x []float64) float64 {
	discrete, real := m.SplitParents(f)
	k, h, sum := d.Row(m.Index(discrete, state))
	for i, v := range real {
		sum += float64(h[i] * x[v])
		for j, w := range real[i:] {
			term := float64(k[j] * x[v] * x[w])
			if j == 0 {
				term /= 2
			}
			sum -= term
		}
		k = k[len(real)-i:]
	}
	return sum
}

func (*Canonical) fits(cpd bool) bool { return !cpd }

func (d *Canonical) normalized(*Model, *Factor) Dist { return d }

func (d *Canonical) restrict(m *Model, f *Factor, scope []VarID, state []int) Dist {
	discrete, _ := m.SplitParents(f)
	left, _ := m.SplitReal(scope)
	out, at := &Canonical{}, slices.Clone(state)
	for _, v := range left {
		at[v] = 0
	}
	n, _ := m.TableSize(left)
	for range n {
		k, h, g := d.Row(m.Index(discrete, at))
		out.K, out.H, out.G = append(out.K, k...), append(out.H, h...), append(out.G, g)
		m.Next(left, at)
	}
	return out
}

func (d *Canonical) check(c *checker, f *Factor, pos diag.Pos, what string) (rows [][]float64, ok bool) {
	m := c.m
	discrete, real := m.SplitParents(f)
	if len(real) > 0 && slices.ContainsFunc(f.Scope[:len(discrete)], m.IsReal) {
		c.Errorf(pos, "%s is of kind canonical; want its discrete variables before its real ones", what)
		return nil, false
	}
	n, fits := m.TableSize(discrete)
	reals := float64(len(real))
	if !fits || len(d.G) != n || float64(len(d.H)) != float64(n)*reals || float64(len(d.K)) != float64(n)*reals*(reals+1)/2 {
		c.Errorf(pos, "%s has %d, %d and %d numbers for k, h and g; want %.0f, %.0f and %d, for each joint state of its discrete variables the upper triangle of a matrix, a number for each real variable, and one",
			what, len(d.K), len(d.H), len(d.G), float64(n)*reals*(reals+1)/2, float64(n)*reals, n)
		return nil, false
	}
	for r := range n {
		k, h, g := d.Row(r)
		c.reals(c.rowPos(f, r), what, "number", k...)
		c.reals(c.rowPos(f, r), what, "number", h...)
		if !math.IsInf(g, -1) {
			c.reals(c.rowPos(f, r), what, "number", g)
		}
	}
	return nil, !c.HasErrors()
}
