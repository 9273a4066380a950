package format

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// gzExt is the extension of a compressed file, after its format's.
const gzExt = ".gz"

// The default limits of ReadOptions.
const (
	DefaultMaxBytes   = 1 << 30
	DefaultMaxEntries = 1 << 26
)

// A compressed file may yield minUnpacked bytes of text, or maxRatio times its own size if that is
// more. Networks in circulation compress up to 60 times. Gzip can compress 1,032 times, so that a
// file of a megabyte could claim a gigabyte of memory.
const (
	minUnpacked = 8 << 20
	maxRatio    = 200
)

// textShare is how many times its text a model may take in memory: the text twice, and a float64
// for every two bytes of it.
const textShare = 8

// numberShare is how many bytes of memory a number of a table may take: itself and its place in the
// text, each twice while lists grow, and later two copies in a program.
const numberShare = 48

// ReadOptions bounds the sizes that a file may claim. Zero means the default.
type ReadOptions struct {
	MaxBytes   int64 // maximal bytes of text, after decompression
	MaxMem     int64 // in place of MaxBytes and MaxEntries, memory that a model may take while it is read
	MaxEntries int   // maximal numbers in one table
	// Skeleton names the objects of plates, of a format that has them. Plates without a table keep
	// their sizes.
	Skeleton []*Table
}

// Table is a table of a skeleton. Some of its columns are plates, and hold objects: the plates have
// the objects of all tables, and a variable or factor in all plates of a table exists only for the
// joint indices in its rows. The other columns are variables in such plates, and hold their values.
type Table struct {
	Name    string // of the file, for messages
	Columns []string
	Rows    [][]string // a value may be empty
	// Vars holds, after reading, the variable of each cell that is not an object.
	Vars [][]model.VarID
}

// WithDefaults returns o with defaults in place of zeros.
func (o ReadOptions) WithDefaults() ReadOptions {
	if o.MaxBytes == 0 && o.MaxMem > 0 {
		o.MaxBytes = o.MaxMem / textShare
	}
	if o.MaxEntries == 0 && o.MaxMem > 0 {
		o.MaxEntries = int(min(o.MaxMem/numberShare, math.MaxInt32))
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.MaxEntries == 0 {
		o.MaxEntries = DefaultMaxEntries
	}
	return o
}

// TooLarge reports a table that would have more numbers than MaxEntries. If more memory allows the
// table, the error says how much.
func (o ReadOptions) TooLarge(list *diag.List, pos diag.Pos, what string, numbers float64) {
	const message = "%s would have %.3g numbers; the limit is %d"
	if o.MaxMem == 0 || numbers > math.MaxInt32 {
		list.Errorf(pos, message, what, numbers, o.MaxEntries)
		return
	}
	want := diag.Option{Name: "max-mem", Value: fmt.Sprintf("%dMiB", int64(numbers)*numberShare>>20+1)}
	list.Errorf(pos, message+", one for %d bytes of %v; want %v or more", what, numbers, o.MaxEntries, numberShare, diag.Option{Name: "max-mem"}, want)
}

// Source is a named input: a file or, for a format with [Format.Folder], a folder.
type Source struct {
	Name string            // the path as the user gave it, for messages
	Data []byte            // of a file: its decompressed text
	Side map[string][]byte // the files of a folder in memory; nil for one on disk
	left *int64            // bytes that the files of a folder may still have together
}

// ReadAll reads a source of any kind, such as standard input, and gives it a name. It decompresses
// data that starts like gzip.
func ReadAll(r io.Reader, name string, opt ReadOptions) (*Source, error) {
	left := opt.WithDefaults().MaxBytes
	data, err := readAll(r, -1, name, &left)
	if err != nil {
		return nil, err
	}
	return &Source{Name: name, Data: data}, nil
}

// OpenSource reads the file at path. It decompresses data that starts like gzip. A file called
// ".gz" must be gzip.
func OpenSource(path string, opt ReadOptions) (*Source, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	left := opt.WithDefaults().MaxBytes
	data, err := readFile(file, path, &left)
	if err != nil {
		return nil, err
	}
	return &Source{Name: path, Data: data}, nil
}

// OpenFolder returns the folder at path. [Source.Open] reads its files.
func OpenFolder(path string, opt ReadOptions) (*Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: is a file; want a folder", path)
	}
	left := opt.WithDefaults().MaxBytes
	return &Source{Name: path, left: &left}, nil
}

