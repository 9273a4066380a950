// Package sqltext writes the parts of SQL that differ between dialects: names, texts, numbers,
// types, and sums and unions that an engine can take at any length.
//
// It knows no model and writes no query; package sql of codegen does. Names and texts come from
// users, so every one is quoted, and one that an engine would change or cut is an error.
package sqltext

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Dialect is the SQL of one engine.
type Dialect struct {
	ID     string // the name by which users choose it
	Real   string // the type of float64
	Int    string // the type of a state number
	String string // the type of a text
	Step   string // the words between the name of a WITH step and its query
	Before string // a statement before a query of hundreds of parts, without a result; may be empty
	// Largest and Smallest are functions of at least two arguments.
	Largest string
	// Columns and Joins are the largest numbers of columns and of tables of a query; 0 for no limit.
	Columns, Joins int

	title     string // the engine's name in messages
	quote     string // of names
	backslash bool   // in texts and names, a backslash escapes the next character
	longest   int    // bytes of a name; 0 for no limit
	banned    string // characters that no name may have
	folds     bool   // names that differ by case only are the same, even quoted
	real      string // the format of a number
	infinity  string // minus infinity
	element   string // the format of an element, of the numbers of the list and its place from 0; empty if there are no lists
}

// Dialects lists all dialects.
//
// Numbers are cast from text. Without that DuckDB and PostgreSQL read decimals, whose sums overflow
// or are slow, and DuckDB rounds long ones wrongly. SQLite reads a number with an exponent as it
// reads the text.
//
// The planners of PostgreSQL and SQLite put the expressions of a step that is not materialized into
// the steps that read it, and expressions then grow exponentially along a chain of steps.
// PostgreSQL compiles the expressions of each part of a large query, which takes longer than to run
// them: 25 s in place of 6 s for all pairs of alarm in 100,000 rows.
var Dialects = []*Dialect{
	{ID: "duckdb", Real: "DOUBLE", Int: "INTEGER", String: "VARCHAR", Step: "AS", Largest: "greatest",
		title: "DuckDB", quote: `"`, folds: true, real: "CAST('%s' AS DOUBLE)", infinity: "-Infinity", element: "CAST('[%s]' AS DOUBLE[])[%s + 1]"},
	{ID: "postgres", Real: "float8", Int: "integer", String: "text", Step: "AS MATERIALIZED", Before: "SET jit = off;\n", Largest: "greatest", Columns: 1600,
		title: "PostgreSQL", quote: `"`, longest: 63, real: "'%s'::float8", infinity: "-Infinity", element: "('{%s}'::float8[])[%s + 1]"},
	{ID: "sqlite", Real: "REAL", Int: "INTEGER", String: "TEXT", Step: "AS MATERIALIZED", Largest: "max", Columns: 2000, Joins: 64,
		title: "SQLite", quote: `"`, folds: true, real: "%s", infinity: "-9e999"},
	{ID: "bigquery", Real: "FLOAT64", Int: "INT64", String: "STRING", Step: "AS", Largest: "greatest", Columns: 10000,
		title: "BigQuery", quote: "`", backslash: true, longest: 300, banned: "!\"$()*,./;?@[\\]^`{}~", folds: true,
		real: "CAST('%s' AS FLOAT64)", infinity: "-inf", element: "[%s][SAFE_OFFSET(%s)]"},
}

// IDs returns the names of all dialects.
func IDs() (list []string) {
	for _, d := range Dialects {
		list = append(list, d.ID)
	}
	return list
}

// Find returns the dialect with the given name.
func Find(id string) (*Dialect, error) {
	for _, d := range Dialects {
		if d.ID == id {
			return d, nil
		}
	}
	return nil, fmt.Errorf("unknown dialect %q; want %s%s", id, strings.Join(IDs(), ", "), diag.DidYouMean(id, IDs()))
}

// Title returns the name of the engine, for messages.
func (d *Dialect) Title() string { return d.title }

// Name returns a quoted name of a column. It refuses a name that the engine would cut or cannot
// hold.
func (d *Dialect) Name(s string) (string, error) {
	if err := d.check("name", s); err != nil {
		return "", err
	}
	switch i := strings.IndexAny(s, d.banned); {
	case s == "":
		return "", fmt.Errorf("%s takes no empty name; rename the column", d.title)
	case d.longest > 0 && len(s) > d.longest:
		return "", fmt.Errorf("the name %q has %d bytes; %s takes %d at most, and the rest would be cut; use a shorter name", s, len(s), d.title, d.longest)
	case i >= 0:
		return "", fmt.Errorf("the name %q has the character %q, which %s does not take in names of columns; rename it", s, s[i:i+1], d.title)
	}
	return d.quoted(s, d.quote), nil
}

