package temporal

// Sweep goes forwards over the slices of a sequence, and then back over them in the reverse order.
// It keeps the states of as many slices as it has room for. If there are more, it keeps checkpoints
// at equal distances and goes forwards again between two of them, the last ones first; between
// checkpoints that are too far apart it does the same. So n slices take the memory of about 2√n and
// twice the time forwards, or less memory and one more time for each level.
//
// Source: Zweig and Padmanabhan 2000, "Exact alpha-beta computation in logarithmic space with
// application to MAP word graph construction", which has a level for each factor of the number of
// slices.
type Sweep[S any] struct {
	Room int // the most states that are kept, but two for each level
	// Forward returns the state of slice t, given the one before it, which is nil for slice 0.
	Forward func(t int, before *S) (S, error)
	// Back goes over the slices from end-1 down to from. The states are those of the slices before
	// end, from the slice before from on, or from slice 0.
	Back func(past []S, from, end int) error

	Most int // states in memory at once so far
	kept int // now
}

// Run goes forwards and back over slices 0 to end-1.
func (s *Sweep[S]) Run(end int) error { return s.over(nil, 0, end, s.Room) }

// over goes forwards and back over the slices from to end-1. The state of the slice before them is
// nil for slice 0.
func (s *Sweep[S]) over(before *S, from, end, room int) error {
	if end-from > max(room, 2) {
		return s.checkpoints(before, from, end, room)
	}
	var past []S
	if before != nil {
		past = append(past, *before)
	}
	for t := from; t < end; t++ {
		x, err := s.Forward(t, before)
		if err != nil {
			return err
		}
		past, before = append(past, x), &x
	}
	s.keep(end - from)
	defer s.keep(from - end)
	return s.Back(past, from, end)
}

// keep counts states that are kept from now on, or no longer if n is negative.
func (s *Sweep[S]) keep(n int) {
	s.kept += n
	s.Most = max(s.Most, s.kept)
}

// checkpoints is over with the states of some slices kept.
func (s *Sweep[S]) checkpoints(before *S, from, end, room int) error {
	parts := max(room/2, 2)
	each := (end - from + parts - 1) / parts
	states := []*S{before}                // before each part
	last := from + (end-from-1)/each*each // the first slice of the last part
	for t := from; t < last; t++ {
		x, err := s.Forward(t, before)
		if err != nil {
			return err
		}
		if before = &x; (t+1-from)%each == 0 {
			states = append(states, before)
			s.keep(1)
		}
	}
	for i := len(states) - 1; i >= 0; i-- {
		first := from + i*each
		if err := s.over(states[i], first, min(first+each, end), room-parts); err != nil {
			return err
		}
		states[i] = nil
		if i > 0 {
			s.keep(-1)
		}
	}
	return nil
}
