package eval

import "math"

// Paired is Student's paired t-test of two lists of numbers of the same rows: the mean of a's less b's, and how probable a mean at least as
// far from 0 is where there is no difference. Without rows the mean is 0, and with fewer than two, or without any difference, p is 1.
func Paired(a, b []float64) (mean, p float64) {
	var d Mean
	for i, x := range a {
		d.Add(x-b[i], 1)
	}
	switch se := d.StdErr(); {
	case d.Weight < 2 || d.Value == 0:
		return d.Value, 1
	case se == 0:
		return d.Value, 0 // all rows differ by the same
	default:
		return d.Value, beyond(d.Value/se, d.Weight-1)
	}
}

// beyond is how probable it is that Student's t with some degrees of freedom is at least as far from 0 as t: the incomplete beta function of
// free/(free+t²), free/2 and 1/2 (Abramowitz and Stegun 1964, 26.7.1 with 26.5.27).
func beyond(t, free float64) float64 {
	x := free / (free + t*t)
	a, b := free/2, 0.5
	if x <= (a+1)/(a+b+2) {
		return betaPart(x, 1-x, a, b)
	}
	return 1 - betaPart(t*t/(free+t*t), x, b, a)
}

// betaPart is the incomplete beta function of x, of which y is the rest to 1, where x is at most (a+1)/(a+b+2): a continued fraction
// (Abramowitz and Stegun 1964, 26.5.8), from its front by the method of Lentz.
func betaPart(x, y, a, b float64) float64 {
	if x == 0 {
		return 0
	}
	const (
		tiny  = 1e-300 // in place of 0, which is divided by
		terms = 10_000 // some times the root of the larger parameter are needed
	)
	lab, _ := math.Lgamma(a + b)
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log(y)) / a
	fraction, above, below := 1.0, 1.0, 0.0
	for i := range terms {
		m := float64(i / 2)
		var term float64
		switch {
		case i == 0:
			term = 1
		case i%2 == 0:
			term = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		default:
			term = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		if below = 1 + term*below; math.Abs(below) < tiny {
			below = tiny
		}
		below = 1 / below
		if above = 1 + term/above; math.Abs(above) < tiny {
			above = tiny
		}
		fraction *= above * below
		if math.Abs(above*below-1) < 1e-15 {
			break
		}
	}
	return front * (fraction - 1)
}
