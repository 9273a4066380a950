package plain

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// utf8Reader passes on text in UTF-8 without NUL bytes. It ends with an error about the first other
// byte.
type utf8Reader struct {
	in   io.Reader
	pos  diag.Pos // of the next byte
	tail []byte   // the start of a character that did not end
	err  error    // of the first other byte
}

// Read reads whole characters.
func (u *utf8Reader) Read(p []byte) (int, error) {
	if u.err != nil {
		return 0, u.err
	}
	n := copy(p, u.tail)
	u.tail = u.tail[n:]
	more, err := u.in.Read(p[n:])
	n += more
	good := diag.ValidUTF8(p[:n])
	if at := bytes.IndexByte(p[:good], 0); at >= 0 {
		good = at
	}
	u.advance(p[:good])
	switch rest := p[good:n]; {
	case len(rest) == 0:
	case rest[0] == 0:
		u.err = &failure{diag.Diagnostic{Pos: u.pos, Msg: "found a NUL byte; want text in UTF-8"}, errText}
	case err == nil && !utf8.FullRune(rest):
		u.tail = append(u.tail[:0], rest...)
	default:
		u.err = &failure{diag.NotUTF8(u.pos, rest), errText}
	}
	return good, cmp.Or(u.err, err)
}

// errText is the cause of errors about bytes that are not UTF-8.
var errText = errors.New("not UTF-8")

// advance moves the position over text.
func (u *utf8Reader) advance(text []byte) {
	u.pos.Line += bytes.Count(text, []byte("\n"))
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		u.pos.Col = 1
		text = text[end+1:]
	}
	u.pos.Col += len(text)
}
