// Package text is how readers of formats take numbers and show names, and how writers make identifiers of names: the same in
// all of them.
package text

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Quote shows text from a file in a message; what is longer than anybody would read is cut.
func Quote(s string) string {
	const most = 60
	if len(s) > most {
		return fmt.Sprintf("%q...", s[:most])
	}
	return fmt.Sprintf("%q", s)
}

// What Number's errors say was wanted.
var (
	errNumber = errors.New("a number")
	errRange  = errors.New("a number that a float64 can hold")
)

// Number is the value of a decimal number, and of nothing else that strconv would take: no NaN, infinity, hexadecimal
// number or underscore. The error says what was wanted.
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
