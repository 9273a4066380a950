package data

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// DefaultMaxMem is the default of LoadOptions.MaxMem, in bytes.
const DefaultMaxMem = 1 << 30

// Order is the order of states that are found in the data.
type Order uint8

// The orders.
const (
	Sorted     Order = iota // by value if all are numbers, and by bytes otherwise
	Appearance              // in the order of the rows
)

// LoadOptions control how a file becomes a set. The zero value makes a variable of each column.
type LoadOptions struct {
	Vars   []Var  // the variables of the set; nil: one for each column, with the states that the file declares or has
	Unseen Unseen // what to do with values that are not states of Vars

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

	MaxMem int64 // maximal bytes of the set; 0: DefaultMaxMem

	scan bool // find the variables and keep no rows
}

// Load reads a whole file. If rows are invalid, the error is a diag.Errors with the first few
// errors.
func Load(path string, format Format, opt LoadOptions) (*Set, error) {
	r, err := Open(path, format)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.Load(opt)
}

// Scan reads the remaining rows as Load does and returns the variables, but keeps no rows. Slices,
// Numeric and bins need the rows, and have no effect.
func (r *Reader) Scan(opt LoadOptions) ([]Var, error) {
	opt.Slices, opt.Numeric, opt.Bins, opt.Binning, opt.Class, opt.Columns, opt.scan = false, false, 0, 0, "", nil, true
	set, err := r.Load(opt)
	if err != nil {
		return nil, err
	}
	return set.Vars, nil
}

// Load reads the remaining rows.
func (r *Reader) Load(opt LoadOptions) (*Set, error) {
	l := &loader{r: r, opt: &opt, set: &Set{Vars: opt.Vars}}
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
		opt.MaxMem = DefaultMaxMem
	}
	l.states = make([]int, len(l.b.dicts))
	for _, d := range l.b.dicts {
		l.set.columns = append(l.set.columns, makeStates(max(d.card, len(d.states)) > MissingByte, 0))
		if d.real && l.set.reals == nil {
			l.set.reals = make([][]float64, len(l.b.dicts))
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
	if l.groups != nil {
		return l.groups.apply(l.set), nil
	}
	return l.set, nil
}

// loader is the state of a Load.
type loader struct {
	r      *Reader
	opt    *LoadOptions
	b      *Binding
	set    *Set
	room   int // capacity of the columns in rows
	row    int // bytes of a row
	states []int
	errors diag.List
	groups *grouping // nil if rows are independent
}

// read adds all rows, or collects errors in them.
func (l *loader) read() error {
	for !l.errors.Full() {
		rec, err := l.r.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = l.b.States(rec, l.states)
		}
		if err == nil && l.groups != nil {
			err = l.groups.add(rec)
		}
		var bad RowError
		if l.r.Skip(err) {
			continue
		}
		if errors.As(err, &bad) {
			l.errors.Add(bad.Diagnostic)
			continue
		}
		if err != nil {
			return err
		}
		if err := l.add(rec); err != nil {
			return err
		}
	}
	for v := range l.set.columns {
		l.set.columns[v].trim(l.set.rows)
	}
	return l.errors.Err()
}

// add appends the states of a row.
func (l *loader) add(rec *Record) error {
	s := l.set
	if l.opt.scan {
		if need := int64(l.b.bytes); need > l.opt.MaxMem {
			return fail(rec.Pos, fmt.Errorf("the states of %d columns so far take %d bytes of memory, over the limit of %d; give more memory, or leave out columns", len(s.columns), need, l.opt.MaxMem))
		}
		return nil
	}
	weigh := s.weights != nil || rec.Weight != 1
	full := s.rows == l.room || weigh && s.weights == nil
	for v, x := range l.states {
		full = full || x >= MissingByte && !s.columns[v].wide()
	}
	if full {
		l.row = l.rowBytes(weigh)
	}
	if need := int64(l.b.bytes) + int64(l.row)*int64(s.rows+1); need > l.opt.MaxMem {
		return fail(rec.Pos, fmt.Errorf("row %d of %d columns would bring the data to %d bytes of memory, over the limit of %d; give more memory, or leave out columns or rows",
			s.rows+1, len(s.columns), need, l.opt.MaxMem))
	}
	if full {
		l.makeRoom(weigh, (l.opt.MaxMem-int64(l.b.bytes))/int64(l.row))
	}
	for v, x := range l.states {
		s.columns[v].put(s.rows, x)
		if s.reals != nil && l.b.dicts[v].real {
			s.reals[v] = append(s.reals[v], l.b.Values[v])
		}
	}
	if weigh {
		s.weights = append(s.weights, rec.Weight)
	}
	s.rows++
	return nil
}

