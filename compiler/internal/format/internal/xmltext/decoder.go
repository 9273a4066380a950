package xmltext

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// maxDepth bounds the nesting of elements. Few formats of models exceed ten, except for submodels
// within submodels.
const maxDepth = 100

// Decoder reads an XML file element by element. It reports the first error in the XML to a list of
// diagnostics and then returns no more elements.
type Decoder struct {
	MaxDepth int // limit on the nesting of elements; [New] sets one for formats without trees

	doc    *document
	dec    *xml.Decoder
	list   *diag.List
	depth  int // number of open elements
	start  int // offset of the last token
	broken bool
}

// Element is an element whose start tag was read. Read its content with one of [Decoder.Child],
// [Decoder.Text] and [Decoder.Words]. A request for its next sibling skips what is left of it.
type Element struct {
	Name  string // without a prefix
	Pos   diag.Pos
	attrs []xml.Attr
	depth int
}

// Attr returns the value of an attribute. It ignores the case of the name. It reports false if
// there is no such attribute.
func (e Element) Attr(name string) (value string, ok bool) {
	for _, a := range e.attrs {
		if strings.EqualFold(a.Name.Local, name) {
			return a.Value, true
		}
	}
	return "", false
}

// New returns a decoder of the XML file with the given name and text. It adds errors to list.
func New(file string, data []byte, list *diag.List) *Decoder {
	doc, encoding, ok := newDocument(file, data)
	d := &Decoder{doc: doc, list: list, dec: xml.NewDecoder(strings.NewReader(doc.text)), MaxDepth: maxDepth}
	d.dec.CharsetReader = func(name string, r io.Reader) (io.Reader, error) {
		if name != encoding {
			return nil, errors.New("the encoding is not declared at the start of the file")
		}
		return r, nil // already converted to UTF-8
	}
	if !ok {
		d.fail(0, "the encoding is %q; want UTF-8, US-ASCII or ISO-8859-1", encoding)
	}
	return d
}

// Root returns the outermost element. [Decoder.End] checks that there is no second one.
func (d *Decoder) Root() (e Element, ok bool) {
	e, ok = d.next(0)
	if !ok && !d.broken {
		d.fail(d.offset(), "found end of file; want an element")
	}
	return e, ok
}

// Child returns the next child of e and reports false at the end of e. Text between elements is an
// error.
func (d *Decoder) Child(e Element) (child Element, ok bool) { return d.next(e.depth) }

// End checks that nothing follows the outermost element.
func (d *Decoder) End() {
	if e, ok := d.next(0); ok {
		d.broken = true
		d.list.Errorf(e.Pos, "found a second outermost element %s; want one", quoteTag(e.Name))
	}
}

// Broken reports whether an error in the XML ended the reading.
func (d *Decoder) Broken() bool { return d.broken }

// Text returns the text in e without surrounding blanks, and its position. It drops comments and
// rejects elements.
func (d *Decoder) Text(e Element) (text string, pos diag.Pos, ok bool) {
	var all strings.Builder
	blank := true
	ok = d.chunks(e, func(c chunk) bool {
		if blank && strings.Trim(c.data, blanks) != "" {
			blank = false
			pos = d.doc.pos(c.first())
		}
		all.WriteString(c.data)
		return true
	})
	if blank {
		pos = e.Pos
	}
	return strings.Trim(all.String(), blanks), pos, ok
}

// Words calls each for every word of the text in e, with an offset for [Decoder.Pos], until each
// returns false. It returns the offset of the end tag. A comment ends a word, as a blank does. If
// the text has escapes or is CDATA, all its words have the offset of the text.
func (d *Decoder) Words(e Element, each func(word string, off int) bool) (end int, ok bool) {
	ok = d.chunks(e, func(c chunk) bool {
		s := c.data
		if c.exact {
			s = c.raw
		}
		for i := 0; i < len(s); {
			n := strings.IndexAny(s[i:], blanks)
			if n < 0 {
				n = len(s) - i
			}
			at := c.off
			if c.exact {
				at += i
			}
			if n > 0 && !each(s[i:i+n], at) {
				return false
			}
			i += n + 1
		}
		return true
	})
	return d.start, ok
}

