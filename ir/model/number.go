package model

import (
	"math"
	"strconv"
	"strings"
)

// Number returns the decimal number that text is. It reports false for other texts, for numbers
// beyond [MaxReal], and for numbers with leading zeros: 007 is a code, and differs from 7.
func Number(text string) (x float64, ok bool) {
	digits := strings.TrimLeft(text, "+-")
	if len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9' || strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && math.Abs(x) <= MaxReal
}

// StateNumbers returns the numbers that states are; ok is false unless all are, and differ. A
// number then stands for the state that it equals, as 1.0 for 1.
func StateNumbers(states []string) (numbers []float64, ok bool) {
	seen := map[float64]bool{}
	for _, s := range states {
		x, ok := Number(s)
		if !ok || seen[x] {
			return nil, false
		}
		numbers, seen[x] = append(numbers, x), true
	}
	return numbers, true
}
