package look

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/contents"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/data/times"
)

// The kinds of columns.
const (
	Numbers = "numbers"       // at least one is not whole
	Whole   = "whole numbers" // all of them
	Texts   = "texts"
	States  = "states"  // that the file declares, or numbers of states
	Time    = "time"    // dates, perhaps with a clock
	Empty   = "missing" // in all rows
	Unread  = "not read"
)

// The concerns about columns.
const (
	Identifier = "identifier"
	TooFine    = "too many values" // numbers or texts
	NoValues   = "no values"
	Dates      = "dates"
	Thousands  = "numbers with thousands separators"
	Commas     = "numbers with decimal commas"
	Numbering  = "number of a slice"
	Alien      = "other type" // than states and numbers, such as dates
	EitherDay  = "day or month first?"
	Unmarked   = "missing?" // the only text among numbers is one that often marks a missing value
)

// marksAsked holds the texts that other programs write for a missing value and that may be states,
// so that [Unmarked] asks.
var marksAsked = append(rowfile.DefaultMissing(), "None", "nil", "-", ".")

const (
	// MostStates is the number of different values up to which a column raises no concern.
	MostStates = rowfile.MaxWhole
	// RowsPerState is how many rows there should be for each value of a column, on average.
	// With fewer, the column is not fit to be learned from as it is.
	RowsPerState = 10
)

// Column describes a column of a data file.
type Column struct {
	Name    string   `json:"name"`
	Type    string   `json:"type,omitempty"` // as the file declares it
	Kind    string   `json:"kind"`
	Values  int      `json:"values"`             // different ones
	More    bool     `json:"more,omitempty"`     // than that, which were not counted
	Missing int      `json:"missing"`            // rows
	Least   *float64 `json:"least,omitempty"`    // of numbers
	Most    *float64 `json:"most,omitempty"`     // of numbers
	From    string   `json:"from,omitempty"`     // the first of times
	To      string   `json:"to,omitempty"`       // the last of times
	First   []string `json:"examples,omitempty"` // the first few different values of others
	// Common holds the commonest values of a column, unless nearly all differ.
	Common []Common `json:"common,omitempty"`
	*contents.Numbers
	Concern string `json:"concern,omitempty"`
	Unfit   bool   `json:"unfit,omitempty"` // fewer than RowsPerState rows for each value

	present  int
	numbers  int    // rows of numbers, of Unmarked
	example  string // of Unmarked, Dates, Thousands and Commas
	written  string // the example of Thousands and Commas as a number
	header   bool   // the name looks like one of the values
	declared bool
}

// Common is a value with its rows and their share of the rows that have a value.
type Common struct {
	Value string  `json:"value"`
	Rows  int     `json:"rows"`
	Share float64 `json:"share"`
}

// numeric reports whether the values are numbers.
func (c *Column) numeric() bool { return c.Kind == Numbers || c.Kind == Whole }

// maxValues is the most different values of a column that are counted.
const maxValues = 1 << 20

// counter collects the values of a column.
type counter struct {
	Column
	values  map[string]*contents.Value
	numbers bool // all values so far
	whole   bool
	named   bool // a value equals the name
	times   times.Recognizer
}

// examples is the number of values that a column shows.
const examples = 3

func newCounter(name string, declared bool) *counter {
	return &counter{Column: Column{Name: name, declared: declared}, values: map[string]*contents.Value{}, numbers: true, whole: true}
}

// again counts a value that n rows have. It returns nil if the value is new.
func (c *counter) again(text string, n int) *contents.Value {
	v := c.values[text]
	if v != nil {
		v.Rows += n
		c.present += n
	}
	return v
}

// add counts a value that n rows have.
func (c *counter) add(text string, n int) *contents.Value {
	if v := c.again(text, n); v != nil {
		return v
	}
	c.present += n
	v := &contents.Value{Rows: n}
	if len(c.values) == maxValues {
		c.More = true
	} else {
		c.values[strings.Clone(text)] = v
	}
	c.meet(text)
	return v
}