// rowBytes returns the memory of a row, with columns that are wide enough for the next one.
func (l *loader) rowBytes(weigh bool) (n int) {
	for v, x := range l.states {
		n++
		if l.set.columns[v].wide() || x >= MissingByte {
			n++
		}
		if l.b.dicts[v].real {
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
	s := l.set
	l.room = int(min(int64(max(16, 2*s.rows)), most))
	for v := range s.columns {
		s.columns[v].trim(s.rows)
		s.columns[v].regrow(s.rows, s.columns[v].wide() || l.states[v] >= MissingByte, l.room)
		s.columns[v].trim(l.room)
		if l.b.dicts[v].real {
			s.reals[v] = append(make([]float64, 0, l.room), s.reals[v]...)
		}
	}
	if weigh {
		grown := make([]float64, 0, l.room)
		for i := range s.rows {
			grown = append(grown, s.Weight(i))
		}
		s.weights = grown
	}
}

// name sets the variables that were found. It returns an error if a column that was named to become
// intervals has a value that is no number.
func (l *loader) name() error {
	most := 0
	for v, d := range l.b.dicts {
		switch {
		case d.real:
		case d.code == nil:
			most = max(most, d.card)
		case d.open:
			l.merge(v)
		}
	}
	all := numbers(most)
	for v, c := range l.b.Column {
		d := &l.b.dicts[v]
		x := Var{Name: l.r.Columns[c].Name, States: d.states, Real: d.real}
		switch {
		case d.real:
		case d.code == nil:
			x.States = all[:d.card:d.card]
		case d.open:
			if err := l.checkNumbers(&x); err != nil {
				return err
			}
			if l.real(v, &x) || l.bin(v, &x) || l.opt.Order != Sorted {
				break
			}
			var rank []int
			x.States, rank = sorted(x.States)
			l.set.columns[v].renumber(rank)
		}
		l.set.Vars = append(l.set.Vars, x)
	}
	return nil
}

// numbers returns the texts "0" to n-1.
func numbers(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(i)
	}
	return slices.Clip(list)
}

// leaveNumbering removes the columns of Numbering unless they hold variables.
func (l *loader) leaveNumbering() {
	if !l.r.Numbers() {
		return
	}
	named := append(slices.Clone(l.opt.Real), l.opt.Class)
	for _, c := range l.opt.Columns {
		named = append(named, c.Column)
	}
	for v := len(l.b.Column) - 1; v >= 0; v-- {
		name := l.r.Columns[l.b.Column[v]].Name
		if l.b.Column[v] > 1 || !slices.Contains(l.opt.Numbering, name) || slices.Contains(named, name) {
			continue
		}
		l.leave(v)
	}
}

// leaveTimes removes the columns in which all texts are times, and marks them in the reader.
func (l *loader) leaveTimes() {
	for v := len(l.b.Column) - 1; v >= 0; v-- {
		if l.b.dicts[v].times() {
			l.r.Columns[l.b.Column[v]].Time = true
			l.leave(v)
		}
	}
}

// leave removes the column of a variable.
func (l *loader) leave(v int) {
	l.b.Column, l.b.dicts = slices.Delete(l.b.Column, v, v+1), slices.Delete(l.b.dicts, v, v+1)
	l.set.columns = slices.Delete(l.set.columns, v, v+1)
	if l.set.reals != nil {
		l.set.reals = slices.Delete(l.set.reals, v, v+1)
	}
}
