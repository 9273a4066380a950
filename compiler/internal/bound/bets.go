package bound

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// bets bounds the mean of independent weights between 0 and 1 by the gains of games that are fair
// if a supposed mean is the true one (Waudby-Smith and Ramdas 2024, Estimating means of bounded
// random variables by betting). A game that is fair multiplies its capital by 20 with probability
// 1/20 at most, at any number of weights (Ville's inequality), so that a mean by which one has
// gained more is refuted.
//
// Weights of samples are rare and large, or many and alike; each wants another stake. The games
// with stakes of 1/2^k together are fair too, and gain as much as the best of them up to a factor.
//
// Weights are counted by their logarithms, in classes of 1/classes, and the ends of the classes
// replace them: the lower one where that makes a gain smaller, or else the upper one. Those below
// the last class are replaced in the same way.
type bets struct {
	count []int // by class, from 1 down
	rest  int   // the weights below the last class
}

const (
	stakes  = 14 // games
	classes = 256
	deepest = 128 // ln of the reciprocal of the least weight that is not taken for 0
)

// add takes ln of the next weight.
func (b *bets) add(log float64) {
	if log <= -deepest {
		b.rest++
		return
	}
	class := int(-log * classes)
	for len(b.count) <= class {
		b.count = append(b.count, 0)
	}
	b.count[class]++
}

// gainsAbove returns ln of the gains of the bets that weights exceed the mean, given by its
// logarithm: a stake s multiplies the capital by 1-s+s*weight/mean. They fall with the mean, and
// hold for weights without a bound.
func (b *bets) gainsAbove(mean float64) float64 {
	return b.gains(-1, func(class int) float64 { return math.Exp(-float64(class+1)/classes-mean) - 1 })
}

// gainsBelow returns ln of the gains of the bets that weights fall short of the mean: a stake s
// multiplies the capital by 1+s*(mean-weight)/(1-mean), which is not negative for weights of at
// most 1. They grow with the mean.
func (b *bets) gainsBelow(mean float64) float64 {
	m := math.Exp(mean)
	ratio := func(log float64) float64 { return (m - math.Exp(log)) / (1 - m) }
	return b.gains(ratio(-deepest), func(class int) float64 { return ratio(-float64(class) / classes) })
}

// gains returns ln of the mean capital of all stakes, where a whole one gains ratio from each
// weight of a class, and least from each below all classes.
func (b *bets) gains(least float64, ratio func(class int) float64) float64 {
	var log [stakes]float64
	add := func(n int, ratio float64) {
		for k := range log {
			log[k] += float64(n) * math.Log1p(max(-1, ratio))
			ratio /= 2
		}
	}
	for class, n := range b.count {
		if n > 0 {
			add(n, ratio(class))
		}
	}
	if b.rest > 0 {
		add(b.rest, least)
	}
	return pgmrt.LogSum(log[:]) - pgmrt.Ln(stakes)
}

// interval returns ln of bounds of the mean, and each bound fails with probability risk at most,
// for all numbers of weights together.
func (b *bets) interval(risk float64) (lower, upper float64) {
	const highest = -0x1p-40
	refuted := pgmrt.Ln(1/risk) + 1e-9 // more than rounding may have added to a gain
	if b.gainsBelow(highest) >= refuted {
		_, upper = bisect(-deepest, highest, func(x float64) bool { return b.gainsBelow(x) < refuted })
	}
	lower, _ = bisect(-2*deepest, 0, func(x float64) bool { return b.gainsAbove(x) >= refuted })
	return lower, upper
}

// bisect returns numbers between low and high that are close to each other, such that ok holds at
// the first and not at the second. It holds from some number down; -Inf is the first if low is
// above that number.
func bisect(low, high float64, ok func(float64) bool) (float64, float64) {
	if !ok(low) {
		return math.Inf(-1), low
	}
	for range 32 {
		if mid := low + (high-low)/2; ok(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low, high
}
