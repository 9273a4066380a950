package lda

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// tiny returns six words of three in two documents.
func tiny(t *testing.T, weights []float64) *corpus {
	t.Helper()
	s := learnertest.New(t, learnertest.Vars("document", 2, "word", 3), [][]int{{0, 0}, {0, 0}, {0, 1}, {1, 1}, {1, 2}, {1, 2}}, weights)
	c, err := NewOptions().corpus(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// predictive returns the log-probability of words and topics, one after the other: each topic given
// the topics before in the document, and each word given the words before of the topic. It is the
// product of Polya's urns, and needs no gamma function.
func predictive(c *corpus, topics []int, k int, alpha, beta float64) float64 {
	inDocument, inTopic := map[[2]int]float64{}, map[[2]int]float64{}
	documents, sizes := map[int]float64{}, map[int]float64{}
	sum := 0.0
	for i, x := range c.rows {
		d, w, t := x.document, x.words[0], topics[i]
		sum += math.Log((inDocument[[2]int{d, t}] + alpha) / (documents[d] + float64(k)*alpha))
		sum += math.Log((inTopic[[2]int{t, w}] + beta) / (sizes[t] + 3*beta))
		inDocument[[2]int{d, t}]++
		documents[d]++
		inTopic[[2]int{t, w}]++
		sizes[t]++
	}
	return sum
}

// TestPosterior compares the assignments that the sampler visits with their exact posterior
// distribution, by all 64 of them.
func TestPosterior(t *testing.T) {
	const k, alpha, beta, sweeps = 2, 0.5, 0.3, 200000
	c := tiny(t, nil)
	exact, total := make([]float64, 64), 0.0
	for z := range exact {
		topics := make([]int, 6)
		for i := range topics {
			topics[i] = z >> i & 1
		}
		exact[z] = math.Exp(predictive(c, topics, k, alpha, beta))
		total += exact[z]
	}
	s := newSampler(c, k, alpha, beta, 7, 0)
	seen := make([]float64, 64)
	for range sweeps {
		s.sweep()
		z, topics := 0, make([]int, 6)
		for i, x := range s.tokens {
			z, topics[i] = z|int(x.topic)<<i, int(x.topic)
		}
		if seen[z]++; seen[z] == 1 {
			if got, want := s.logJoint(), predictive(c, topics, k, alpha, beta); math.Abs(got-want) > 1e-12 {
				t.Fatalf("assignment %b: log-probability %v; want %v", z, got, want)
			}
		}
	}
	for z, p := range exact {
		// Six standard errors of a mean of independent sweeps, and a third for their dependence.
		if want := p / total; math.Abs(seen[z]/sweeps-want) > 8*math.Sqrt(want/sweeps) {
			t.Errorf("assignment %06b in %v of the sweeps; want %v", z, seen[z]/sweeps, want)
		}
	}
}

// TestFractions checks that parts of words are drawn by their posterior too: a word of weight 2.5 is
// three draws, and their log-probabilities are generalised urns.
func TestFractions(t *testing.T) {
	c := tiny(t, []float64{2.5, 0, 1, 0.25, 1, 1})
	if len(c.rows) != 5 || c.total != 5.75 {
		t.Fatalf("%d rows of %v words; want 5 of 5.75", len(c.rows), c.total)
	}
	const k, sweeps = 2, 200000
	s := newSampler(c, k, 0.5, 0.3, 3, 0)
	if len(s.tokens) != 7 {
		t.Fatalf("%d words; want 7", len(s.tokens))
	}
	exact, total := make([]float64, 128), 0.0
	for z := range exact {
		for i := range s.tokens {
			s.add(&s.tokens[i], -1)
			s.tokens[i].topic = int32(z >> i & 1)
			s.add(&s.tokens[i], 1)
		}
		exact[z] = math.Exp(s.logJoint())
		total += exact[z]
	}
	seen := make([]float64, 128)
	for range sweeps {
		s.sweep()
		z := 0
		for i, x := range s.tokens {
			z |= int(x.topic) << i
		}
		seen[z]++
	}
	for z, p := range exact {
		if want := p / total; math.Abs(seen[z]/sweeps-want) > 8*math.Sqrt(want/sweeps) {
			t.Errorf("assignment %07b in %v of the sweeps; want %v", z, seen[z]/sweeps, want)
		}
	}
}

// TestAdapt checks that steps end at the pseudo-counts of the greatest probability.
func TestAdapt(t *testing.T) {
	c := tiny(t, []float64{5, 3, 2, 1, 9, 4})
	s := newSampler(c, 2, 0.1, 4, 5, 0)
	for range 20000 {
		s.adapt()
	}
	best := s.logJoint()
	for _, factor := range []float64{0.99, 1.01} {
		for _, p := range []*float64{&s.alpha, &s.beta} {
			*p *= factor
			if x := s.logJoint(); x >= best {
				t.Errorf("pseudo-counts %v and %v: log-probability %v; want less than %v", s.alpha, s.beta, x, best)
			}
			*p /= factor
		}
	}
}

func TestMissingWords(t *testing.T) {
	m := data.Missing
	s := learnertest.New(t, learnertest.Vars("word", 2, "n", 3, "kind", 2, "page", 2), [][]int{{0, 2, 1, 0}, {m, 1, m, 0}, {1, 1, m, m}, {1, m, 0, 1}, {1, 1, m, 1}, {0, 0, 1, 1}}, nil)
	l := NewOptions()
	l.Document, l.Count = "page", "n"
	c, err := l.corpus(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.rows) != 3 || c.total != 4 || c.rows[0].weight != 2 || c.rows[1].document != 1 || c.rows[1].weight != 1 {
		t.Errorf("rows %+v", c.rows)
	}
}
