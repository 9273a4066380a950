package parquet

import (
	"encoding/binary"
	"io"

	"github.com/parquet-go/parquet-go/format"
)

// prefixed splits b into a part that starts with its length, in four bytes, and the rest.
func prefixed(b []byte) (part, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, io.ErrUnexpectedEOF
	}
	n := binary.LittleEndian.Uint32(b)
	if b = b[4:]; uint64(n) > uint64(len(b)) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	return b[:n], b[n:], nil
}

// plain decodes values that are stored one after the other.
type plain struct {
	*column
	rest []byte
	bit  int // of the next boolean in rest
}

func (p *plain) take(n int, to *values) error {
	to.reset(p.column)
	switch {
	case p.kind == format.Boolean:
		return p.takeBools(n, to)
	case p.kind == format.ByteArray:
		return p.takeTexts(n, to)
	}
	size := p.bytesOf(1)
	if size*n > len(p.rest) {
		return io.ErrUnexpectedEOF
	}
	b := p.rest[:size*n]
	p.rest = p.rest[len(b):]
	if p.kind == format.FixedLenByteArray {
		for ; len(b) > 0; b = b[size:] {
			if err := to.addText(string(b[:size])); err != nil {
				return err
			}
		}
		return nil
	}
	for ; len(b) > 0; b = b[size:] {
		to.addBytes(b)
	}
	return nil
}

func (p *plain) takeBools(n int, to *values) error {
	if p.bit+n > 8*len(p.rest) {
		return io.ErrUnexpectedEOF
	}
	for ; n > 0; n-- {
		to.addInt(int64(p.rest[p.bit/8] >> (p.bit % 8) & 1))
		p.bit++
	}
	return nil
}

// takeTexts makes one string of all bytes, of which the texts are parts.
func (p *plain) takeTexts(n int, to *values) error {
	rest := p.rest
	for range n {
		var err error
		if _, rest, err = prefixed(rest); err != nil {
			return err
		}
	}
	all := string(p.rest[:len(p.rest)-len(rest)])
	at := 0
	for range n {
		size := int(binary.LittleEndian.Uint32(p.rest[at:]))
		at += 4
		if err := to.addText(all[at : at+size]); err != nil {
			return err
		}
		at += size
	}
	p.rest = rest
	return nil
}

// bools decodes booleans in runs.
type bools struct {
	*column
	runs runs
}

func (b *bools) take(n int, to *values) error {
	to.reset(b.column)
	var list [batchRows]uint32
	if err := b.runs.read(list[:n]); err != nil {
		return err
	}
	for _, x := range list[:n] {
		to.addInt(int64(x))
	}
	return nil
}

// split decodes numbers of which the first bytes come first, then the second bytes, and so on.
type split struct {
	*column
	b     []byte
	n, at int // how many values there are, and the next
}

func (s *split) take(n int, to *values) error {
	to.reset(s.column)
	if n > s.n-s.at {
		return io.ErrUnexpectedEOF
	}
	var word [8]byte
	for range n {
		for k := range s.bytesOf(1) {
			word[k] = s.b[k*s.n+s.at]
		}
		to.addBytes(word[:])
		s.at++
	}
	return nil
}
