package gauss

import "math"

// Point is a point of a rule of integration over independent standard normal variables.
type Point struct {
	Z      []float64
	Weight float64
}

// GridPoints returns the product of Gauss-Hermite rules of m points.
func GridPoints(n, m int) (list []Point) {
	nodes, weights := gaussHermite(m)
	index := make([]int, n)
	for {
		p := Point{Weight: 1}
		for _, i := range index {
			p.Z = append(p.Z, nodes[i])
			p.Weight *= weights[i]
		}
		list = append(list, p)
		k := n - 1
		for ; k >= 0; k-- {
			if index[k]++; index[k] < m {
				break
			}
			index[k] = 0
		}
		if k < 0 {
			return list
		}
	}
}

// UnscentedPoints returns the 2n+1 points at distance √spread, which are exact to degree 3 (Koller
// and Friedman, equation 14.18).
func UnscentedPoints(n int, spread float64) []Point {
	list := []Point{{make([]float64, n), 1 - float64(n)/spread}}
	for i := range n {
		for _, sign := range []float64{1, -1} {
			z := make([]float64, n)
			z[i] = sign * math.Sqrt(spread)
			list = append(list, Point{z, 1 / (2 * spread)})
		}
	}
	return list
}

// Precision5Points returns 2n²+1 points that are exact to degree 5. Weights of single axes are
// negative from 5 dimensions on.
func Precision5Points(n int) []Point {
	d := float64(n)
	list := []Point{{make([]float64, n), (d*d - 7*d + 18) / 18}}
	far := math.Sqrt(3)
	for i := range n {
		for _, sign := range []float64{1, -1} {
			z := make([]float64, n)
			z[i] = sign * far
			list = append(list, Point{z, (4 - d) / 18})
		}
	}
	for i := range n {
		for j := range i {
			for _, sign := range [][2]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
				z := make([]float64, n)
				z[i], z[j] = sign[0]*far, sign[1]*far
				list = append(list, Point{z, 1. / 36})
			}
		}
	}
	return list
}

// PolarPoints returns points in two dimensions: m distances from the origin, of the Gauss rule of
// theirs, in 2m directions. They are exact for polynomials of degree 2m-1, and for such polynomials
// in the distance, which in x and y have a kink at the origin.
func PolarPoints(m int) (list []Point) {
	a, b := rayleigh(m)
	nodes, weights := gaussRule(m, 0, 2*math.Sqrt(2*float64(m))+1, a, b)
	for i, r := range nodes {
		for k := range 2 * m {
			sin, cos := math.Sincos((float64(k) + .5) * math.Pi / float64(m))
			list = append(list, Point{[]float64{float64(r * cos), float64(r * sin)}, weights[i] / float64(2*m)})
		}
	}
	return list
}

// rayleigh returns the recurrence of the first m orthonormal polynomials in the distance of a
// standard normal point in the plane from the origin, as gaussRule takes it (Stieltjes procedure;
// Gautschi 2004, section 2.2). Sums over exp(u) at a step of .1 in u are exact to rounding.
func rayleigh(m int) (a, b []float64) {
	var x, w, y, before []float64
	for i := -200; i <= 26; i++ {
		r := math.Exp(.1 * float64(i))
		x, w, y, before = append(x, r), append(w, .1*r*r*math.Exp(-r*r/2)), append(y, 1), append(before, 0)
	}
	last := 0.0
	for range m {
		at, square := 0.0, 0.0
		for i := range x {
			at += float64(w[i] * x[i] * y[i] * y[i])
		}
		a = append(a, at)
		for i := range x {
			before[i], y[i] = y[i], float64((x[i]-at)*y[i])-float64(last*before[i])
			square += float64(w[i] * y[i] * y[i])
		}
		last = math.Sqrt(square)
		b = append(b, last)
		for i := range y {
			y[i] /= last
		}
	}
	return a, b
}

// gaussHermite returns the m nodes, ascending, and weights of the Gauss rule for a standard normal
// variable.
func gaussHermite(m int) (nodes, weights []float64) {
	a, b := make([]float64, m), make([]float64, m)
	for k := range b {
		b[k] = math.Sqrt(float64(k + 1))
	}
	limit := 2*math.Sqrt(float64(m)) + 1
	nodes, weights = gaussRule(m, -limit, limit, a, b)
	if m%2 == 1 {
		nodes[m/2] = 0
	}
	return nodes, weights
}

// gaussRule returns the m nodes, ascending, and weights of the Gauss rule of a distribution between
// lo and hi with the orthonormal polynomials x p[k] = b[k] p[k+1] + a[k] p[k] + b[k-1] p[k-1]: the
// roots of p[m], by bisection between the roots of p[m-1], and weights from the polynomials.
func gaussRule(m int, lo, hi float64, a, b []float64) (nodes, weights []float64) {
	var roots []float64
	for n := 1; n <= m; n++ {
		ends := append(append([]float64{lo}, roots...), hi)
		next := make([]float64, n)
		for i := range next {
			lo, hi := ends[i], ends[i+1]
			sign := polynomialAt(n, lo, a, b, nil)
			for range 200 {
				mid := lo + (hi-lo)/2
				if mid == lo || mid == hi {
					break
				}
				if y := polynomialAt(n, mid, a, b, nil); (y > 0) == (sign > 0) {
					lo = mid
				} else {
					hi = mid
				}
			}
			next[i] = lo + (hi-lo)/2
		}
		roots = next
	}
	for _, x := range roots {
		sum := 0.0
		polynomialAt(m-1, x, a, b, func(y float64) { sum += float64(y * y) })
		weights = append(weights, 1/sum)
	}
	return roots, weights
}

// polynomialAt returns the polynomial of degree n at x, and calls each with the polynomials of
// degrees 0 to n unless it is nil.
func polynomialAt(n int, x float64, a, b []float64, each func(y float64)) float64 {
	before, y, last := 0.0, 1.0, 0.0
	for k := 0; ; k++ {
		if each != nil {
			each(y)
		}
		if k == n {
			return y
		}
		before, y = y, (float64((x-a[k])*y)-float64(last*before))/b[k]
		last = b[k]
	}
}
