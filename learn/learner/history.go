package learner

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// History records the choices of each part of a search in order. The choices and the rows determine
// the search, so that it resumes by repeating the choices in its checkpoint. Parts may run
// concurrently. The zero value of C must be the choice that ends a part soonest.
type History[C any] struct {
	Made [][]C `json:"made"` // by part

	mu       sync.Mutex
	saver    *Saver
	progress *Throttle
	state    any
	next     []int // by part: index of the next choice to repeat
	old      []int // by part: number of choices in the checkpoint
	done     int
	err      error
}

// Begin starts a history of the given number of parts, or loads it from the checkpoint of a saver
// if there is one. State is the value that is saved: the history, or a value that holds it.
func (h *History[C]) Begin(s *Saver, state any, parts int) error {
	h.saver, h.state, h.progress = s, state, s.job.Throttle()
	ok, err := s.Load(state)
	if err != nil {
		return err
	}
	if !ok {
		h.Made = make([][]C, parts)
	}
	if len(h.Made) != parts {
		return Damaged(fmt.Errorf("it has %d parts; want %d", len(h.Made), parts))
	}
	h.next = make([]int, parts)
	for _, list := range h.Made {
		h.old = append(h.old, len(list))
	}
	return nil
}

// Replay returns the next choice that a part has to repeat, if there is one. After an error it
// returns the zero value of C, which ends the part.
func (h *History[C]) Replay(part int) (c C, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.err != nil:
		return c, true
	case h.next[part] == h.old[part]:
		return c, false
	}
	h.next[part]++
	h.count()
	return h.Made[part][h.next[part]-1], true
}

// Reject records why a choice cannot be repeated.
func (h *History[C]) Reject(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = Damaged(err)
}

// Add records a choice of a part.
func (h *History[C]) Add(part int, c C) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.saver.job.Save != nil {
		h.Made[part] = append(h.Made[part], c)
	}
	if h.count(); h.saver.Due() && h.err == nil {
		h.err = h.saver.Save(h.state)
	}
}

func (h *History[C]) count() {
	h.done++
	h.progress.Report(Event{Done: h.done})
}

// Done returns the number of choices so far.
func (h *History[C]) Done() int { return h.done }

// End returns the first error, and saves the history if ctx has ended.
func (h *History[C]) End(ctx context.Context) error {
	if h.err != nil {
		return h.err
	}
	if ctx.Err() != nil {
		return h.saver.Save(h.state)
	}
	for i, n := range h.next {
		if n < h.old[i] {
			return Damaged(errors.New("it has choices after the end of the search"))
		}
	}
	return nil
}
