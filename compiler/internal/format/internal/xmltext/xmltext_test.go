package xmltext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// outline returns the names of elements, their positions, and the texts of those called "t" or the
// words of those called "w".
func outline(text string) string {
	var list diag.List
	var out strings.Builder
	d := xmltext.New("f", []byte(text), &list)
	var walk func(e xmltext.Element)
	walk = func(e xmltext.Element) {
		fmt.Fprintf(&out, "%s %d:%d", e.Name, e.Pos.Line, e.Pos.Col)
		if v, ok := e.Attr("a"); ok {
			fmt.Fprintf(&out, " a=%q", v)
		}
		switch e.Name {
		case "t":
			s, pos, ok := d.Text(e)
			fmt.Fprintf(&out, " %q %d:%d %v\n", s, pos.Line, pos.Col, ok)
		case "w":
			end, ok := d.Words(e, func(word string, off int) bool {
				fmt.Fprintf(&out, " %s %d:%d", word, d.Pos(off).Line, d.Pos(off).Col)
				return word != "stop"
			})
			fmt.Fprintf(&out, " end %d:%d %v\n", d.Pos(end).Line, d.Pos(end).Col, ok)
		case "skipped":
			out.WriteString("\n")
		default:
			out.WriteString("\n")
			for c, ok := d.Child(e); ok; c, ok = d.Child(e) {
				walk(c)
			}
		}
	}
	if root, ok := d.Root(); ok {
		walk(root)
		d.End()
	}
	if err := list.Err(); err != nil {
		out.WriteString(err.Error() + "\n")
	}
	return out.String()
}

func TestDecoder(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"positions", "<?xml version=\"1.0\"?>\n<!-- c -->\n<r>\n <t A='x'> a\n b </t>\n <w> 1\n\t2<!-- no -->3</w></r>\n<!-- end -->\n",
			"r 3:1\nt 4:2 a=\"x\" \"a\\n b\" 4:12 true\nw 6:2 1 6:6 2 7:2 3 7:14 end 7:15 true\n"},
		{"escapes and CDATA", "<r><t> &lt;a&#32;</t><t><![CDATA[<b>]]>c</t><w> 1&#13;\n2 <![CDATA[ 3 ]]></w></r>",
			"r 1:1\nt 1:4 \"<a\" 1:7 true\nt 1:22 \"<b>c\" 1:25 true\nw 1:45 1 1:48 2 1:48 3 2:3 end 2:18 true\n"},
		{"line ends of Windows", "<r>\r\n<t>a\r\nb</t>\r\n<w>1\r\n2\r\n</w></r>",
			"r 1:1\nt 2:1 \"a\\nb\" 2:4 true\nw 4:1 1 4:4 2 5:1 end 6:1 true\n"},
		{"not read", "<r><skipped><t>a</t><r/></skipped><w/></r>", "r 1:1\nskipped 1:4\nw 1:35 end 1:39 true\n"},
		{"words cut short", "<r><w>1 stop 2<!-- --> 3</w><t/></r>", "r 1:1\nw 1:4 1 1:7 stop 1:9 end 1:25 false\nt 1:29 \"\" 1:29 true\n"},
		{"Latin-1", "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n<r><t>\xe9t\xe9</t><t>x</t>\n<w>\xe9 1</w></r>",
			"r 2:1\nt 2:4 \"été\" 2:7 true\nt 2:14 \"x\" 2:17 true\nw 3:1 é 3:4 1 3:6 end 3:7 true\n"},
		{"ASCII", "<?xml version=\"1.0\" encoding=\"US-ASCII\"?><r/>", "r 1:42\n"},
		{"document type", "<!DOCTYPE r [\n<!ELEMENT r (t*)>\n<!ENTITY e \"x\">\n]>\n<r><t>a</t></r>", "r 5:1\nt 5:4 \"a\" 5:7 true\n"},

		{"other encoding", "<?xml version=\"1.0\" encoding=\"KOI8-R\"?><r/>", "f:1:1: the encoding is \"KOI8-R\"; want UTF-8, US-ASCII or ISO-8859-1\n"},
		{"UTF-16", "\xff\xfe<\x00r\x00/\x00>\x00", "f:1:1: the encoding is \"UTF-16\"; want UTF-8, US-ASCII or ISO-8859-1\n"},
		{"late encoding", "<r><?xml version=\"1.0\" encoding=\"KOI8-R\"?></r>",
			"r 1:1\nf:1:43: XML: xml: opening charset \"KOI8-R\": the encoding is not declared at the start of the file\n"},
		{"not UTF-8", "<r>\n\xe9</r>", "r 1:1\nf:2:2: XML: found what is no UTF-8; want UTF-8, or the encoding in the XML declaration\n"},
		{"not ASCII", "<?xml version=\"1.0\" encoding=\"ascii\"?>\n<r>\xe9</r>", "r 2:1\nf:2:5: XML: found what is no UTF-8; want UTF-8, or the encoding in the XML declaration\n"},
		{"entity", "<!DOCTYPE r [<!ENTITY e \"x\">]>\n<r>\n<t>&e;</t></r>", "r 2:1\nt 3:1 \"\" 3:1 false\nf:3:7: XML: invalid character entity &e;\n"},
		{"no root", " <!-- nothing -->\n", "f:2:1: found end of file; want an element\n"},
		{"two roots", "<r/>\n<q/>", "r 1:1\nf:2:1: found a second outermost element <q>; want one\n"},
		{"text after the root", "<r/>\nabc", "r 1:1\nf:2:1: found the text \"abc\"; want an element\n"},
		{"text between", "<r>\n a &amp; b\n<t/></r>", "r 1:1\nt 3:1 \"\" 3:1 true\nf:2:2: found the text \"a & b\"; want an element\n"},
		{"element in text", "<r><t>a<b>c</b></t><w>1 <b/></w><t>x</t></r>",
			"r 1:1\nt 1:4 \"a\" 1:7 false\nw 1:20 1 1:23 end 1:25 false\nt 1:33 \"x\" 1:36 true\n" +
				"f:1:8: found the element <b> in <t>; want text\nf:1:25: found the element <b> in <w>; want text\n"},
		{"not closed", "<r>\n<t>a", "r 1:1\nt 2:1 \"a\" 2:4 false\nf:2:5: XML: unexpected EOF\n"},
		{"crossed", "<r><t>a</r></t>", "r 1:1\nt 1:4 \"a\" 1:7 false\nf:1:12: XML: element <t> closed by </r>\n"},
		{"no XML", "network n {}\n", "f:1:1: found the text \"network n {}\"; want an element\nf:2:1: found end of file; want an element\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := outline(c.text); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestDeep(t *testing.T) {
	text := strings.Repeat("<r>", 100) + strings.Repeat("</r>", 100)
	if got := outline(text); strings.Contains(got, "nested") {
		t.Errorf("100 levels: %s", got)
	}
	text = strings.Repeat("<r>", 1e5)
	if got, want := outline(text), "f:1:301: elements are nested more than 100 deep\n"; !strings.HasSuffix(got, want) {
		t.Errorf("a hundred thousand levels: got %s; want %s", got, want)
	}
}

// TestManyErrors checks that reading stops after enough errors.
func TestManyErrors(t *testing.T) {
	got := outline("<r>" + strings.Repeat("a<r/>", 1e5) + "</r>")
	if n := strings.Count(got, "\n"); n > 30 {
		t.Errorf("%d lines; want about 10 elements and 10 errors", n)
	}
}
