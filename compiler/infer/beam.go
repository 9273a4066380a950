package infer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// BeamPath is a path that a beam search found.
type BeamPath struct {
	Path
	// Bound is at least ln of the probability of every path together with the evidence. It is
	// Path.LogProb if the path is proven to be a most probable one.
	Bound float64
}

// Proven reports whether no path is more probable.
func (p *BeamPath) Proven() bool { return p.Bound <= p.LogProb }

// MaxBeam is the largest width of a beam.
const MaxBeam = 1 << 17

// Within a slice, before all its evidence counts, a beam may be beamWithin times as wide, up to
// beamRoom states.
const (
	beamWithin = 64
	beamRoom   = 1 << 16
)

// Beam returns a probable completion of the evidence on a sequence of discrete variables. It keeps,
// after each slice, the most probable histories: at most width, and one for each joint state of the
// variables that persist. No table is as large as their number of joint states, so that Beam serves
// models that are too wide for [Engine.Viterbi]. The probability of a history that is left out
// bounds those of all paths that begin with it. If none is left out, the path is that of Viterbi,
// up to ties. The time grows with width, the number of slices and the states of a slice.
//
// Source: Lowerre 1976, "The HARPY speech recognition system".
func (e *Engine) Beam(ctx context.Context, sequence []Given, width int) (*BeamPath, error) {
	m := e.vars.m
	switch {
	case m.Transition == nil:
		return nil, fmt.Errorf("the model has no transition from slice to slice; want one for a sequence")
	case len(m.Reals()) > 0:
		return nil, diag.Errorf("a beam keeps states, and %q is a real variable; want discrete variables alone, or no %v", m.Vars[m.Reals()[0]].Name, diag.Option{Name: "beam"})
	case width < 1 || width > MaxBeam:
		return nil, fmt.Errorf("the beam has %d states; want 1 to %d", width, MaxBeam)
	}
	b := newBeam(m, width)
	founds := make([]*Findings, len(sequence))
	for t, given := range sequence {
		err := ctx.Err()
		if err == nil {
			founds[t], err = e.own(given)
		}
		if err == nil {
			err = b.advance(founds[t])
		}
		if err != nil {
			return nil, &SliceError{t, err}
		}
	}
	states := make([][]int, len(sequence))
	h := b.list[0]
	for t := len(sequence) - 1; t >= 0; t-- {
		for _, s := range h.state {
			states[t] = append(states[t], int(s))
		}
		h = h.before
	}
	out := &BeamPath{Path: *e.path(founds, states, nil)}
	out.Bound = max(out.LogProb, b.cut+b.scale)
	return out, nil
}

// beam is the state of a beam search.
type beam struct {
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

func newBeam(m *model.Model, width int) *beam {
	return &beam{m: m, width: width, plans: [2]*beamPlan{newBeamPlan(m), newBeamPlan(m.Step())}, list: []*history{{}}, cut: math.Inf(-1)}
}

// advance goes on with a slice.
func (b *beam) advance(found *Findings) error {
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
	if len(list) == 0 && b.cut > math.Inf(-1) {
		return diag.Errorf("none of the histories that the beam kept allows the evidence on the slice: %s; want a wider one, such as %v", found.Text(b.m), diag.Option{Name: "beam", Value: strconv.Itoa(min(10*b.width, MaxBeam))})
	} else if len(list) == 0 {
		return &ImpossibleError{Evidence: found.Text(b.m)}
	}
	b.list = b.best(list, b.width)
	b.n++
	return nil
}

// assign gives a variable its states in each history, and keeps the best one of those that agree on
// all that matters later.
func (b *beam) assign(p *beamPlan, list []*history, place int, found *Findings) (next []*history, err error) {
	v := p.order[place]
	first, end, soft := 0, b.m.Card(v), found.Soft[v]
	if s := found.State[v]; s != Missing {
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
func (b *beam) best(list []*history, n int) []*history {
	slices.SortStableFunc(list, func(x, y *history) int { return cmp.Compare(y.log, x.log) })
	if len(list) > n {
		b.cut = max(b.cut, list[n].log)
		list = slices.Clone(list[:n])
	}
	return list
}
