package score

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Options holds the parameters of a score.
type Options struct {
	Size float64 // equivalent sample size of bdeu, bde and loocv; 0: 1
	// Edge returns the logarithm of the prior odds of an edge, which is added for it; nil adds none.
	Edge  func(parent, child int) float64
	Param float64 // added for each free parameter
	// Prior returns the joint distribution of vars in the prior network of bde, row-major in their
	// order, or nil if it is too large to compute, and then the family does not fit.
	Prior func(vars []int) []float64
	// Unbiased makes the likelihood of real variables the likelihood at unbiased variances in place
	// of the maximum, as R does.
	Unbiased bool
	// PriorMean is the number of rows that the prior of bge gives to the mean, which is the data's,
	// and PriorFreedom its degrees of freedom. 0: 1 and the number of variables plus 2.
	PriorMean, PriorFreedom float64
	Cores                   int // goroutines that compute the moments of real variables; 0: 1
	// Softmax is the penalty of softmax CPDs, see [data.Set.FitSoftmax]; 0 allows no discrete
	// variable with a real parent.
	Softmax float64
}

// Scorer computes the scores of families from one data set. Several goroutines may use it at once.
type Scorer struct {
	Kind    *Kind
	Counter *data.Counter

	opt     Options
	logRows float64
	misses  []bool        // by variable: some rows miss its value
	moments *data.Moments // nil without real variables
	least   []float64     // by variable: the least variance of a real one
	pooled  []float64     // by variable: its variance over all rows
	bars    func(x, parent int) bool
}

// Check returns an error if the named kind cannot score a set.
func Check(name string, s *data.Set) error {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		all := names(func(*Kind) bool { return true })
		return fmt.Errorf("unknown score %q; want one of %s%s", name, all, diag.DidYouMean(name, strings.Split(all, ", ")))
	}
	if err := Kinds[i].refuses(s.Vars); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return err
	}
	for i, w := range s.Weights() {
		if name == "loocv" && w > 0 && w < 1 {
			return fmt.Errorf("score loocv leaves out whole rows, and row %d has the weight %v; want another score", i, w)
		}
	}
	return nil
}

// New returns a scorer of the named kind.
func New(name string, c *data.Counter, opt Options) (*Scorer, error) {
	if err := Check(name, c.Set()); err != nil {
		return nil, err
	}
	if opt.Size == 0 {
		opt.Size = 1
	}
	switch {
	case !(opt.Size > 0) || math.IsInf(opt.Size, 0):
		return nil, fmt.Errorf("equivalent sample size %v; want a number above 0", opt.Size)
	case name == "bde" && opt.Prior == nil:
		return nil, fmt.Errorf("score bde needs a prior network; bdeu has a uniform one")
	}
	if opt.Softmax > 0 && c.Set().Counted() {
		return nil, fmt.Errorf("softmax CPDs are fitted to rows, and the data has counts in place of them; leave out the penalty of softmax CPDs")
	}
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	s := &Scorer{Kind: &Kinds[i], Counter: c, opt: opt, logRows: pgmrt.Ln(c.Set().Total())}
	for v := range c.Set().Vars {
		s.misses = append(s.misses, c.Set().Misses(v))
	}
	return s, s.prepare()
}

// MaxFamily bounds the joint states of the families that searches consider: a table of 128 MiB.
const MaxFamily = 1 << 24

// Barring returns a scorer for which no family of x fits that has a parent for which bars returns
// true. A nil bars bars none.
func (s *Scorer) Barring(bars func(x, parent int) bool) *Scorer {
	if bars == nil {
		return s
	}
	other, before := *s, s.bars
	other.bars = func(x, parent int) bool { return bars(x, parent) || before != nil && before(x, parent) }
	return &other
}

// Fits reports whether a family may be considered: it has at most MaxFamily joint states, or
// moments, a discrete variable has a real parent only if the options allow softmax CPDs, and a
// variable of the slice before has no parents.
func (s *Scorer) Fits(x int, parents ...int) bool {
	if s.bars != nil && slices.ContainsFunc(parents, func(u int) bool { return s.bars(x, u) }) {
		return false
	}
	if s.Counter.Set().Vars[x].Before && len(parents) > 0 {
		return false
	}
	if s.isReal(x) {
		f := s.split(x, parents)
		n, ok := s.Counter.Size(f.discrete)
		return ok && n <= MaxFamily/f.size()
	}
	if slices.ContainsFunc(parents, s.isReal) {
		return s.fitsSoftmax(x, parents)
	}
	if n, ok := s.Counter.Size(parents); !ok || n > MaxFamily/max(1, s.Counter.Card(x)) {
		return false
	}
	return s.Kind.Name != "bde" || s.opt.Prior(append(slices.Sorted(slices.Values(parents)), x)) != nil
}

