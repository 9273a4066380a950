package pgmrt

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
)

// ErrFilter reports that data is not the binary form of a filter of the same model.
var ErrFilter = errors.New("not a filter of this model")

// filterVersion is the version of the binary form of filters: its first byte. The form ends with a
// checksum, which version 1 did not.
const filterVersion = 2

// beginBinary appends the version of a binary form and the fingerprint of a model to b.
func beginBinary(b []byte, model uint64) []byte {
	return binary.LittleEndian.AppendUint64(append(b, filterVersion), model)
}

// sealBinary appends the checksum of a binary form, which begins at from in b.
func sealBinary(b []byte, from int) []byte {
	return binary.LittleEndian.AppendUint64(b, binaryChecksum(b[from:]))
}

// binaryChecksum returns the 64 bit FNV-1a hash of data, which any change of one byte changes.
func binaryChecksum(data []byte) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, c := range data {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return h
}

// openBinary returns what is between beginBinary and sealBinary in a binary form, or an error that
// wraps ErrFilter if the form is damaged, or one of another version or model.
func openBinary(data []byte, model uint64) ([]byte, error) {
	const head, tail = 1 + 8, 8
	end := len(data) - tail
	switch {
	case len(data) > 0 && data[0] != filterVersion:
		return nil, filterError("has version " + strconv.Itoa(int(data[0])) + "; want " + strconv.Itoa(filterVersion))
	case end < head:
		return nil, filterError("has " + strconv.Itoa(len(data)) + " bytes; want " + strconv.Itoa(head+tail) + " or more")
	case binary.LittleEndian.Uint64(data[end:]) != binaryChecksum(data[:end]):
		return nil, filterError("is damaged: its checksum is wrong")
	case binary.LittleEndian.Uint64(data[1:]) != model:
		return nil, filterError("is of another model")
	}
	return data[head:end], nil
}

// filterError is an error about the binary form of a filter.
type filterError string

// Error returns the reason.
func (e filterError) Error() string { return "a filter's binary form " + string(e) }

// Unwrap returns ErrFilter.
func (filterError) Unwrap() error { return ErrFilter }

// AppendFilter appends the binary form of a filter to b: the version, a fingerprint of the model,
// the number of slices, ln P of the evidence, the belief, and a checksum, each in eight bytes
// except the first.
func AppendFilter(b []byte, model uint64, n int, logP float64, belief []float64) []byte {
	from := len(b)
	b = binary.LittleEndian.AppendUint64(beginBinary(b, model), uint64(n))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(logP))
	for _, x := range belief {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return sealBinary(b, from)
}

// ReadFilter reads what AppendFilter wrote. It sets belief, which has the length wanted, and
// returns the number of slices and ln P. Numbers must be finite. The first ones of the belief, as
// many as there are states, are probabilities: they must not be negative, and must sum to 1 after
// the first slice. With several numbers of states there are as many tables of probabilities. After
// an error, which wraps ErrFilter, the contents of belief are undefined.
func ReadFilter(data []byte, model uint64, belief []float64, states ...int) (n int, logP float64, err error) {
	const head = 2 * 8
	body, err := openBinary(data, model)
	if err != nil {
		return 0, 0, err
	}
	if want := len(data) - len(body) + head + 8*len(belief); len(data) != want {
		return 0, 0, filterError("has " + strconv.Itoa(len(data)) + " bytes; want " + strconv.Itoa(want))
	}
	slices := binary.LittleEndian.Uint64(body)
	if slices > math.MaxInt {
		return 0, 0, filterError("has " + strconv.FormatUint(slices, 10) + " slices")
	}
	logP = math.Float64frombits(binary.LittleEndian.Uint64(body[8:]))
	if !(math.Abs(logP) <= math.MaxFloat64) {
		return 0, 0, filterError("has a log-probability that is not finite")
	}
	for i := range belief {
		x := math.Float64frombits(binary.LittleEndian.Uint64(body[head+8*i:]))
		if belief[i] = x; !(math.Abs(x) <= math.MaxFloat64) {
			return 0, 0, filterError("has the number " + strconv.FormatFloat(x, 'g', -1, 64) + " in its belief")
		}
	}
	at := 0
	for _, n := range states {
		sum := 0.0
		for _, x := range belief[at : at+n] {
			if sum += x; x < 0 {
				return 0, 0, filterError("has the number " + strconv.FormatFloat(x, 'g', -1, 64) + " in its belief")
			}
		}
		if n > 0 && slices > 0 && !(math.Abs(sum-1) <= 1e-6) {
			return 0, 0, filterError("has probabilities that sum to " + strconv.FormatFloat(sum, 'g', -1, 64) + "; want 1")
		}
		at += n
	}
	return int(slices), logP, nil
}
