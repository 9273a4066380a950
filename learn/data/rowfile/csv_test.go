package rowfile_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// TestLikeCSV checks that random texts of quotes, blanks and separators have the cells, positions
// and errors that encoding/csv finds.
func TestLikeCSV(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	rows, bad := 0, 0
	for range 3000 {
		comma := []rune(",;\t ")[rng.IntN(4)]
		parts := []string{"a", "bc", "é", string(comma), string(comma), string(comma), `"`, `""`, "\n", "\r\n", "\r", " ", "\u00a0", `"x"`, "\"1\n2\""}
		text := fmt.Sprintf("a%[1]cb\n1%[1]c2\n", comma)
		for range rng.IntN(80) {
			text += parts[rng.IntN(len(parts))]
		}
		r, err := rowfile.ReadOptions{Format: rowfile.CSV, Separator: comma}.NewReader("x", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		plain := csv.NewReader(strings.NewReader(text))
		plain.Comma, plain.FieldsPerRecord, plain.TrimLeadingSpace = comma, -1, comma != '\t'
		if _, err := plain.Read(); err != nil {
			t.Fatal(err)
		}
		for {
			want, wrong := plainRow(plain, comma == ' ')
			got, err := r.Next()
			row := ""
			if err == nil {
				row = fmt.Sprint(got.Cells)
				rows++
			} else if err != io.EOF && wrong != "" {
				row = wrong // of which the message is ours
				bad++
				if !errors.As(err, new(rowfile.RowError)) || !strings.HasPrefix(err.Error(), wrong) {
					t.Fatalf("%q: got %v; want an error at %s", text, err, wrong)
				}
			}
			if row != want+wrong {
				t.Fatalf("%q: got %s and %v; want %s%s", text, row, err, want, wrong)
			}
			if err == io.EOF {
				break
			}
		}
	}
	if rows < 2000 || bad < 10000 {
		t.Errorf("%d rows and %d errors; too few to show anything", rows, bad)
	}
}

// plainRow returns the cells of the next row of two values, or the position of an error, or nothing
// at the end.
func plainRow(r *csv.Reader, blanks bool) (cells, wrong string) {
	fields, err := r.Read()
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return "", fmt.Sprintf("x:%d:%d: ", parse.Line, parse.Column)
	}
	if err != nil {
		return "", ""
	}
	if n := len(fields) - 1; blanks && n > 0 && fields[n] == "" {
		fields = fields[:n]
	}
	var list []data.Cell
	for i, f := range fields {
		line, col := r.FieldPos(i)
		list = append(list, data.Cell{Text: f, Line: line, Col: col})
	}
	if len(list) != 2 {
		return "", fmt.Sprintf("x:%d:%d: ", list[0].Line, list[0].Col)
	}
	return fmt.Sprint(list), ""
}

// BenchmarkCSV reads 5,000 rows of 40 columns with three states each.
func BenchmarkCSV(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	var text strings.Builder
	for row := range 5001 {
		for v := range 40 {
			if row == 0 {
				fmt.Fprintf(&text, "x%d,", v)
			} else {
				text.WriteString([]string{"low,", "normal,", "high,"}[rng.IntN(3)])
			}
		}
		text.WriteString("z\n")
	}
	for b.Loop() {
		if _, err := load("x.csv", text.String(), rowfile.LoadOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
