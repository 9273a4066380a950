package pgmrt

import "math"

// ParticleFrame holds the particles of a slice that has passed.
type ParticleFrame struct {
	sample
	each [2]int  // states and values of a particle
	from []int32 // the particle of the slice before that each went on from
}

// Copy makes f the particles of the last slice of c.
func (f *ParticleFrame) Copy(c *Cloud) {
	f.each = [2]int{c.opt.States, c.opt.Values}
	f.states = append(f.states[:0], c.now.states...)
	f.values = append(f.values[:0], c.now.values...)
	f.weight = append(f.weight[:0], c.now.weight...)
	f.from = append(f.from[:0], c.from...)
}

// Size returns the number of particles.
func (f *ParticleFrame) Size() int { return len(f.weight) }

// Bytes returns the bytes of the particles.
func (f *ParticleFrame) Bytes() int64 {
	return 4*int64(len(f.states)+len(f.from)) + 8*int64(len(f.values)+len(f.weight))
}

// Particle returns the states and values of particle i, which the caller must not change, and
// whether it has any weight.
func (f *ParticleFrame) Particle(i int) (states []int32, values []float64, counts bool) {
	return f.states[i*f.each[0]:][:f.each[0]], f.values[i*f.each[1]:][:f.each[1]], f.weight[i] > 0
}

// BackDraws draws trajectories back over the slices of particles (Godsill, Doucet and West 2004,
// "Monte Carlo smoothing for nonlinear time series"). Each ends at a particle of the last slice, by
// its weight, and goes back from each slice to a particle of the one before, by its weight times
// the density of what follows given it. So trajectories are not bound to the few ancestors that the
// last particles have in early slices.
type BackDraws struct {
	here  *ParticleFrame // the slice that the trajectories are in
	at    []int32        // by trajectory: its particle of here
	next  []int32        // those of the slice before
	logs  []float64      // by particle of the slice before
	rng   Rand
	start Rand
	// Spare is the generator of a program that draws nothing that counts.
	Spare Rand
}

// NewBackDraws returns a number of trajectories, which are drawn by the random numbers of a seed.
func NewBackDraws(paths int, seed uint64) *BackDraws {
	return &BackDraws{at: make([]int32, paths), next: make([]int32, paths), start: *NewRand(seed)}
}

// Begin begins the trajectories at the last slice, by the same random numbers each time.
func (b *BackDraws) Begin(last *ParticleFrame) {
	b.rng, b.Spare, b.here = b.start, b.start, last
	if n := last.Size(); cap(b.logs) < n {
		b.logs = make([]float64, n)
	} else {
		b.logs = b.logs[:n]
	}
	for k := range b.at {
		b.at[k] = int32(b.choose(last.weight))
	}
}

// Paths returns the number of trajectories.
func (b *BackDraws) Paths() int { return len(b.at) }

// Over goes back to the slice before. It calls enter with the states and values of each trajectory,
// and density for those of each particle of the slice before that counts: it returns the logarithm
// of the density of the trajectory's slice given the particle, -1e300 or less if it is 0.
func (b *BackDraws) Over(before *ParticleFrame, enter func([]int32, []float64) error, density func([]int32, []float64) float64) error {
	for path, at := range b.at {
		states, values, _ := b.here.Particle(int(at))
		if err := enter(states, values); err != nil {
			return err
		}
		for i := range before.weight {
			if states, values, counts := before.Particle(i); counts {
				b.logs[i] = density(states, values)
			}
		}
		b.goBack(path, before)
	}
	b.here = before
	b.at, b.next = b.next, b.at
	return nil
}

// goBack draws the particle of the slice before that a trajectory goes back to. If none explains
// the trajectory, because it is a function of what was before that was computed with other
// rounding, it is the one that its particle went on from.
func (b *BackDraws) goBack(path int, before *ParticleFrame) {
	most := math.Inf(-1)
	for i, w := range before.weight {
		if w > 0 && b.logs[i] > cloudNone {
			b.logs[i] += Ln(w)
			most = max(most, b.logs[i])
		} else {
			b.logs[i] = math.Inf(-1)
		}
	}
	if !(most > cloudNone) {
		b.next[path] = b.here.from[b.at[path]]
		return
	}
	for i, log := range b.logs {
		b.logs[i] = expFalling(log - most)
	}
	b.next[path] = int32(b.choose(b.logs))
}

// choose draws an index by its weight.
func (b *BackDraws) choose(weight []float64) int {
	total := 0.0
	for _, w := range weight {
		total += w
	}
	u, last := float64(b.rng.Float64()*total), 0
	for i, w := range weight {
		if w > 0 {
			last = i // if rounding leaves u above 0
			if u -= w; u < 0 {
				break
			}
		}
	}
	return last
}

// Probabilities sets out to the posterior of discrete variable k of the slice.
func (b *BackDraws) Probabilities(k int, out []float64) {
	clear(out)
	for _, i := range b.at {
		out[b.here.states[int(i)*b.here.each[0]+k]]++
	}
	for s := range out {
		out[s] /= float64(len(b.at))
	}
}

// Moments returns the mean and the variance of real variable k of the slice.
func (b *BackDraws) Moments(k int) (mean, variance float64) {
	share := 1 / float64(len(b.at))
	for _, i := range b.at {
		mean += float64(share * b.here.values[int(i)*b.here.each[1]+k])
	}
	for _, i := range b.at {
		off := b.here.values[int(i)*b.here.each[1]+k] - mean
		variance += float64(share * float64(off*off))
	}
	return mean, variance
}

// Circular returns what Moments does for a circular variable, as that of Cloud.
func (b *BackDraws) Circular(k int, period float64) (mean, variance float64) {
	share := 1 / float64(len(b.at))
	return circular(period, len(b.at), func(i int) (x, w float64) { return b.here.values[int(b.at[i])*b.here.each[1]+k], share })
}

// ESS returns the effective number of particles that the trajectories go through in the slice.
func (b *BackDraws) ESS() float64 {
	counts := b.logs
	clear(counts)
	for _, i := range b.at {
		counts[i]++
	}
	sum := 0.0
	for _, n := range counts {
		sum += float64(n * n)
	}
	return float64(len(b.at)*len(b.at)) / sum
}
