package timing

import "time"

// MinSample is the least duration of a sample: a hundred times the cost of reading the clock.
const MinSample = 100 * time.Microsecond

// Sampler takes samples of one thing.
type Sampler struct {
	Name string
	// Run makes n calls. A call does Each units of work, such as the rows of a batch.
	Run  func(n int)
	Each int
	// Threads reports that Run may use other threads than the calling one. The CPU time of all
	// threads of the process then counts.
	Threads bool
	n       int // calls in a sample; 0 before the first
}

// Sample takes one sample and returns its time in nanoseconds a unit of work, or 0 if the clock did
// not advance. The first call takes longer, since it finds how many runs fill MinSample.
func (s *Sampler) Sample() float64 {
	if s.n == 0 {
		s.n = 1
		for s.time() < MinSample && s.n < 1<<30 {
			s.n *= 2
		}
	}
	return float64(s.time()) / (float64(s.n) * float64(s.Each))
}

// ThreadTime returns the CPU time of the calling thread, to which the goroutine must be locked. On
// systems without such a clock it returns the wall-clock time since the program started.
func ThreadTime() time.Duration { return threadTime() }

// time runs one sample and returns its time.
func (s *Sampler) time() time.Duration {
	clock := threadTime
	if s.Threads {
		clock = processTime
	}
	begin := clock()
	s.Run(s.n)
	return clock() - begin
}
