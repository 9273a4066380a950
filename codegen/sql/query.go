package sql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/sqltext"
)

// maxText is the largest size of a query in bytes: BigQuery refuses more than about a million, and
// planners get slow long before.
const maxText = 500_000

// Query describes the table that queries read.
type Query struct {
	Model   *model.Model // its rows normalised
	Dialect *sqltext.Dialect
	Table   string   // dots separate its parts
	Key     []string // the columns that name a row, which each result repeats
	Coded   bool     // columns hold state numbers from 0, not names
	Params  string   // the table of parameters that queries join; empty if their texts hold the parameters
	LogZ    float64  // of a Markov network
}

// writer writes one query.
type writer struct {
	*Query
	table  string
	keys   []string // quoted
	prefix string   // of the names of steps and of their columns, which no other name begins with
	steps  strings.Builder
	count  int // steps
	// numbers says that terms read the numbers of states, by which they index lists and parameters.
	numbers bool
	joined  []string              // the joins of the table of parameters
	order   map[model.VarID][]int // see likely
	err     error                 // the first error of a name or a text
}

// newWriter returns a writer of a query about the table.
func (q *Query) newWriter() (*writer, error) {
	w := &writer{Query: q, prefix: "x", order: map[model.VarID][]int{}}
	w.table, w.err = q.Dialect.Table(q.Table)
	for _, k := range q.Key {
		w.keys = append(w.keys, w.name(k))
	}
	if w.err != nil {
		return nil, w.err
	}
	taken := append(strings.Split(q.Table+"."+q.Params, "."), q.Key...)
	for _, v := range q.Model.Vars {
		taken = append(taken, v.Name)
	}
	for slices.ContainsFunc(taken, func(s string) bool { return strings.HasPrefix(strings.ToLower(strings.Trim(s, `"`)), w.prefix) }) {
		w.prefix += "_"
	}
	return w, model.Refuse("", "SQL", ^(model.Slices | model.Forests), q.Model.Needs(), others)
}

// others are the commands that take all models.
var others = []model.Taker{{Name: "pgmc score", Takes: ^model.Traits(0)}, {Name: "pgmc predict", Takes: ^model.Traits(0)}}

// name returns a quoted name. An error is kept in w.err.
func (w *writer) name(s string) string {
	text, err := w.Dialect.Name(s)
	return w.keep(text, err)
}

// text returns a quoted text. An error is kept in w.err.
func (w *writer) text(s string) string {
	text, err := w.Dialect.Text(s)
	return w.keep(text, err)
}

func (w *writer) keep(text string, err error) string {
	if w.err == nil {
		w.err = err
	}
	return text
}

// temp returns the name of a column of steps.
func (w *writer) temp(n int) string { return fmt.Sprintf("%s%d", w.prefix, n) }

// as returns an expression as a column.
func as(expression, name string) string { return expression + " AS " + name }

// list returns the items of a SELECT: the keys and the columns.
func (w *writer) list(columns []string) string {
	if limit := w.Dialect.Columns; limit > 0 && len(w.keys)+len(columns) > limit && w.err == nil {
		w.err = fmt.Errorf("a step of the query has %d columns; %s takes %d at most; use pgmc score or pgmc predict", len(w.keys)+len(columns), w.Dialect.Title(), limit)
	}
	return strings.Join(slices.Concat(w.keys, columns), ",\n  ")
}

// step adds a WITH step that selects the keys and the columns from the last one or, if it is the
// first, from the cells. It returns its name.
func (w *writer) step(columns []string, from string) string {
	name := fmt.Sprintf("%ss%d", w.prefix, w.count)
	lead := ",\n"
	if w.count++; w.count == 1 {
		lead = "WITH "
	}
	fmt.Fprintf(&w.steps, "%s%s %s (\n SELECT %s\n FROM %s)", lead, name, w.Dialect.Step, w.list(columns), from)
	return name
}

// finish returns the query whose last SELECT has the keys and the columns, which have the given
// names.
func (w *writer) finish(columns, names []string, from string) (string, error) {
	for i := range columns {
		columns[i] = as(columns[i], w.name(names[i]))
	}
	if w.steps.Len() > 0 {
		w.steps.WriteString("\n")
	}
	fmt.Fprintf(&w.steps, "SELECT %s\nFROM %s;\n", w.list(columns), from)
	if w.err == nil {
		w.err = w.Dialect.Distinct(slices.Concat(w.Key, names))
	}
	if w.err != nil {
		return "", w.err
	}
	if n := w.steps.Len(); n > maxText {
		return "", diag.Errorf("the query has %d bytes; want %d at most; keep the parameters in a table, with pgmc sql MODEL params, and use %v", n, maxText, diag.Option{Name: "params", Value: "TABLE"})
	}
	return w.steps.String(), nil
}
