// The tests check a generated package for what it must not get wrong: every answer against
// enumeration over the published numbers, failures, allocation, sharing between goroutines, and
// that no query changes another's answer.
package student_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"github.com/pgmc-go/pgmc/generated/student"
)

// The numbers of Koller and Friedman, Probabilistic Graphical Models (MIT Press, 2009), figure 3.4.
// Parents come first.
var (
	pDifficulty   = [2]float64{0.6, 0.4}
	pIntelligence = [2]float64{0.7, 0.3}
	pGrade        = [2][2][3]float64{ // intelligence, difficulty
		{{0.3, 0.4, 0.3}, {0.05, 0.25, 0.7}},
		{{0.9, 0.08, 0.02}, {0.5, 0.3, 0.2}},
	}
	pSat    = [2][2]float64{{0.95, 0.05}, {0.2, 0.8}}
	pLetter = [3][2]float64{{0.1, 0.9}, {0.4, 0.6}, {0.99, 0.01}}
)

// joint lists all assignments by plain loops over all variables.
func joint() (rows []row) {
	for d := range 2 {
		for i := range 2 {
			for g := range 3 {
				for s := range 2 {
					for l := range 2 {
						at := states{uint8(d + 1), uint8(i + 1), uint8(g + 1), uint8(s + 1), uint8(l + 1)}
						rows = append(rows, row{at, pDifficulty[d] * pIntelligence[i] * pGrade[i][d][g] * pSat[i][s] * pLetter[g][l]})
					}
				}
			}
		}
	}
	return rows
}

// vars is the number of variables of the model, and most the largest number of states.
const (
	vars = 5
	most = 3
)

// sizes holds the numbers of states, in the order of the fields of Evidence.
var sizes = [vars]int{2, 2, 3, 2, 2}

// states is evidence by numbers: for each variable its state from 1, or 0 if it is not observed.
type states [vars]uint8

// evidence converts s to the type of the package.
func (s states) evidence() student.Evidence {
	return student.Evidence{
		Difficulty:   student.Difficulty(s[0]),
		Intelligence: student.Intelligence(s[1]),
		Grade:        student.Grade(s[2]),
		Sat:          student.Sat(s[3]),
		Letter:       student.Letter(s[4]),
	}
}

// statesOf returns the numbers of the states of an assignment.
func statesOf(a *student.Assignment) states {
	return states{
		uint8(a.Difficulty),
		uint8(a.Intelligence),
		uint8(a.Grade),
		uint8(a.Sat),
		uint8(a.Letter),
	}
}

// likelihoods is soft evidence by numbers. A variable of zeros has none.
type likelihoods [vars][most]float64

// soft converts l to the type of the package.
func (l *likelihoods) soft() *student.Soft {
	return &student.Soft{
		Difficulty:   student.DifficultyDist(l[0][:2]),
		Intelligence: student.IntelligenceDist(l[1][:2]),
		Grade:        l[2],
		Sat:          student.SatDist(l[3][:2]),
		Letter:       student.LetterDist(l[4][:2]),
	}
}

// numbers returns the distributions of m.
func numbers(m *student.Marginals) [vars][]float64 {
	return [vars][]float64{
		m.Difficulty[:],
		m.Intelligence[:],
		m.Grade[:],
		m.Sat[:],
		m.Letter[:],
	}
}

// posterior returns the distribution of one variable.
type posterior func(e *student.Engine, ev *student.Evidence, soft *student.Soft, out *[most]float64) error

// dist is any distribution type of the package.
type dist interface{ ~[2]float64 | ~[3]float64 }

// single converts the method of one variable to a posterior.
func single[D dist](ask func(*student.Engine, *student.Evidence, *student.Soft) (D, error)) posterior {
	return func(e *student.Engine, ev *student.Evidence, soft *student.Soft, out *[most]float64) error {
		d, err := ask(e, ev, soft)
		for i := range len(d) {
			out[i] = d[i]
		}
		return err
	}
}

// posteriors holds the methods for one variable, in the order of the fields of Evidence.
var posteriors = [vars]posterior{
	single((*student.Engine).Difficulty),
	single((*student.Engine).Intelligence),
	single((*student.Engine).Grade),
	single((*student.Engine).Sat),
	single((*student.Engine).Letter),
}

