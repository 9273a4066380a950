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

// gaussHermite returns the m nodes, ascending, and weights of the Gauss rule for a standard normal
// variable: the roots of the Hermite polynomial of degree m, by bisection between those of degree
// m-1, and weights from the polynomials, which are scaled to have variance 1.
func gaussHermite(m int) (nodes, weights []float64) {
	roots := []float64{0}
	for n := 2; n <= m; n++ {
		limit := 2*math.Sqrt(float64(n)) + 1
		ends := append(append([]float64{-limit}, roots...), limit)
		next := make([]float64, n)
		for i := range next {
			lo, hi := ends[i], ends[i+1]
			sign := hermiteAt(n, lo, nil)
			for range 200 {
				mid := lo + (hi-lo)/2
				if mid == lo || mid == hi {
					break
				}
				if y := hermiteAt(n, mid, nil); (y > 0) == (sign > 0) {
					lo = mid
				} else {
					hi = mid
				}
			}
			next[i] = lo + (hi-lo)/2
		}
		roots = next
	}
	if m%2 == 1 {
		roots[m/2] = 0
	}
	for _, x := range roots {
		sum := 0.0
		hermiteAt(m-1, x, func(y float64) { sum += float64(y * y) })
		weights = append(weights, 1/sum)
	}
	return roots, weights
}

// hermiteAt returns the scaled Hermite polynomial of degree n at x, and calls each with the
// polynomials of degrees 0 to n unless it is nil.
func hermiteAt(n int, x float64, each func(y float64)) float64 {
	before, y := 0.0, 1.0
	for k := 0; ; k++ {
		if each != nil {
			each(y)
		}
		if k == n {
			return y
		}
		before, y = y, (float64(x*y)-float64(math.Sqrt(float64(k))*before))/math.Sqrt(float64(k+1))
	}
}
