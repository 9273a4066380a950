package rowfile

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// Order is the order of states that are found in the data.
type Order uint8

// The orders.
const (
	Sorted     Order = iota // by value if all are numbers, and by bytes otherwise
	Appearance              // in the order of the rows
)

// LoadOptions control how a file becomes a set. The zero value makes a variable of each column.
type LoadOptions struct {
	Vars   []data.Var // the variables of the set; nil: one for each column, with the states that the file declares or has
	Unseen Unseen     // what to do with values that are not states of Vars

	// Slices makes the rows slices of sequences: those with one text in the column Sequence, in the
	// order of the file, or all rows if it is empty. The column is no variable if Vars is nil.
	Slices   bool
	Sequence string

	// The other options apply if Vars is nil. Columns of times, as package times recognizes them,
	// are no variables then, unless Times is set, and Load marks them in [Reader].Columns.
	Times bool

	// Numbering holds the columns to leave out, of those that number the slices of sequences; see
	// [Reader.Numbers]. A column that other options name is kept.
	Numbering []string
	Order     Order
	Real      []string // columns of real variables
	// Numeric makes other columns of numbers real variables too, in a file of texts: those with a
	// number that is not whole, or with more than MaxWhole different ones.
	Numeric bool
	Cards   []int // numbers of states by column in a file of state numbers, see ReadSchema; nil: as found, at least 2
	// Bins is the number of intervals that replace the numbers of a column with more different
	// ones, in a file of texts. Zero keeps the numbers. In either case a column may have at most
	// MaxStates different numbers.
	Bins    int
	Binning Binning
	Class   string       // the class of BinsMDL, which needs no Bins and leaves columns that look like codes
	Columns []ColumnBins // columns with rules of their own

	MaxMem int64 // maximal bytes of the set; 0: [data.DefaultMaxMem]

	scan bool // find the variables and keep no rows
}

// Load reads a whole file. If rows are invalid, the error is a diag.Errors with the first few
// errors.
func Load(path string, format Format, opt LoadOptions) (*data.Set, error) {
	r, err := Open(path, format)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.Load(opt)
}

// Scan reads the remaining rows as Load does and returns the variables, but keeps no rows. Slices,
// Numeric and bins need the rows, and have no effect.
func (r *Reader) Scan(opt LoadOptions) ([]data.Var, error) {
	opt.Slices, opt.Numeric, opt.Bins, opt.Binning, opt.Class, opt.Columns, opt.scan = false, false, 0, 0, "", nil, true
	set, err := r.Load(opt)
	if err != nil {
		return nil, err
	}
	return set.Vars, nil
}

// Load reads the remaining rows.
func (r *Reader) Load(opt LoadOptions) (*data.Set, error) {
	l := &loader{r: r, opt: &opt, vars: opt.Vars}
	var err error
	if l.groups, err = newGrouping(r, &opt); err != nil {
		return nil, err
	}
	if opt.Vars != nil {
		l.b, err = r.Bind(opt.Vars, opt.Unseen)
	} else {
		l.b, err = r.discover(&opt)
	}
	if err != nil {
		return nil, err
	}
	l.b.Only(opt.Sequence)
	if err := l.checkBins(); err != nil {
		return nil, err
	}
	if opt.MaxMem == 0 {
		opt.MaxMem = data.DefaultMaxMem
	}
	l.states = make([]int, len(l.b.dicts))
	for _, d := range l.b.dicts {
		l.columns = append(l.columns, makeColumn(d.Count() > data.MissingByte, 0))
		if d.Real && l.reals == nil {
			l.reals = make([][]float64, len(l.b.dicts))
		}
	}
	if err := l.read(); err != nil {
		return nil, err
	}
	if opt.Vars == nil {
		l.leaveNumbering()
		l.leaveTimes()
		if err := l.name(); err != nil {
			return nil, err
		}
	}
	columns := make([]data.States, len(l.columns))
	for v, c := range l.columns {
		columns[v] = c.States
	}
	set := data.NewColumns(l.vars, l.rows, columns, l.reals, l.weights)
	if l.groups != nil {
		return l.groups.apply(set)
	}
	return set, nil
}

// loader is the state of a Load.
type loader struct {
	r   *Reader
	opt *LoadOptions
	b   *Binding

	vars    []data.Var
	columns []column    // by variable
	reals   [][]float64 // by variable: the values of a real one, else nil; nil if none is real
	weights []float64   // nil if all are 1
	rows    int

	room   int // capacity of the columns in rows
	row    int // bytes of a row
	states []int
	groups *grouping // nil if rows are independent
}