// Table returns a quoted name of a table. Dots separate its parts, as in schema.table, except dots
// of a part in double quotes.
func (d *Dialect) Table(s string) (string, error) {
	var parts []string
	for rest := s; ; {
		part, after := rest, ""
		more := false
		if strings.HasPrefix(rest, `"`) {
			end := strings.Index(rest[1:], `"`)
			if end < 0 {
				return "", fmt.Errorf("the table %s has a double quote without its end", s)
			}
			part, after = rest[1:end+1], rest[end+2:]
			if after, more = strings.CutPrefix(after, "."); !more && after != "" {
				return "", fmt.Errorf("the table %s has %q after a part in quotes; want a dot", s, after)
			}
		} else {
			part, after, more = strings.Cut(rest, ".")
		}
		if err := d.check("name", part); err != nil {
			return "", err
		}
		if part == "" || d.longest > 0 && len(part) > d.longest {
			return "", fmt.Errorf("the table %q has a part of %d bytes; want 1 or more%s", s, len(part), d.limit())
		}
		parts = append(parts, d.quoted(part, d.quote))
		if rest = after; !more {
			return strings.Join(parts, "."), nil
		}
	}
}

// limit says how many bytes a name may have.
func (d *Dialect) limit() string {
	if d.longest == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d at most in %s", d.longest, d.title)
}

// Text returns a quoted text.
func (d *Dialect) Text(s string) (string, error) {
	if err := d.check("text", s); err != nil {
		return "", err
	}
	if d.ID == "postgres" && strings.Contains(s, `\`) { // what a plain literal means depends on a setting
		return "E" + d.quoted(strings.ReplaceAll(s, `\`, `\\`), "'"), nil
	}
	return d.quoted(s, "'"), nil
}

// check refuses what no engine takes.
func (d *Dialect) check(what, s string) error {
	switch {
	case strings.Contains(s, "\x00"):
		return fmt.Errorf("the %s %q holds a NUL, which %s does not take; rename it", what, s, d.title)
	case !utf8.ValidString(s):
		return fmt.Errorf("the %s %q is no UTF-8, which %s wants; rename it", what, s, d.title)
	}
	return nil
}

// quoted returns s between quotes.
func (d *Dialect) quoted(s, quote string) string {
	if d.backslash {
		return quote + strings.NewReplacer(`\`, `\\`, quote, `\`+quote, "\n", `\n`, "\r", `\r`).Replace(s) + quote
	}
	return quote + strings.ReplaceAll(s, quote, quote+quote) + quote
}

// Distinct refuses two names of columns that are one for the engine.
func (d *Dialect) Distinct(names []string) error {
	seen := map[string]string{}
	for _, s := range names {
		key := s
		if d.folds {
			key = strings.ToLower(s)
		}
		switch other, ok := seen[key]; {
		case ok && other == s:
			return fmt.Errorf("two columns of the result would have the name %q; rename one", s)
		case ok:
			return fmt.Errorf("the names %q and %q differ by case only, and are one column in %s; rename one", other, s, d.title)
		}
		seen[key] = s
	}
	return nil
}

// Number returns a number that the engine reads as exactly x, which may be minus infinity.
func (d *Dialect) Number(x float64) string { return fmt.Sprintf(d.real, d.digits(x)) }

// digits returns the shortest text of x.
func (d *Dialect) digits(x float64) string {
	if math.IsInf(x, -1) {
		return d.infinity
	}
	s := strconv.FormatFloat(x, 'g', -1, 64)
	if d.real == "%s" && !strings.ContainsAny(s, ".e") {
		s += "e0" // an integer otherwise
	}
	return s
}

// Element returns element number at, an expression that counts from 0, of a list of numbers. ok is
// false if the dialect has no lists.
func (d *Dialect) Element(list []float64, at string) (text string, ok bool) {
	if d.element == "" {
		return "", false
	}
	numbers := make([]string, len(list))
	for i, x := range list {
		if numbers[i] = d.digits(x); d.ID == "bigquery" {
			numbers[i] = d.Number(x)
		}
	}
	return fmt.Sprintf(d.element, strings.Join(numbers, ","), at), true
}

// Answer returns the name of the column of an answer: of the function P of the argument A=yes, or
// of mean of the argument X.
func (d *Dialect) Answer(function, argument string) string {
	if d.banned != "" {
		return function + " " + argument
	}
	return function + "(" + argument + ")"
}

// Nest joins operands by an operator such as " + ", as a tree of logarithmic depth: engines limit
// the depth.
func Nest(op string, operands []string) string {
	n := len(operands)
	if n == 1 {
		return operands[0]
	}
	half := func(list []string) string {
		if len(list) == 1 {
			return list[0]
		}
		return "(" + Nest(op, list) + ")"
	}
	return half(operands[:n/2]) + op + half(operands[n/2:])
}

// Most returns the largest of expressions, by a tree of logarithmic depth.
func (d *Dialect) Most(list []string) string {
	if n := len(list); n > 1 {
		return d.Largest + "(" + d.Most(list[:n/2]) + ", " + d.Most(list[n/2:]) + ")"
	}
	return list[0]
}

// unionTerms is the largest number of queries in one union: SQLite takes 500.
const unionTerms = 100

// Union joins queries by UNION ALL.
func Union(queries []string) string {
	for len(queries) > unionTerms {
		var groups []string
		for len(queries) > 0 {
			n := min(unionTerms, len(queries))
			groups = append(groups, fmt.Sprintf("SELECT * FROM (\n%s) AS u", Union(queries[:n])))
			queries = queries[n:]
		}
		queries = groups
	}
	return strings.Join(queries, "\nUNION ALL\n") + "\n"
}
