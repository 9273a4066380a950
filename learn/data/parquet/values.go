package parquet

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/format"

	"github.com/pgmc-go/pgmc/ir/model"
)

// values are values of a column that are not null: texts, or floats, or integers, which booleans
// are too.
type values struct {
	*column
	texts  []string
	floats []float64
	ints   []int64
}

func (v *values) len() int { return max(len(v.texts), len(v.floats), len(v.ints)) }

// missing reports whether a value stands for none, as NaN does.
func (v *values) missing(i int) bool { return v.floats != nil && math.IsNaN(v.floats[i]) }

// text returns a value as text that reads back as the same value.
func (v *values) text(i int) string {
	switch {
	case v.texts != nil:
		return v.texts[i]
	case v.floats != nil:
		return model.Real{}.Text(model.Value{Real: v.floats[i]})
	case v.kind == format.Boolean:
		return strconv.FormatBool(v.ints[i] != 0)
	case v.decimal:
		return point(strconv.FormatInt(v.ints[i], 10), v.scale)
	case v.unsigned:
		return strconv.FormatUint(uint64(v.ints[i]), 10)
	case v.moment.unit > 0:
		return v.moment.text(v.ints[i])
	}
	return strconv.FormatInt(v.ints[i], 10)
}

// real returns a value as a number, and NaN if it is missing. It reports false if it is no number
// that a real variable has.
func (v *values) real(i int) (float64, bool) {
	switch {
	case v.floats != nil:
		x := v.floats[i]
		return x, !(math.Abs(x) > model.MaxReal)
	case v.ints != nil && v.kind != format.Boolean && !v.decimal && !v.unsigned && v.moment.unit == 0:
		return float64(v.ints[i]), true
	}
	x, err := model.Real{}.Parse(v.text(i))
	return x.Real, err == nil
}

// point puts a decimal point before the last scale digits of a whole number.
func point(digits string, scale int) string {
	if scale == 0 {
		return digits
	}
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if short := scale + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

var errText = errors.New("a text is not UTF-8")

// addText adds the bytes of a value that is stored as such.
func (v *values) addText(b string) error {
	if v.decimal {
		if len(b) > maxDecimal {
			return errors.New("a decimal is too long")
		}
		x := new(big.Int).SetBytes([]byte(b))
		if len(b) > 0 && b[0] >= 0x80 { // two's complement
			x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		b = point(x.String(), v.scale)
	} else if !utf8.ValidString(b) {
		return errText
	}
	v.texts = append(v.texts, b)
	return nil
}

// addInt adds an integer.
func (v *values) addInt(x int64) {
	if v.kind == format.Int32 && v.unsigned {
		x = int64(uint32(x))
	}
	v.ints = append(v.ints, x)
}

// reset forgets the values and makes sure that there is room for those of a batch.
func (v *values) reset(c *column) {
	v.column = c
	v.texts, v.floats, v.ints = v.texts[:0], v.floats[:0], v.ints[:0]
}

// addBytes adds the number at the start of b.
func (v *values) addBytes(b []byte) {
	switch v.kind {
	case format.Int32:
		v.addInt(int64(int32(binary.LittleEndian.Uint32(b))))
	case format.Int64:
		v.addInt(int64(binary.LittleEndian.Uint64(b)))
	case format.Float:
		v.floats = append(v.floats, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	case format.Double:
		v.floats = append(v.floats, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
}

// batchRows is the number of rows that a reader decodes at once.
const batchRows = 1024

// decoder decodes the values of a page, in order.
type decoder interface {
	// take sets to to the next n values.
	take(n int, to *values) error
}
