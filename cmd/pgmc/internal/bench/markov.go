package bench

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// The C programs of a hidden Markov model: what they share, the forward algorithm, and that of
// Viterbi.
var (
	//go:embed peerhmm.c.txt
	markovSource string
	//go:embed peerforward.c.txt
	forwardSource string
	//go:embed peerviterbi.c.txt
	viterbiSource string
)

// markov is a hidden Markov model with a sequence of its signs.
type markov struct {
	states, signs     int
	start, move, emit []float64 // move by state before and after, emit by state and sign
	seen              []int
	logs              struct{ start, move, emit []float64 } // the logarithms of the tables
	logP              float64                               // of logForward
}

// markovSystem returns the filter of a hidden Markov model with 8 signs.
func markovSystem(states, slices int, r *rand.Rand) *system {
	h := &markov{states: states, signs: 8, start: positive(states, r)}
	for range states {
		h.move, h.emit = append(h.move, positive(states, r)...), append(h.emit, positive(h.signs, r)...)
	}
	h.logs.start, h.logs.move, h.logs.emit = logsOf(h.start), logsOf(h.move), logsOf(h.emit)
	names := func(letter string, n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprint(letter, i))
		}
		return list
	}
	name := fmt.Sprint("hmm", states)
	m := &model.Model{Name: name}
	x, y := m.NewVar("x", names("s", states)...).ID, m.NewVar("y", names("o", h.signs)...).ID
	sensor := &model.Factor{Scope: []model.VarID{x, y}, Child: 1, Dist: &model.Table{Values: h.emit}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Table{Values: h.start}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{{Scope: []model.VarID{2, x}, Child: 1, Dist: &model.Table{Values: h.move}}, sensor}}
	s := &system{name: name, model: m, queries: []string{"filter"}}
	for range slices {
		sign := r.IntN(h.signs)
		number := float64(sign + 1)
		h.seen, s.sequence = append(h.seen, sign), append(s.sequence, []*float64{nil, &number})
	}
	s.data = h.data()
	s.addMarkov("C", states, 0, markovSource+forwardSource)
	if states == 32 {
		s.queries = append(s.queries, "viterbi")
		s.addMarkov("C, Viterbi", states, 1, markovSource+viterbiSource)
		p := &peer{subject: "Go, logarithms", run: h.logForward, got: func() []float64 { return []float64{h.logP} }}
		p.want = func(pkg []float64) []float64 { return pkg[:1] }
		s.peers = append(s.peers, p)
	}
	return s
}

// addMarkov adds a program in C that computes one answer of a package of a hidden Markov model, and
// returns it.
func (s *system) addMarkov(subject string, states, answer int, text string) *peer {
	p := &peer{subject: subject, text: fmt.Sprintf("#define STATES %d\n#define VITERBI %d\n", states, answer) + peerSource + text, data: s.data}
	p.want = func(pkg []float64) []float64 { return pkg[answer : answer+1] }
	s.peers = append(s.peers, p)
	return p
}

// data returns the numbers that the peers read.
func (h *markov) data() []float64 {
	list := append([]float64{float64(len(h.seen)), float64(h.signs)}, h.start...)
	list = append(list, h.move...)
	for sign := range h.signs {
		for state := range h.states {
			list = append(list, h.emit[state*h.signs+sign])
		}
	}
	for _, sign := range h.seen {
		list = append(list, float64(sign))
	}
	return list
}

// logForward is the forward algorithm with logarithms, as libraries write it.
func (h *markov) logForward() {
	belief, after, terms := make([]float64, h.states), make([]float64, h.states), make([]float64, h.states)
	for t, sign := range h.seen {
		for j := range after {
			x := h.logs.start[j]
			if t > 0 {
				for i := range terms {
					terms[i] = belief[i] + h.logs.move[i*h.states+j]
				}
				x = logSum(terms)
			}
			after[j] = x + h.logs.emit[j*h.signs+sign]
		}
		belief, after = after, belief
	}
	h.logP = logSum(belief)
}

func logsOf(list []float64) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = pgmrt.Ln(x)
	}
	return out
}

// logSum returns the logarithm of the sum of exponentials.
func logSum(list []float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for _, x := range list {
		top = max(top, x)
	}
	for _, x := range list {
		sum += math.Exp(x - top)
	}
	return top + pgmrt.Ln(sum)
}
