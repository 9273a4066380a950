package pgmrt

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

func TestObserveSet(t *testing.T) {
	wide := make([]float64, 70)
	for i := range wide {
		wide[i] = 1
	}
	for _, c := range []struct {
		name string
		l    []float64
		set  []uint64
		want []float64 // nil if the bits are refused
	}{
		{"none", []float64{1, .5, 1}, []uint64{0}, []float64{1, .5, 1}},
		{"no words", []float64{1, .5, 1}, nil, []float64{1, .5, 1}},
		{"two", []float64{1, .5, 1}, []uint64{0b110}, []float64{0, .5, 1}},
		{"all", []float64{1, .5, 1}, []uint64{0b111}, []float64{1, .5, 1}},
		{"beyond", []float64{1, .5, 1}, []uint64{0b1001}, nil},
		{"second word", slices.Clone(wide), []uint64{0, 1 << 5}, append(make([]float64, 69), 1)},
		{"beyond in the second word", slices.Clone(wide), []uint64{1, 1 << 6}, nil},
		{"a word too many", []float64{1}, []uint64{1, 1}, nil},
	} {
		before := slices.Clone(c.l)
		ok := ObserveSet(c.l, c.set...)
		if c.want == nil {
			c.want = before
			if ok {
				t.Errorf("%s: accepted", c.name)
			}
		} else if !ok {
			t.Errorf("%s: refused", c.name)
		}
		if !slices.Equal(c.l, c.want) {
			t.Errorf("%s: %v; want %v", c.name, c.l, c.want)
		}
	}
}

// pairs is the joint distribution of two variables of two states; the second is the fastest.
type pairs struct {
	p      [4]float64
	weight [2][]float64
	got    [2][]float64
	want   [2][]float64
	stop   func()
	runs   int
}

func (m *pairs) Goals() int { return 2 }

func (m *pairs) Goal(i int) FitGoal {
	return FitGoal{Var: string(rune('a' + i)), Want: m.want[i], Got: m.got[i], Weight: m.weight[i]}
}

func (m *pairs) Run() bool {
	if m.runs++; m.stop != nil {
		m.stop()
	}
	m.got = [2][]float64{make([]float64, 2), make([]float64, 2)}
	for i, p := range m.p {
		w := p * m.weight[0][i/2] * m.weight[1][i%2]
		m.got[0][i/2] += w
		m.got[1][i%2] += w
	}
	if m.got[0][0]+m.got[0][1] == 0 {
		return false
	}
	Normalize(m.got[0])
	Normalize(m.got[1])
	return true
}

func newPairs(p [4]float64, a, b []float64) *pairs {
	m := &pairs{p: p, want: [2][]float64{a, b}, weight: [2][]float64{{1, 1}, {1, 1}}}
	m.Run()
	return m
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		name string
		m    *pairs
		bits float64
		is   error
		want string
	}{
		{"as it is", newPairs([4]float64{.4, .2, .1, .3}, []float64{.6, .4}, []float64{.5, .5}), 0, nil, ""},
		{"two", newPairs([4]float64{.4, .2, .1, .3}, []float64{.5, .5}, []float64{.5, .5}), 100, nil, ""},
		{"rounded", newPairs([4]float64{.4, .2, .1, .3}, []float64{.3333333333, .6666666666}, []float64{.5, .5}), 0, nil, ""},
		{"impossible", newPairs([4]float64{.4, .6, 0, 0}, []float64{.5, .5}, []float64{.5, .5}), 0, ErrInconsistent,
			`variable "a": state 2 has to have probability 0.5, and is impossible`},
		{"nothing left", newPairs([4]float64{.4, 0, 0, .6}, []float64{1, 0}, []float64{0, 1}), 0, ErrInconsistent,
			`variable "b": state 2 has to have probability 1, and is impossible`},
		// a round uses log2(3) bits for each of the two
		{"they part", newPairs([4]float64{.5, 0, 0, .5}, []float64{.5, .5}, []float64{.25, .75}), 100, ErrInconsistent,
			"no distribution was found that has all of the given ones: after 33 rounds one differs by 0.25"},
		{"too small", newPairs([4]float64{.25, .25, .25, .25}, []float64{1e-60, 1}, []float64{.5, .5}), 100, ErrLikelihood,
			`variable "a": likelihood that would give it its distribution is too small beside its largest number`},
	} {
		r, err := Fit(context.Background(), c.m, c.bits)
		if c.is == nil {
			if err != nil || r.Status != Converged || r.Residual > FitTolerance {
				t.Errorf("%s: %+v, %v", c.name, r, err)
			}
			continue
		}
		if !errors.Is(err, c.is) || err.Error() != c.want || r.Status != NotConverged {
			t.Errorf("%s: %v, %v; want %s", c.name, r.Status, err, c.want)
		}
	}
}

// TestFitKeepsOdds checks that fitting keeps the odds ratio of a table, here 6.
func TestFitKeepsOdds(t *testing.T) {
	m := newPairs([4]float64{.4, .2, .1, .3}, []float64{.7, .3}, []float64{.2, .8})
	if _, err := Fit(context.Background(), m, 0); err != nil {
		t.Fatal(err)
	}
	var p [4]float64
	for i := range p {
		p[i] = m.p[i] * m.weight[0][i/2] * m.weight[1][i%2]
	}
	if odds := p[0] * p[3] / (p[1] * p[2]); math.Abs(odds-6) > 1e-12 {
		t.Errorf("odds ratio %v; want 6", odds)
	}
}

func TestFitStops(t *testing.T) {
	m := newPairs([4]float64{.4, .2, .1, .3}, []float64{.5, .5}, []float64{.5, .5})
	ctx, cancel := context.WithCancel(context.Background())
	m.stop = cancel
	if r, err := Fit(ctx, m, 0); !errors.Is(err, context.Canceled) || r.Iterations != 1 {
		t.Errorf("%+v, %v; want one round", r, err)
	}
}
