package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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
	case v.ints != nil && v.kind != format.Boolean && !v.decimal && !v.unsigned:
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

// decoder decodes the values of a page, in order.
type decoder interface {
	// take sets to to the next n values.
	take(n int, to *values) error
}

// decoder returns the decoder of the values of a page.
func (r *reader) decoder(encoding format.Encoding, b []byte) (decoder, error) {
	whole := r.kind == format.Int32 || r.kind == format.Int64
	switch {
	case encoding == format.Plain:
		return &plain{column: r.column, rest: b}, nil
	case encoding == format.RLE && r.kind == format.Boolean:
		_, _, err := prefixed(b)
		if err != nil {
			return nil, damaged("its values end early")
		}
		return &bools{r.column, runs{b: b[4:], width: 1}}, nil
	case encoding == format.ByteStreamSplit && (r.kind == format.Float || r.kind == format.Double || whole):
		return &split{column: r.column, b: b, n: len(b) / r.bytesOf(1)}, nil
	case encoding == format.DeltaBinaryPacked && whole:
		d := &deltas{column: r.column, b: b}
		return d, d.head()
	case encoding == format.DeltaLengthByteArray && r.kind == format.ByteArray:
		return newLengths(r.column, b, r.rows, false)
	case encoding == format.DeltaByteArray && r.kind == format.ByteArray:
		return newLengths(r.column, b, r.rows, true)
	}
	return nil, fmt.Errorf("its values are encoded as %v; want PLAIN, RLE_DICTIONARY, BYTE_STREAM_SPLIT, or DELTA", encoding)
}

// bytesOf returns how many bytes n plain values take at least.
func (c *column) bytesOf(n int) int {
	switch c.kind {
	case format.Boolean:
		return (n + 7) / 8
	case format.Int64, format.Double:
		return 8 * n
	case format.FixedLenByteArray:
		return c.length * n
	}
	return 4 * n // of a text, its length
}

// prefixed splits b into a part that starts with its length, in four bytes, and the rest.
func prefixed(b []byte) (part, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, io.ErrUnexpectedEOF
	}
	n := binary.LittleEndian.Uint32(b)
	if b = b[4:]; uint64(n) > uint64(len(b)) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	return b[:n], b[n:], nil
}

// plain decodes values that are stored one after the other.
type plain struct {
	*column
	rest []byte
	bit  int // of the next boolean in rest
}

func (p *plain) take(n int, to *values) error {
	to.reset(p.column)
	switch {
	case p.kind == format.Boolean:
		return p.takeBools(n, to)
	case p.kind == format.ByteArray:
		return p.takeTexts(n, to)
	}
	size := p.bytesOf(1)
	if size*n > len(p.rest) {
		return io.ErrUnexpectedEOF
	}
	b := p.rest[:size*n]
	p.rest = p.rest[len(b):]
	if p.kind == format.FixedLenByteArray {
		for ; len(b) > 0; b = b[size:] {
			if err := to.addText(string(b[:size])); err != nil {
				return err
			}
		}
		return nil
	}
	for ; len(b) > 0; b = b[size:] {
		to.addBytes(b)
	}
	return nil
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

func (p *plain) takeBools(n int, to *values) error {
	if p.bit+n > 8*len(p.rest) {
		return io.ErrUnexpectedEOF
	}
	for ; n > 0; n-- {
		to.addInt(int64(p.rest[p.bit/8] >> (p.bit % 8) & 1))
		p.bit++
	}
	return nil
}

// takeTexts makes one string of all bytes, of which the texts are parts.
func (p *plain) takeTexts(n int, to *values) error {
	rest := p.rest
	for range n {
		var err error
		if _, rest, err = prefixed(rest); err != nil {
			return err
		}
	}
	all := string(p.rest[:len(p.rest)-len(rest)])
	at := 0
	for range n {
		size := int(binary.LittleEndian.Uint32(p.rest[at:]))
		at += 4
		if err := to.addText(all[at : at+size]); err != nil {
			return err
		}
		at += size
	}
	p.rest = rest
	return nil
}

// bools decodes booleans in runs.
type bools struct {
	*column
	runs runs
}

func (b *bools) take(n int, to *values) error {
	to.reset(b.column)
	var list [batchRows]uint32
	if err := b.runs.read(list[:n]); err != nil {
		return err
	}
	for _, x := range list[:n] {
		to.addInt(int64(x))
	}
	return nil
}

// split decodes numbers of which the first bytes come first, then the second bytes, and so on.
type split struct {
	*column
	b     []byte
	n, at int // how many values there are, and the next
}

func (s *split) take(n int, to *values) error {
	to.reset(s.column)
	if n > s.n-s.at {
		return io.ErrUnexpectedEOF
	}
	var word [8]byte
	for range n {
		for k := range s.bytesOf(1) {
			word[k] = s.b[k*s.n+s.at]
		}
		to.addBytes(word[:])
		s.at++
	}
	return nil
}
