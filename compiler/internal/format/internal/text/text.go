// Package text parses numbers and quotes names for all readers of formats, and makes identifiers of
// names for their writers.
package text

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Quote quotes text from a file for a message and shortens a long text.
func Quote(s string) string {
	const most = 60
	if len(s) > most {
		return fmt.Sprintf("%q...", s[:most])
	}
	return fmt.Sprintf("%q", s)
}

// The errors of Number, which say what was wanted.
var (
	errNumber = errors.New("a number")
	errRange  = errors.New("a number that a float64 can hold")
)

// Entry parses a number of a table, or NaN in any case of letters: a row of these is undefined, see
// [model.Model.NormalizeRows]. The error says what was wanted.
func Entry(s string) (x float64, err error) {
	if strings.EqualFold(s, "nan") {
		return math.NaN(), nil
	}
	return Number(s)
}

// Number parses a decimal number. It rejects the other forms of strconv: NaN, infinity, hexadecimal
// numbers and underscores. The error says what was wanted.
func Number(s string) (x float64, err error) {
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return 0, errNumber
	}
	x, err = strconv.ParseFloat(s, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errRange
	case err != nil:
		return 0, errNumber
	}
	return x, nil
}
