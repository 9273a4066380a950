package pc

import (
	"context"
	"maps"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/independence"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/knownorder"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// separation is a set given which two variables are independent.
type separation struct {
	found bool
	given []int
	best  float64 // how well the test agrees with independence: a p-value, except of mi
}

// skeleton holds the remaining edges, without directions, and the sets that separate the other
// pairs.
type skeleton struct {
	*graph.Partial
	separated map[[2]int]separation // by pair, the smaller variable first
	tested    map[[2]int]separation // by pair: the test so far that agrees best with independence, for corrections
	counts    Counts
}

// Counts counts the tests and their contradictions.
type Counts struct {
	Tests, Thin, Skipped int          // tests made; those with too few rows for the chi-square distribution; those not made
	Undecided            int          // tests that were not made, since the given variables determine one of the two
	Determined           map[int]bool // the variables that they determine
	Contradicted         int          // colliders that were left out
	Forced               int          // variables at which the structure has colliders that the class has not

	// Size is the number of given variables of the tests before which the search ended, since they
	// would have been Left; 0 if it ended otherwise.
	Size int
	Left float64
}

func (c *Counts) add(o *Counts) {
	c.Tests += o.Tests
	c.Thin += o.Thin
	c.Skipped += o.Skipped
	c.undecided(o.Undecided, slices.Sorted(maps.Keys(o.Determined)))
}

// undecided adds tests that were not made.
func (c *Counts) undecided(tests int, determined []int) {
	c.Undecided += tests
	for _, v := range determined {
		if c.Determined == nil {
			c.Determined = map[int]bool{}
		}
		c.Determined[v] = true
	}
}

// batch is the number of pairs that are tested between two reports of progress.
const batch = 64

// finder finds a class.
type finder struct {
	oracle   independence.Oracle
	most     int // most given variables of a test
	maxTests int
	cores    int
	rules    *network.Rules // nil for none
	correct  correction
	tell     func(tests int)
}

// always reports whether rules require an edge between a and b, in either direction; never reports
// whether they forbid both directions.
func (f *finder) always(a, b int) bool {
	return f.rules != nil && (f.rules.Required[[2]int{a, b}] || f.rules.Required[[2]int{b, a}])
}

func (f *finder) never(a, b int) bool {
	return f.rules != nil && f.rules.Forbidden[[2]int{a, b}] && f.rules.Forbidden[[2]int{b, a}]
}

// skeleton tests adjacent pairs of variables, given more and more of the variables around them. It
// tests pairs that must have no edge as well: whether a variable between them is a collider is for
// the data to say.
func (f *finder) skeleton(ctx context.Context, n int) (*skeleton, error) {
	s := &skeleton{graph.New(n), map[[2]int]separation{}, map[[2]int]separation{}, Counts{}}
	var apart [][2]int
	for b := range n {
		for a := range b {
			if f.never(a, b) {
				apart = append(apart, [2]int{a, b})
			} else {
				s.Join(a, b)
			}
		}
	}
	for size := 0; size <= f.most; size++ {
		around, pairs := make([][]int, n), [][2]int{}
		for v := range n {
			around[v] = s.Around(v)
		}
		for _, e := range s.Edges() {
			if max(len(around[e.A]), len(around[e.B])) > size && !f.always(e.A, e.B) {
				pairs = append(pairs, [2]int{e.A, e.B})
			}
		}
		for _, p := range apart {
			if max(len(around[p[0]]), len(around[p[1]])) >= size && !s.separated[p].found {
				pairs = append(pairs, p)
			}
		}
		if len(pairs) == 0 {
			break
		}
		if n := price(pairs, around, size); n > float64(f.maxTests-s.counts.Tests) {
			s.counts.Size, s.counts.Left = size, n
			break
		}
		if err := f.level(ctx, s, pairs, around, size); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// price bounds the number of tests of a level.
func price(pairs [][2]int, around [][]int, size int) (tests float64) {
	for _, p := range pairs {
		for k, v := range p {
			choices, others := 1.0, len(without(around[v], p[1-k]))
			for i := range size {
				choices *= float64(max(0, others-i)) / float64(i+1)
			}
			tests += choices
		}
	}
	return tests
}

// level tests pairs given sets of size variables, chosen among those around them before the level.
func (f *finder) level(ctx context.Context, s *skeleton, pairs [][2]int, around [][]int, size int) error {
	found, counts := make([]separation, len(pairs)), make([]Counts, len(pairs))
	for start := 0; start < len(pairs); start += batch {
		n := min(batch, len(pairs)-start)
		learner.Each(f.cores, n, func(i int) {
			found[start+i] = f.separate(ctx, pairs[start+i], around, size, &counts[start+i])
		})
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for i := range n {
			s.counts.add(&counts[start+i])
		}
		f.tell(s.counts.Tests)
	}
	for i, p := range pairs {
		if found[i].given != nil && (s.tested[p].given == nil || found[i].best > s.tested[p].best) {
			s.tested[p] = found[i]
		}
	}
	critical := f.correct.critical(s)
	for p, sep := range s.tested {
		if !s.separated[p].found && (sep.found || sep.best > critical) {
			sep.found = true
			s.Cut(p[0], p[1])
			s.separated[p] = sep
		}
	}
	return nil
}

// separate tests a pair given each set of size variables around either end. It returns the test
// that agrees best with independence, the first of ties; found says whether that is enough,
// unless p-values are corrected. It stops early if ctx ends.
func (f *finder) separate(ctx context.Context, pair [2]int, around [][]int, size int, counts *Counts) (best separation) {
	a, b := pair[0], pair[1]
	one, two := without(around[a], b), without(around[b], a)
	try := func(given []int) {
		o := f.oracle(a, b, given)
		switch {
		case o.Skipped:
			counts.Skipped++
			return
		case o.Determined != nil:
			counts.undecided(1, o.Determined)
			return
		case o.Thin:
			counts.Thin++
		}
		counts.Tests++
		if best.given == nil || o.PValue > best.best {
			best = separation{o.Independent && !f.correct.corrects(), append([]int{}, given...), o.PValue}
		}
	}
	if len(one) >= size {
		for given := range knownorder.Subsets(one, size) {
			if ctx.Err() != nil {
				return best
			}
			try(given)
		}
	}
	if len(two) >= size && size > 0 {
		for given := range knownorder.Subsets(two, size) {
			if ctx.Err() != nil {
				return best
			}
			if slices.ContainsFunc(given, func(v int) bool { return !slices.Contains(one, v) }) {
				try(given)
			}
		}
	}
	return best
}

func without(list []int, v int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(u int) bool { return u == v })
}
