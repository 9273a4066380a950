package parquet

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/pgmc-go/pgmc/learn/data"
)

// encoder encodes pages.
type encoder struct {
	zstd       *zstd.Encoder
	body, page []byte
}

// pageRows is the number of rows of a page, so that readers hold few.
const pageRows = 1 << 14

// marshal returns a struct in the compact protocol of Thrift. The structs of this package have
// nothing that the library could refuse.
func marshal(x any) []byte {
	b, err := thrift.Marshal(new(thrift.CompactProtocol), x)
	if err != nil {
		panic(err)
	}
	return b
}

// footer returns the description of the file and what follows.
func (e *encoder) footer(meta *format.FileMetaData) []byte {
	b := marshal(meta)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)))
	return append(b, magic...)
}

// root returns the element of the schema that has the columns.
func root(n int) format.SchemaElement {
	return format.SchemaElement{Name: "rows", NumChildren: thrift.New(int32(n))}
}

func (e *encoder) text(s string) {
	e.body = binary.LittleEndian.AppendUint32(e.body, uint32(len(s)))
	e.body = append(e.body, s...)
}

// values encodes a page of the values from a place to another, and the levels of its rows. A width
// other than 0 is the one of numbers in the dictionary.
func (e *encoder) values(c *output, present []uint32, from, to, width int) {
	e.body = append(e.body[:0], 0, 0, 0, 0)
	e.runs(present, 1)
	binary.LittleEndian.PutUint32(e.body, uint32(len(e.body)-4))
	switch {
	case width > 0:
		e.body = append(e.body, byte(width))
		e.runs(c.index[from:to], width)
	case c.Kind == data.Texts:
		for _, k := range c.index[from:to] {
			e.text(c.texts[k])
		}
	default:
		for _, x := range c.bits[from:to] {
			e.body = binary.LittleEndian.AppendUint64(e.body, x)
		}
	}
}

// runs encodes numbers of a width in bits: eight or more equal ones as a run, and others packed in
// groups of eight.
func (e *encoder) runs(list []uint32, width int) {
	for at := 0; at < len(list); {
		if n := equal(list[at:]); n >= 8 || at+n == len(list) {
			e.body = binary.AppendUvarint(e.body, uint64(n)<<1)
			for k := 0; k < width; k += 8 {
				e.body = append(e.body, byte(list[at]>>k))
			}
			at += n
			continue
		}
		end := at + 8
		for end < len(list) && equal(list[end:]) < 8 {
			end += 8
		}
		e.body = binary.AppendUvarint(e.body, uint64(end-at)/8<<1|1)
		e.pack(list[at:min(end, len(list))], end-at, width)
		at = end
	}
}

// equal returns how many numbers at the start of a list are equal.
func equal(list []uint32) int {
	n := 1
	for n < len(list) && list[n] == list[0] {
		n++
	}
	return n
}

// pack appends n numbers of a width in bits, of which those beyond the list are 0.
func (e *encoder) pack(list []uint32, n, width int) {
	word, filled := uint64(0), 0
	for i := range n {
		if i < len(list) {
			word |= uint64(list[i]) << filled
		}
		for filled += width; filled >= 8; filled -= 8 {
			e.body = append(e.body, byte(word))
			word >>= 8
		}
	}
}
