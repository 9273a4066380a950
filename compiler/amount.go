package compiler

import (
	"fmt"
	"math"
	"strings"
)

// Count formats a number of things: in full up to a million, and with two digits beyond. It writes
// infinity as "too many".
func Count(n float64) string {
	switch {
	case n >= math.MaxFloat64:
		return "too many"
	case n >= 1e6:
		return strings.Replace(fmt.Sprintf("%.2g", n), "e+", "e", 1)
	}
	return fmt.Sprintf("%.0f", n)
}

// Bytes formats an amount of memory with its unit, as in "1.5 GiB".
func Bytes(n float64) string {
	units := []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	switch {
	case n >= math.MaxFloat64:
		return "too much"
	case n < 1<<10:
		return fmt.Sprintf("%.0f B", n)
	}
	for i, u := range units {
		n /= 1 << 10
		switch {
		case n < 10:
			return strings.TrimSuffix(fmt.Sprintf("%.1f", n), ".0") + " " + u
		case n < 1000 || i == len(units)-1 && n < 1e6:
			return fmt.Sprintf("%.0f %s", n, u)
		}
	}
	return Count(n) + " EiB"
}
