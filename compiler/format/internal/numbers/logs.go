package numbers

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
)

// MaxLog is the largest logarithm that is read: e^710 is beyond float64.
const MaxLog = 709

// Log reads a natural logarithm, minus infinity or at most MaxLog, and steps on. Its exponential may be 0.
func (r *Reader) Log(want string) (float64, bool) {
	if strings.EqualFold(r.Text, "-inf") || strings.EqualFold(r.Text, "-infinity") {
		r.Next()
		return math.Inf(-1), true
	}
	at := r.Word
	x, ok := r.Float(want)
	if ok && x > MaxLog {
		r.Errorf(r.PosOf(at), "found %s; want %s of at most %d, since e to it is no float64", text.Quote(at.Text), want, MaxLog)
		return 0, false
	}
	return x, ok
}

// WriteLog writes a logarithm in the fewest digits that read back as the same number.
func WriteLog(w *bytes.Buffer, x float64) {
	if math.IsInf(x, -1) {
		w.WriteString("-inf")
		return
	}
	Float(w, x)
}

// LogOf is a number near log v whose exponential is v, and where none is, as between 1 and the next float64 above it, one whose
// exponential is next to v.
func LogOf(v float64) float64 {
	const reach = 8 // log and exp are right to one unit in the last place each, so that two steps are enough
	if v == 0 {
		return math.Inf(-1)
	}
	x := math.Log(v)
	if v < 0x1p-1022 { // the assembly of math.Log on amd64 takes the digits for those of a normal number
		x = math.Log(v*0x1p64) - 64*math.Ln2
	}
	step := max(math.Nextafter(math.Abs(x), math.Inf(1))-math.Abs(x), 0x1p-54) // a smaller one does not move exp
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

// WriteLogOf writes the logarithm of v, at most e to MaxLog, in the fewest digits that have the exponential of [LogOf].
func WriteLogOf(w *bytes.Buffer, v float64) {
	x := LogOf(v)
	v = math.Exp(x)
	for digits := 1; digits < 17 && v > 0; digits++ {
		s := strconv.AppendFloat(w.AvailableBuffer(), x, 'g', digits, 64)
		if y, err := strconv.ParseFloat(string(s), 64); err == nil && math.Exp(y) == v {
			w.Write(s)
			return
		}
	}
	WriteLog(w, x)
}
