package look

import (
	"math"
	"strconv"

	"github.com/pgmc-go/pgmc/learn/data"
)

// The kinds of columns.
const (
	Numbers = "numbers"       // at least one is not whole
	Whole   = "whole numbers" // all of them
	Texts   = "texts"
	States  = "states"  // that the file declares, or numbers of states
	Empty   = "missing" // in all rows
)

// The concerns about columns.
const (
	Identifier = "identifier"
	TooFine    = "too many values" // numbers or texts
	NoValues   = "no values"
)

const (
	// MostStates is the number of different values up to which a column raises no concern.
	MostStates = data.MaxWhole
	// RowsPerState is how many rows there should be for each value of a column, on average.
	// With fewer, the column is not fit to be learned from as it is.
	RowsPerState = 10
)

// Column describes a column of a data file.
type Column struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	Values  int      `json:"values"`             // different ones
	More    bool     `json:"more,omitempty"`     // than that, which were not counted
	Missing int      `json:"missing"`            // rows
	Least   *float64 `json:"least,omitempty"`    // of numbers
	Most    *float64 `json:"most,omitempty"`     // of numbers
	First   []string `json:"examples,omitempty"` // the first few different values of others
	Concern string   `json:"concern,omitempty"`
	Unfit   bool     `json:"unfit,omitempty"` // fewer than RowsPerState rows for each value

	present  int
	header   bool // the name looks like one of the values
	declared bool
}

// numeric reports whether the values are numbers.
func (c *Column) numeric() bool { return c.Kind == Numbers || c.Kind == Whole }

// maxValues is the most different values of a column that are counted.
const maxValues = 1 << 20

// counter collects the values of a column.
type counter struct {
	Column
	values  map[string]struct{}
	numbers bool // all values so far
	whole   bool
	named   bool // a value equals the name
}

// examples is the number of values that a column shows.
const examples = 3

func newCounter(name string, declared bool) *counter {
	return &counter{Column: Column{Name: name, declared: declared}, values: map[string]struct{}{}, numbers: true, whole: true}
}

// add counts a value that n rows have.
func (c *counter) add(text string, n int) {
	c.present += n
	if _, known := c.values[text]; known {
		return
	}
	if len(c.values) == maxValues {
		c.More = true
	} else {
		c.values[text] = struct{}{}
	}
	if len(c.First) < examples {
		c.First = append(c.First, text)
	}
	c.named = c.named || text == c.Name
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		c.numbers = false
		return
	}
	c.whole = c.whole && x == math.Trunc(x)
	if c.Least == nil {
		c.Least, c.Most = &x, new(x)
	}
	*c.Least, *c.Most = min(*c.Least, x), max(*c.Most, x)
}

// done returns the column with what was found.
func (c *counter) done() Column {
	col := c.Column
	col.Values = len(c.values)
	switch {
	case col.present == 0:
		col.Kind = Empty
	case col.declared:
		col.Kind = States
	case c.numbers && c.whole:
		col.Kind = Whole
	case c.numbers:
		col.Kind = Numbers
	default:
		col.Kind = Texts
	}
	if col.numeric() {
		col.First = nil
		x, err := strconv.ParseFloat(col.Name, 64)
		col.header = err == nil && *col.Least <= x && x <= *col.Most
	} else {
		col.Least, col.Most = nil, nil
	}
	col.header = !col.declared && (col.header || c.named)
	if !col.declared && col.Values > MostStates {
		col.judge()
	}
	return col
}

// judge finds the concern about a column of many values.
func (c *Column) judge() {
	c.Unfit = c.Values*RowsPerState > c.present
	switch {
	case c.Kind == Texts && !c.Unfit:
	case c.Kind == Texts && 2*c.Values > c.present, c.Kind == Whole && c.Values == c.present:
		c.Concern = Identifier
	default:
		c.Concern = TooFine
	}
}
