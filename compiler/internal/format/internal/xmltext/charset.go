package xmltext

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// document is a text in UTF-8 that maps its offsets to those of the file.
type document struct {
	file  string
	text  string
	lines []int // the offset of each line in text
	wide  []int // offsets in text of bytes that the file lacks: the second byte of each character that had one
}

// The supported encodings, in capitals.
var (
	plain  = []string{"UTF-8", "UTF8", "US-ASCII", "ASCII"} // no conversion; encoding/xml rejects invalid UTF-8
	latin1 = []string{"ISO-8859-1", "ISO8859-1", "ISO_8859-1", "LATIN1", "LATIN-1"}
)

// newDocument converts data to UTF-8 from the encoding in the XML declaration. It reports false if
// the encoding is not supported.
func newDocument(file string, data []byte) (doc *document, encoding string, ok bool) {
	doc = &document{file: file, text: string(data), lines: []int{0}}
	if strings.HasPrefix(doc.text, "\xfe\xff") || strings.HasPrefix(doc.text, "\xff\xfe") { // a byte order mark of UTF-16
		return doc, "UTF-16", false
	}
	ok = true
	if name, found := declared(doc.text); found {
		encoding = name
		switch {
		case oneOf(latin1, encoding):
			doc.widen()
		default:
			ok = oneOf(plain, encoding)
		}
	}
	for i := range len(doc.text) {
		if doc.text[i] == '\n' {
			doc.lines = append(doc.lines, i+1)
		}
	}
	return doc, encoding, ok
}

// declared returns the encoding in the declaration at the start of an XML file, as in <?xml
// version="1.0" encoding="UTF-8"?>. It reports false if there is none.
func declared(text string) (encoding string, found bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, blanks), "<?xml")
	rest, _, closed := strings.Cut(rest, ">")
	if !ok || !closed {
		return "", false
	}
	for {
		before, after, ok := strings.Cut(rest, "encoding")
		if !ok {
			return "", false
		}
		rest = after
		value, assigned := strings.CutPrefix(strings.TrimLeft(after, blanks), "=")
		value = strings.TrimLeft(value, blanks)
		if !assigned || value == "" || before == "" || !strings.ContainsAny(before[len(before)-1:], blanks) {
			continue
		}
		if quote := value[:1]; quote == `"` || quote == "'" {
			if name, _, ended := strings.Cut(value[1:], quote); ended {
				return name, true
			}
		}
	}
}

func oneOf(names []string, name string) bool {
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// widen converts a text in ISO 8859-1, whose bytes are the first 256 characters of Unicode, to
// UTF-8.
func (d *document) widen() {
	var out strings.Builder
	out.Grow(len(d.text))
	for _, c := range []byte(d.text) {
		out.WriteRune(rune(c))
		if c >= utf8.RuneSelf {
			d.wide = append(d.wide, out.Len()-1)
		}
	}
	d.text = out.String()
}

// pos returns the position in the file of the byte at off in the text.
func (d *document) pos(off int) diag.Pos {
	line := sort.SearchInts(d.lines, off+1) - 1
	start := d.lines[line]
	wide := sort.SearchInts(d.wide, off) - sort.SearchInts(d.wide, start)
	return diag.Pos{File: d.file, Line: line + 1, Col: off - start - wide + 1}
}
