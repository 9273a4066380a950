package libra

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
)

// parseLog is the number that a word stands for as a logarithm: minus infinity may be one, plus infinity not.
func parseLog(s string) (x float64, ok bool) {
	if strings.EqualFold(s, "-inf") || strings.EqualFold(s, "-infinity") {
		return math.Inf(-1), true
	}
	x, err := text.Number(s)
	return x, err == nil
}

// maxLog is the largest logarithm of a number; math.Exp gives infinity for more than 709.44 on some machines.
const maxLog = 709

// maxValue is the largest number that has a logarithm here.
var maxValue = math.Exp(maxLog)

// writeLog writes a logarithm in the fewest digits that read back as the same number.
func writeLog(w *bytes.Buffer, x float64) {
	if math.IsInf(x, -1) {
		w.WriteString("-inf")
		return
	}
	numbers.Float(w, x)
}

// writeLogOf writes the logarithm of v, at most maxValue, in the fewest digits whose exponential is v again. Numbers that were read as logarithms
// have such digits. Others may have none, since logarithms beyond one are spaced wider than what they stand for: the nearest is
// within |log v| units in the last place.
func writeLogOf(w *bytes.Buffer, v float64) {
	if v == 0 {
		w.WriteString("-inf")
		return
	}
	x := nearestLog(v)
	v = math.Exp(x)
	for digits := 1; digits < 17; digits++ {
		s := strconv.AppendFloat(w.AvailableBuffer(), x, 'g', digits, 64)
		if y, err := strconv.ParseFloat(string(s), 64); err == nil && math.Exp(y) == v {
			w.Write(s)
			return
		}
	}
	writeLog(w, x)
}

// nearestLog is a number near log v whose exponential is nearest to v.
func nearestLog(v float64) float64 {
	const reach = 8 // log and exp are right to one unit in the last place each, so more than two steps are never needed
	x := math.Log(v)
	if v < 0x1p-1022 { // where the assembly of math.Log on amd64 takes the digits for those of a normal number
		x = math.Log(v*0x1p64) - 64*math.Ln2
	}
	step := math.Max(math.Nextafter(math.Abs(x), math.Inf(1))-math.Abs(x), 0x1p-54) // a smaller step does not move exp
	best, off := x, math.Abs(math.Exp(x)-v)
	for k := 1.0; k <= reach && off > 0; k++ {
		for _, y := range [2]float64{x - k*step, x + k*step} {
			if d := math.Abs(math.Exp(y) - v); d < off {
				best, off = y, d
			}
		}
	}
	return best
}
