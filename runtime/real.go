package pgmrt

import (
	"math"
	"strconv"
)

// inMeasuredRange ends messages about numbers out of range; it writes mostMeasured.
const inMeasuredRange = "of a size of at most 1e+30"

// BadValue returns the error of the value of a real variable out of range.
func BadValue(n *Names, variable int) error {
	return n.Refuse(variable, ": want a number "+inMeasuredRange)
}

// BadMeasurement returns the error of a measurement out of range.
func BadMeasurement(n *Names, variable int) error {
	return n.RefuseLikelihood(variable, "is a measurement; want one "+inMeasuredRange+", whose variance is between 1e-30 and 1e+30")
}

// ParseReal returns the number of a text. It is not observed if the text is empty.
func ParseReal(n *Names, variable int, text string) (x float64, observed bool, err error) {
	if text == "" {
		return 0, false, nil
	}
	if x, err = strconv.ParseFloat(text, 64); err != nil {
		return 0, false, n.Refuse(variable, ": want a number; got "+strconv.Quote(Short(text)))
	}
	return x, true, nil
}

// RealString returns a value as a decimal number, or "unset" if it was not observed.
func RealString(x float64, observed bool) string {
	if !observed {
		return "unset"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// MarshalReal returns a value as a JSON number, or null if it was not observed.
func MarshalReal(n *Names, x float64, observed bool) ([]byte, error) {
	if !observed {
		return []byte("null"), nil
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, n.Fail("a real variable has the value "+RealString(x, true)+"; want a finite number", ErrState)
	}
	return strconv.AppendFloat(nil, x, 'g', -1, 64), nil
}

// UnmarshalReal reads a JSON number. It is not observed if the text is null.
func UnmarshalReal(n *Names, data []byte) (x float64, observed bool, err error) {
	if string(data) == "null" {
		return 0, false, nil
	}
	if x, err = strconv.ParseFloat(string(data), 64); err != nil {
		return 0, false, n.Fail("want the number of a real variable; got "+strconv.Quote(Short(string(data))), ErrState)
	}
	return x, true, nil
}

// NormalPDF returns the density at x of a normal distribution.
func NormalPDF(x, mean, variance float64) float64 {
	z := x - mean
	if variance == 0 && z == 0 {
		return math.Inf(1)
	} else if variance == 0 {
		return 0
	}
	return math.Exp(-z*z/(2*variance)) / math.Sqrt(2*math.Pi*variance)
}

// NormalCDF returns the probability of a value of at most x under a normal distribution.
func NormalCDF(x, mean, variance float64) float64 {
	if variance == 0 && x == mean {
		return 1
	}
	return math.Erfc((mean-x)/math.Sqrt(2*variance)) / 2
}

// NormalQuantile returns the value with the CDF p under a normal distribution. It is -Inf for 0,
// +Inf for 1, and NaN if p is not a probability.
func NormalQuantile(p, mean, variance float64) float64 {
	if variance == 0 && p > 0 && p < 1 {
		return mean
	}
	return mean + float64(math.Sqrt(2*variance)*math.Erfinv(2*p-1))
}
