package pgmrt

// Posteriors mixes posteriors of several variables by weights. Weights are relative to any number,
// by which they are divided again when all are known.
type Posteriors struct {
	cards   []int32   // by variable: its number of states, or 0 if it is real
	numbers []float64 // of one variable after the other: probabilities, or the mean and the variance
	weight  float64   // of the component that is being mixed
	total   float64   // of all weights
	v, at   int       // the next variable of the component, and its place in numbers
	n       int       // components
}

// NewPosteriors returns an empty mixture for variables with the given numbers of states; 0 stands
// for a real variable.
func NewPosteriors(cards []int32) *Posteriors {
	n := 0
	for _, k := range cards {
		n += posteriorSize(k)
	}
	return &Posteriors{cards: cards, numbers: make([]float64, n)}
}

// posteriorSize returns how many numbers the posterior of a variable has.
func posteriorSize(card int32) int {
	if card == 0 {
		return 2
	}
	return int(card)
}

// Clear removes all components.
func (p *Posteriors) Clear() {
	clear(p.numbers)
	p.total, p.n = 0, 0
}

// Begin begins a component of a positive weight. A call of Mix for each variable follows, or none
// at all.
func (p *Posteriors) Begin(weight float64) {
	p.weight, p.v, p.at = weight, 0, 0
	p.total += weight
	p.n++
}

// Mix adds the posterior of the next variable of a component: its probabilities, or its mean and
// variance. Until [Posteriors.Finish], probabilities and variances are times the total weight.
// Sums of squares grow by distances from the mean, as in West 1979, so that no digits cancel.
func (p *Posteriors) Mix(numbers []float64) {
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

// Multiply multiplies the weights of all components.
func (p *Posteriors) Multiply(by float64) {
	p.total *= by
	p.scale(by)
}

// scale multiplies probabilities and variances.
func (p *Posteriors) scale(by float64) {
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

// Finish divides by the total weight. Components must not be added afterwards.
func (p *Posteriors) Finish() { p.scale(1 / p.total) }

// Total returns the sum of the weights.
func (p *Posteriors) Total() float64 { return p.total }

// Numbers returns the numbers of one variable after the other: probabilities, or the mean and the
// variance. The caller must not change them.
func (p *Posteriors) Numbers() []float64 { return p.numbers }