// row is an assignment and its probability.
type row struct {
	states states
	p      float64
}

// truth holds the answers of enumeration for one evidence.
type truth struct {
	p         float64 // of the evidence
	best      float64 // of the most probable completion
	marginals [vars][most]float64
}

// weight returns the probability of a row together with the evidence, which is 0 if they disagree.
func (r *row) weight(ev *states, l *likelihoods) float64 {
	w := r.p
	for v, s := range r.states {
		if ev[v] != 0 && ev[v] != s {
			return 0
		}
		if l != nil && l[v] != [most]float64{} {
			w *= l[v][s-1]
		}
	}
	return w
}

// enumerate answers queries by going through all rows.
func enumerate(rows []row, ev *states, l *likelihoods) (t truth) {
	for i := range rows {
		w := rows[i].weight(ev, l)
		t.p += w
		t.best = max(t.best, w)
		for v, s := range rows[i].states {
			t.marginals[v][s-1] += w
		}
	}
	if t.p == 0 {
		return t
	}
	for v := range t.marginals {
		for s := range t.marginals[v] {
			t.marginals[v][s] /= t.p
		}
	}
	return t
}

// tol is the tolerance between the engine and enumeration, which differ only in the order of a few
// sums and products of float64.
const tol = 1e-12

// checker compares one engine with enumeration.
type checker struct {
	*testing.T
	e    *student.Engine
	rows []row
	rng  *student.Rand
}

// check compares all answers for one piece of evidence.
func (c *checker) check(ev states, l *likelihoods) {
	c.Helper()
	want := enumerate(c.rows, &ev, l)
	hard := ev.evidence()
	var soft *student.Soft
	if l != nil {
		soft = l.soft()
	}
	if want.p == 0 {
		c.checkImpossible(&hard, soft)
		return
	}
	c.checkMarginals(&hard, soft, &want)
	c.checkPosteriors(&hard, soft, &want)
	c.checkCompletions(ev, l, &want)
	if got, err := c.e.LogProb(&hard, soft); err != nil || !near(got, math.Log(want.p)) {
		c.Errorf("%v: LogProb is %v, %v; want %v", hard, got, err, math.Log(want.p))
	}
}

// near reports whether two numbers differ by at most tol. NaN is near nothing.
func near(got, want float64) bool { return math.Abs(got-want) <= tol }

// checkMarginals compares all distributions at once.
func (c *checker) checkMarginals(hard *student.Evidence, soft *student.Soft, want *truth) {
	c.Helper()
	var m student.Marginals
	if err := c.e.Marginals(hard, soft, &m); err != nil {
		c.Errorf("%v: Marginals: %v", *hard, err)
	}
	for v, d := range numbers(&m) {
		for s, p := range d {
			if !near(p, want.marginals[v][s]) {
				c.Errorf("%v: Marginals of variable %d: %v; want %v", *hard, v, d, want.marginals[v])
			}
		}
	}
	if !near(m.LogP, math.Log(want.p)) {
		c.Errorf("%v: LogP is %v; want %v", *hard, m.LogP, math.Log(want.p))
	}
}

// checkPosteriors compares the methods for one variable.
func (c *checker) checkPosteriors(hard *student.Evidence, soft *student.Soft, want *truth) {
	c.Helper()
	for v, ask := range posteriors {
		var d [most]float64
		if err := ask(c.e, hard, soft, &d); err != nil {
			c.Errorf("%v: variable %d: %v", *hard, v, err)
		}
		for s, p := range d {
			if !near(p, want.marginals[v][s]) {
				c.Errorf("%v: posterior of variable %d: %v; want %v", *hard, v, d, want.marginals[v])
			}
		}
	}
}