// Pos returns the position in the file of an offset from Words.
func (d *Decoder) Pos(off int) diag.Pos { return d.doc.pos(off) }

// blanks holds the blanks of XML.
const blanks = " \t\r\n"

// chunk is a piece of text between two tags or comments.
type chunk struct {
	data  string // the text after escapes are resolved
	raw   string // the text in the file
	off   int    // of raw
	exact bool   // raw and data differ in line ends at most
}

// first returns the offset of the first byte that is not blank, or of the chunk if that is unknown.
func (c chunk) first() int {
	if !c.exact {
		return c.off
	}
	return c.off + len(c.raw) - len(strings.TrimLeft(c.raw, blanks))
}

// chunks calls each for the pieces of the text in e until it returns false, and then skips to the
// end of e.
func (d *Decoder) chunks(e Element, each func(chunk) bool) bool {
	more := true
	for {
		t, ok := d.token()
		if !ok {
			return false
		}
		switch t := t.(type) {
		case xml.StartElement:
			d.list.Errorf(d.doc.pos(d.start), "found the element %s in %s; want text", quoteTag(t.Name.Local), quoteTag(e.Name))
			return false
		case xml.EndElement:
			return more
		case xml.CharData:
			raw := d.doc.text[d.start:d.offset()]
			exact := !strings.Contains(raw, "&") && !strings.HasPrefix(raw, "<![CDATA[")
			more = more && each(chunk{data: string(t), raw: raw, off: d.start, exact: exact})
		}
	}
}

// next returns the next element at the given depth. It reports false at the end of the enclosing
// element.
func (d *Decoder) next(depth int) (e Element, ok bool) {
	for d.depth >= depth {
		below := d.depth > depth
		t, ok := d.token()
		if !ok {
			break
		}
		if below {
			continue
		}
		switch t := t.(type) {
		case xml.StartElement:
			return Element{Name: t.Name.Local, Pos: d.doc.pos(d.start), attrs: t.Attr, depth: depth + 1}, true
		case xml.EndElement:
			return Element{}, false
		case xml.CharData:
			if s := strings.Trim(string(t), blanks); s != "" {
				c := chunk{raw: d.doc.text[d.start:d.offset()], off: d.start, exact: true}
				d.list.Errorf(d.doc.pos(c.first()), "found the text %s; want an element", text.Quote(s))
			}
		}
	}
	return Element{}, false
}

// offset returns the offset of the next token.
func (d *Decoder) offset() int { return int(d.dec.InputOffset()) }

// token returns the next token and records its offset. It reports false at the end of the file or
// after an error in the XML.
func (d *Decoder) token() (t xml.Token, ok bool) {
	if d.broken || d.list.Full() {
		d.broken = true
		return nil, false
	}
	d.start = d.offset()
	t, err := d.dec.Token()
	switch t.(type) {
	case xml.StartElement:
		if d.depth++; d.depth > d.MaxDepth {
			d.fail(d.start, "elements are nested more than %d deep", d.MaxDepth)
		}
	case xml.EndElement:
		d.depth--
	}
	if err != nil && err != io.EOF {
		msg := err.Error()
		if syntax := (*xml.SyntaxError)(nil); errors.As(err, &syntax) {
			msg = syntax.Msg // the position already has the line
		}
		if msg == "invalid UTF-8" {
			msg = "found what is no UTF-8; want UTF-8, or the encoding in the XML declaration"
		}
		d.fail(d.offset(), "XML: %s", msg)
	}
	return t, err == nil && !d.broken
}

// fail reports an error in the XML and ends the reading.
func (d *Decoder) fail(off int, format string, args ...any) {
	d.list.Errorf(d.doc.pos(off), format, args...)
	d.broken = true
}

// quoteTag quotes the name of an element for a message.
func quoteTag(name string) string {
	const most = 60 // bytes
	if len(name) > most {
		name = name[:most] + "..."
	}
	return "<" + name + ">"
}
