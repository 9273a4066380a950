package parquet

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// supported reports whether decompress knows a codec.
func supported(codec format.CompressionCodec) bool {
	switch codec {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd, format.Lz4Raw:
		return true
	}
	return false
}

// decompress fills to with the bytes of a compressed page, which must be as many. It takes no more
// memory than the page claims.
func (m *room) decompress(codec format.CompressionCodec, to, from []byte) error {
	if len(to) == 0 {
		return nil
	}
	var n int
	var err error
	switch codec {
	case format.Snappy:
		if n, err = snappy.DecodedLen(from); err == nil && n == len(to) {
			_, err = snappy.Decode(to, from)
		}
	case format.Gzip:
		var unpacked *gzip.Reader
		if unpacked, err = gzip.NewReader(bytes.NewReader(from)); err == nil {
			n, err = fill(to, unpacked)
		}
	case format.Brotli:
		n, err = fill(to, brotli.NewReader(bytes.NewReader(from)))
	case format.Zstd:
		if m.zstd == nil {
			if m.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true)); err != nil {
				return err
			}
		}
		var all []byte
		all, err = m.zstd.DecodeAll(from, to[:0:len(to)])
		n = len(all)
	case format.Lz4Raw:
		n, err = lz4.UncompressBlock(from, to)
	}
	if err == nil && n != len(to) {
		err = fmt.Errorf("its page has %d bytes; want %d, as its header says", n, len(to))
	}
	return err
}

// fill reads as many bytes as to has, and the end after them.
func fill(to []byte, from io.Reader) (n int, err error) {
	if n, err = io.ReadFull(from, to); err != nil {
		return n, err
	}
	more, err := io.ReadFull(from, make([]byte, 1))
	if err == io.EOF {
		err = nil
	}
	return n + more, err
}
