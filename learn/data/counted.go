package data

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/pgmc-go/pgmc/ir/group"
)

// Family is a set of variables by number: discrete and real ones, each ascending.
type Family struct{ Discrete, Real []int }

// Vars returns all variables of the family, the discrete ones first.
func (f *Family) Vars() []int { return slices.Concat(f.Discrete, f.Real) }

// Key returns a text that only this family has.
func (f *Family) Key() string { return keyOf(f.Discrete) + "|" + keyOf(f.Real) }

// Table holds the counts of a family by joint state of its discrete variables, row-major in their
// order, the last one fastest.
type Table struct {
	N       []float64 // the weights of rows; nil for a family with real variables
	Moments []Moment  // of the real variables; nil for a family without them
}

// Weight returns the weight of the rows that count.
func (t *Table) Weight() (sum float64) {
	for _, n := range t.N {
		sum += n
	}
	for i := range t.Moments {
		sum += t.Moments[i].Weight
	}
	return sum
}

// CountSource gives counts of rows that are elsewhere: in a file of counts, or in the tables of a
// database. It answers many families at once, so that each request is one pass over the rows. The
// family without variables has the weight of all rows. A row that misses a value of a family does
// not count for it. A source keeps its answers, since learners ask again for families they know.
type CountSource interface {
	Count(families []Family) ([]Table, error)
}

// remote is the source of a set that has no rows in memory.
type remote struct {
	from   CountSource
	rows   float64 // the weight of all rows
	single []Table // by variable of the source

	mu      sync.Mutex
	running int // goroutines that may still ask before the next request
	waiting []*request
}

// request is families for which a goroutine waits.
type request struct {
	families []Family
	done     chan struct{} // closed after the answer
	tables   []*Table
	err      error
}

// sourceError is the value of the panic that ends a learner if its source fails.
type sourceError struct{ error }

// NewCounted returns a set whose counts come from a source, and which has no rows. Learners that
// declare [model.Counts] learn from it; others need rows. The number of rows is their weight. A
// failure of the source later is a panic, see [RecoverSource].
func NewCounted(vars []Var, from CountSource) (*Set, error) {
	families := make([]Family, 1, len(vars)+1)
	at := make([]int, len(vars))
	for v, x := range vars {
		f := Family{Discrete: []int{v}}
		if x.Real {
			f = Family{Real: []int{v}}
		}
		families, at[v] = append(families, f), v
	}
	tables, err := from.Count(families)
	if err != nil {
		return nil, err
	}
	c := &remote{from: from, rows: tables[0].Weight(), single: tables[1:], running: 1}
	if !(c.rows < 1<<53) {
		return nil, fmt.Errorf("the counts are of %v rows; want fewer than 2^53", c.rows)
	}
	return &Set{Vars: vars, rows: int(c.rows), remote: c, at: at}, nil
}

// Missed returns the weight of the rows that the counts of a family leave out, by the weight of all
// rows and of those that count. Sums of fractional weights are rounded.
func Missed(rows, counted float64) float64 {
	missed := rows - counted
	if (rows != math.Trunc(rows) || counted != math.Trunc(counted)) && math.Abs(missed) <= 1e-9*rows {
		return 0
	}
	return missed
}

// Counted reports whether the set has counts and no rows.
func (s *Set) Counted() bool { return s.remote != nil }

// Total returns the weight of all rows.
func (s *Set) Total() float64 {
	if s.remote != nil {
		return s.remote.rows
	}
	sum := 0.0
	for row := range s.rows {
		sum += s.Weight(row)
	}
	return sum
}

// RecoverSource, deferred, stores the error of a source that ended a learner.
func RecoverSource(err *error) {
	p := recover()
	cause := p
	for {
		inner, ok := cause.(*group.Panic)
		if !ok {
			break
		}
		cause = inner.Value
	}
	if failed, ok := cause.(sourceError); ok {
		*err = failed.error
	} else if p != nil {
		panic(p)
	}
}

