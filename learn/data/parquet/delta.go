package parquet

import (
	"encoding/binary"
	"errors"
	"io"
)

// deltas decodes integers that are stored as differences, packed in blocks of miniature blocks.
type deltas struct {
	*column
	b  []byte
	at int

	block, mini, left uint64 // values of a block and of a miniature one, and those left in all
	value             int64  // the last value
	begun             bool   // the first value was taken

	min    int64 // the least difference in the block
	widths []byte
	packed runs   // of the miniature block
	inMini uint64 // differences left in the miniature block
}

var errDelta = errors.New("the differences of values are not as they should be")

// head reads the sizes and the first value.
func (d *deltas) head() error {
	var sizes [3]uint64
	for i := range sizes {
		var err error
		if sizes[i], err = varint(d.b, &d.at); err != nil {
			return damaged("%v", errDelta)
		}
	}
	first, n := binary.Varint(d.b[d.at:])
	d.block, d.left, d.value = sizes[0], sizes[2], first
	if n <= 0 || sizes[1] == 0 || sizes[1] > 1<<16 || d.block > 1<<20 || d.block%sizes[1] != 0 || d.block == 0 {
		return damaged("%v", errDelta)
	}
	d.at += n
	d.mini = d.block / sizes[1]
	return nil
}

// next returns the next value.
func (d *deltas) next() (int64, error) {
	if d.left == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	d.left--
	if !d.begun {
		d.begun = true
		return d.value, nil
	}
	if d.inMini == 0 {
		if err := d.nextMini(); err != nil {
			return 0, err
		}
	}
	d.inMini--
	x, err := d.packed.word()
	d.value += d.min + int64(x)
	return d.value, err
}

// nextMini prepares the next miniature block, of the next block if the last one ended.
func (d *deltas) nextMini() error {
	if len(d.widths) == 0 {
		least, n := binary.Varint(d.b[d.at:])
		minis := int(d.block / d.mini)
		if n <= 0 || minis > len(d.b)-d.at-n {
			return errDelta
		}
		d.min, d.at = least, d.at+n
		d.widths = d.b[d.at : d.at+minis]
		d.at += minis
	}
	width := uint(d.widths[0])
	d.widths = d.widths[1:]
	if width > 64 {
		return errDelta
	}
	size := min(int(d.mini)*int(width)/8, len(d.b)-d.at)
	d.packed = runs{data: d.b[d.at : d.at+size], width: width}
	d.at += size
	d.inMini = d.mini
	return nil
}

// word returns the next packed number, of up to 64 bits.
func (r *runs) word() (uint64, error) {
	if r.bit+uint64(r.width) > uint64(len(r.data))*8 {
		return 0, io.ErrUnexpectedEOF
	}
	var part [9]byte
	copy(part[:], r.data[r.bit>>3:])
	shift := r.bit & 7
	x := binary.LittleEndian.Uint64(part[:])>>shift | uint64(part[8])<<1<<(63-shift)
	r.bit += uint64(r.width)
	if r.width < 64 {
		x &= 1<<r.width - 1
	}
	return x, nil
}

func (d *deltas) take(n int, to *values) error {
	to.reset(d.column)
	for range n {
		x, err := d.next()
		if err != nil {
			return err
		}
		if d.bytesOf(1) == 4 {
			x = int64(int32(x)) // differences wrap
		}
		to.addInt(x)
	}
	return nil
}

// lengths decodes texts of which the lengths come first. Each may begin with a part of the text
// before it.
type lengths struct {
	*column
	prefix, size *deltas // prefix is nil if none has such a part
	rest         []byte
	last         string
}

// newLengths returns the decoder of the texts of a page of some rows.
func newLengths(c *column, b []byte, rows int, prefixes bool) (*lengths, error) {
	l := &lengths{column: c}
	var err error
	if prefixes {
		if l.prefix, b, err = lengthsOf(b, rows); err != nil {
			return nil, err
		}
	}
	l.size, l.rest, err = lengthsOf(b, rows)
	return l, err
}

// lengthsOf returns the decoder of the differences at the start of b, for at most some rows, and
// the bytes after them.
func lengthsOf(b []byte, rows int) (*deltas, []byte, error) {
	d := &deltas{b: b}
	if err := d.head(); err != nil {
		return nil, nil, err
	}
	skim := *d
	if skim.left > uint64(rows) {
		return nil, nil, damaged("%v", errDelta)
	}
	for skim.left > 0 {
		if _, err := skim.next(); err != nil {
			return nil, nil, damaged("%v", errDelta)
		}
	}
	return d, b[skim.at:], nil
}

func (l *lengths) take(n int, to *values) error {
	to.reset(l.column)
	room := maxTexts
	for range n {
		kept := int64(0)
		if l.prefix != nil {
			var err error
			if kept, err = l.prefix.next(); err != nil {
				return err
			}
		}
		size, err := l.size.next()
		if err != nil {
			return err
		}
		if kept < 0 || kept > int64(len(l.last)) || size < 0 || size > int64(len(l.rest)) {
			return io.ErrUnexpectedEOF
		}
		if room -= int(kept + size); room < 0 {
			return errors.New("texts are too long")
		}
		l.last = l.last[:kept] + string(l.rest[:size])
		l.rest = l.rest[size:]
		if err := to.addText(l.last); err != nil {
			return err
		}
	}
	return nil
}

// maxTexts bounds the bytes of the texts of a batch that share beginnings.
const maxTexts = 64 << 20
