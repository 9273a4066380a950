package pgmrt

import (
	"compress/flate"
	"encoding/binary"
	"io"
	"math"
	"strings"
)

// UnpackRow is the number of words of a packed program that have the same number of columns.
const UnpackRow = 256

// Unpack decodes a data file, which the compiler made, to the numbers and words that it holds. The
// file is a DEFLATE stream of size bytes: each number in 8 bytes, little-endian, then rows of
// UnpackRow words. A row begins with a number of columns. The columns follow, one after the other.
// Each word is the difference from the word that many places before it in the program, in the
// zigzag and base-128 code of Protocol Buffers. If there is no such word, or the number is 0, which
// means one column, it is the word itself. Unpack panics if the file is damaged.
func Unpack(file string, size int, numbers []float64, words []int32) {
	data := make([]byte, size)
	if _, err := io.ReadFull(flate.NewReader(strings.NewReader(file)), data); err != nil {
		panic("pgmrt: the data file is damaged: " + err.Error())
	}
	for i := range numbers {
		numbers[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	data = data[8*len(numbers):]
	for start := 0; start < len(words); start += UnpackRow {
		columns := int(data[0])
		data = data[1:]
		for column := range max(columns, 1) {
			for i := start + column; i < min(start+UnpackRow, len(words)); i += max(columns, 1) {
				word, n := unpackWord(data)
				data = data[n:]
				if columns > 0 && i >= columns {
					word += words[i-columns]
				}
				words[i] = word
			}
		}
	}
}

// unpackWord decodes a word and returns the number of its bytes.
func unpackWord(data []byte) (word int32, n int) {
	code := uint32(0)
	for {
		b := data[n]
		code |= uint32(b&0x7f) << (7 * n)
		n++
		if b < 0x80 {
			return int32(code>>1) ^ -int32(code&1), n
		}
	}
}
