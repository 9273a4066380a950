package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go/format"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// plainDictionary is how the first version of the format calls Plain for the page of a dictionary,
// and RLEDictionary for pages of data. The library has the name marked as deprecated.
const plainDictionary format.Encoding = 2

// reader reads the pages of a column in a row group, one at a time.
type reader struct {
	*column
	file    *File
	room    *room
	codec   format.CompressionCodec
	at, end int64 // the bytes that are not read
	left    int64 // the rows that no page so far has
	page    []byte
	dict    *values // nil until its page is read

	// Of the page that was read last:
	rows     int  // left in the page
	nullable bool // some may be null
	levels   runs
	coded    bool    // its values are numbers in dict
	index    runs    // these numbers
	plain    decoder // of other values

	batch batch
	table table
	texts []string // by row that Next has read ahead
	null  []bool
}

// batch holds the values of some rows.
type batch struct {
	rows  int
	nulls int               // how many are null
	level [batchRows]uint8  // by row: 0 if it is null; undefined if none is
	index [batchRows]uint32 // numbers in the dictionary, without nulls, after readValues
	plain values            // the values, if they are not coded, in the same way
}

// open prepares to read the column in a row group.
func (r *reader) open(f *File, room *room, group int) error {
	r.file, r.room = f, room
	chunk := &f.meta.RowGroups[group].Columns[r.leaf]
	meta := &chunk.MetaData
	r.codec, r.left = meta.Codec, f.meta.RowGroups[group].NumRows
	r.at = meta.DataPageOffset
	if d := meta.DictionaryPageOffset; d > 0 && d < r.at {
		r.at = d
	}
	r.end = r.at + meta.TotalCompressedSize
	switch {
	case r.alien:
		return diag.Errorf("column %q is of type %s; want texts, enumerations, booleans, integers, floats, decimals, dates or timestamps, or leave it out by %v",
			r.name, r.column.text, diag.Option{Name: "drop", Value: diag.QuoteName(r.name)})
	case chunk.CryptoMetadata.Value != nil || f.meta.EncryptionAlgorithm.Value != nil:
		return fmt.Errorf("column %q is encrypted; want one that is not", r.name)
	case chunk.FilePath != "":
		return fmt.Errorf("column %q is in another file, %q; want all in one", r.name, chunk.FilePath)
	case !supported(r.codec):
		return fmt.Errorf("column %q is compressed by %v; want snappy, gzip, brotli, zstd, LZ4_RAW or none", r.name, r.codec)
	case meta.Type != r.kind:
		return damaged("column %q has values of type %v; want %v, as in the schema", r.name, meta.Type, r.kind)
	case meta.NumValues != r.left:
		return damaged("column %q has %d values in row group %d; want %d, one for each row", r.name, meta.NumValues, group, r.left)
	case r.at < int64(len(magic)) || meta.TotalCompressedSize < 0 || r.end < r.at || r.end > f.size:
		return damaged("column %q is at bytes %d to %d of %d", r.name, r.at, r.end, f.size)
	}
	return nil
}

// next begins a batch of the next rows of the current page, at most most of them.
func (r *reader) next(most int) error {
	for r.rows == 0 {
		if err := r.readPage(); err != nil {
			return diag.Errorf("column %q: %v", r.name, noEOF(err))
		}
	}
	b := &r.batch
	b.rows = min(most, r.rows, batchRows)
	r.rows -= b.rows
	if err := r.decodeLevels(); err != nil {
		return damaged("column %q: %v", r.name, noEOF(err))
	}
	return nil
}

// readValues decodes the values of the batch, or their numbers in the dictionary.
func (r *reader) readValues() error {
	b := &r.batch
	n := b.rows - b.nulls
	switch {
	case n == 0:
		return nil
	case r.coded:
		return noEOF(r.index.read(b.index[:n]))
	}
	return noEOF(r.plain.take(n, &b.plain))
}

// levelBytes has the levels themselves.
var levelBytes = newByteTable(1, &[256]uint8{1: 1})

// decodeLevels decodes the levels of the batch and counts the nulls.
func (r *reader) decodeLevels() error {
	b := &r.batch
	if b.nulls = 0; !r.nullable {
		return nil
	}
	value, same, err := r.levels.same(b.rows)
	if err != nil {
		return err
	}
	if same {
		if value == 0 {
			clear(b.level[:b.rows])
			b.nulls = b.rows
		}
		return nil
	}
	if _, err := r.levels.bytes(b.level[:b.rows], levelBytes); err != nil {
		return err
	}
	b.nulls = bytes.Count(b.level[:b.rows], []byte{0})
	return nil
}

// readPage reads the next page. A dictionary has no rows.
func (r *reader) readPage() error {
	if r.at >= r.end {
		return damaged("its pages end %d rows before the row group", r.left)
	}
	var h format.PageHeader
	body, err := r.readHeader(&h)
	if err != nil {
		return err
	}
	switch h.Type {
	case format.DictionaryPage:
		return r.readDictionary(&h, body)
	case format.DataPage:
		return r.readData1(&h, body)
	case format.DataPageV2:
		return r.readData2(&h, body)
	}
	return nil // an index, which is not read
}

