package parquet

import (
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"strconv"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Writer writes rows as a Parquet file. It is a [data.Sink]: texts are strings coded by dictionary,
// numbers are doubles, integers are of 64 bits, and all may be null. It holds one row group.
type Writer struct {
	out     io.Writer
	written int64
	columns []output
	at      int // the column of the next value
	rows    int // of the row group
	groups  []format.RowGroup
	total   int64
	encoder encoder
	err     error
}

// The rows of a row group. Readers share groups among cores; a group of few rows compresses worse.
const (
	groupRows  = 1 << 17
	groupBytes = 64 << 20 // of numbers and texts in memory
)

// NewWriter returns a writer to w of rows with some columns. The names must differ.
func NewWriter(w io.Writer, columns []data.Output) (*Writer, error) {
	out := &Writer{out: w}
	seen := map[string]bool{}
	for _, c := range columns {
		if seen[c.Name] {
			return nil, fmt.Errorf("two columns are called %q; want different names", c.Name)
		}
		seen[c.Name] = true
		out.columns = append(out.columns, output{Output: c, dict: map[string]uint32{}})
	}
	out.write([]byte(magic))
	return out, nil
}

// write writes bytes, unless there was an error.
func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
		w.written += int64(len(b))
	}
}

// next returns the column of the next value, which is present or null.
func (w *Writer) next(present uint32) *output {
	c := &w.columns[w.at]
	w.at++
	c.present = append(c.present, present)
	c.nulls += 1 - int64(present)
	return c
}

// Missing writes a null.
func (w *Writer) Missing() { w.next(0) }

// Number writes a number, and a null for NaN.
func (w *Writer) Number(x float64) {
	if math.IsNaN(x) {
		w.Missing()
		return
	}
	c := w.next(1)
	c.bits = append(c.bits, math.Float64bits(x))
}

// Text writes a text, or the number that it stands for in a column of numbers.
func (w *Writer) Text(s string) {
	switch w.columns[w.at].Kind {
	case data.Reals:
		x, err := strconv.ParseFloat(s, 64)
		w.fail(err)
		w.Number(x)
	case data.Integers:
		x, err := strconv.ParseInt(s, 10, 64)
		w.fail(err)
		c := w.next(1)
		c.bits = append(c.bits, uint64(x))
	default:
		w.fail(w.next(1).add(s))
	}
}

// fail keeps the first error, with the column of the last value.
func (w *Writer) fail(err error) {
	if w.err == nil && err != nil {
		w.err = fmt.Errorf("column %q: %w", w.columns[min(w.at, len(w.columns)-1)].Name, err)
	}
}

// End ends a row, and a row group if it is full.
func (w *Writer) End() error {
	w.at = 0
	if w.rows++; w.rows == groupRows || w.rows%1024 == 0 && w.bytes() > groupBytes {
		w.endGroup()
	}
	return w.err
}

// bytes returns about how much memory the row group takes.
func (w *Writer) bytes() (n int) {
	for i := range w.columns {
		c := &w.columns[i]
		n += 4*len(c.present) + 4*len(c.index) + 8*len(c.bits) + c.size + 64*len(c.texts)
	}
	return n
}

// endGroup writes the row group.
func (w *Writer) endGroup() {
	g := format.RowGroup{NumRows: int64(w.rows), Ordinal: int16(len(w.groups)), FileOffset: w.written}
	for i := range w.columns {
		chunk := w.chunk(&w.columns[i])
		g.Columns = append(g.Columns, chunk)
		g.TotalByteSize += chunk.MetaData.TotalUncompressedSize
		g.TotalCompressedSize += chunk.MetaData.TotalCompressedSize
	}
	w.groups = append(w.groups, g)
	w.total += g.NumRows
	w.rows = 0
	if len(w.groups) > math.MaxInt16 {
		w.fail(fmt.Errorf("there are more than %d row groups", math.MaxInt16))
	}
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

// Flush writes the last row group and the footer, which ends the file.
func (w *Writer) Flush() error {
	if w.rows > 0 {
		w.endGroup()
	}
	meta := format.FileMetaData{Version: 1, NumRows: w.total, RowGroups: w.groups, CreatedBy: "pgmc"}
	meta.Schema = append(meta.Schema, root(len(w.columns)))
	for i := range w.columns {
		meta.Schema = append(meta.Schema, w.columns[i].element())
	}
	w.write(w.encoder.footer(&meta))
	return w.err
}
