package timing

import "time"

// MinSample is how long a sample should be at least: a hundred times what reading the clock may
// cost.
const MinSample = 100 * time.Microsecond

// Sampler takes samples of one thing.
type Sampler struct {
	Name string
	// Run does the thing n times over; a time is good for Each units of work, such as the rows of a
	// batch.
	Run  func(n int)
	Each int
	// Threads says that Run may use threads other than the one that calls it, so that the time of
	// all of them counts.
	Threads bool
	n       int // runs for a sample; 0 before the first
}

// Sample takes one sample, in nanoseconds for a unit of work; 0 where the clock did not move. The
// first call finds how many runs fill MinSample, and so takes longer.
func (s *Sampler) Sample() float64 {
	if s.n == 0 {
		s.n = 1
		for s.time() < MinSample && s.n < 1<<30 {
			s.n *= 2
		}
	}
	return float64(s.time()) / (float64(s.n) * float64(s.Each))
}

// ThreadTime is the time that the calling thread has run, where there is a clock for that, and
// otherwise that since some moment; the goroutine must be locked to it.
func ThreadTime() time.Duration { return threadTime() }

// time is the time of a sample.
func (s *Sampler) time() time.Duration {
	clock := threadTime
	if s.Threads {
		clock = processTime
	}
	begin := clock()
	s.Run(s.n)
	return clock() - begin
}
