package bound

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// match moves the shifts and weights of the bucket of v towards parts that agree about v, at which
// the bound is stationary. It finds states of v that are impossible.
func (e *elimination) match(v int) {
	boxes := e.boxesOf[v]
	for len(e.parts) < len(boxes) {
		e.parts = append(e.parts, part{})
	}
	parts := e.parts[:len(boxes)]
	for r, i := range boxes {
		e.believe(&parts[r], i)
	}
	for k := range e.Card[v] {
		impossible, finite := false, true
		for r := range parts {
			impossible = impossible || math.IsInf(parts[r].belief[k], -1)
			finite = finite && !math.IsInf(parts[r].belief[k], 0)
		}
		if impossible && e.sense == upper {
			e.kill(v, k)
		}
		if finite && !e.dead(v, k) {
			e.align(v, k, parts)
		}
	}
	if !e.Max[v] {
		e.reweigh(boxes, parts)
	}
}

// align moves the shifts of state k of v so that all parts believe the weighted mean.
func (e *elimination) align(v, k int, parts []part) {
	mean := 0.0
	for r, i := range e.boxesOf[v] {
		mean += e.share(v, i) * parts[r].belief[k]
	}
	sum := 0.0
	last := e.boxesOf[v][len(parts)-1]
	for r, i := range e.boxesOf[v] {
		scale := e.step
		if !e.Max[v] {
			scale *= e.weight[i]
		}
		x := e.shift[i][k] + scale*(mean-parts[r].belief[k])
		if i == last {
			x = -sum // so that rounding moves nothing
		}
		e.shift[i][k] = x
		sum += x
	}
}

// share returns the weight of box i in the mean of its bucket.
func (e *elimination) share(v int, i int32) float64 {
	if e.Max[v] {
		return 1 / float64(len(e.boxesOf[v]))
	}
	return e.weight[i]
}

// believe computes what box i believes about its variable.
func (e *elimination) believe(p *part, i int32) {
	if e.boxes[i].rows != nil {
		e.rowBelieve(p, i)
		return
	}
	b, w := &e.boxes[i], e.weight[i]
	n := e.Card[b.v]
	work := e.buckets.Table(int(i))
	if len(p.belief) < n {
		p.belief = make([]float64, n)
	}
	p.belief, p.entropy = p.belief[:n], 0
	for k := range n {
		p.belief[k] = math.Inf(-1)
	}
	for row, x := range e.back[i] {
		for k := range n {
			if e.dead(b.v, k) {
				continue
			}
			y := power(work[row*n+k]+x, w)
			if y != y { // zero below and the opposite infinity above
				y = math.Inf(-1)
			}
			p.belief[k] = max(p.belief[k], y)
		}
	}
	if w != 0 {
		e.normalise(p, i, work)
	}
}

// normalise replaces the largest numbers of a belief by the logarithms of probabilities, and
// computes the entropy.
func (e *elimination) normalise(p *part, i int32, work []float64) {
	v, w := e.boxes[i].v, e.weight[i]
	n := e.Card[v]
	sum, entropy := make([]float64, n), make([]float64, n)
	for row, x := range e.back[i] {
		if math.IsInf(x, 0) {
			continue
		}
		in := work[row*n : row*n+n]
		whole := pgmrt.PowerSum(in, e.evidence[v], w) / w
		for k, y := range in {
			if e.dead(v, k) || math.IsInf(y, 0) || math.IsInf(p.belief[k], 0) {
				continue
			}
			q := math.Exp((y+x)/w - p.belief[k])
			sum[k] += q
			entropy[k] += q * (whole - y/w)
		}
	}
	p.conclude(sum, entropy)
}

// conclude turns the largest logarithms by state, with the sums relative to them and their
// entropies, into the logarithms of probabilities and an entropy.
func (p *part) conclude(sum, entropy []float64) {
	for k := range sum {
		if sum[k] > 0 {
			p.belief[k] += pgmrt.Ln(sum[k])
			entropy[k] /= sum[k]
		}
	}
	total := pgmrt.LogSum(p.belief)
	for k := range sum {
		p.belief[k] -= total
		if q := math.Exp(p.belief[k]); q > 0 {
			p.entropy += q * entropy[k]
		}
	}
}

// reweigh moves weights along the derivatives of the bound, which are the entropies: down for an
// upper bound, up for a lower one. The weights of a bucket keep the sum 1.
func (e *elimination) reweigh(boxes []int32, parts []part) {
	mean := 0.0
	for r, i := range boxes {
		if parts[r].entropy != parts[r].entropy || math.IsInf(parts[r].entropy, 0) {
			return
		}
		mean += e.weight[i] * parts[r].entropy
	}
	sum := 0.0
	if e.sense == upper {
		for r, i := range boxes {
			e.weight[i] = max(minWeight, e.weight[i]*math.Exp(-e.step*e.weight[i]*(parts[r].entropy-mean)))
			sum += e.weight[i]
		}
		for _, i := range boxes {
			e.weight[i] /= sum
		}
		return
	}
	for r, i := range boxes[1:] {
		d := -e.weight[i]
		d = min(10, max(minWeight, d*math.Exp(e.step*d*(parts[0].entropy-parts[r+1].entropy))))
		e.weight[i] = -d
		sum += d
	}
	e.weight[boxes[0]] = 1 + sum
}
