// Package text is how readers of formats take numbers and show names: the same in all of them.
package text

import (
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

// Number is the value of a decimal number, and of nothing else that strconv would take: no NaN, infinity, hexadecimal
// number or underscore, and none beyond the range of float64.
func Number(s string) (x float64, ok bool) {
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}
