package cnet

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/pgmc-go/pgmc/learn/learner"
)

// none is the choice of no test.
const none = -1

// history is what was chosen so far: for each network, the variables that its nodes test, a node before what is below it. All else
// follows from the rows.
type history struct {
	saver  *learner.Saver
	teller *learner.Teller

	mu    sync.Mutex // of what follows
	made  [][]int
	tests int
	err   error
	of    []*choices
}

// choices are those of one network, of which those of a checkpoint are made again.
type choices struct {
	h      *history
	member int
	old    []int
	err    error // of a choice that cannot be made again
}

// newHistory begins with that of a checkpoint, if there is one.
func newHistory(job *learner.Job, l instance) (*history, error) {
	h := &history{saver: job.Saver("cnet", l), teller: job.Teller()}
	ok, err := h.saver.Load(&h.made)
	if err != nil {
		return nil, err
	}
	if count := max(1, l.bags); !ok {
		h.made = make([][]int, count)
	} else if len(h.made) != count {
		return nil, learner.Damaged(fmt.Errorf("it has %d networks; want %d", len(h.made), count))
	}
	for i, old := range h.made {
		h.of = append(h.of, &choices{h: h, member: i, old: old})
	}
	return h, nil
}

// again is the next choice of the checkpoint, if there is one.
func (x *choices) again() (v int, ok bool) {
	if len(x.old) == 0 || x.err != nil {
		return none, x.err != nil
	}
	v, x.old = x.old[0], x.old[1:]
	x.h.mu.Lock()
	defer x.h.mu.Unlock()
	x.h.tell(v)
	return v, true
}

// add notes a choice.
func (x *choices) add(v int) {
	h := x.h
	h.mu.Lock()
	defer h.mu.Unlock()
	h.made[x.member] = append(h.made[x.member], v)
	if h.tell(v); h.saver.Due() && h.err == nil {
		h.err = h.saver.Save(h.made)
	}
}

func (h *history) tell(v int) {
	if v != none {
		h.tests++
	}
	h.teller.Tell(learner.Event{Done: h.tests})
}

// end says what went wrong, and keeps the history where ctx has ended.
func (h *history) end(ctx context.Context) error {
	for _, x := range h.of {
		if x.err != nil {
			return learner.Damaged(x.err)
		}
		if len(x.old) > 0 && ctx.Err() == nil {
			return learner.Damaged(errors.New("it has more tests than there are nodes"))
		}
	}
	if h.err != nil || ctx.Err() == nil {
		return h.err
	}
	return h.saver.Save(h.made)
}
