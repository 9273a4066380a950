package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// decode decodes a struct in the compact protocol of Thrift at the start of b, and returns its
// size. It walks the struct before the library does, which takes memory for as many elements as a
// list claims to have, and recurses as deep as structs are nested. The struct in memory has at most
// limit bytes.
func decode(b []byte, to any, limit int64) (size int, err error) {
	w := walker{b: b}
	if err := w.structure(0); err != nil {
		return 0, err
	}
	if w.lists > limit {
		return 0, tooLarge("the lists of the file", w.lists, limit)
	}
	protocol := thrift.CompactProtocol{}
	return w.at, thrift.NewDecoder(protocol.NewReaderFromBytes(b[:w.at])).Decode(to)
}

const (
	// structBytes and valueBytes bound the memory of an element of a list, without its own lists.
	// The largest is format.ColumnChunk; others are texts and numbers.
	structBytes = 1 << 10
	valueBytes  = 16
	maxNesting  = 32 // of structs and lists; those of Parquet have 8 levels
)

// walker walks a struct in the compact protocol of Thrift.
type walker struct {
	b     []byte
	at    int
	lists int64 // bytes of memory of all lists
}

var errNesting = errors.New("structures are nested too deeply")

// structure walks the fields of a struct.
func (w *walker) structure(depth int) error {
	if depth > maxNesting {
		return errNesting
	}
	for {
		head, err := w.skip(1)
		if err != nil || head[0] == 0 {
			return err
		}
		if head[0]>>4 == 0 { // the number of the field follows
			if _, err := w.varint(); err != nil {
				return err
			}
		}
		if kind := head[0] & 15; kind != 1 && kind != 2 { // a truth value has no bytes but its type
			if err := w.value(kind, depth); err != nil {
				return err
			}
		}
	}
}

// value walks a value of a type.
func (w *walker) value(kind byte, depth int) (err error) {
	switch kind {
	case 1, 2, 3:
		_, err = w.skip(1)
	case 4, 5, 6:
		_, err = w.varint()
	case 7:
		_, err = w.skip(8)
	case 8:
		n, err := w.varint()
		if err == nil {
			_, err = w.skip(n)
		}
		return err
	case 9, 10:
		return w.list(depth + 1)
	case 12:
		return w.structure(depth + 1)
	default:
		return fmt.Errorf("found the type %d of Thrift", kind)
	}
	return err
}

// list walks the elements of a list, each of which has a byte at least.
func (w *walker) list(depth int) error {
	head, err := w.skip(1)
	if err != nil {
		return err
	}
	n := uint64(head[0] >> 4)
	if n == 15 {
		if n, err = w.varint(); err != nil {
			return err
		}
	}
	switch {
	case depth > maxNesting:
		return errNesting
	case n > uint64(len(w.b)-w.at):
		return io.ErrUnexpectedEOF
	}
	size := int64(valueBytes)
	if head[0]&15 == 12 {
		size = structBytes
	}
	w.lists += int64(n) * size
	for range n {
		if err := w.value(head[0]&15, depth); err != nil {
			return err
		}
	}
	return nil
}

// skip returns the next n bytes.
func (w *walker) skip(n uint64) ([]byte, error) {
	if n > uint64(len(w.b)-w.at) {
		return nil, io.ErrUnexpectedEOF
	}
	w.at += int(n)
	return w.b[w.at-int(n) : w.at], nil
}

func (w *walker) varint() (uint64, error) { return varint(w.b, &w.at) }

// varint reads a number of variable length at *at, and moves *at after it.
func varint(b []byte, at *int) (uint64, error) {
	x, n := binary.Uvarint(b[*at:])
	if n <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	*at += n
	return x, nil
}
