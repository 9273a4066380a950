package temporal

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Within a slice, before all its evidence counts, a beam may be beamWithin times as wide, up to
// beamRoom states.
const (
	beamWithin = 64
	beamRoom   = 1 << 16
)

// ErrNarrow reports that none of the histories that a beam kept allows the evidence on the slice.
var ErrNarrow = errors.New("the beam is too narrow")

// Beam is the state of a beam search for a probable path of discrete variables.
type Beam struct {
	m     *model.Model
	width int
	plans [2]*beamPlan // of slice 0, and of a later one
	n     int          // slices so far
	list  []*history   // the best one first
	cut   float64      // the largest logarithm of a history that was left out; -Inf if none was
	scale float64      // ln of the numbers by which likelihoods were divided, so that none is above 1
}

// history is a beginning of a path. The states of its last slice may be incomplete.
type history struct {
	log    float64  // ln of its probability together with the evidence, but for the scale
	state  []uint16 // of the variables of the slice, and of those before it
	before *history
}

// NewBeam returns a search that keeps width histories, before slice 0.
func NewBeam(m *model.Model, width int) *Beam {
	return &Beam{m: m, width: width, plans: [2]*beamPlan{newBeamPlan(m), newBeamPlan(m.Step())}, list: []*history{{}}, cut: math.Inf(-1)}
}

// Advance goes on with a slice. The error is pgmrt.ErrImpossible if no state has a positive
// probability, and [ErrNarrow] if none does after a history that was kept.
func (b *Beam) Advance(found Slice) error {
	p := b.plans[min(b.n, 1)]
	p.arrange(b.m, found)
	list := make([]*history, len(b.list))
	for i, h := range b.list {
		list[i] = &history{log: h.log, state: make([]uint16, len(p.of.Vars))}
		if b.n > 0 {
			list[i].before = h
			for k, v := range b.m.Transition.Before {
				list[i].state[len(b.m.Vars)+k] = h.state[v]
			}
		}
	}
	for place := range p.order {
		var err error
		if list, err = b.assign(p, list, place, found); err != nil {
			return err
		}
	}
	switch {
	case len(list) == 0 && b.cut > math.Inf(-1):
		return ErrNarrow
	case len(list) == 0:
		return pgmrt.ErrImpossible
	}
	b.list = b.best(list, b.width)
	b.n++
	return nil
}

// Path returns the states of each slice of the best path, of its variables and those before it.
func (b *Beam) Path() [][]int {
	states := make([][]int, b.n)
	h := b.list[0]
	for t := b.n - 1; t >= 0; t-- {
		for _, s := range h.state {
			states[t] = append(states[t], int(s))
		}
		h = h.before
	}
	return states
}

// Cut returns an upper bound of ln of the probability of the paths that were left out.
func (b *Beam) Cut() float64 { return b.cut + b.scale }

// assign gives a variable its states in each history, and keeps the best one of those that agree on
// all that matters later.
func (b *Beam) assign(p *beamPlan, list []*history, place int, found Slice) (next []*history, err error) {
	v := p.order[place]
	first, end, soft := 0, b.m.Card(v), found.Soft[v]
	if s := found.State[v]; s != Unknown {
		first, end = s, s+1
	} else if p.cpd[v] == nil {
		return nil, fmt.Errorf("variable %q is given and not observed; want a value", b.m.Vars[v].Name)
	}
	top := 1.0
	if soft != nil {
		top = slices.Max(soft)
		b.scale += pgmrt.Ln(top)
	}
	index, key, state := map[string]int{}, []byte(nil), make([]int, len(p.of.Vars))
	most := max(b.width, min(beamWithin*b.width, beamRoom))
	for _, h := range list {
		for i, s := range h.state {
			state[i] = int(s)
		}
		for s := first; s < end; s++ {
			log := h.log
			if state[v], h.state[v] = s, uint16(s); p.cpd[v] != nil {
				log += p.of.LogFactor(p.cpd[v], state, nil)
			}
			if soft != nil {
				log += pgmrt.Ln(soft[s] / top)
			}
			if math.IsInf(log, -1) {
				continue
			}
			key = p.key(key[:0], h.state, place)
			at, ok := index[string(key)]
			switch {
			case ok && log <= next[at].log:
				continue
			case !ok:
				at = len(next)
				index[string(key)], next = at, append(next, nil)
			}
			next[at] = &history{log: log, state: slices.Clone(h.state), before: h.before}
			if len(next) == 2*most {
				next, index = b.best(next, most), map[string]int{}
				for i, h := range next {
					index[string(p.key(nil, h.state, place))] = i
				}
			}
		}
	}
	return b.best(next, most), nil
}

// best returns the n histories of the largest probabilities, the best one first; of equal ones
// those that come first. It notes what it leaves out.
func (b *Beam) best(list []*history, n int) []*history {
	slices.SortStableFunc(list, func(x, y *history) int { return cmp.Compare(y.log, x.log) })
	if len(list) > n {
		b.cut = max(b.cut, list[n].log)
		list = slices.Clone(list[:n])
	}
	return list
}
