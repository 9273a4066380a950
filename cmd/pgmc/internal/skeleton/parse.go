package skeleton

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Structure is a directed graph of variables, some with states.
type Structure struct {
	Names   []string
	Parents [][]int    // by variable, in the order of the text
	States  [][]string // by variable; nil if the text has none
}

// parser reads a structure.
type parser struct {
	text string
	at   int
	s    *Structure
}

// Parse reads a structure. Errors name the column of the text.
func Parse(text string) (*Structure, error) {
	p := &parser{text: text, s: &Structure{}}
	for {
		for p.skip(";") {
		}
		if p.at == len(p.text) {
			break
		}
		if err := p.item(); err != nil {
			return nil, err
		}
		if p.blanks(); p.at < len(p.text) && !strings.HasPrefix(p.text[p.at:], ";") {
			return nil, p.errorf(`found %s; want "->", "<-", a colon and states, or a semicolon`, p.rest())
		}
	}
	if p.s.Names == nil {
		return nil, p.errorf("the structure is empty; want variables, as in A->B<-C")
	}
	return p.s, nil
}

// item reads a chain, or the states of a variable.
func (p *parser) item() error {
	v, err := p.variable()
	if err != nil {
		return err
	}
	if p.skip(":") {
		return p.states(v)
	}
	for {
		at := p.at
		forward := p.skip("->")
		if !forward && !p.skip("<-") {
			return nil
		}
		next, err := p.variable()
		if err != nil {
			return err
		}
		from, to := v, next
		if !forward {
			from, to = next, v
		}
		if from == to || slices.Contains(p.s.Parents[to], from) {
			p.at = at
			return p.errorf("the edge %s->%s is there twice, or joins a variable to itself", p.s.Names[from], p.s.Names[to])
		}
		p.s.Parents[to] = append(p.s.Parents[to], from)
		v = next
	}
}

// variable reads a name and returns its variable, which is new unless it came before.
func (p *parser) variable() (int, error) {
	p.blanks()
	at := p.at
	name, err := p.name("the name of a variable")
	if err != nil {
		return 0, err
	}
	if p.text[at] != '"' && (strings.ContainsAny(name, "=<>") || strings.Contains(name, "--")) {
		p.at = at
		return 0, p.errorf(`found %q, which has no arrow; want "->" or "<-" between names, or quotes around a name with such signs`, name)
	}
	if i := slices.Index(p.s.Names, name); i >= 0 {
		return i, nil
	}
	p.s.Names = append(p.s.Names, name)
	p.s.Parents, p.s.States = append(p.s.Parents, nil), append(p.s.States, nil)
	return len(p.s.Names) - 1, nil
}

// states reads the states of a variable.
func (p *parser) states(v int) error {
	if p.s.States[v] != nil {
		return p.errorf("the states of %q are there twice", p.s.Names[v])
	}
	for {
		p.skip(",")
		if p.blanks(); len(p.s.States[v]) > 0 && (p.at == len(p.text) || p.text[p.at] == ';') {
			return nil
		}
		state, err := p.name("the name of a state")
		if err != nil {
			return err
		}
		if slices.Contains(p.s.States[v], state) {
			return p.errorf("the state %q of %q is there twice", state, p.s.Names[v])
		}
		p.s.States[v] = append(p.s.States[v], state)
	}
}

// name reads a name, in quotes or up to the next blank or sign of the notation.
func (p *parser) name(want string) (string, error) {
	p.blanks()
	rest := p.text[p.at:]
	if strings.HasPrefix(rest, `"`) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return "", p.errorf("a quoted name does not end: %s", rest)
		}
		name, err := strconv.Unquote(quoted)
		if p.at += len(quoted); err == nil && name == "" {
			err = fmt.Errorf("a name is empty")
		}
		return name, err
	}
	n := len(rest)
	for i := range rest {
		if strings.ContainsRune(" \t\r\n;:,\"", rune(rest[i])) || strings.HasPrefix(rest[i:], "->") || strings.HasPrefix(rest[i:], "<-") {
			n = i
			break
		}
	}
	if n == 0 {
		return "", p.errorf("found %s; want %s", p.rest(), want)
	}
	p.at += n
	return rest[:n], nil
}

// skip reads a sign, and reports whether it was there.
func (p *parser) skip(sign string) bool {
	p.blanks()
	if !strings.HasPrefix(p.text[p.at:], sign) {
		return false
	}
	p.at += len(sign)
	return true
}

// blanks skips blanks.
func (p *parser) blanks() {
	p.at += len(p.text[p.at:]) - len(strings.TrimLeft(p.text[p.at:], " \t\r\n"))
}

// rest quotes the following text, for a message.
func (p *parser) rest() string {
	const most = 20
	rest := []rune(p.text[p.at:])
	if len(rest) == 0 {
		return "the end"
	}
	return strconv.Quote(string(rest[:min(most, len(rest))]))
}

func (p *parser) errorf(format string, args ...any) error {
	return diag.Diagnostic{Pos: diag.Pos{File: "structure", Line: 1, Col: p.at + 1}, Msg: fmt.Sprintf(format, args...)}
}
