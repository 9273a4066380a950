package pgmrt

// posteriors mixes posteriors of several variables by weights. Weights are relative to any number,
// by which they are divided again when all are known.
type posteriors struct {
	cards   []int32   // by variable: its number of states, or 0 if it is real
	numbers []float64 // of one variable after the other: probabilities, or the mean and the variance
	weight  float64   // of the component that is being mixed
	total   float64   // of all weights
	v, at   int       // the next variable of the component, and its place in numbers
	n       int       // components
}

// newPosteriors returns an empty mixture for variables with the given numbers of states; 0 stands
// for a real variable.
func newPosteriors(cards []int32) *posteriors {
	n := 0
	for _, k := range cards {
		n += posteriorSize(k)
	}
	return &posteriors{cards: cards, numbers: make([]float64, n)}
}

// posteriorSize returns how many numbers the posterior of a variable has.
func posteriorSize(card int32) int {
	if card == 0 {
		return 2
	}
	return int(card)
}

// empty removes all components.
func (p *posteriors) empty() {
	clear(p.numbers)
	p.total, p.n = 0, 0
}

// begin begins a component of a positive weight. A call of mix for each variable follows, or none
// at all.
func (p *posteriors) begin(weight float64) {
	p.weight, p.v, p.at = weight, 0, 0
	p.total += weight
	p.n++
}

// mix adds the posterior of the next variable of a component: its probabilities, or its mean and
// variance. Until finish, probabilities and variances are times the total weight.
// Sums of squares grow by distances from the mean, as in West 1979, so that no digits cancel.
func (p *posteriors) mix(numbers []float64) {
	to := p.numbers[p.at:][:len(numbers)]
	switch {
	case p.cards[p.v] > 0:
		for k, x := range numbers {
			to[k] += float64(p.weight * x)
		}
	case p.n == 1:
		to[0], to[1] = numbers[0], float64(p.weight*numbers[1])
	default:
		off := numbers[0] - to[0]
		to[0] += float64(off * p.weight / p.total)
		to[1] += float64(p.weight * (numbers[1] + float64(off*(numbers[0]-to[0]))))
	}
	p.v, p.at = p.v+1, p.at+len(numbers)
}

// multiply multiplies the weights of all components.
func (p *posteriors) multiply(by float64) {
	p.total *= by
	p.scale(by)
}

// scale multiplies probabilities and variances.
func (p *posteriors) scale(by float64) {
	at := 0
	for _, card := range p.cards {
		n := posteriorSize(card)
		for k := range n {
			if card > 0 || k == 1 {
				p.numbers[at+k] *= by
			}
		}
		at += n
	}
}

// finish sets to, one list after the other, to the mixed posteriors. Components must not be added
// afterwards.
func (p *posteriors) finish(to [][]float64) {
	p.scale(1 / p.total)
	rest := p.numbers
	for _, numbers := range to {
		rest = rest[copy(numbers, rest):]
	}
}

// Total returns the sum of the weights.
func (p *posteriors) Total() float64 { return p.total }