// Together calls do with 0 to n-1, all at once, if the set has a source of counts, and reports
// whether it has. As soon as each call has ended or waits for counts, the source gets one request
// for all of them. The requests thus depend on neither time nor cores.
func (s *Set) Together(n int, do func(i int)) bool {
	c := s.remote
	if c == nil || n == 0 {
		return c != nil
	}
	left := n
	c.mu.Lock()
	c.running += n - 1 // the caller waits
	c.mu.Unlock()
	var g group.Group
	for i := range n {
		g.Go(func() {
			defer func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				if left--; left > 0 { // the caller goes on in place of the last one
					c.running--
					c.answer()
				}
			}()
			do(i)
		})
	}
	g.Wait()
	return true
}

// answer asks the source if nothing else can ask. The caller holds c.mu.
func (c *remote) answer() {
	if c.running > 0 || len(c.waiting) == 0 {
		return
	}
	var all []Family
	for _, r := range c.waiting {
		all = append(all, r.families...)
	}
	slices.SortFunc(all, compareFamilies)
	all = slices.CompactFunc(all, func(a, b Family) bool { return compareFamilies(a, b) == 0 })
	tables, err := c.from.Count(all)
	at := map[string]*Table{}
	for i := range tables {
		at[all[i].Key()] = &tables[i]
	}
	for _, r := range c.waiting {
		for i := range r.families {
			r.tables = append(r.tables, at[r.families[i].Key()])
		}
		r.err = err
		close(r.done)
	}
	c.running += len(c.waiting)
	c.waiting = nil
}

func compareFamilies(a, b Family) int {
	return cmp.Or(slices.Compare(a.Discrete, b.Discrete), slices.Compare(a.Real, b.Real))
}

// ask returns the tables of families of numbers of the source. It panics if the source fails.
func (c *remote) ask(families []Family) []*Table {
	r := &request{families: families, done: make(chan struct{})}
	c.mu.Lock()
	c.running--
	c.waiting = append(c.waiting, r)
	c.answer()
	c.mu.Unlock()
	<-r.done
	if r.err != nil {
		panic(sourceError{r.err})
	}
	return r.tables
}

// Tables returns the tables of families from the source of the set, in one request. The variables
// of a family may be in any order, which the table then has.
func (s *Set) Tables(families []Family) []Table {
	sorted, orders := make([]Family, len(families)), make([]Family, len(families))
	for i, f := range families {
		orders[i] = Family{s.bySource(f.Discrete), s.bySource(f.Real)}
		for _, v := range orders[i].Discrete {
			sorted[i].Discrete = append(sorted[i].Discrete, s.at[v])
		}
		for _, v := range orders[i].Real {
			sorted[i].Real = append(sorted[i].Real, s.at[v])
		}
	}
	out, c := make([]Table, len(families)), &Counter{set: s}
	for i, t := range s.remote.ask(sorted) {
		f, from := &families[i], &orders[i]
		if t.Moments == nil {
			out[i].N = c.permute(t.N, from.Discrete, f.Discrete)
			continue
		}
		place := make([]float64, len(t.Moments))
		for k := range place {
			place[k] = float64(k)
		}
		for _, k := range c.permute(place, from.Discrete, f.Discrete) {
			out[i].Moments = append(out[i].Moments, t.Moments[int(k)].Arrange(from.Real, f.Real))
		}
	}
	return out
}

// bySource returns variables in the order of the source.
func (s *Set) bySource(vars []int) []int {
	return slices.SortedFunc(slices.Values(vars), func(a, b int) int { return cmp.Compare(s.at[a], s.at[b]) })
}

// Arrange returns the moments with the variables in another order, or of some of them.
func (x *Moment) Arrange(from, to []int) Moment {
	y := Moment{Weight: x.Weight}
	for i, v := range to {
		a := slices.Index(from, v)
		y.Mean = append(y.Mean, x.Mean[a])
		for _, u := range to[:i+1] {
			y.Cross = append(y.Cross, x.Cross[Packed(a, slices.Index(from, u))])
		}
	}
	return y
}

// single returns the table of one variable.
func (s *Set) single(v int) *Table { return &s.remote.single[s.at[v]] }