// checkCompletions checks that MPE returns one of the most probable completions, and Sample one
// that agrees with the evidence.
func (c *checker) checkCompletions(ev states, l *likelihoods, want *truth) {
	c.Helper()
	hard := ev.evidence()
	var soft *student.Soft
	if l != nil {
		soft = l.soft()
	}
	var a student.Assignment
	logp, err := c.e.MPE(&hard, soft, &a)
	if err != nil || !near(logp, math.Log(want.best)) || !near(math.Log(c.weight(&a, &ev, l)), math.Log(want.best)) {
		c.Errorf("%v: MPE is %v, %v, %v; want a completion of %v", hard, a, logp, err, math.Log(want.best))
	}
	if err := c.e.Sample(&hard, soft, c.rng, &a); err != nil || c.weight(&a, &ev, l) == 0 {
		c.Errorf("%v: Sample is %v, %v: not a completion", hard, a, err)
	}
}

// weight returns the probability of a complete assignment together with the evidence.
func (c *checker) weight(a *student.Assignment, ev *states, l *likelihoods) float64 {
	s := statesOf(a)
	for i := range c.rows {
		if c.rows[i].states == s {
			return c.rows[i].weight(ev, l)
		}
	}
	return 0
}

// checkImpossible checks that every query returns ErrImpossible, and no number but 0 and -Inf.
func (c *checker) checkImpossible(hard *student.Evidence, soft *student.Soft) {
	c.Helper()
	checkFailure(c.T, c.e, hard, soft, student.ErrImpossible)
}

// everyEvidence calls f with every combination of observations: each variable in one of its states,
// or not observed.
func everyEvidence(f func(states)) {
	var s states
	for {
		f(s)
		v := 0
		for ; v < vars && int(s[v]) == sizes[v]; v++ {
			s[v] = 0
		}
		if v == vars {
			return
		}
		s[v]++
	}
}

func TestHardEvidence(t *testing.T) {
	c := &checker{t, student.New(), joint(), student.NewRand(1)}
	everyEvidence(func(s states) { c.check(s, nil) })
}

func TestSoftEvidence(t *testing.T) {
	c := &checker{t, student.New(), joint(), student.NewRand(2)}
	r := rand.New(rand.NewPCG(3, 0))
	for range 500 {
		s, l := randomEvidence(r)
		c.check(s, l)
	}
}

// checkFailure checks that every query returns the error, and no number but 0 and -Inf.
func checkFailure(t *testing.T, e *student.Engine, hard *student.Evidence, soft *student.Soft, want error) {
	t.Helper()
	m := student.Marginals{LogP: 1}
	numbers(&m)[0][0] = 1
	if err := e.Marginals(hard, soft, &m); !errors.Is(err, want) || m != (student.Marginals{LogP: math.Inf(-1)}) {
		t.Errorf("%v: Marginals is %v, %v; want zeros and %v", *hard, m, err, want)
	}
	for v, ask := range posteriors {
		var d [most]float64
		if err := ask(e, hard, soft, &d); !errors.Is(err, want) || d != [most]float64{} {
			t.Errorf("%v: posterior of variable %d is %v, %v; want zeros and %v", *hard, v, d, err, want)
		}
	}
	if got, err := e.LogProb(hard, soft); !errors.Is(err, want) || !math.IsInf(got, -1) {
		t.Errorf("%v: LogProb is %v, %v; want -Inf and %v", *hard, got, err, want)
	}
	a := filled()
	if got, err := e.MPE(hard, soft, &a); !errors.Is(err, want) || !math.IsInf(got, -1) || a != (student.Assignment{}) {
		t.Errorf("%v: MPE is %v, %v, %v; want nothing, -Inf and %v", *hard, a, got, err, want)
	}
	a = filled()
	if err := e.Sample(hard, soft, student.NewRand(1), &a); !errors.Is(err, want) || a != (student.Assignment{}) {
		t.Errorf("%v: Sample is %v, %v; want nothing and %v", *hard, a, err, want)
	}
	if seq, err := e.Samples(hard, soft, student.NewRand(1)); !errors.Is(err, want) || seq != nil {
		t.Errorf("%v: Samples: %v; want %v", *hard, err, want)
	}
}

// filled is an assignment that a failing query must clear.
func filled() student.Assignment {
	var s states
	for v := range s {
		s[v] = 1
	}
	return s.evidence()
}

