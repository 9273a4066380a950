package model

import (
	"fmt"
	"math"
	"slices"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// balancedBits bounds the numbers of tables of one scope: if their product may leave 2^-64 to 2^64,
// Balanced makes one table of them. A contraction has few operands of different scopes, so that the
// range of float64 has room for these.
const balancedBits = 64

// lostBits bounds how far numbers of a table may lie apart: below 2^-1022 they lose digits.
const lostBits = 900

// nearBits is how near to 1 the largest number of a table is left as it is, and the table shared.
const nearBits = 8

// Balanced returns a Markov network with the product of m divided by e^logarithm. Tables of the
// same scope become one table if their product may be extreme, and it and other extreme tables are
// divided by powers of two, so that the largest number is about 1. Products of many numbers, as of
// factors with all variables observed, then neither underflow nor overflow. A factor without
// variables is dropped, unless it is 0. If m needs no change, the result is m.
func (m *Model) Balanced() (out *Model, logarithm float64) {
	if m.Kind != Markov {
		return m, 0
	}
	groups, scopes := map[string]*balanced{}, make([]*balanced, len(m.Factors))
	extreme := false
	for i, f := range m.Factors {
		t, ok := f.Dist.(*Table)
		if !ok || f.Child >= 0 {
			continue
		}
		key := fmt.Sprint(f.Scope)
		if groups[key] == nil {
			groups[key] = &balanced{}
		}
		scopes[i] = groups[key]
		extreme = scopes[i].count(t.Values) || extreme
	}
	if !extreme {
		return m, 0
	}
	made := *m
	made.Factors = nil
	exponent := 0
	for i, f := range m.Factors {
		g := scopes[i]
		if g == nil || !g.extreme() {
			made.Factors = append(made.Factors, f)
			continue
		}
		values, e := scaled(f.Dist.(*Table).Values)
		exponent += e
		if g.product != nil {
			product := g.product.Dist.(*Table)
			if values, e, ok := multiplied(product.Values, values); ok {
				product.Values, exponent = values, exponent+e
				continue
			}
		}
		x := *f
		x.Dist, x.RowPos = &Table{Values: values}, nil
		made.Factors, g.product = append(made.Factors, &x), &x
	}
	return &made, float64(exponent)*math.Ln2 + made.dropConstants()
}

// dropConstants drops positive tables without variables and returns ln of their product.
func (m *Model) dropConstants() (logarithm float64) {
	m.Factors = slices.DeleteFunc(m.Factors, func(f *Factor) bool {
		t, ok := f.Dist.(*Table)
		if !ok || len(f.Scope) > 0 || t.Values[0] == 0 {
			return false
		}
		logarithm += pgmrt.Ln(t.Values[0])
		return true
	})
	return logarithm
}

// balanced holds the facts about the tables of one scope.
type balanced struct {
	low, high float64 // log2 of bounds of their product
	product   *Factor // the last of the tables that are made of them; nil before the first
}

// count counts a table in, and reports whether the product is extreme then.
func (g *balanced) count(values []float64) bool {
	if least, most := extremes(values); most > 0 {
		g.low += min(0, math.Log2(least))
		g.high += max(0, math.Log2(most))
	}
	return g.extreme()
}

func (g *balanced) extreme() bool { return g.low < -balancedBits || g.high > balancedBits }

// scaled returns numbers divided by a power of two: that which leaves the largest from 1/2 to 1, or
// a smaller one, by which the least still is one that keeps all digits.
func scaled(values []float64) ([]float64, int) {
	least, most := extremes(values)
	_, e := math.Frexp(most)
	if _, low := math.Frexp(least); least > 0 {
		e = min(e, max(0, low+lostBits))
	}
	if -nearBits < e && e < nearBits {
		return values, 0
	}
	out := make([]float64, len(values))
	for i, x := range values {
		out[i] = math.Ldexp(x, -e)
	}
	return out, e
}

// multiplied returns the product of two tables divided by a power of two, unless digits would be
// lost.
func multiplied(x, by []float64) (made []float64, exponent int, ok bool) {
	product := make([]float64, len(x))
	for i, y := range by {
		if product[i] = x[i] * y; product[i] == 0 && x[i] > 0 && y > 0 {
			return nil, 0, false
		}
	}
	least, most := extremes(product)
	_, high := math.Frexp(most)
	_, low := math.Frexp(least)
	if math.IsInf(most, 1) || least > 0 && (low < -lostBits || high-low > lostBits) {
		return nil, 0, false
	}
	for i, y := range product {
		product[i] = math.Ldexp(y, -high)
	}
	return product, high, true
}

// extremes returns the least positive number and the largest; 0 and 0 without positive ones.
func extremes(values []float64) (least, most float64) {
	for _, x := range values {
		if x > 0 && (least == 0 || x < least) {
			least = x
		}
		most = max(most, x)
	}
	return least, most
}