// read adds all rows, or collects errors in them.
func (l *loader) read() error {
	err := l.r.Each(context.Background(), func(rec *data.Record) error {
		err := l.b.States(rec, l.states)
		if err == nil && l.groups != nil {
			err = l.groups.add(rec)
		}
		if err != nil {
			return err
		}
		return l.add(rec)
	})
	for v := range l.columns {
		l.columns[v].trim(l.rows)
	}
	return err
}

// add appends the states of a row.
func (l *loader) add(rec *data.Record) error {
	if l.opt.scan {
		if need := int64(l.b.bytes); need > l.opt.MaxMem {
			return plain.Fail(rec.Pos, fmt.Errorf("the states of %d columns so far take %d bytes of memory, over the limit of %d; give more memory, or leave out columns", len(l.columns), need, l.opt.MaxMem))
		}
		return nil
	}
	weigh := l.weights != nil || rec.Weight != 1
	full := l.rows == l.room || weigh && l.weights == nil
	for v, x := range l.states {
		full = full || x >= data.MissingByte && !l.columns[v].wide()
	}
	if full {
		l.row = l.rowBytes(weigh)
	}
	if need := int64(l.b.bytes) + int64(l.row)*int64(l.rows+1); need > l.opt.MaxMem {
		return plain.Fail(rec.Pos, fmt.Errorf("row %d of %d columns would bring the data to %d bytes of memory, over the limit of %d; give more memory, or leave out columns or rows",
			l.rows+1, len(l.columns), need, l.opt.MaxMem))
	}
	if full {
		l.makeRoom(weigh, (l.opt.MaxMem-int64(l.b.bytes))/int64(l.row))
	}
	for v, x := range l.states {
		l.columns[v].put(l.rows, x)
		if l.reals != nil && l.b.dicts[v].Real {
			l.reals[v] = append(l.reals[v], l.b.Values[v])
		}
	}
	if weigh {
		l.weights = append(l.weights, rec.Weight)
	}
	l.rows++
	return nil
}

// weight returns the weight of a row.
func (l *loader) weight(row int) float64 {
	if l.weights == nil {
		return 1
	}
	return l.weights[row]
}

// rowBytes returns the memory of a row, with columns that are wide enough for the next one.
func (l *loader) rowBytes(weigh bool) (n int) {
	for v, x := range l.states {
		n++
		if l.columns[v].wide() || x >= data.MissingByte {
			n++
		}
		if l.b.dicts[v].Real {
			n += 8
		}
	}
	if weigh {
		n += 8
	}
	return n
}

// makeRoom doubles the capacity of the columns, up to most rows, and makes them wide enough for the
// states of the next row.
func (l *loader) makeRoom(weigh bool, most int64) {
	l.room = int(min(int64(max(16, 2*l.rows)), most))
	for v := range l.columns {
		l.columns[v].trim(l.rows)
		l.columns[v].grow(l.rows, l.columns[v].wide() || l.states[v] >= data.MissingByte, l.room)
		l.columns[v].trim(l.room)
		if l.b.dicts[v].Real {
			l.reals[v] = append(make([]float64, 0, l.room), l.reals[v]...)
		}
	}
	if weigh {
		grown := make([]float64, 0, l.room)
		for i := range l.rows {
			grown = append(grown, l.weight(i))
		}
		l.weights = grown
	}
}

// grouping collects rows into sequences by the texts of a column.
type grouping struct {
	names  *SequenceNames
	of     []int
	number map[string]int
}

// newGrouping returns the grouping of opt; nil if rows are independent.
func newGrouping(r *Reader, opt *LoadOptions) (*grouping, error) {
	if !opt.Slices {
		return nil, nil
	}
	names, err := r.SequenceNames(opt.Sequence)
	return &grouping{names: names, number: map[string]int{}}, err
}

// add adds a row.
func (g *grouping) add(rec *data.Record) error {
	name, err := g.names.Of(rec)
	if err != nil {
		return err
	}
	k, ok := g.number[name]
	if !ok {
		k = len(g.number)
		g.number[name] = k
	}
	g.of = append(g.of, k)
	return nil
}

// apply returns the set with the rows of each sequence together, in the order of their first rows.
func (g *grouping) apply(s *data.Set) (*data.Set, error) {
	order := make([]int, len(g.of))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return g.of[a] - g.of[b] })
	if !slices.IsSorted(order) {
		s = s.Subset(order)
	}
	var first []int
	for i, row := range order {
		if i == 0 || g.of[row] != g.of[order[i-1]] {
			first = append(first, i)
		}
	}
	return s.InSequences(first)
}
