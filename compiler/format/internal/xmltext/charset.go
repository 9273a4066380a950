package xmltext

import (
	"regexp"
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

// declaration matches the encoding in the first line of an XML file.
var declaration = regexp.MustCompile(`^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]*)["']`)

// The supported encodings, in capitals.
var (
	plain  = []string{"UTF-8", "UTF8", "US-ASCII", "ASCII"} // no conversion; encoding/xml rejects invalid UTF-8
	latin1 = []string{"ISO-8859-1", "ISO8859-1", "ISO_8859-1", "LATIN1", "LATIN-1"}
)

// newDocument converts data to UTF-8 from the encoding in the XML declaration. It reports false if
// the encoding is not supported.
func newDocument(file string, data []byte) (doc *document, encoding string, ok bool) {
	doc = &document{file: file, text: strings.TrimPrefix(string(data), "\ufeff"), lines: []int{0}}
	if strings.HasPrefix(doc.text, "\xfe\xff") || strings.HasPrefix(doc.text, "\xff\xfe") { // a byte order mark of UTF-16
		return doc, "UTF-16", false
	}
	ok = true
	if found := declaration.FindStringSubmatch(doc.text[:min(len(doc.text), 1000)]); found != nil {
		encoding = found[1]
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