// Family returns the score of variable x with parents, which must differ and may be in any order.
// The family must satisfy [Scorer.Fits], except that tables may have up to 2^31 joint states. If
// rows miss values of the parents, it is the score without parents, over all rows that have x, and
// the parents' gain on the rows that have them all.
func (s *Scorer) Family(x int, parents ...int) float64 {
	if s.isReal(x) {
		return s.real(x, parents)
	}
	if slices.ContainsFunc(parents, s.isReal) {
		return s.softmax(x, parents)
	}
	vars := append(slices.Sorted(slices.Values(parents)), x)
	return s.ofCounts(vars, s.Counter.Counts(vars...))
}

// ofCounts returns the score of a family of discrete variables, ascending parents and then the
// child, with the given counts.
func (s *Scorer) ofCounts(vars []int, n []float64) float64 {
	parents, x := vars[:len(vars)-1], vars[len(vars)-1]
	card := s.Counter.Card(x)
	total := s.Kind.family(n, s.prior(vars, len(n)), card, s.logRows)
	if s.gaps(parents) {
		total += s.regain(x, margin(n, card))
	}
	return total + s.edges(x, parents) + s.opt.Param*float64(len(n)/card*(card-1))
}

// edges returns the sum of the logarithms of the prior odds of the edges to x.
func (s *Scorer) edges(x int, parents []int) (sum float64) {
	if s.opt.Edge != nil {
		for _, u := range slices.Sorted(slices.Values(parents)) {
			sum += s.opt.Edge(u, x)
		}
	}
	return sum
}

// Equivalent returns an error if networks with the same independences may have different scores: by
// the kind of the score, or by prior odds of edges that depend on their direction.
func (s *Scorer) Equivalent() error {
	vars, columns := s.Counter.Set().Given()
	if !s.Kind.Equivalent {
		return fmt.Errorf("score %s depends on the directions of edges, which this learner leaves open; want another", s.Kind.Name)
	}
	if s.opt.Edge == nil {
		return nil
	}
	for y := range vars {
		for x := range y {
			if a, b := columns[x], columns[y]; s.opt.Edge(a, b) != s.opt.Edge(b, a) {
				return fmt.Errorf("the prior odds of %s->%s and of %[2]s->%[1]s differ, and this learner leaves directions open; want %[1]s--%[2]s, which is both", vars[x].Name, vars[y].Name)
			}
		}
	}
	return nil
}

// Adding stores in out the score of variable x with parents and each of others as a further one. It
// takes less time than [Scorer.Family] for each.
func (s *Scorer) Adding(x int, parents, others []int, out []float64) {
	if len(others) == 0 {
		return
	}
	sorted := slices.Sorted(slices.Values(parents))
	if s.isReal(x) || slices.ContainsFunc(parents, s.isReal) || slices.ContainsFunc(others, s.isReal) || len(others) == 1 {
		sets := make([][]int, len(others))
		for i, u := range others {
			sets[i] = append(slices.Clone(sorted), u)
		}
		s.Prefetch(x, sets)
		for i, u := range others {
			out[i] = s.Family(x, append(sorted, u)...)
		}
		return
	}
	vars := make([]int, len(sorted)+2)
	s.Counter.Adding(x, sorted, others, func(i int, n []float64) {
		place, _ := slices.BinarySearch(sorted, others[i])
		vars = append(append(append(append(vars[:0], sorted[:place]...), others[i]), sorted[place:]...), x)
		out[i] = s.ofCounts(vars, n)
	})
}

// Prefetch asks the source of the data, if it has one, for the counts of a variable with several
// sets of parents in one request. The families must satisfy [Scorer.Fits].
func (s *Scorer) Prefetch(x int, sets [][]int) {
	if len(sets) == 0 || !s.Counter.Set().Counted() {
		return
	}
	families := make([]data.Family, len(sets))
	for i, set := range sets {
		families[i].Discrete, families[i].Real = s.splitParents(append(slices.Clone(set), x))
	}
	s.Counter.Set().Tables(families)
}

// Parameters returns the number of free parameters of variable x with parents.
func (s *Scorer) Parameters(x int, parents ...int) int {
	if s.isReal(x) {
		f := s.split(x, parents)
		n, _ := s.Counter.Size(f.discrete)
		return n * f.parameters()
	}
	discrete, real := s.splitParents(parents)
	n, _ := s.Counter.Size(discrete)
	return n * (s.Counter.Card(x) - 1) * (len(real) + 1)
}

// Network returns the score of a network, given the parents of each variable.
func (s *Scorer) Network(parents [][]int) float64 {
	sum := 0.0
	for x, p := range parents {
		sum += s.Family(x, p...)
	}
	return sum
}

// prior returns the n pseudo-counts of a family.
func (s *Scorer) prior(vars []int, n int) []float64 {
	if !s.Kind.prior {
		return nil
	}
	out := make([]float64, n)
	switch s.Kind.Name {
	case "k2":
		for i := range out {
			out[i] = 1
		}
	case "bde":
		for i, p := range s.opt.Prior(vars) {
			out[i] = s.opt.Size * p
		}
	default:
		for i := range out {
			out[i] = s.opt.Size / float64(n)
		}
	}
	return out
}
