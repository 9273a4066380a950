package pgmrt

import (
	"encoding/binary"
	"math"
	"strconv"
)

// cloudHead is the number of bytes between the fingerprint of the model and the particles in the
// binary form of a cloud: in eight bytes each the number of particles, that of slices, ln P, its
// variance, the seed, and the two halves of the generator.
const cloudHead = 7 * 8

// AppendCloud appends the binary form of c to b: the head, and of each particle the weight, the
// values in eight bytes each, and the states in four.
func AppendCloud(b []byte, model uint64, c *Cloud) []byte {
	from := len(b)
	b = beginBinary(b, model)
	for _, x := range []uint64{uint64(c.opt.Particles), uint64(c.n), math.Float64bits(c.logP), math.Float64bits(c.spread), c.opt.Seed, c.rng.hi, c.rng.lo} {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	for i, w := range c.now.weight {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(w))
		for _, x := range c.now.values[i*c.opt.Values:][:c.opt.Values] {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		for _, x := range c.now.states[i*c.opt.States:][:c.opt.States] {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
	}
	return sealBinary(b, from)
}

// ReadCloud returns the cloud with the binary form data, with the options of d. cards holds the
// number of states of each discrete variable. Numbers must be finite, states within range, and
// weights not negative with the sum 1. An error wraps ErrFilter.
func ReadCloud(data []byte, model uint64, cards []int32, d CloudOptions) (*Cloud, error) {
	body, err := openBinary(data, model)
	switch {
	case err != nil:
		return nil, err
	case len(body) < cloudHead:
		return nil, filterError("has " + strconv.Itoa(len(data)) + " bytes; want " + strconv.Itoa(len(data)-len(body)+cloudHead) + " or more")
	}
	head := func(i int) uint64 { return binary.LittleEndian.Uint64(body[8*i:]) }
	each := 8 + 8*d.Values + 4*d.States
	n, slices, rest := head(0), head(1), body[cloudHead:]
	if n < 1 || n > MaxParticles || slices > math.MaxInt || uint64(len(rest)) != n*uint64(each) {
		return nil, filterError("has " + strconv.FormatUint(n, 10) + " particles after " + strconv.FormatUint(slices, 10) + " slices in " +
			strconv.Itoa(len(rest)) + " bytes; want " + strconv.Itoa(each) + " bytes for each")
	}
	d.Particles, d.Seed = int(n), head(4)
	c := NewCloud(d, d)
	c.n, c.logP, c.spread, c.rng = int(slices), math.Float64frombits(head(2)), math.Float64frombits(head(3)), Rand{head(5), head(6)}
	if !(math.Abs(c.logP) <= math.MaxFloat64) || !(c.spread >= 0 && c.spread <= math.MaxFloat64) {
		return nil, filterError("has a log-probability that is not finite")
	}
	if err := c.read(rest, cards); err != nil {
		return nil, err
	}
	return c, nil
}

// read sets the particles to those in data, which has the right length.
func (c *Cloud) read(data []byte, cards []int32) error {
	sum := 0.0
	for i := range c.now.weight {
		w := math.Float64frombits(binary.LittleEndian.Uint64(data))
		if !(w >= 0 && w <= 1+1e-6) {
			return filterError("has the weight " + strconv.FormatFloat(w, 'g', -1, 64))
		}
		sum += w
		c.now.weight[i], data = w, data[8:]
		for k := range c.opt.Values {
			x := math.Float64frombits(binary.LittleEndian.Uint64(data))
			if !(math.Abs(x) <= math.MaxFloat64) {
				return filterError("has the value " + strconv.FormatFloat(x, 'g', -1, 64))
			}
			c.now.values[i*c.opt.Values+k], data = x, data[8:]
		}
		for k := range c.opt.States {
			x := binary.LittleEndian.Uint32(data)
			if x >= uint32(cards[k]) {
				return filterError("has the state " + strconv.FormatUint(uint64(x), 10) + "; want one below " + strconv.Itoa(int(cards[k])))
			}
			c.now.states[i*c.opt.States+k], data = int32(x), data[4:]
		}
	}
	if c.n > 0 && !(math.Abs(sum-1) <= 1e-6) {
		return filterError("has weights that sum to " + strconv.FormatFloat(sum, 'g', -1, 64) + "; want 1")
	}
	return nil
}
