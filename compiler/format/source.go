package format

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
)

// gzExt marks a compressed file, on top of the extension of its format.
const gzExt = ".gz"

// The limits where ReadOptions has none.
const (
	DefaultMaxBytes   = 1 << 30
	DefaultMaxEntries = 1 << 26
)

// A compressed file may give up to minUnpacked bytes of text, or maxRatio times its own size where that is more. Networks in
// circulation come to 60 times; gzip can do 1,032 times, so that a file of a megabyte could ask for a gigabyte of memory.
const (
	minUnpacked = 8 << 20
	maxRatio    = 200
)

// ReadOptions bounds what a file may ask for; zero stands for the default.
type ReadOptions struct {
	MaxBytes   int64 // the most bytes of text, after decompression
	MaxEntries int   // the most numbers that one table may claim
}

// WithDefaults puts the defaults for zeros.
func (o ReadOptions) WithDefaults() ReadOptions {
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.MaxEntries == 0 {
		o.MaxEntries = DefaultMaxEntries
	}
	return o
}

// Source is a named input.
type Source struct {
	Name string // as messages show it: the path as the user wrote it
	Data []byte // decompressed
}

// OpenSource reads the file at path. What starts like gzip is decompressed; what is called ".gz" must be gzip.
func OpenSource(path string, opt ReadOptions) (*Source, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var r io.Reader
	buf := bufio.NewReader(file)
	magic, err := buf.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	r = buf
	limit, why := opt.WithDefaults().MaxBytes, ""
	if string(magic) == "\x1f\x8b" || strings.HasSuffix(strings.ToLower(path), gzExt) {
		if r, err = gzip.NewReader(buf); err != nil {
			return nil, fmt.Errorf("%s: not a gzip file: %w", path, err)
		}
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		if most := max(minUnpacked, maxRatio*info.Size()); info.Mode().IsRegular() && most < limit {
			limit, why = most, fmt.Sprintf(" for a file of %d; decompress it first if that is right", info.Size())
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, limit))
	if err == nil && int64(len(data)) == limit {
		_, err = io.ReadFull(r, make([]byte, 1))
		switch err {
		case nil:
			return nil, fmt.Errorf("%s: more than %d bytes of text; the limit is %d%s", path, limit, limit, why)
		case io.EOF:
			err = nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Source{Name: path, Data: data}, nil
}
