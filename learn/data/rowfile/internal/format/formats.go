// Package format reads the rows of CSV, ARFF, JSON Lines and the format of Libra. It knows columns
// and cells, and neither variables nor states.
package format

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// Rows reads the rows of a file, or of a piece of it.
type Rows interface{ Next(*data.Record) error }

// Divided are rows of which some can be read apart from the others.
type Divided interface {
	// Piece takes a piece of the file and returns its reader, or nil if the next row has to be read
	// by Next.
	Piece() Rows
}

// File is a file at its first row.
type File struct {
	Columns []data.Column
	Comma   rune // of CSV: the separator, or a tab for any number of blanks
	Rows    Rows
}

// Distinct checks that the columns that are not dropped have different names. The error names the
// expected text, and header if numbers may be a row in place of it.
func Distinct(columns []data.Column, drop []string, header bool, want string) error {
	first := map[string]int{}
	for i, c := range columns {
		if k, ok := first[c.Name]; ok && !slices.Contains(drop, c.Name) {
			drop := diag.Option{Name: "drop", Value: diag.QuoteName(c.Name)}
			if _, number := model.Number(c.Name); number && header {
				return diag.At(c.Pos, diag.Errorf("columns %d and %d are both called %q; if the first line is a row, %v reads it as one, and otherwise want different %s, or leave them out by %v",
					k+1, i+1, c.Name, diag.Option{Name: "no-header"}, want, drop))
			}
			return diag.At(c.Pos, diag.Errorf("columns %d and %d are both called %q; want different %s, or leave them out by %v", k+1, i+1, c.Name, want, drop))
		}
		first[c.Name] = i
	}
	return nil
}

// unnamed returns the column with a number of a file without names.
func unnamed(i int, pos diag.Pos) data.Column {
	return data.Column{Name: "x" + strconv.Itoa(i), Pos: pos}
}

// countMessage returns the message about a row of a wrong number of values.
func countMessage(found, want int) string {
	if found == 1 {
		return fmt.Sprintf("the row has 1 value; want %d", want)
	}
	return fmt.Sprintf("the row has %d values; want %d", found, want)
}

// parseWeight reads the weight of a row.
func parseWeight(s string) (float64, error) {
	w, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(w >= 0) || math.IsInf(w, 1) {
		return 0, fmt.Errorf("the weight is %s; want a number of at least 0", plain.Quote(s))
	}
	return w, nil
}
