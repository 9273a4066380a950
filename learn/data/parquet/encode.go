package parquet

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/deprecated"
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

// kind returns how values of the column are stored.
func (c *output) kind() format.Type {
	switch c.Kind {
	case data.Reals:
		return format.Double
	case data.Integers:
		return format.Int64
	}
	return format.ByteArray
}

// element returns the element of the schema.
func (c *output) element() format.SchemaElement {
	e := format.SchemaElement{Name: c.Name, Type: thrift.New(c.kind()), RepetitionType: thrift.New(format.Optional)}
	if c.Kind == data.Texts {
		e.ConvertedType = thrift.New(deprecated.UTF8)
		e.LogicalType.Value = &format.StringType{}
	}
	return e
}

// coded reports whether the texts are coded by dictionary, which pays if they are few and alike.
func (c *output) coded() bool {
	return len(c.texts) > 0 && len(c.texts) <= 1<<16 && c.size <= 1<<20 && 2*len(c.texts) <= len(c.index)+2
}

// chunk writes the values of a column in the row group, and forgets them.
func (w *Writer) chunk(c *output) format.ColumnChunk {
	meta := format.ColumnMetaData{Type: c.kind(), PathInSchema: []string{c.Name}, Codec: format.Zstd, NumValues: int64(len(c.present))}
	meta.Statistics.NullCount = c.nulls
	encoding, width, start := format.Plain, 0, w.written
	meta.Encoding = []format.Encoding{format.Plain, format.RLE}
	if c.coded() {
		encoding, width = format.RLEDictionary, max(1, bits.Len(uint(len(c.texts)-1)))
		meta.Encoding = append(meta.Encoding, encoding)
		meta.DictionaryPageOffset = start
		w.encoder.body = w.encoder.body[:0]
		for _, s := range c.texts {
			w.encoder.text(s)
		}
		h := format.PageHeader{Type: format.DictionaryPage}
		h.DictionaryPageHeader = thrift.New(format.DictionaryPageHeader{NumValues: int32(len(c.texts)), Encoding: format.Plain})
		w.page(&h, &meta)
	}
	meta.DataPageOffset = w.written
	value := 0
	for row := 0; row < len(c.present); row += pageRows {
		present := c.present[row:min(row+pageRows, len(c.present))]
		n := 0
		for _, p := range present {
			n += int(p)
		}
		w.encoder.values(c, present, value, value+n, width)
		value += n
		h := format.PageHeader{Type: format.DataPage}
		h.DataPageHeader = thrift.New(format.DataPageHeader{NumValues: int32(len(present)), Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE})
		w.page(&h, &meta)
	}
	meta.TotalCompressedSize = w.written - start
	clear(c.dict)
	c.present, c.index, c.bits, c.texts, c.size, c.nulls = c.present[:0], c.index[:0], c.bits[:0], c.texts[:0], 0, 0
	return format.ColumnChunk{FileOffset: start, MetaData: meta}
}

// page writes a page of the bytes in w.encoder.body.
func (w *Writer) page(h *format.PageHeader, meta *format.ColumnMetaData) {
	e := &w.encoder
	if e.zstd == nil {
		var err error
		if e.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true)); err != nil {
			w.fail(err)
			return
		}
	}
	e.page = e.zstd.EncodeAll(e.body, e.page[:0])
	h.UncompressedPageSize, h.CompressedPageSize, h.CRC = int32(len(e.body)), int32(len(e.page)), int32(crc32.ChecksumIEEE(e.page))
	head := marshal(h)
	meta.TotalUncompressedSize += int64(len(head) + len(e.body))
	w.write(head)
	w.write(e.page)
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