// meet takes the text of a new value, or of one beyond those that are counted.
func (c *counter) meet(text string) {
	if len(c.First) < examples {
		c.First = append(c.First, text)
	}
	c.named = c.named || text == c.Name
	c.times.Add(text)
	x, ok := model.Number(text)
	if !ok {
		c.numbers = false
		return
	}
	x += 0 // makes -0 the 0 that it equals
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
	case c.times.Times():
		col.Kind = Time
		c.span(&col)
	default:
		col.Kind = Texts
	}
	if col.numeric() {
		if col.First = nil; !c.More {
			col.Numbers, col.Values = contents.Describe(c.values)
		}
		x, ok := model.Number(col.Name)
		col.header = ok && *col.Least <= x && x <= *col.Most
	} else {
		col.Least, col.Most = nil, nil
	}
	col.header = !col.declared && (col.header || c.named)
	if !col.declared && col.Values > MostStates && col.Kind != Time {
		col.judge()
	}
	if col.Kind == Texts && !c.More {
		c.recognize(&col)
	}
	return col
}

// mostCommon is the most values that Common holds.
const mostCommon = 10

// common returns the commonest values, nil if no value has two rows or some were not counted.
func (c *counter) common() (list []Common) {
	if c.More || len(c.values) == c.present && c.present > 1 {
		return nil
	}
	texts := slices.SortedFunc(maps.Keys(c.values), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.values[b].Rows, c.values[a].Rows), cmp.Compare(a, b))
	})
	for _, text := range texts[:min(mostCommon, len(texts))] {
		n := c.values[text].Rows
		list = append(list, Common{text, n, float64(n) / float64(c.present)})
	}
	return list
}

// grouping returns how comparisons with other columns take the column.
func (c *Column) grouping() contents.Kind {
	switch {
	case c.Kind == Unread || c.Kind == Empty || c.Kind == Time || c.Concern == Numbering || c.Concern == Identifier || c.Values < 2:
		return contents.Skipped
	case c.Values <= MostStates || c.Kind == States:
		return contents.States
	case c.numeric():
		return contents.Grouped
	case c.Unfit:
		return contents.Skipped
	}
	return contents.Common
}

// span finds the first and the last of times, unless they may have two meanings.
func (c *counter) span(col *Column) {
	if col.example = c.times.Ambiguous(); col.example != "" {
		col.Concern = EitherDay
		return
	}
	format := c.times.Format()
	var first, last int64
	for text := range c.values {
		t, ok := format.Parse(text)
		if !ok {
			continue
		}
		at := t.Instant()
		if col.From == "" || at < first || at == first && text < col.From {
			col.From, first = text, at
		}
		if col.To == "" || at > last || at == last && text < col.To {
			col.To, last = text, at
		}
	}
}

// The forms of texts that stand for numbers or days.
var (
	thousands = regexp.MustCompile(`^[+-]?\d{1,3}([,' \x{a0}]\d{3})+(\.\d+)?$`)
	commas    = regexp.MustCompile(`^[+-]?\d[\d.]*,\d+([eE][+-]?\d+)?$`)
	dates     = regexp.MustCompile(`^(\d{4}([-/.])\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.](\d\d|\d{4}))([T ].*)?$`)
)

// recognize finds what texts stand for: the values that are no numbers are of one form.
func (c *counter) recognize(col *Column) {
	var texts []string
	for text := range c.values {
		if _, number := model.Number(text); !number {
			texts = append(texts, text)
		}
	}
	example := slices.Min(texts)
	all := func(form *regexp.Regexp) bool {
		return !slices.ContainsFunc(texts, func(s string) bool { return !form.MatchString(s) })
	}
	switch {
	case len(texts) == 1 && len(c.values) > 1 && slices.ContainsFunc(marksAsked, func(s string) bool { return strings.EqualFold(s, example) }):
		col.Concern, col.numbers = Unmarked, col.present-c.values[example].Rows
	case all(thousands):
		col.Concern, col.written = Thousands, strings.NewReplacer(",", "", "'", "", " ", "", "\u00a0", "").Replace(example)
	case all(commas):
		col.Concern, col.written = Commas, strings.NewReplacer(".", "", ",", ".").Replace(example)
	case col.Concern != "" && len(texts) == len(c.values) && all(dates):
		col.Concern = Dates
	default:
		return
	}
	col.example = example
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