// readHeader reads the header of a page, checks its sizes, and reads its bytes.
func (r *reader) readHeader(h *format.PageHeader) (body []byte, err error) {
	f := r.file
	size := 0
	for window := int64(512); ; window *= 8 { // a header has statistics of any size
		b := r.room.window(min(window, r.end-r.at))
		if err := f.readAt(b, r.at); err != nil {
			return nil, err
		}
		size, err = decode(b, h, f.limit)
		if err == nil {
			break
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) || window >= r.end-r.at || window > maxHeader {
			return nil, inDamaged(fmt.Sprintf("the header of the page at byte %d", r.at), err)
		}
	}
	packed, whole := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	r.at += int64(size)
	switch {
	case packed < 0 || packed > r.end-r.at:
		return nil, damaged("the page at byte %d has %d bytes of %d that are left", r.at, packed, r.end-r.at)
	case whole < 0 || r.codec == format.Uncompressed && packed != whole:
		return nil, damaged("the page at byte %d has %d bytes and %d without compression", r.at, packed, whole)
	}
	if body, err = r.room.packed(packed); err != nil {
		return nil, err
	}
	if err := f.readAt(body, r.at); err != nil {
		return nil, err
	}
	if h.CRC != 0 && !unchecked && crc32.ChecksumIEEE(body) != uint32(h.CRC) {
		return nil, damaged("the page at byte %d has another checksum than its header", r.at)
	}
	r.at += packed
	return body, nil
}

// unchecked makes readers ignore checksums, in tests of damage that none shows.
var unchecked bool

// maxHeader bounds the bytes of a page's header.
const maxHeader = 1 << 20

// unpack makes room for a page of size bytes in r.page, and stores body there without compression,
// after the first keep bytes, which are not compressed.
func (r *reader) unpack(body []byte, keep, size int, compressed bool) error {
	if keep > len(body) || keep > size {
		return damaged("its levels have %d bytes of %d", keep, len(body))
	}
	var err error
	if r.page, err = r.room.grow(r.page, size); err != nil {
		return err
	}
	copy(r.page, body[:keep])
	if !compressed || r.codec == format.Uncompressed {
		if len(body) != size {
			return damaged("its page has %d bytes; want %d, as its header says", len(body), size)
		}
		copy(r.page[keep:], body[keep:])
		return nil
	}
	if err := r.room.decompress(r.codec, r.page[keep:], body[keep:]); err != nil {
		return damaged("%v", noEOF(err))
	}
	return nil
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

// readDictionary reads the page of a dictionary.
func (r *reader) readDictionary(h *format.PageHeader, body []byte) error {
	d := &h.DictionaryPageHeader
	switch {
	case !d.Valid || d.V.NumValues < 0:
		return damaged("a dictionary has no header")
	case d.V.Encoding != format.Plain && d.V.Encoding != plainDictionary:
		return damaged("a dictionary is encoded as %v; want PLAIN", d.V.Encoding)
	case r.dict != nil:
		return damaged("there are two dictionaries in a row group")
	}
	if err := r.unpack(body, 0, int(h.UncompressedPageSize), true); err != nil {
		return err
	}
	n := int(d.V.NumValues)
	if need := r.bytesOf(n); need > len(r.page) {
		return damaged("a dictionary of %d values has %d bytes; want %d at least", n, len(r.page), need)
	}
	if err := r.room.take(len(r.page) + 32*n); err != nil { // texts with their heads, and numbers of states
		return err
	}
	dict := &values{column: r.column}
	if err := (&plain{column: r.column, rest: r.page}).take(n, dict); err != nil {
		return damaged("dictionary: %v", noEOF(err))
	}
	r.dict = dict
	r.table.clear()
	return nil
}

// readData1 reads a page of data of version 1.
func (r *reader) readData1(h *format.PageHeader, body []byte) error {
	d := &h.DataPageHeader
	if !d.Valid {
		return damaged("a page of data has no header")
	}
	if err := r.unpack(body, 0, int(h.UncompressedPageSize), true); err != nil {
		return err
	}
	values := r.page
	var levels []byte
	if r.optional {
		if d.V.DefinitionLevelEncoding != format.RLE {
			return fmt.Errorf("its definition levels are encoded as %v; want RLE", d.V.DefinitionLevelEncoding)
		}
		var err error
		if levels, values, err = prefixed(values); err != nil {
			return damaged("its definition levels end early")
		}
	}
	return r.begin(d.V.NumValues, d.V.Encoding, levels, values)
}

// readData2 reads a page of data of version 2.
func (r *reader) readData2(h *format.PageHeader, body []byte) error {
	d := &h.DataPageHeaderV2
	if !d.Valid || d.V.RepetitionLevelsByteLength < 0 || d.V.DefinitionLevelsByteLength < 0 {
		return damaged("a page of data has no header")
	}
	// repetition levels should be none, but some writers have them
	skip, size := int(d.V.RepetitionLevelsByteLength), int(d.V.DefinitionLevelsByteLength)
	if err := r.unpack(body, skip+size, int(h.UncompressedPageSize), !d.V.IsCompressed.Valid || d.V.IsCompressed.V); err != nil {
		return err
	}
	return r.begin(d.V.NumValues, d.V.Encoding, r.page[skip:skip+size], r.page[skip+size:])
}

// begin prepares to decode a page of n rows.
func (r *reader) begin(n int32, encoding format.Encoding, levels, values []byte) (err error) {
	if n < 0 || int64(n) > r.left {
		return damaged("a page has %d rows of %d that are left", n, r.left)
	}
	r.rows, r.left = int(n), r.left-int64(n)
	r.nullable, r.levels = r.optional, runs{b: levels, width: 1}
	if r.coded = encoding == format.RLEDictionary || encoding == plainDictionary; !r.coded {
		r.plain, err = r.decoder(encoding, values)
		return err
	}
	if r.dict == nil {
		return damaged("a page refers to a dictionary, and there is none")
	}
	r.index = runs{}
	if len(values) > 0 { // otherwise all rows are null
		if r.index = (runs{b: values[1:], width: uint(values[0])}); r.index.width > 32 {
			return damaged("numbers in a dictionary have %d bits", r.index.width)
		}
	}
	return nil
}
