package tokens

import (
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// Parser reads a file token by token and collects errors. A method that returns a bool reports
// false after an error, which it has added to the list.
type Parser struct {
	lexer
	diag.List
	Tok Token // the current one
}

// New returns a parser at the first token of a text. With escapes, a backslash in a string escapes
// the next character, and strings may span lines.
func New(file, src string, escapes bool) Parser {
	p := Parser{lexer: newLexer(file, src, escapes)}
	p.Advance()
	return p
}

// Advance reads the next token.
func (p *Parser) Advance() { p.Tok = p.next() }

// Fail reports the current token. It returns false.
func (p *Parser) Fail(want string) bool {
	p.Errorf(p.Pos(p.Tok.Off), "found %v; want %s", p.Tok, want)
	return false
}

// Punct consumes some punctuation.
func (p *Parser) Punct(kinds string) bool {
	for i := range len(kinds) {
		if p.Tok.Kind != kinds[i] {
			return p.Fail(text.Quote(kinds[i : i+1]))
		}
		p.Advance()
	}
	return true
}

// Keyword consumes words.
func (p *Parser) Keyword(words ...string) bool {
	for _, w := range words {
		if !p.Tok.Is(w) {
			return p.Fail(text.Quote(w))
		}
		p.Advance()
	}
	return true
}

// Name consumes a word or a string. Its text does not share memory with the file.
func (p *Parser) Name(want string) (t Token, ok bool) {
	if p.Tok.Kind != Word && p.Tok.Kind != Quoted {
		return p.Tok, p.Fail(want)
	}
	t = p.Tok
	t.Text = strings.Clone(t.Text)
	p.Advance()
	return t, true
}

// SkipField skips the rest of a field of a block, after its key: `= value ;`, or `name { fields }`
// with a semicolon or without. Values may hold lists and blocks.
func (p *Parser) SkipField() bool {
	block := p.Tok.Kind != '='
	for depth := 0; ; p.Advance() {
		switch p.Tok.Kind {
		case End:
			return p.Fail(`";" or "}"`)
		case '{', '(':
			depth++
		case '}', ')':
			if depth--; depth < 0 {
				return p.Fail(`";"`)
			}
			if depth == 0 && block {
				p.Advance()
				p.Optional(';')
				return true
			}
		case ';':
			if depth == 0 {
				p.Advance()
				return true
			}
		}
	}
}

// Optional consumes a punctuation character if it is there, and reports whether it was.
func (p *Parser) Optional(kind byte) bool {
	if p.Tok.Kind != kind {
		return false
	}
	p.Advance()
	return true
}
