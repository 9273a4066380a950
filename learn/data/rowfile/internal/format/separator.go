package format

import (
	"bufio"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// separate returns the separator of a text, as the package comment says; a blank stands for
// any number of them. A first line such as "sep=;", of Excel, becomes a blank one: skipped is the
// number of blank lines that the rest then begins with.
func (o *CSVOptions) separate(text *bufio.Reader) (rest *bufio.Reader, comma rune, skipped int, err error) {
	line := plain.PeekLine(text, "", 0)
	if comma = declaredSeparator(line); comma != 0 {
		for next := ""; strings.TrimSpace(next) == "" && err == nil; skipped++ {
			next, err = text.ReadString('\n')
		}
		return bufio.NewReaderSize(io.MultiReader(strings.NewReader(strings.Repeat("\n", skipped)), text), text.Size()), comma, skipped, nil
	}
	base := strings.TrimSuffix(strings.ToLower(filepath.Base(o.Name)), ".gz")
	switch ext := filepath.Ext(base); {
	case o.Separator != 0:
		comma = o.Separator
	case ext == ".tsv" || ext == ".tab":
		comma = '\t'
	default:
		comma, err = o.likely(text, line)
	}
	return text, comma, 0, err
}

// declaredSeparator returns the separator that a line declares, or 0 if it declares none. The line
// lacks surrounding blanks, so that a tab is missing.
func declaredSeparator(line string) rune {
	line = strings.Trim(line, `"`)
	if len(line) < len("sep=") || !strings.EqualFold(line[:len("sep=")], "sep=") {
		return 0
	}
	switch sep := line[len("sep="):]; {
	case sep == "":
		return '\t'
	case len(sep) == 1 && sep[0] < 0x80:
		return rune(sep[0])
	}
	return 0
}

// likely returns the separator of a text by its first line.
func (o *CSVOptions) likely(text *bufio.Reader, line string) (rune, error) {
	best, most := ',', 0
	for _, sep := range ",;\t" {
		if n := len(fieldsOf(line, sep)); n > most {
			best, most = sep, n
		}
	}
	words := len(fieldsOf(line, ' '))
	switch {
	case most > 1:
		return best, nil
	case len(fieldsOf(line, '|')) > 1:
		return '|', nil
	case words < 2:
		return ',', nil
	}
	row := line
	if !o.NoHeader {
		row = plain.PeekLine(text, "", 1)
	}
	values := fieldsOf(row, ' ')
	numbers := len(values) == words
	for _, v := range values {
		_, err := strconv.ParseFloat(v, 64)
		numbers = numbers && (err == nil || o.Missing(v))
	}
	switch {
	case numbers:
		return ' ', nil
	case len(values) < 2:
		return ',', nil
	}
	return 0, diag.At(diag.Pos{File: o.Name, Line: 1}, diag.Errorf("the first line has %d words, and no comma, semicolon, tab or bar; want %v for %d columns, or %v for one",
		words, diag.Option{Name: "separator", Value: "blank"}, words, diag.Option{Name: "separator", Value: "comma"}))
}

// fieldsOf splits a line at a separator outside quotes. Neighbouring blanks are one separator.
func fieldsOf(line string, sep rune) []string {
	var fields []string
	start, quoted := 0, false
	for i, c := range line + string(sep) {
		switch {
		case c == '"':
			quoted = !quoted
		case c == sep && (!quoted || i == len(line)):
			if sep != ' ' || i > start {
				fields = append(fields, line[start:i])
			}
			start = i + 1
		}
	}
	return fields
}