// randomEvidence observes a fifth of the variables. Two fifths have likelihoods, some with zeros
// and some far from 1.
func randomEvidence(r *rand.Rand) (s states, l *likelihoods) {
	l = new(likelihoods)
	for v, n := range sizes {
		switch r.IntN(5) {
		case 0:
			s[v] = uint8(1 + r.IntN(n))
		case 1, 2:
			for i := range n {
				l[v][i] = 100 * r.Float64()
			}
			if r.IntN(4) == 0 {
				l[v][r.IntN(n)] = 0
			}
		}
	}
	return s, l
}

// Koller and Friedman print these numbers in section 3.2.1, with as many digits.
func TestPublished(t *testing.T) {
	const difficulty, intelligence, letter = 0, 1, 4
	e := student.New()
	for _, c := range []struct {
		name string
		ev   student.Evidence
		v    int
		want float64 // of the second state
	}{
		{"l1", student.Evidence{}, letter, 0.502},
		{"l1 given i0", student.Evidence{Intelligence: student.IntelligenceI0}, letter, 0.389},
		{"l1 given i0, d0", student.Evidence{Intelligence: student.IntelligenceI0, Difficulty: student.DifficultyD0}, letter, 0.513},
		{"i1 given g3", student.Evidence{Grade: student.GradeG3}, intelligence, 0.079},
		{"d1 given g3", student.Evidence{Grade: student.GradeG3}, difficulty, 0.629},
		{"i1 given l0", student.Evidence{Letter: student.LetterL0}, intelligence, 0.14},
		{"i1 given g3, l0", student.Evidence{Grade: student.GradeG3, Letter: student.LetterL0}, intelligence, 0.079},
		{"i1 given g3, s1", student.Evidence{Grade: student.GradeG3, Sat: student.SatS1}, intelligence, 0.578},
		{"d1 given g3, s1", student.Evidence{Grade: student.GradeG3, Sat: student.SatS1}, difficulty, 0.76},
	} {
		var d [most]float64
		if err := posteriors[c.v](e, &c.ev, nil, &d); err != nil || math.Abs(d[1]-c.want) > 5e-4 {
			t.Errorf("%s: %v, %v; want %v", c.name, d[1], err, c.want)
		}
	}
}

// Distributions do not depend on a common factor of a likelihood. The probability of the evidence
// contains it.
func TestSoftScale(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	e := student.New()
	for range 100 {
		_, l := randomEvidence(r)
		scaled, shift := *l, 0.0
		for v, d := range l {
			if d == [most]float64{} {
				continue
			}
			shift += math.Log(1e-3)
			for s := range d {
				scaled[v][s] *= 1e-3
			}
		}
		var a, b student.Marginals
		errA, errB := e.Marginals(nil, l.soft(), &a), e.Marginals(nil, scaled.soft(), &b)
		if errA != errB || errA == nil && !near(a.LogP+shift, b.LogP) {
			t.Errorf("%v: ln P is %v, %v; scaled %v, %v; want %v more", l, a.LogP, errA, b.LogP, errB, shift)
		}
		for v, d := range numbers(&a) {
			for s, p := range d {
				if !near(p, numbers(&b)[v][s]) {
					t.Errorf("%v: variable %d: %v; scaled %v", l, v, d, numbers(&b)[v])
				}
			}
		}
	}
}

// Likelihoods over the whole range of float64 are either answered correctly or refused with
// ErrLikelihood, and do not make evidence impossible.
func TestExtremeLikelihoods(t *testing.T) {
	e, rows, r := student.New(), joint(), rand.New(rand.NewPCG(13, 0))
	answered := 0
	for range 1000 {
		var l likelihoods
		for v, n := range sizes {
			for s := range n {
				l[v][s] = math.Pow(10, 600*r.Float64()-300)
			}
			if r.IntN(2) == 0 {
				l[v] = [most]float64{}
			}
		}
		var m student.Marginals
		if err := e.Marginals(nil, l.soft(), &m); errors.Is(err, student.ErrLikelihood) {
			continue
		} else if err != nil {
			t.Fatalf("%v: %v", l, err)
		}
		answered++
		checkLog(t, rows, &l, &m)
	}
	if answered < 50 {
		t.Errorf("only %d of 1000 are answered", answered)
	}
}

