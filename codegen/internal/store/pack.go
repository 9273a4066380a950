package store

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// plainBytes is the largest size of a data file that is not packed. A packed one is a fifth as
// large, and the first engine takes 20 ns longer a word to make.
const plainBytes = 256 << 10

// mostColumns is the largest number of columns that packWords tries. Code of circuits repeats after
// the words of one node, which are three, five or seven for most.
const mostColumns = 15

// size returns the number of bytes of the numbers in memory.
func (m *Memories) size() int { return 8*len(m.Data) + 4*len(m.Code) }

// packed reports whether the data file is packed.
func (m *Memories) packed() bool { return m.size() > plainBytes }

// encode returns the data file, and its decompressed size if it is packed. A file that is not holds
// data, then code, little-endian.
func (m *Memories) encode() (file []byte, size int, err error) {
	out := make([]byte, 0, 8*len(m.Data)+2*len(m.Code))
	for _, x := range m.Data {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
	}
	if !m.packed() {
		for _, k := range m.Code {
			out = binary.LittleEndian.AppendUint32(out, uint32(k))
		}
		return out, 0, nil
	}
	out = packWords(out, m.Code)
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err != nil {
		return nil, 0, err
	}
	if _, err := w.Write(out); err != nil {
		return nil, 0, err
	}
	err = w.Close()
	return b.Bytes(), len(out), err
}

// packWords appends code in the rows that [pgmrt.Unpack] describes.
func packWords(out []byte, code []int32) []byte {
	for start := 0; start < len(code); start += pgmrt.UnpackRow {
		end := min(start+pgmrt.UnpackRow, len(code))
		columns, least := 0, math.MaxInt
		for c := range mostColumns + 1 {
			n := 0
			for i := start; i < end; i++ {
				n += (bits.Len32(difference(code, i, c)|1) + 6) / 7
			}
			if n < least {
				columns, least = c, n
			}
		}
		out = append(out, byte(columns))
		for column := range max(columns, 1) {
			for i := start + column; i < end; i += max(columns, 1) {
				out = binary.AppendUvarint(out, uint64(difference(code, i, columns)))
			}
		}
	}
	return out
}

// difference returns the difference of word i from the word so many places before it, with the sign
// in the lowest bit. The word itself stands for the difference if there is no such word, or back is
// 0.
func difference(code []int32, i, back int) uint32 {
	x := code[i]
	if back > 0 && i >= back {
		x -= code[i-back]
	}
	return uint32(x<<1) ^ uint32(x>>31)
}

// SameData reports whether two data files hold the same. Packed files may differ in their
// compression, which may change with the version of Go.
func SameData(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, err := io.ReadAll(flate.NewReader(bytes.NewReader(a)))
	if err != nil {
		return false
	}
	y, err := io.ReadAll(flate.NewReader(bytes.NewReader(b)))
	return err == nil && bytes.Equal(x, y)
}

// readData returns the body of the function that decodes the data file. If it is packed, size is
// the decompressed size.
func (m *Memories) readData(f *backend.File, size int) string {
	if m.packed() {
		return fmt.Sprintf("c := new(contents)\n"+f.Runtime("Unpack")+"(encoded, %d, c.constants[:], c.program[:])\nreturn c", size)
	}
	return `c, data := new(contents), []byte(encoded)
for i := range c.constants {
	c.constants[i] = ` + f.Std("math.Float64frombits") + `(` + f.Std("encoding/binary.LittleEndian") + `.Uint64(data[8*i:]))
}
data = data[8*len(c.constants):]
for i := range c.program {
	c.program[i] = int32(` + f.Std("encoding/binary.LittleEndian") + `.Uint32(data[4*i:]))
}
return c`
}
