package rate

import "math"

// Test is a t-test of a mean against 0; of differences of pairs, the paired t-test.
type Test struct {
	T       float64 // the mean over its standard error; infinite where there is no spread
	Freedom float64 // degrees of freedom
	P       float64 // probability of a t as far from 0 or farther, on either side, where the mean is 0
}

// Test tests whether the mean is 0, where weights are numbers of rows; ok is false of one row or less.
func (m *Mean) Test() (t Test, ok bool) {
	if m.Weight <= 1 {
		return Test{}, false
	}
	t.Freedom = m.Weight - 1
	switch err := m.StdErr(); {
	case err > 0:
		t.T = m.Value / err
		t.P = Student(t.Freedom, t.T)
	case m.Value == 0:
		t.P = 1
	default:
		t.T = math.Copysign(math.Inf(1), m.Value)
	}
	return t, true
}

// Student is the probability that Student's t with some degrees of freedom is as far from 0 as t or farther, on either side: the incomplete
// beta function I(n/(n+t²); n/2, 1/2). NIST Digital Library of Mathematical Functions, 8.17.22, for its continued fraction, and 8.17.4
// where that converges slowly.
func Student(n, t float64) float64 {
	if t == 0 {
		return 1
	}
	a, b := n/2, 0.5
	x, y := n/(n+t*t), t*t/(n+t*t) // 1-x would lose digits
	la, _ := math.Lgamma(a)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab - la - math.Log(math.Pi)/2 + a*math.Log(x) + b*math.Log(y))
	if x < (a+1)/(a+b+2) {
		return front / a * betaFraction(a, b, x)
	}
	return 1 - front/b*betaFraction(b, a, y)
}

// mostTerms is far more than the fraction takes: in the order of the root of the degrees of freedom.
const mostTerms = 100_000

// betaFraction is 1/(1+ d1/(1+ d2/(1+ ...))) with d of DLMF 8.17.23, by the method of Lentz.
func betaFraction(a, b, x float64) float64 {
	c, d := math.Inf(1), 1.0
	f := d
	for k := 1; k < mostTerms; k++ {
		m := float64(k / 2)
		num := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		if k%2 == 1 {
			num = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		d = 1 / (1 + num*d)
		c = 1 + num/c
		f *= c * d
		if math.Abs(c*d-1) < 1e-15 {
			break
		}
	}
	return f
}
