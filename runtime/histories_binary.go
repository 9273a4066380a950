package pgmrt

import (
	"encoding/binary"
	"math"
	"strconv"
)

// historyHead is the number of bytes between the fingerprint of the model and the histories in
// their binary form: in eight bytes each the number of slices, ln P, its variance, whether some
// were drawn, the two halves of the generator, and the number of histories.
const historyHead = 7 * 8

// AppendHistories appends the binary form of a belief that is a mixture to b: the head, and the
// numbers of the histories that there are.
func AppendHistories(b []byte, model uint64, n int, logP float64, s *HistoryState, belief []float64) []byte {
	sampled := uint64(0)
	if s.Sampled {
		sampled = 1
	}
	from := len(b)
	b = beginBinary(b, model)
	for _, x := range []uint64{uint64(n), math.Float64bits(logP), math.Float64bits(s.Variance), sampled, s.Rand.hi, s.Rand.lo, uint64(s.Size)} {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	for _, x := range belief {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return sealBinary(b, from)
}

// ReadHistories reads what AppendHistories wrote and sets belief, which has room for the largest
// number of histories, each with the given number of moments and one of as many joint states.
// Numbers must be finite, states within range, and weights not negative with the sum 1. An error
// wraps ErrFilter and leaves belief as it was.
func ReadHistories(data []byte, model uint64, belief []float64, moments, states int) (n int, logP float64, s HistoryState, err error) {
	body, err := openBinary(data, model)
	switch {
	case err != nil:
		return 0, 0, s, err
	case len(body) < historyHead:
		return 0, 0, s, filterError("has " + strconv.Itoa(len(data)) + " bytes; want " + strconv.Itoa(len(data)-len(body)+historyHead) + " or more")
	}
	head := func(i int) uint64 { return binary.LittleEndian.Uint64(body[8*i:]) }
	each, rest := 2+moments, body[historyHead:]
	size, count := head(6), head(0)
	if most := uint64(len(belief) / each); size > most || count > math.MaxInt || head(3) > 1 || uint64(len(rest)) != 8*size*uint64(each) || (size == 0) != (count == 0) {
		return 0, 0, s, filterError("has " + strconv.FormatUint(size, 10) + " histories after " + strconv.FormatUint(count, 10) + " slices in " +
			strconv.Itoa(len(rest)) + " bytes; want at most " + strconv.FormatUint(most, 10) + ", and " + strconv.Itoa(8*each) + " bytes for each")
	}
	logP = math.Float64frombits(head(1))
	s = HistoryState{Size: int(size), Variance: math.Float64frombits(head(2)), Sampled: head(3) == 1, Rand: Rand{head(4), head(5)}}
	if !(math.Abs(logP) <= math.MaxFloat64) || !(s.Variance >= 0 && s.Variance <= math.MaxFloat64) {
		return 0, 0, s, filterError("has a log-probability that is not finite")
	}
	if err := checkHistories(rest, each, states); err != nil {
		return 0, 0, s, err
	}
	clear(belief)
	for i := range len(rest) / 8 {
		belief[i] = math.Float64frombits(binary.LittleEndian.Uint64(rest[8*i:]))
	}
	return int(count), logP, s, nil
}

// checkHistories returns an error if the histories in data are none, of which each has that many
// numbers and one of that many states.
func checkHistories(data []byte, each, states int) error {
	sum := 0.0
	for i := range len(data) / 8 {
		x := math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		switch k := i % each; {
		case !(math.Abs(x) <= math.MaxFloat64), k == 1 && x < 0:
			return filterError("has the number " + strconv.FormatFloat(x, 'g', -1, 64) + " in its belief")
		case k == 0 && (!(x >= 0 && x < float64(states)) || x != float64(int(x))):
			return filterError("has the joint state " + strconv.FormatFloat(x, 'g', -1, 64) + "; want one below " + strconv.Itoa(states))
		case k == 1:
			sum += x
		}
	}
	if len(data) > 0 && !(math.Abs(sum-1) <= 1e-6) {
		return filterError("has weights that sum to " + strconv.FormatFloat(sum, 'g', -1, 64) + "; want 1")
	}
	return nil
}
