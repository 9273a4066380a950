package pgmrt

import "math"

// HistoryProgram is a program about one slice, whose evidence has been entered, as drivers run it
// along one history after the other. The spans are those of its memory, nil if it has none.
type HistoryProgram struct {
	State   []float64 // enters: 1 for the joint state before the slice, 0 for others
	Moments []float64 // enters: those before the slice
	After   []float64 // enters on the way back: the moments after the slice
	Element []float64 // enters on the way back: 1 for the element by which the history went on
	Leaving []float64 // leaves: the probabilities of elements
	Left    []float64 // leaves: the moments of elements, or on the way back those before the slice

	// Mix has the posteriors of the variables after a run, nil if nobody asks for them. Drivers set
	// them to the mixture in the end.
	Mix [][]float64

	// Run runs the program. It returns the logarithm of the probability of the slice given what
	// entered, which the way back does not use.
	Run func() (log float64, err error)
	// Mixed is called, unless nil, after a run that counts, with its weight and with the number
	// that the weights so far were multiplied by.
	Mixed func(weight, by float64)
	// Partial says that the histories before the slice are not all that there are.
	Partial bool
}

// history returns the state, the weight and the moments of history i of a list, which has the
// numbers of one after the other.
func history(list []float64, each, i int) (state int, weight float64, moments []float64) {
	h := list[i*each:][:each]
	return int(h[0]), h[1], h[2:]
}

// EffectiveHistories returns the effective sample size of a list of histories, 0 if it is empty.
func EffectiveHistories(list []float64, each int) float64 {
	sum := 0.0
	for i := range len(list) / each {
		_, w, _ := history(list, each, i)
		sum += float64(w * w)
	}
	if sum == 0 {
		return 0
	}
	return 1 / sum
}

// enter enters a history before the slice. The lists are short, so that loops take less time than
// calls of the runtime of Go.
func (x *HistoryProgram) enter(state int, moments []float64) {
	for i := range x.State {
		p := 0.0
		if i == state {
			p = 1
		}
		x.State[i] = p
	}
	//lint:ignore S1001 see above
	for i, m := range moments {
		x.Moments[i] = m
	}
}

// mixRun mixes the posteriors of the last run of x.
func (p *posteriors) mixRun(x *HistoryProgram, weight, by float64) {
	for _, numbers := range x.Mix {
		p.mix(numbers)
	}
	if x.Mixed != nil {
		x.Mixed(weight, by)
	}
}

// Grow runs a slice along each history of a list, which is empty before slice 0, and collects what
// they lead to. The error is ErrImpossible if no history agrees with the evidence, or ErrParticles
// if there were others, and wraps ErrHistories if too many follow.
func (g *Growth) Grow(x *HistoryProgram, before []float64) error {
	g.reset()
	each := 2 + g.opt.Moments
	for i := range max(len(before)/each, 1) {
		weight := 1.0
		if len(before) > 0 {
			state, w, moments := history(before, each, i)
			x.enter(state, moments)
			g.from, weight = int32(i), w
		}
		log, err := x.Run()
		switch {
		case err != nil:
			return err
		case log != log || math.IsInf(log, 1):
			return RootError(log)
		}
		w, by := g.enter(Ln(weight)+log, weight)
		if w == 0 {
			continue
		}
		g.mixRun(x, w, by)
		g.leave(x.Leaving, x.Left)
		if err := g.full(); err != nil {
			return err
		}
	}
	switch {
	case g.total > 0:
		if x.Mix != nil {
			g.finish(x.Mix)
		}
		return nil
	case x.Partial:
		return ErrParticles
	}
	return ErrImpossible
}
