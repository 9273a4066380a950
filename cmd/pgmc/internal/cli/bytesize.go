package cli

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// ByteSize is the value of a flag that takes an amount of memory: a number of bytes, or a number
// with a unit.
type ByteSize int64

var byteUnits = []struct {
	name string
	size int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// Type returns the name of the value in help.
func (b *ByteSize) Type() string { return "size" }

// String returns the size in the largest binary unit that divides it.
func (b *ByteSize) String() string {
	for i := 3; i >= 0; i-- {
		if u := byteUnits[i]; *b != 0 && int64(*b)%u.size == 0 {
			return strconv.FormatInt(int64(*b)/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

// Set parses a size such as 512MiB.
func (b *ByteSize) Set(s string) error {
	number, unit := s, int64(1)
	for _, u := range byteUnits {
		if rest, ok := strings.CutSuffix(s, u.name); ok {
			number, unit = strings.TrimSpace(rest), u.size
			break
		}
	}
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x > 0) || x*float64(unit) >= math.MaxInt64 || x*float64(unit) < 1 {
		return errors.New("want a size such as 512MiB or 2GiB")
	}
	*b = ByteSize(x * float64(unit))
	return nil
}
