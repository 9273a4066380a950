package parquet

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

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

// output is a column of the row group that is being filled.
type output struct {
	data.Output
	present []uint32 // by row: 1, or 0 if the value is null
	nulls   int64
	index   []uint32 // of texts, in the order of rows without nulls
	dict    map[string]uint32
	texts   []string // by number in dict
	size    int      // bytes of texts
	bits    []uint64 // of numbers
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

// add adds a text.
func (c *output) add(s string) error {
	k, ok := c.dict[s]
	if !ok {
		if !utf8.ValidString(s) {
			return errText
		}
		k = uint32(len(c.texts))
		c.dict[s] = k
		c.texts = append(c.texts, s)
		c.size += len(s)
	}
	c.index = append(c.index, k)
	return nil
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
