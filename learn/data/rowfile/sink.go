package rowfile

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// csvSink writes lines of separated values.
type csvSink struct {
	out     io.Writer
	comma   byte
	columns []data.Output
	b       []byte
	start   int // of the line in b
	at      int // the column of the next value
}

// NewCSV returns a sink that writes separated values to w, which begin with the names of the
// columns if header says so. It writes to w once it has 64 KiB.
func NewCSV(w io.Writer, comma byte, header bool, columns []data.Output) data.Sink {
	s := &csvSink{out: w, comma: comma, columns: columns}
	if header {
		for _, c := range columns {
			s.Text(c.Name)
		}
		s.endLine()
	}
	return s
}

func (s *csvSink) separate() {
	if s.at > 0 {
		s.b = append(s.b, s.comma)
	}
	s.at++
}

// Text writes a text as the next cell.
func (s *csvSink) Text(text string) {
	s.separate()
	s.b = AppendCSV(s.b, text)
}

// Number writes a number as the next cell; NaN is a missing value.
func (s *csvSink) Number(x float64) {
	if x != x {
		s.Missing()
		return
	}
	s.separate()
	s.b = append(s.b, model.Real{}.Text(model.Value{Real: x})...)
}

// Missing writes the mark of a missing value as the next cell.
func (s *csvSink) Missing() { s.Text(s.columns[s.at].Mark) }

// endLine ends the line.
func (s *csvSink) endLine() {
	if len(s.b) == s.start {
		s.b = append(s.b, `""`...) // a blank line would be no row
	}
	s.b = append(s.b, '\n')
	s.at, s.start = 0, len(s.b)
}

// End ends the row.
func (s *csvSink) End() error {
	s.endLine()
	if len(s.b) < 1<<16 {
		return nil
	}
	return s.Flush()
}

// Flush writes what is left.
func (s *csvSink) Flush() error {
	_, err := s.out.Write(s.b)
	s.b, s.start = s.b[:0], 0
	return err
}

// AppendCSV appends a value of a CSV row. It quotes a value that has a separator of any kind, a
// quote, an end of line or surrounding blanks, or that looks like a byte order mark.
func AppendCSV(b []byte, s string) []byte {
	plain := strings.TrimSpace(s) == s && utf8.ValidString(s) && !strings.HasPrefix(s, "\ufeff")
	if plain && !strings.ContainsAny(s, ",;\t|\"\r\n") {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}
