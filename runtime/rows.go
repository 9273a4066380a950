package pgmrt

import (
	"errors"
	"strconv"
)

// mostRowErrors is the number of rows with errors of their own in the error of several rows.
const mostRowErrors = 10

// RowErrors collects the errors of rows: the first ten, and the number of the others.
type RowErrors struct {
	errs []rowError
	more int
}

// rowError is the error of one row.
type rowError struct {
	row int
	err error
}

// Add records that a row failed, unless err is nil.
func (r *RowErrors) Add(row int, err error) {
	switch {
	case err == nil:
	case len(r.errs) == mostRowErrors:
		r.more++
	default:
		r.errs = append(r.errs, rowError{row, err})
	}
}

// Err returns the errors joined as one of the package, or nil if there are none.
func (r *RowErrors) Err(n *Names) error {
	var list []error
	for _, e := range r.errs {
		list = append(list, n.Fail("row "+strconv.Itoa(e.row)+": "+e.err.Error(), e.err))
	}
	if r.more > 0 {
		list = append(list, n.Fail("and "+strconv.Itoa(r.more)+" more rows", nil))
	}
	return errors.Join(list...)
}

// Len returns the number of errors that the collection holds.
func (r *RowErrors) Len() int { return len(r.errs) }

// Renumber gives the errors from number at on the rows that their numbers are places of.
func (r *RowErrors) Renumber(at int, rows []int) {
	for i := range r.errs[at:] {
		e := &r.errs[at+i]
		e.row = rows[e.row]
	}
}

// CheckRows returns an error if out, or soft unless it is nil, does not have a number of rows.
func CheckRows[O, S any](n *Names, rows int, out []O, soft []S) error {
	if len(out) != rows {
		return n.BadLength("out", len(out), rows)
	}
	if soft != nil && len(soft) != rows {
		return n.BadLength("soft", len(soft), rows)
	}
	return nil
}

// EachRow answers rows one by one, and returns the errors of those that fail.
func EachRow(n *Names, rows int, answer func(row int) error) error {
	var bad RowErrors
	for row := range rows {
		bad.Add(row, answer(row))
	}
	return bad.Err(n)
}

// EachGroup answers rows in groups of at most size: by group, or one by one if few returns true for
// the group. Few and one may be nil together.
func EachGroup(rows, size int, few func(at, end int) bool, one func(row int), group func(at, end int)) {
	for at := 0; at < rows; at += size {
		end := min(at+size, rows)
		if few == nil || !few(at, end) {
			group(at, end)
			continue
		}
		for row := at; row < end; row++ {
			one(row)
		}
	}
}

// GatherRows answers rows by group, which answers the first n rows of list, whenever list is full.
// Enter enters a row in a place of list, unless it returns false: then one answers the row. One
// also answers the last rows if they are fewer than least.
func GatherRows(list []int, rows, least int, enter func(row, place int) bool, one func(row int), group func(n int)) {
	n := 0
	for row := range rows {
		if !enter(row, n) {
			one(row)
			continue
		}
		list[n] = row
		if n++; n == len(list) {
			group(n)
			n = 0
		}
	}
	if n >= least {
		group(n)
		n = 0
	}
	for _, row := range list[:n] {
		one(row)
	}
}
