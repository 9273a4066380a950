package table

import (
	"fmt"
	"math"
	"strconv"
)

// FiniteOnly returns a pointer to x, or nil if x is infinite or NaN, which JSON cannot hold.
func FiniteOnly(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// FiniteMean returns pointers to a mean and its standard error, or nils if the mean is infinite.
func FiniteMean(mean, stderr float64) (a, b *float64) {
	if math.IsInf(mean, 0) {
		return nil, nil
	}
	return &mean, &stderr
}

// Optional formats *x, and nil as "-".
func Optional(format string, x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf(format, *x)
}

// Bytes writes an amount of memory with a unit.
func Bytes(n int) string {
	switch x := float64(n); {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%.0f KiB", x/(1<<10))
	default:
		return fmt.Sprintf("%.0f MiB", x/(1<<20))
	}
}

// Percent writes a fraction as a percentage with two decimals.
func Percent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }

// Thousands writes a number with commas between groups of three digits.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural returns the word for n things: word itself for one, its plural otherwise.
func Plural(word string, n int) string {
	switch {
	case n == 1:
		return word
	case word == "max":
		return "maxima"
	}
	return word + "s"
}
