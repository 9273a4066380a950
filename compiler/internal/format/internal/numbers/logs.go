package numbers

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// MaxLog is the largest logarithm that a file may have: e^710 exceeds float64.
const MaxLog = 709

// Log reads a natural logarithm, which is minus infinity or at most MaxLog, and steps past it. Its
// exponential may be 0.
func (r *Reader) Log(want string) (float64, bool) {
	if strings.EqualFold(r.Text, "-inf") || strings.EqualFold(r.Text, "-infinity") {
		r.Next()
		return math.Inf(-1), true
	}
	at := r.Word
	x, ok := r.Float(want)
	if ok && x > MaxLog {
		r.Errorf(r.PosOf(at), "found %s; want %s of at most %d, because its exponential exceeds float64", text.Quote(at.Text), want, MaxLog)
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

// LogOf returns a number near log v whose exponential is v. If there is none, as between 1 and the
// next float64, the exponential of the result is closest to v among those near.
func LogOf(v float64) float64 {
	const reach = 8 // log and exp have an error of at most one unit in the last place each, so that two steps suffice
	if v == 0 {
		return math.Inf(-1)
	}
	x := pgmrt.Ln(v)
	step := max(math.Nextafter(math.Abs(x), math.Inf(1))-math.Abs(x), 0x1p-54) // a smaller step does not change exp
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

// WriteLogOf writes the logarithm of v, which is at most e to MaxLog, in the fewest digits with the
// same exponential as [LogOf].
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