// checkLog compares with enumeration in logarithms, which cannot leave the range of float64. They
// go up to 700 for each variable, where a unit in the last place is up to 1e-12. The exponential
// turns that into a relative error.
func checkLog(t *testing.T, rows []row, l *likelihoods, m *student.Marginals) {
	t.Helper()
	logs, top := make([]float64, len(rows)), math.Inf(-1)
	for i, r := range rows {
		logs[i] = math.Log(r.p)
		for v, s := range r.states {
			if l[v] != [most]float64{} {
				logs[i] += math.Log(l[v][s-1])
			}
		}
		top = max(top, logs[i])
	}
	var want [vars][most]float64
	sum := 0.0
	for i, r := range rows {
		p := math.Exp(logs[i] - top)
		sum += p
		for v, s := range r.states {
			want[v][s-1] += p
		}
	}
	if math.Abs(m.LogP-math.Log(sum)-top) > 1e-10 {
		t.Errorf("%v: ln P is %v; want %v", l, m.LogP, math.Log(sum)+top)
	}
	for v, d := range numbers(m) {
		for s, p := range d {
			if math.Abs(p-want[v][s]/sum) > 1e-10 {
				t.Errorf("%v: variable %d: %v; want %v / %v", l, v, d, want[v], sum)
			}
		}
	}
}

// Every query refuses states that no variable has and numbers that are not likelihoods, in any
// field.
func TestRefused(t *testing.T) {
	e := student.New()
	for v, n := range sizes {
		var s states
		for _, bad := range []int{n + 1, 255} {
			s[v] = uint8(bad)
			hard := s.evidence()
			checkFailure(t, e, &hard, nil, student.ErrState)
		}
		for _, bad := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
			var l likelihoods
			l[v][0], l[v][n-1] = 1, bad
			checkFailure(t, e, new(student.Evidence), l.soft(), student.ErrLikelihood)
		}
	}
}

// A row that fails does not affect the others.
func TestBatchRows(t *testing.T) {
	good := student.Evidence{Grade: student.GradeG3, Sat: student.SatS1}
	bad := states{255}.evidence()
	e := student.New()
	var want student.Marginals
	if err := e.Marginals(&good, nil, &want); err != nil {
		t.Fatal(err)
	}
	evs, out := []student.Evidence{good, bad, good}, make([]student.Marginals, 3)
	if err := e.Batch(evs, nil, out); !errors.Is(err, student.ErrState) {
		t.Errorf("Batch: %v; want %v", err, student.ErrState)
	}
	if none := (student.Marginals{LogP: math.Inf(-1)}); out[0] != want || out[1] != none || out[2] != want {
		t.Errorf("Batch: %v; want %v, zeros, and %v", out, want, want)
	}
	logps := make([]float64, 3)
	if err := e.LogProbs(evs, logps); !errors.Is(err, student.ErrState) {
		t.Errorf("LogProbs: %v; want %v", err, student.ErrState)
	}
	if !near(logps[0], want.LogP) || !math.IsInf(logps[1], -1) || !near(logps[2], want.LogP) {
		t.Errorf("LogProbs: %v; want %v, -Inf, %v", logps, want.LogP, want.LogP)
	}
	short := e.Batch(evs, make([]student.Soft, 2), out)
	if short == nil || e.Batch(evs, nil, out[:2]) == nil || e.LogProbs(evs, logps[:2]) == nil {
		t.Error("slices of different lengths are accepted")
	}
}

