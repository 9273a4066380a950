package xmltext

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// maxDepth is how deep elements may nest: few formats of models go beyond ten, but for submodels within submodels.
const maxDepth = 100

// Decoder reads an XML file element by element. What is wrong with the XML goes to a list of diagnostics once; from then on
// there are no more elements.
type Decoder struct {
	MaxDepth int // how deep elements may nest; [New] sets what suits formats without trees

	doc    *document
	dec    *xml.Decoder
	list   *diag.List
	depth  int // of open elements
	start  int // where the last token started
	broken bool
}

// Element is an element whose start tag was read. One of [Decoder.Child], [Decoder.Text] and [Decoder.Words] reads what is
// in it; what is not read is passed over when its next sibling is asked for.
type Element struct {
	Name  string // without a prefix
	Pos   diag.Pos
	attrs []xml.Attr
	depth int
}

// Attr is the value of an attribute, whose name may be in capitals or not; ok is false where there is none.
func (e Element) Attr(name string) (value string, ok bool) {
	for _, a := range e.attrs {
		if strings.EqualFold(a.Name.Local, name) {
			return a.Value, true
		}
	}
	return "", false
}

// New reads the XML file with the given name and text, and reports mistakes to list.
func New(file string, data []byte, list *diag.List) *Decoder {
	doc, encoding, ok := newDocument(file, data)
	d := &Decoder{doc: doc, list: list, dec: xml.NewDecoder(strings.NewReader(doc.text)), MaxDepth: maxDepth}
	d.dec.CharsetReader = func(name string, r io.Reader) (io.Reader, error) {
		if name != encoding {
			return nil, errors.New("the encoding is not declared at the start of the file")
		}
		return r, nil // it is UTF-8 by now
	}
	if !ok {
		d.fail(0, "the encoding is %q; want UTF-8, US-ASCII or ISO-8859-1", encoding)
	}
	return d
}

// Root is the outermost element; [Decoder.End] checks that there is no second one.
func (d *Decoder) Root() (e Element, ok bool) {
	e, ok = d.next(0)
	if !ok && !d.broken {
		d.fail(d.offset(), "found end of file; want an element")
	}
	return e, ok
}

// Child is the next element that stands directly in e; ok is false at the end of e. Text between elements is an error.
func (d *Decoder) Child(e Element) (child Element, ok bool) { return d.next(e.depth) }

// End checks that nothing follows the outermost element.
func (d *Decoder) End() {
	if e, ok := d.next(0); ok {
		d.broken = true
		d.list.Errorf(e.Pos, "found a second outermost element %s; want one", quoteTag(e.Name))
	}
}

// Broken reports whether reading ended because of what is wrong with the XML.
func (d *Decoder) Broken() bool { return d.broken }

// Text is the text in e without the blanks around it, and its position. Comments in it are dropped, elements refused.
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

// Words calls each for each word of the text in e until it returns false, with an offset for [Decoder.Pos], and gives the
// offset of the end tag. A comment ends a word, as a blank does. Where the text has escapes or is CDATA, the offset of its
// words is that of the text.
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

// Pos is the place in the file of an offset that Words gave.
func (d *Decoder) Pos(off int) diag.Pos { return d.doc.pos(off) }

// blanks are the blanks of XML.
const blanks = " \t\r\n"

// chunk is a piece of text between two tags or comments.
type chunk struct {
	data  string // what it means
	raw   string // as it stands in the file
	off   int    // of raw
	exact bool   // raw differs from data in line ends at most
}

// first is the offset of the first byte that is not blank; where that is not known, of the chunk.
func (c chunk) first() int {
	if !c.exact {
		return c.off
	}
	return c.off + len(c.raw) - len(strings.TrimLeft(c.raw, blanks))
}

// chunks calls each for the pieces of the text in e until it returns false, and passes the end of e.
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

// next is the next element at the given depth; ok is false where the element around it ends.
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

// offset is where the next token starts.
func (d *Decoder) offset() int { return int(d.dec.InputOffset()) }

// token gives the next token and notes where it starts; ok is false at the end of the file, and where the XML is wrong.
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
			msg = syntax.Msg // without the line, which the position has
		}
		if msg == "invalid UTF-8" {
			msg = "found what is no UTF-8; want UTF-8, or the encoding in the XML declaration"
		}
		d.fail(d.offset(), "XML: %s", msg)
	}
	return t, err == nil && !d.broken
}

// fail reports what is wrong with the XML, and ends the reading.
func (d *Decoder) fail(off int, format string, args ...any) {
	d.list.Errorf(d.doc.pos(off), format, args...)
	d.broken = true
}

// quoteTag shows the name of an element in a message.
func quoteTag(name string) string {
	const most = 60 // of bytes that anybody would read
	if len(name) > most {
		name = name[:most] + "..."
	}
	return "<" + name + ">"
}
