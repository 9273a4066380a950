package parquet

import (
	"encoding/binary"
	"errors"
	"io"
)

// runs reads numbers of a fixed width in runs of equal ones and of packed ones, as definition
// levels and numbers in dictionaries are encoded. It holds no numbers, so that a run may claim to
// be of any length.
type runs struct {
	b      []byte
	at     int
	width  uint   // bits of a number, at most 32
	left   uint64 // of the run
	packed bool
	value  uint32 // of a run of equal numbers
	bit    uint64 // of the next packed number, from the start of the run
	data   []byte // of a run of packed numbers
}

// errWidth reports a run of a number that is wider than others.
var errWidth = errors.New("a number has too many bits")

// head reads the head of the next run.
func (r *runs) head() error {
	u, err := varint(r.b, &r.at)
	if err != nil {
		return err
	}
	rest := r.b[r.at:]
	if r.left, r.packed = u>>1, u&1 != 0; r.packed {
		if r.left > uint64(len(r.b))*8 { // each group of 8 has a bit of its own at least
			return io.ErrUnexpectedEOF
		}
		n := min(int(r.left)*int(r.width), len(rest)) // some writers cut the last group
		r.left *= 8
		r.bit, r.data = 0, rest[:n]
		r.at += n
		return nil
	}
	n := int(r.width+7) / 8
	if n > len(rest) {
		return io.ErrUnexpectedEOF
	}
	r.value = 0
	for i := range n {
		r.value |= uint32(rest[i]) << (8 * i)
	}
	if r.value>>r.width != 0 {
		return errWidth
	}
	r.at += n
	return nil
}

// same reports whether the next n numbers are of one run of equal ones, and if so reads them.
func (r *runs) same(n int) (value uint32, ok bool, err error) {
	for r.left == 0 {
		if err := r.head(); err != nil {
			return 0, false, err
		}
	}
	if r.packed || r.left < uint64(n) {
		return 0, false, nil
	}
	r.left -= uint64(n)
	return r.value, true, nil
}

// byteTable holds a byte for each number of up to 8 bits. It looks up as many packed numbers at
// once as 8 bits hold: 8, 4, 2 or 1.
type byteTable struct {
	width  uint // bits of a number
	atOnce uint
	bytes  [256]uint64 // by the bits of numbers: their bytes, the first one lowest
}

// marked in a byte of a table ends the reading of bytes.
const marked = 0x80

// newByteTable returns the table of the given bytes by number.
func newByteTable(width uint, list *[256]uint8) *byteTable {
	t := &byteTable{width: width, atOnce: 1}
	for 2*t.atOnce*width <= 8 && t.atOnce < 8 {
		t.atOnce *= 2
	}
	for x := range 1 << (t.atOnce * width) {
		for i := range t.atOnce {
			t.bytes[x] |= uint64(list[x>>(i*width)&(1<<width-1)]) << (8 * i)
		}
	}
	return t
}

// bytes reads as many numbers as to has, and stores their bytes in t. It reports false, with
// anything in to, if one of them is marked.
func (r *runs) bytes(to []uint8, t *byteTable) (ok bool, err error) {
	for len(to) > 0 {
		if r.left == 0 {
			if err := r.head(); err != nil {
				return false, err
			}
			continue
		}
		n := int(min(uint64(len(to)), r.left))
		var seen uint64
		if r.packed {
			if seen, err = r.unpackBytes(to, n, t); err != nil {
				return false, err
			}
		} else {
			one := uint8(t.bytes[r.value])
			for i := range n {
				to[i] = one
			}
			seen = uint64(one)
		}
		if seen&(marked*0x0101010101010101) != 0 {
			return false, nil
		}
		r.left -= uint64(n)
		to = to[n:]
	}
	return true, nil
}

// unpackBytes reads n packed numbers of the run as bytes does, and may store anything in the rest
// of to. It returns all bytes of the numbers, combined by or within a word.
func (r *runs) unpackBytes(to []uint8, n int, t *byteTable) (seen uint64, err error) {
	end := r.bit + uint64(n)*uint64(r.width)
	if end > uint64(len(r.data))*8 {
		return 0, io.ErrUnexpectedEOF
	}
	some, step := int(t.atOnce), uint64(t.atOnce*t.width)
	mask, bit, data := uint16(1)<<step-1, r.bit, r.data
	i := 0
	for ; i+some <= n && i+8 <= len(to) && int(bit>>3)+2 <= len(data); i += some {
		x := t.bytes[uint8(binary.LittleEndian.Uint16(data[bit>>3:])>>(bit&7)&mask)]
		binary.LittleEndian.PutUint64(to[i:], x)
		seen |= x
		bit += step
	}
	for ; i < n; i++ {
		var last [2]byte
		copy(last[:], data[bit>>3:])
		to[i] = uint8(t.bytes[uint8(binary.LittleEndian.Uint16(last[:])>>(bit&7)&(1<<t.width-1))])
		seen |= uint64(to[i])
		bit += uint64(t.width)
	}
	r.bit = end
	return seen, nil
}

// read reads as many numbers as to has.
func (r *runs) read(to []uint32) error {
	for len(to) > 0 {
		if r.left == 0 {
			if err := r.head(); err != nil {
				return err
			}
			continue
		}
		n := int(min(uint64(len(to)), r.left))
		if r.packed {
			if err := r.unpack(to[:n]); err != nil {
				return err
			}
		} else {
			for i := range n {
				to[i] = r.value
			}
		}
		r.left -= uint64(n)
		to = to[n:]
	}
	return nil
}

// unpack reads packed numbers of the run.
func (r *runs) unpack(to []uint32) error {
	if end := r.bit + uint64(len(to))*uint64(r.width); end > uint64(len(r.data))*8 {
		return io.ErrUnexpectedEOF
	}
	mask, bit, data := uint64(1)<<r.width-1, r.bit, r.data
	for i := range to {
		from := int(bit >> 3)
		var word uint64
		if from+8 <= len(data) {
			word = binary.LittleEndian.Uint64(data[from:])
		} else {
			var last [8]byte
			copy(last[:], data[from:])
			word = binary.LittleEndian.Uint64(last[:])
		}
		to[i] = uint32(word >> (bit & 7) & mask)
		bit += uint64(r.width)
	}
	r.bit = bit
	return nil
}
