package lda

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"

	"github.com/pgmc-go/pgmc/learn/data"
)

// sampler draws the topic of each word given the topics of all others, with the parameters
// integrated out (Griffiths and Steyvers 2004, equation 5).
type sampler struct {
	c           *corpus
	topics      int
	alpha, beta float64
	rng         *rand.Rand

	tokens     []token
	inDocument []float64   // by document and topic: the words
	inTopic    [][]float64 // by column of words: by state and topic
	size       [][]float64 // by column of words: by topic
	p          []float64   // scratch: by topic

	best  float64 // the log-probability of the best assignment so far
	kept  []int32 // that assignment
	steps int
}

// token is one occurrence of a word, or a part of one.
type token struct {
	row    int32
	topic  int32
	weight float64 // 1, or less
}

// newSampler returns a sampler with topics that are drawn word by word, each given the words
// before.
func newSampler(c *corpus, topics int, alpha, beta float64, seed, stream uint64) *sampler {
	s := &sampler{c: c, topics: topics, alpha: alpha, beta: beta, rng: rand.New(rand.NewPCG(seed, stream)), p: make([]float64, topics), best: math.Inf(-1)}
	s.clear()
	for i, x := range c.rows {
		for left := x.weight; left > 0; left-- {
			s.tokens = append(s.tokens, token{int32(i), s.draw(i, min(left, 1)), min(left, 1)})
			s.add(&s.tokens[len(s.tokens)-1], 1)
		}
	}
	return s
}

// clear sets all counts to 0.
func (s *sampler) clear() {
	s.inDocument, s.inTopic, s.size = make([]float64, s.c.documents*s.topics), nil, nil
	for _, v := range s.c.words {
		s.inTopic = append(s.inTopic, make([]float64, len(s.c.vars[v].States)*s.topics))
		s.size = append(s.size, make([]float64, s.topics))
	}
}

// add adds a word to the counts of its topic, times 1 or -1.
func (s *sampler) add(t *token, sign float64) {
	x, k, w := &s.c.rows[t.row], int(t.topic), sign*t.weight
	s.inDocument[x.document*s.topics+k] += w
	for j, word := range x.words {
		if word != data.Missing {
			s.inTopic[j][word*s.topics+k] += w
			s.size[j][k] += w
		}
	}
}

// draw draws the topic of a word of the given weight, which the counts leave out.
func (s *sampler) draw(i int, weight float64) int32 {
	x := &s.c.rows[i]
	for k := range s.p {
		s.p[k] = rising(s.inDocument[x.document*s.topics+k]+s.alpha, weight)
	}
	for j, word := range x.words {
		if word == data.Missing {
			continue
		}
		all := s.beta * float64(len(s.c.vars[s.c.words[j]].States))
		in, size := s.inTopic[j][word*s.topics:][:s.topics], s.size[j]
		for k := range s.p {
			s.p[k] *= rising(in[k]+s.beta, weight) / rising(size[k]+all, weight)
		}
	}
	at := s.rng.Float64() * floats.Sum(s.p)
	for k, p := range s.p {
		if at -= p; at < 0 {
			return int32(k)
		}
	}
	return int32(s.topics - 1)
}

// rising returns the gamma function at x + w divided by the one at x: x itself if w is 1.
func rising(x, w float64) float64 {
	if w == 1 {
		return x
	}
	a, _ := math.Lgamma(x + w)
	b, _ := math.Lgamma(x)
	return math.Exp(a - b)
}

// sweep draws the topics of all words.
func (s *sampler) sweep() {
	for i := range s.tokens {
		t := &s.tokens[i]
		s.add(t, -1)
		t.topic = s.draw(int(t.row), t.weight)
		s.add(t, 1)
	}
}

// logJoint returns the log-probability of the words and their topics.
func (s *sampler) logJoint() float64 {
	sum := 0.0
	for d := range s.c.documents {
		sum += polya(s.inDocument[d*s.topics:][:s.topics], 1, s.topics, s.alpha)
	}
	for j, v := range s.c.words {
		for k := range s.topics {
			sum += polya(s.inTopic[j][k:], s.topics, len(s.c.vars[v].States), s.beta)
		}
	}
	return sum
}

// polya returns the log-probability of draws in their order that have the counts n[0], n[step],
// ..., under a Dirichlet distribution with the pseudo-count a of each of the values.
func polya(n []float64, step, values int, a float64) float64 {
	one, _ := math.Lgamma(a)
	sum, total := 0.0, 0.0
	for i := range values {
		if x := n[i*step]; x > 0 {
			g, _ := math.Lgamma(x + a)
			sum, total = sum+g-one, total+x
		}
	}
	none, _ := math.Lgamma(a * float64(values))
	all, _ := math.Lgamma(a*float64(values) + total)
	return sum + none - all
}

// adapt takes one step of Minka's fixed point (Estimating a Dirichlet distribution, 2000, equation
// 55) to the pseudo-counts under which the topics of the words are most probable.
func (s *sampler) adapt() {
	var documents, topics fixedPoint
	for d := range s.c.documents {
		documents.add(s.inDocument[d*s.topics:], 1, s.topics, s.alpha)
	}
	for j, v := range s.c.words {
		for k := range s.topics {
			topics.add(s.inTopic[j][k:], s.topics, len(s.c.vars[v].States), s.beta)
		}
	}
	s.alpha, s.beta = documents.step(s.alpha), topics.step(s.beta)
}

// fixedPoint sums the numerator and the denominator of a step over counts.
type fixedPoint struct{ over, under float64 }

// add adds counts as polya takes them.
func (f *fixedPoint) add(n []float64, step, values int, a float64) {
	total := 0.0
	for i := range values {
		if x := n[i*step]; x > 0 {
			f.over += mathext.Digamma(x+a) - mathext.Digamma(a)
			total += x
		}
	}
	if total > 0 {
		all := a * float64(values)
		f.under += float64(values) * (mathext.Digamma(total+all) - mathext.Digamma(all))
	}
}

// step returns the next pseudo-count. Counts that are even need ever more, and single words fewer:
// it stays between a thousandth and a thousand.
func (f *fixedPoint) step(a float64) float64 {
	if f.under > 0 {
		return min(max(a*f.over/f.under, 1e-3), 1e3)
	}
	return a
}

// keep keeps the assignment if it is the best so far.
func (s *sampler) keep() {
	if x := s.logJoint(); x > s.best {
		s.best, s.kept = x, slices.Grow(s.kept[:0], len(s.tokens))
		for _, t := range s.tokens {
			s.kept = append(s.kept, t.topic)
		}
	}
}

// restore returns to the assignment that was kept.
func (s *sampler) restore() {
	s.clear()
	for i := range s.tokens {
		s.tokens[i].topic = s.kept[i]
		s.add(&s.tokens[i], 1)
	}
}
