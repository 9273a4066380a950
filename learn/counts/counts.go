package counts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Counts holds the counts of families of some variables. It is a [data.CountSource].
type Counts struct {
	Vars []data.Var
	Rows float64 // the weight of all rows
	// From gives counts that are not known yet, which Counts then keeps; nil if there are no
	// others.
	From data.CountSource
	Keep func() error // is called after each answer of From; may be nil

	file  string // its name and a colon, if it was read
	room  int64  // bytes of tables that may still be added
	known map[string]*family
	list  []*family // in the order in which they were added
	whole []bool    // by variable: no row misses its value, as far as families show; nil if out of date
}

// family is the table of a family.
type family struct {
	data.Family
	data.Table
	missed float64 // the weight of the rows that miss a value of it

	// While rows are added:
	rest []float64 // by joint state and real variable: its mean less the rounded one
	step []float64 // scratch, by real variable
}

// defaultRoom is the default limit on the bytes of tables.
const defaultRoom = 1 << 30

// New returns counts of variables, without a family. It holds at most maxMem bytes of tables; 0
// means a default.
func New(vars []data.Var, maxMem int64) *Counts {
	if maxMem == 0 {
		maxMem = defaultRoom
	}
	return &Counts{Vars: vars, room: maxMem, known: map[string]*family{}}
}

// Families returns the families of variables that have counts, in the order in which they were
// added.
func (c *Counts) Families() (list []data.Family) {
	for _, f := range c.list {
		if len(f.Vars()) > 0 {
			list = append(list, f.Family)
		}
	}
	return list
}

// Count implements data.CountSource.
func (c *Counts) Count(families []data.Family) ([]data.Table, error) {
	var ask []data.Family
	for i := range families {
		if c.find(&families[i]) == nil {
			ask = append(ask, families[i])
		}
	}
	if len(ask) > 0 && c.From == nil {
		return nil, fmt.Errorf("%sthere are no counts of %s; want counts of this family, or of one that contains it and of which no row misses a value", c.file, c.name(&ask[0]))
	}
	if len(ask) > 0 {
		tables, err := c.From.Count(ask)
		if err != nil {
			return nil, err
		}
		for i, f := range ask {
			if err := c.add(f, tables[i]); err != nil {
				return nil, err
			}
		}
		if c.Keep != nil {
			if err := c.Keep(); err != nil {
				return nil, err
			}
		}
	}
	out := make([]data.Table, len(families))
	for i := range families {
		out[i] = *c.find(&families[i])
	}
	return out, nil
}

// find returns the table of a family, or nil if it does not follow from those that are known.
func (c *Counts) find(f *data.Family) *data.Table {
	if x := c.known[f.Key()]; x != nil {
		return &x.Table
	}
	vars := f.Vars()
	if len(vars) == 0 {
		if c.list == nil {
			return nil
		}
		return &data.Table{N: []float64{c.Rows}}
	}
	if c.whole == nil {
		c.whole = make([]bool, len(c.Vars))
		for _, x := range c.list {
			c.complete(x)
		}
	}
	var best *family
	for _, x := range c.list {
		all := x.Vars()
		if len(all) <= len(vars) || best != nil && x.size() >= best.size() {
			continue
		}
		within := !slices.ContainsFunc(vars, func(v int) bool { return !slices.Contains(all, v) })
		if within && !slices.ContainsFunc(all, func(v int) bool { return !c.whole[v] && !slices.Contains(vars, v) }) {
			best = x
		}
	}
	if best == nil {
		return nil
	}
	t := c.marginal(best, f)
	return &t
}

// size returns the number of joint states.
func (f *family) size() int { return max(len(f.N), len(f.Moments)) }

// marginal sums the table of a family over the variables that another one does not have.
func (c *Counts) marginal(from *family, to *data.Family) data.Table {
	out := c.zero(to)
	c.each(from.Discrete, func(i int, state []int) {
		at := 0
		for _, v := range to.Discrete {
			at = at*len(c.Vars[v].States) + state[slices.Index(from.Discrete, v)]
		}
		switch {
		case from.Moments == nil:
			out.N[at] += from.N[i]
		case out.Moments == nil:
			out.N[at] += from.Moments[i].Weight
		case from.Moments[i].Weight > 0:
			x := from.Moments[i].Arrange(from.Real, to.Real)
			out.Moments[at] = out.Moments[at].Merge(&x)
		}
	})
	return out
}

// each calls do with the joint states of discrete variables, in order.
func (c *Counts) each(vars []int, do func(i int, state []int)) {
	state := make([]int, len(vars))
	for i := range c.size(vars) {
		do(i, state)
		for k := len(vars) - 1; k >= 0; k-- {
			if state[k]++; state[k] < len(c.Vars[vars[k]].States) {
				break
			}
			state[k] = 0
		}
	}
}

// maxSize is the most joint states of a family.
const maxSize = 1 << 24

