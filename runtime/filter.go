package pgmrt

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
)

// ErrFilter reports that data is not the binary form of a filter of the same model.
var ErrFilter = errors.New("not a filter of this model")

// filterVersion is the version of the binary form of filters: its first byte.
const filterVersion = 1

// filterError is an error about the binary form of a filter.
type filterError string

// Error returns the reason.
func (e filterError) Error() string { return "a filter's binary form " + string(e) }

// Unwrap returns ErrFilter.
func (filterError) Unwrap() error { return ErrFilter }

// AppendFilter appends the binary form of a filter to b: the version, a fingerprint of the model,
// the number of slices, ln P of the evidence, and the belief, each in eight bytes except the first.
func AppendFilter(b []byte, model uint64, n int, logP float64, belief []float64) []byte {
	b = append(b, filterVersion)
	b = binary.LittleEndian.AppendUint64(b, model)
	b = binary.LittleEndian.AppendUint64(b, uint64(n))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(logP))
	for _, x := range belief {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// ReadFilter reads what AppendFilter wrote. It sets belief, which has the length wanted, and
// returns the number of slices and ln P. Numbers must be finite. The first ones of the belief, as
// many as there are states, are probabilities: they must not be negative, and must sum to 1 after
// the first slice. After an error, which wraps ErrFilter, the contents of belief are undefined.
func ReadFilter(data []byte, model uint64, belief []float64, states int) (n int, logP float64, err error) {
	const head = 1 + 3*8
	if want := head + 8*len(belief); len(data) != want {
		return 0, 0, filterError("has " + strconv.Itoa(len(data)) + " bytes; want " + strconv.Itoa(want))
	}
	if data[0] != filterVersion {
		return 0, 0, filterError("has version " + strconv.Itoa(int(data[0])) + "; want " + strconv.Itoa(filterVersion))
	}
	if binary.LittleEndian.Uint64(data[1:]) != model {
		return 0, 0, filterError("is of another model")
	}
	slices := binary.LittleEndian.Uint64(data[9:])
	if slices > math.MaxInt {
		return 0, 0, filterError("has " + strconv.FormatUint(slices, 10) + " slices")
	}
	logP = math.Float64frombits(binary.LittleEndian.Uint64(data[17:]))
	if !(math.Abs(logP) <= math.MaxFloat64) {
		return 0, 0, filterError("has a log-probability that is not finite")
	}
	sum := 0.0
	for i := range belief {
		x := math.Float64frombits(binary.LittleEndian.Uint64(data[head+8*i:]))
		if !(math.Abs(x) <= math.MaxFloat64) || i < states && x < 0 {
			return 0, 0, filterError("has the number " + strconv.FormatFloat(x, 'g', -1, 64) + " in its belief")
		}
		if belief[i] = x; i < states {
			sum += x
		}
	}
	if states > 0 && slices > 0 && !(math.Abs(sum-1) <= 1e-6) {
		return 0, 0, filterError("has probabilities that sum to " + strconv.FormatFloat(sum, 'g', -1, 64) + "; want 1")
	}
	return int(slices), logP, nil
}
