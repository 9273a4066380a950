package learner

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// History is what the parts of a search have chosen so far, each in its own order, where all else follows from that and the rows. What a
// checkpoint has of it is chosen again. Parts may be at work at once. The zero value is the choice that ends a part soonest.
type History[C any] struct {
	Made [][]C `json:"made"` // by part

	mu     sync.Mutex
	saver  *Saver
	teller *Teller
	state  any
	next   []int // by part: which choice of the checkpoint comes next
	old    []int // by part: how many there are
	done   int
	err    error
}

// Begin begins with so many parts, or with the checkpoint of a saver, if there is one. State is what is saved: the history, or what holds
// it.
func (h *History[C]) Begin(s *Saver, state any, parts int) error {
	h.saver, h.state, h.teller = s, state, s.job.Teller()
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

// Again is what a part is to choose again, if anything; after an error the zero value.
func (h *History[C]) Again(part int) (c C, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.err != nil:
		return c, true
	case h.next[part] == h.old[part]:
		return c, false
	}
	h.next[part]++
	h.tell()
	return h.Made[part][h.next[part]-1], true
}

// Refuse notes what is wrong with a choice that a part was to make again.
func (h *History[C]) Refuse(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = Damaged(err)
}

// Add notes what a part has chosen.
func (h *History[C]) Add(part int, c C) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.saver.job.Save != nil {
		h.Made[part] = append(h.Made[part], c)
	}
	if h.tell(); h.saver.Due() && h.err == nil {
		h.err = h.saver.Save(h.state)
	}
}

func (h *History[C]) tell() {
	h.done++
	h.teller.Tell(Event{Done: h.done})
}

// Done is how many choices there were.
func (h *History[C]) Done() int { return h.done }

// End gives the error that there was, and saves the history where ctx has ended.
func (h *History[C]) End(ctx context.Context) error {
	if h.err != nil {
		return h.err
	}
	if ctx.Err() != nil {
		return h.saver.Save(h.state)
	}
	for i, n := range h.next {
		if n < h.old[i] {
			return Damaged(errors.New("it goes on after the end"))
		}
	}
	return nil
}