// size returns the number of joint states of discrete variables, at most maxSize+1.
func (c *Counts) size(vars []int) int {
	n := 1
	for _, v := range vars {
		n = min(maxSize+1, n*len(c.Vars[v].States))
	}
	return n
}

// zero returns the table of a family without rows.
func (c *Counts) zero(f *data.Family) data.Table {
	n := c.size(f.Discrete)
	if f.Real == nil {
		return data.Table{N: make([]float64, n)}
	}
	k := len(f.Real)
	t := data.Table{Moments: make([]data.Moment, n)}
	for i := range t.Moments {
		t.Moments[i] = data.Moment{Mean: make([]float64, k), Cross: make([]float64, k*(k+1)/2)}
	}
	return t
}

// fits returns an error if a family is too large, and takes its room otherwise.
func (c *Counts) fits(f *data.Family) error {
	n := c.size(f.Discrete)
	if n > maxSize {
		return fmt.Errorf("%s have more than %d joint states", c.name(f), maxSize)
	}
	k := int64(len(f.Real))
	bytes := int64(n) * 8
	if k > 0 {
		bytes *= 7 + 2*k + k*(k+1)/2 // 7: the weight and the headers of two slices
	}
	if c.room -= bytes; c.room < 0 {
		return diag.Errorf("the tables of counts take more memory than there is; want fewer or smaller families, or more by %v", diag.Option{Name: "max-mem"})
	}
	return nil
}

// add adds the table of a new family. The first one without variables has the weight of all rows.
func (c *Counts) add(f data.Family, t data.Table) error {
	if err := c.fits(&f); err != nil {
		return err
	}
	weight := t.Weight()
	if len(f.Vars()) == 0 {
		c.Rows = weight
	}
	missed := data.Missed(c.Rows, weight)
	if !(missed >= 0) {
		return fmt.Errorf("the counts of %s are of %v rows, and there are %v; the rows may have changed between requests", c.name(&f), weight, c.Rows)
	}
	return c.put(&family{Family: f, Table: t, missed: missed})
}

// put adds a family. If another family shows that no row misses a value of it, its own rows must
// agree.
func (c *Counts) put(f *family) error {
	vars := f.Vars()
	if c.whole != nil && f.missed > 0 && len(vars) > 0 && !slices.ContainsFunc(vars, func(v int) bool { return !c.whole[v] }) {
		return fmt.Errorf("%v rows lack a value of %s, and no row did in other counts; the rows may have changed between requests", f.missed, c.name(&f.Family))
	}
	c.known[f.Key()] = f
	c.list = append(c.list, f)
	if c.whole != nil {
		c.complete(f)
	}
	return nil
}

// complete notes that no row misses a value of the variables of a family, if its counts show that.
func (c *Counts) complete(f *family) {
	if f.missed == 0 {
		for _, v := range f.Vars() {
			c.whole[v] = true
		}
	}
}

// name lists the variables of a family for a message.
func (c *Counts) name(f *data.Family) string {
	var names []string
	for _, v := range f.Vars() {
		names = append(names, fmt.Sprintf("%q", c.Vars[v].Name))
	}
	if names == nil {
		return "the rows"
	}
	return strings.Join(names, ", ")
}

// Differs returns an error that names the first difference between the variables of c and others,
// or nil.
func (c *Counts) Differs(vars []data.Var) error {
	for i := range max(len(c.Vars), len(vars)) {
		switch {
		case i >= len(c.Vars):
			return fmt.Errorf("there is no variable %q; want it", vars[i].Name)
		case i >= len(vars):
			return fmt.Errorf("there is a variable %q more than wanted", c.Vars[i].Name)
		}
		x, y := &c.Vars[i], &vars[i]
		switch {
		case x.Name != y.Name:
			return fmt.Errorf("variable %d is %q; want %q", i+1, x.Name, y.Name)
		case x.Real != y.Real:
			return fmt.Errorf("of the variable %q, one is real and the other has states", x.Name)
		case !slices.Equal(x.States, y.States):
			return fmt.Errorf("variable %q has the states %q; want %q", x.Name, x.States, y.States)
		}
	}
	return nil
}

// Add adds counts of further rows, of the same families, to c.
func (c *Counts) Add(other *Counts) error {
	if err := other.Differs(c.Vars); err != nil {
		return err
	}
	for _, f := range other.list {
		if c.known[f.Key()] == nil {
			return fmt.Errorf("there are counts of %s, and the others have none; want the same families", c.name(&f.Family))
		}
	}
	for _, f := range c.list {
		g := other.known[f.Key()]
		if g == nil {
			return fmt.Errorf("there are no counts of %s, and the others have some; want the same families", c.name(&f.Family))
		}
		f.missed += g.missed
		for i, n := range g.N {
			f.N[i] += n
		}
		for i := range g.Moments {
			f.Moments[i] = f.Moments[i].Merge(&g.Moments[i])
		}
	}
	c.Rows += other.Rows
	c.whole = nil
	return nil
}