// Open reads a file of a folder, or its compressed form if only that exists. The name must have no
// directory, and the file must be inside the folder, so that names from untrusted input are safe.
func (s *Source) Open(name string) (*Source, error) {
	path := filepath.Join(s.Name, name)
	if name != filepath.Base(name) || !filepath.IsLocal(name) || name == "." {
		return nil, fmt.Errorf("%s: %q is not the name of a file in this folder", s.Name, name)
	}
	if s.Side != nil {
		data, ok := s.Side[name]
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return &Source{Name: path, Data: data}, nil
	}
	if s.left == nil {
		return nil, fmt.Errorf("%s: is a file; want a folder", s.Name)
	}
	file, err := os.OpenInRoot(s.Name, name)
	if errors.Is(err, fs.ErrNotExist) {
		if packed, packedErr := os.OpenInRoot(s.Name, name+gzExt); packedErr == nil {
			file, err, path = packed, nil, path+gzExt
		}
	}
	if err != nil {
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) {
			pathErr.Path = path
		}
		return nil, err
	}
	defer file.Close()
	data, err := readFile(file, path, s.left)
	if err != nil {
		return nil, err
	}
	side, bad := (&Source{Name: path, Data: data}).text()
	if bad != nil {
		return nil, *bad
	}
	return side, nil
}

// text returns the source without a byte order mark, or an error if it is not UTF-8. An XML
// declaration may name another encoding, which is up to the reader of XML.
func (s *Source) text() (*Source, *diag.Diagnostic) {
	if !bytes.HasPrefix(s.Data, []byte("<?xml")) {
		if bad := diag.CheckUTF8(s.Name, s.Data); bad != nil {
			return nil, bad
		}
	}
	out := *s
	out.Data = bytes.TrimPrefix(s.Data, []byte("\ufeff"))
	return &out, nil
}

// longError reports a text that is longer than a limit.
type longError struct {
	path  string
	limit int64
	size  int64  // of the text, if it is known; -1 otherwise
	why   string // of a limit of compressed files
}

// Error states the limit.
func (e *longError) Error() string {
	return fmt.Sprintf("%s: more than %d bytes of text; the limit is %d%s", e.path, e.limit, e.limit, e.why)
}

// readFile reads and decompresses a file, and subtracts its length from left.
func readFile(file *os.File, path string, left *int64) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	size := int64(-1)
	if info.Mode().IsRegular() {
		size = info.Size()
	}
	return readAll(file, size, path, left)
}

// readAll reads and decompresses a text with a size on disk that is known or -1, and subtracts its
// length from left.
func readAll(from io.Reader, size int64, path string, left *int64) ([]byte, error) {
	var r io.Reader
	buf := bufio.NewReader(from)
	magic, err := buf.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	r = buf
	limit, why := *left, ""
	if string(magic) == "\x1f\x8b" || strings.HasSuffix(strings.ToLower(path), gzExt) {
		if r, err = gzip.NewReader(buf); err != nil {
			return nil, fmt.Errorf("%s: not a gzip file: %w", path, err)
		}
		if most := max(minUnpacked, maxRatio*size); size >= 0 && most < limit {
			limit, why = most, fmt.Sprintf(" for a file of %d; decompress it first if that is right", size)
		}
		size = -1
	}
	if size > limit {
		return nil, &longError{path, limit, size, why}
	}
	data, err := io.ReadAll(io.LimitReader(r, limit))
	if err == nil && int64(len(data)) == limit {
		_, err = io.ReadFull(r, make([]byte, 1))
		switch err {
		case nil:
			return nil, &longError{path, limit, size, why}
		case io.EOF:
			err = nil
		}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the file that gzip compressed is cut off; get the whole file")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	*left -= int64(len(data))
	return data, nil
}