// No query allocates, whether it succeeds or finds that the evidence is impossible.
func TestNoAllocation(t *testing.T) {
	e, rng := student.New(), student.NewRand(5)
	hard := student.Evidence{Grade: student.GradeG3, Sat: student.SatS1}
	soft := student.Soft{Letter: student.LetterDist{3, 1}, Difficulty: student.DifficultyDist{0.2, 0.9}}
	for _, c := range []struct {
		name string
		ev   *student.Evidence
		soft *student.Soft
	}{
		{"nothing", nil, nil},
		{"hard", &hard, nil},
		{"soft", nil, &soft},
		{"both", &hard, &soft},
	} {
		for name, ask := range queries(e, c.ev, c.soft, rng) {
			if n := testing.AllocsPerRun(20, ask); n != 0 {
				t.Errorf("%s evidence: %s allocates %v times", c.name, name, n)
			}
		}
	}
	evs, softs := []student.Evidence{hard, {}, hard}, []student.Soft{soft, soft, {}}
	out, logps := make([]student.Marginals, 3), make([]float64, 3)
	for name, ask := range map[string]func(){
		"LogProbs":   func() { e.LogProbs(evs, logps) },
		"Batch":      func() { e.Batch(evs, nil, out) },
		"Batch soft": func() { e.Batch(evs, softs, out) },
	} {
		if n := testing.AllocsPerRun(20, ask); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// queries returns the queries for one piece of evidence.
func queries(e *student.Engine, ev *student.Evidence, soft *student.Soft, rng *student.Rand) map[string]func() {
	var m student.Marginals
	var a student.Assignment
	var d [most]float64
	all := map[string]func(){
		"Marginals": func() { e.Marginals(ev, soft, &m) },
		"LogProb":   func() { e.LogProb(ev, soft) },
		"MPE":       func() { e.MPE(ev, soft, &a) },
		"Sample":    func() { e.Sample(ev, soft, rng, &a) },
	}
	for v, ask := range posteriors {
		all["posterior "+strconv.Itoa(v)] = func() { ask(e, ev, soft, &d) }
	}
	return all
}

// Samples allocates at the start only.
func TestSamplesAllocation(t *testing.T) {
	e, rng := student.New(), student.NewRand(6)
	hard := student.Evidence{Grade: student.GradeG3, Sat: student.SatS1}
	take := func(n int) func() {
		return func() {
			seq, err := e.Samples(&hard, nil, rng)
			if err != nil {
				t.Fatal(err)
			}
			for range seq {
				if n--; n <= 0 {
					return
				}
			}
		}
	}
	if few, many := testing.AllocsPerRun(1, take(2)), testing.AllocsPerRun(1, take(1000)); few != many {
		t.Errorf("few samples allocate %v times, many %v times", few, many)
	}
}

// sameBits reports whether two answers are the same to the last bit.
func sameBits(a, b *student.Marginals) bool {
	for v, d := range numbers(a) {
		for s, p := range d {
			if math.Float64bits(p) != math.Float64bits(numbers(b)[v][s]) {
				return false
			}
		}
	}
	return math.Float64bits(a.LogP) == math.Float64bits(b.LogP)
}

// Engines that one pool lends to several goroutines answer as a single engine does.
func TestPool(t *testing.T) {
	const goroutines, each = 8, 200
	r, single := rand.New(rand.NewPCG(7, 0)), student.New()
	var hard [goroutines * each]states
	var soft [goroutines * each]*likelihoods
	var want [goroutines * each]student.Marginals
	var wantErr [goroutines * each]error
	for i := range want {
		hard[i], soft[i] = randomEvidence(r)
		ev := hard[i].evidence()
		wantErr[i] = single.Marginals(&ev, soft[i].soft(), &want[i])
	}
	var pool student.Pool
	var done sync.WaitGroup
	for g := range goroutines {
		done.Go(func() {
			for i := g; i < len(want); i += goroutines {
				e := pool.Get()
				ev := hard[i].evidence()
				var got student.Marginals
				if err := e.Marginals(&ev, soft[i].soft(), &got); err != wantErr[i] || !sameBits(&got, &want[i]) {
					t.Errorf("%v: got %v, %v; want %v, %v", ev, got, err, want[i], wantErr[i])
				}
				pool.Put(e)
			}
		})
	}
	done.Wait()
	pool.Put(nil)
}

// No query changes the answer of another: an engine gives the same answer at first, after many
// other queries, and as a new engine does.
func TestQueriesLeaveNoTrace(t *testing.T) {
	r, e := rand.New(rand.NewPCG(8, 0)), student.New()
	hard := student.Evidence{Grade: student.GradeG3, Sat: student.SatS1}
	soft := student.Soft{Letter: student.LetterDist{3, 1}, Difficulty: student.DifficultyDist{0.2, 0.9}}
	var first, again, fresh student.Marginals
	var best, bestAgain student.Assignment
	if err := e.Marginals(&hard, &soft, &first); err != nil {
		t.Fatal(err)
	}
	logp, err := e.MPE(&hard, &soft, &best)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		s, l := randomEvidence(r)
		ev := s.evidence()
		for _, ask := range queries(e, &ev, l.soft(), student.NewRand(9)) {
			ask() // its error must leave no trace either
		}
		if r.IntN(2) == 0 {
			bad := states{255}.evidence()
			e.LogProb(&bad, nil)
		}
	}
	errAgain, errFresh := e.Marginals(&hard, &soft, &again), student.New().Marginals(&hard, &soft, &fresh)
	if errAgain != nil || errFresh != nil || !sameBits(&first, &again) || !sameBits(&first, &fresh) {
		t.Errorf("first %v, again %v, %v, by a new engine %v, %v", first, again, errAgain, fresh, errFresh)
	}
	if p, err := e.MPE(&hard, &soft, &bestAgain); err != nil || p != logp || bestAgain != best {
		t.Errorf("first %v with %v, again %v with %v, %v", best, logp, bestAgain, p, err)
	}
}

// The shares of states among samples are the marginals, within 5 standard errors of a share. The
// seed is fixed.
func TestSampleShares(t *testing.T) {
	const n = 20000
	hard := student.Evidence{Grade: student.GradeG3, Sat: student.SatS1}
	soft := student.Soft{Letter: student.LetterDist{3, 1}, Difficulty: student.DifficultyDist{0.2, 0.9}}
	for _, c := range []struct {
		ev   *student.Evidence
		soft *student.Soft
	}{{nil, nil}, {&hard, nil}, {&hard, &soft}} {
		e := student.New()
		var m student.Marginals
		if err := e.Marginals(c.ev, c.soft, &m); err != nil {
			t.Fatal(err)
		}
		for v, d := range shares(t, e, c.ev, c.soft, n) {
			for s, p := range numbers(&m)[v] {
				if math.Abs(d[s]-p) > 5*math.Sqrt(p*(1-p)/n)+1e-9 {
					t.Errorf("variable %d, state %d: share %v; want %v", v, s+1, d[s], p)
				}
			}
		}
	}
}

// shares counts states among n samples, half of them by Sample and half by Samples.
func shares(t *testing.T, e *student.Engine, ev *student.Evidence, soft *student.Soft, n int) (counts [vars][most]float64) {
	count := func(a *student.Assignment) {
		for v, s := range statesOf(a) {
			counts[v][s-1] += 1 / float64(n)
		}
	}
	rng := student.NewRand(10)
	var a student.Assignment
	for range n / 2 {
		if err := e.Sample(ev, soft, rng, &a); err != nil {
			t.Fatal(err)
		}
		count(&a)
	}
	seq, err := e.Samples(ev, soft, rng)
	if err != nil {
		t.Fatal(err)
	}
	left := n / 2
	for a := range seq {
		count(a)
		if left--; left == 0 {
			break
		}
	}
	return counts
}

// ring holds a few pieces of evidence that a benchmark takes in turn, so that the processor cannot
// predict all branches.
func ring() (evs [8]student.Evidence) {
	r := rand.New(rand.NewPCG(11, 0))
	e := student.New()
	for i := 0; i < len(evs); {
		s, _ := randomEvidence(r)
		evs[i] = s.evidence()
		if _, err := e.LogProb(&evs[i], nil); err == nil {
			i++
		}
	}
	return evs
}

func BenchmarkMarginals(b *testing.B) {
	evs, e := ring(), student.New()
	var out student.Marginals
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := e.Marginals(&evs[i%len(evs)], nil, &out); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkIntelligence(b *testing.B) {
	evs, e := ring(), student.New()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := e.Intelligence(&evs[i%len(evs)], nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLogProb(b *testing.B) {
	evs, e := ring(), student.New()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := e.LogProb(&evs[i%len(evs)], nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMPE(b *testing.B) {
	evs, e := ring(), student.New()
	var out student.Assignment
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := e.MPE(&evs[i%len(evs)], nil, &out); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSample(b *testing.B) {
	evs, e, rng := ring(), student.New(), student.NewRand(12)
	var out student.Assignment
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := e.Sample(&evs[i%len(evs)], nil, rng, &out); err != nil {
			b.Fatal(err)
		}
	}
}
