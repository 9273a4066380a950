package look

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Gaps returns a warning that rows miss values, if some do and consequence, what becomes of them,
// is not empty.
func (f *File) Gaps(consequence string) []diag.Diagnostic {
	var list diag.List
	if f.Incomplete > 0 && consequence != "" {
		list.Warnf(diag.Pos{File: f.Name}, "%d of %d rows miss a value; %s", f.Incomplete, f.Rows, consequence)
	}
	return list.Warnings()
}

// Concerns returns a warning for each concern. real says that the command has the flag --real.
func (f *File) Concerns(real bool) []diag.Diagnostic {
	var list diag.List
	pos := diag.Pos{File: f.Name}
	if f.Headless {
		list.Warnf(pos, "the first line looks like a row: %s; --no-header reads it as one", f.headers())
		return list.Warnings()
	}
	for i := range f.Columns {
		c := &f.Columns[i]
		switch {
		case c.example != "":
			list.Warnf(pos, "%s", f.explain(c))
		case c.Concern == Identifier:
			list.Warnf(pos, "column %q has %s in %d rows, like an identifier; --drop %s leaves it out", c.Name, c.count(), c.present, shell(quote(c.Name)))
		case c.Concern == TooFine && c.numeric():
			name, keep := shell(quote(c.Name)), ""
			if real {
				keep = ", --real " + name + " keeps real numbers"
			}
			list.Warnf(pos, "column %q has %s, and each becomes a state; --bins %s=5 makes intervals%s", c.Name, c.count(), name, keep)
		case c.Concern == TooFine:
			list.Warnf(pos, "column %q has %s in %d rows, and each becomes a state; --drop %s leaves it out", c.Name, c.count(), c.present, shell(quote(c.Name)))
		}
	}
	for _, name := range f.constants {
		list.Warnf(pos, "column %q has the same number in all rows, so that only the least variance of the learner bounds its density; --drop %s leaves it out", name, shell(quote(name)))
	}
	return list.Warnings()
}

// Err returns an error if a model learned from the columns as they are would make no sense: the
// first line is no header, or a column has fewer than RowsPerState rows for each of its values.
// real says that the command has the flag --real.
func (f *File) Err(real bool) error {
	pos := diag.Pos{File: f.Name}
	if f.Headless {
		return diag.Diagnostic{Pos: pos, Msg: "there is no header, it seems; give --no-header, or --as-is if the names of the columns are right"}
	}
	unfit := 0
	for i := range f.Columns {
		c := &f.Columns[i]
		if c.Concern == Unmarked {
			return diag.Diagnostic{Pos: pos, Msg: f.explain(c) + " (--as-is if it is a state)"}
		}
		if c.Unfit && c.Concern != "" {
			unfit++
		}
	}
	if unfit == 0 {
		return nil
	}
	keep := ""
	if real {
		keep = f.keepReal()
	}
	have := "%d have fewer than %d rows for each of their values"
	if unfit == 1 {
		have = "%d has fewer than %d rows for each of its values"
	}
	return diag.Diagnostic{Pos: pos, Msg: fmt.Sprintf("of %d columns, "+have+", too few to learn from; try %s%s, or --as-is to go on all the same",
		len(f.Columns), unfit, RowsPerState, f.Try, keep)}
}

// explain describes the texts of a column with an example, and the remedy.
func (f *File) explain(c *Column) string {
	switch c.Concern {
	case Unmarked:
		return fmt.Sprintf("column %q: %d numbers and the text %s; is it %s?", c.Name, c.numbers, c.example, missingFlag(append(slices.Clone(f.marks), c.example)))
	case EitherDay:
		return fmt.Sprintf("column %q holds dates such as %q, which may begin with the day or with the month; --time-format day-first or month-first says which", c.Name, c.example)
	case Dates:
		return fmt.Sprintf("column %q holds dates such as %q, and each of its %s becomes a state; put the month, the weekday or the days since the first in a column instead, or --drop %s leaves it out",
			c.Name, c.example, c.count(), shell(quote(c.Name)))
	}
	return fmt.Sprintf("column %q holds %s, and each of its %s becomes a state; write %s for %s to have numbers", c.Name, c.Concern, c.count(), c.written, c.example)
}

// headers lists the names that look like values.
func (f *File) headers() string {
	var names []string
	for _, c := range f.Columns {
		if c.header {
			names = append(names, c.Name)
		}
	}
	some := slices.Clone(names[:min(4, len(names))])
	for i := range some {
		some[i] = fmt.Sprintf("%q", some[i])
	}
	text := strings.Join(some, ", ")
	if len(names) > len(some) {
		text += ", ..."
	}
	return fmt.Sprintf("%s are values of their columns (%d of %d)", text, len(names), len(f.Columns))
}

// count returns how many different values a column has.
func (c *Column) count() string {
	more := ""
	if c.More {
		more = "more than "
	}
	kind := "texts"
	if c.numeric() {
		kind = "numbers"
	}
	return fmt.Sprintf("%s%d different %s", more, c.Values, kind)
}
