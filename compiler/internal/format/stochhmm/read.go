package stochhmm

import (
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The headings of the parts of a file.
const (
	information = "MODEL INFORMATION"
	tracks      = "TRACK SYMBOL DEFINITIONS"
	definitions = "STATE DEFINITIONS"
)

// first and last are the states before and after a sequence.
const first, last = "INIT", "END"

// state is a state of the file.
type state struct {
	name     string
	pos      diag.Pos
	next     []transition
	emission []float64
	emits    diag.Pos
}

// transition is the probability of a next state.
type transition struct {
	to  string
	p   float64
	pos diag.Pos
}

// parser reads line by line. It stops at the first error.
type parser struct {
	diag.List
	file    string
	lines   []string
	at      int    // the number of lines that were read
	section string // the last heading
	track   string
	symbols []string
	states  []*state
	most    int // numbers
	name    string
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{file: src.Name, lines: strings.Split(string(src.Data), "\n"), most: opt.WithDefaults().MaxEntries}
	p.parts()
	if p.HasErrors() {
		return nil, p.List
	}
	m := p.model()
	if p.HasErrors() {
		return nil, p.List
	}
	return m, p.List
}

// pos returns the position of the current line.
func (p *parser) pos() diag.Pos { return diag.Pos{File: p.file, Line: max(1, p.at), Col: 1} }

// found reports the current line. It returns false.
func (p *parser) found(line, want string) bool {
	p.Errorf(p.pos(), "found %s; want %s", text.Quote(line), want)
	return false
}

// line returns the next line that is neither empty nor a comment nor only signs; ok is false at the
// end of the file.
func (p *parser) line() (line string, ok bool) {
	for p.at < len(p.lines) {
		line = strings.TrimSpace(p.lines[p.at])
		p.at++
		if strings.Trim(line, "=#") != "" && !strings.HasPrefix(line, "#") {
			return line, true
		}
	}
	return "", false
}

// peek returns the next line without reading it.
func (p *parser) peek() string {
	at := p.at
	line, _ := p.line()
	p.at = at
	return line
}

// field splits `KEY: VALUE`.
func field(line string) (key, value string) {
	key, value, _ = strings.Cut(line, ":")
	return strings.TrimSpace(key), strings.TrimSpace(value)
}

// parts reads the file.
func (p *parser) parts() {
	for !p.HasErrors() {
		line, ok := p.line()
		key, value := field(line)
		heading := strings.Trim(line, "<>")
		switch {
		case !ok:
			p.Errorf(p.pos(), "found the end of the file; want //END")
		case line == "//END":
			return
		case heading == information, heading == tracks, heading == definitions:
			p.section = heading
		case p.section == information && strings.HasPrefix(key, "MODEL_"):
			if key == "MODEL_NAME" {
				p.name = strings.Clone(value)
			}
		case p.section == tracks && value != "":
			p.symbolsOf(key, value)
		case p.section == definitions && key == "STATE" && value == "":
			p.state()
		default:
			p.found(line, `a part of the file, or "STATE:" among the states`)
		}
	}
}

// symbolsOf reads the definition of the track.
func (p *parser) symbolsOf(name, list string) {
	if p.track != "" {
		p.found(name, "one track only")
		return
	}
	p.track = strings.Clone(name)
	for _, s := range strings.Split(list, ",") {
		p.symbols = append(p.symbols, strings.Clone(strings.TrimSpace(s)))
	}
}

// state reads a state, up to the next one.
func (p *parser) state() {
	s := &state{pos: p.pos()}
	for !p.HasErrors() {
		next := p.peek()
		key, value := field(next)
		if key == "STATE" || next == "//END" || next == "" {
			break
		}
		p.line()
		switch key {
		case "NAME":
			s.name = strings.Clone(value)
		case "PATH_LABEL", "GFF_DESC":
		case "TRANSITION":
			p.transitions(s, value)
		case "EMISSION":
			p.emission(s, value)
		default:
			p.found(next, `"NAME", "TRANSITION" or "EMISSION"`)
		}
	}
	if s.name == "" && !p.HasErrors() {
		p.Errorf(s.pos, "found a state without a name; want one")
	}
	p.states = append(p.states, s)
}

// compact returns a value without blanks: "STANDARD:P(X)".
func compact(value string) string { return strings.Join(strings.Fields(value), "") }

// transitions reads the probabilities of the next states.
func (p *parser) transitions(s *state, kind string) {
	if compact(kind) != "STANDARD:P(X)" {
		p.found(kind, `"STANDARD: P(X)"`)
		return
	}
	for !p.HasErrors() {
		key, value := field(p.peek())
		x, err := text.Number(value)
		if err != nil || slices.Contains([]string{"STATE", "TRANSITION", "EMISSION"}, key) {
			return
		}
		p.line()
		switch {
		case key == last && x != 1:
			p.found(value, "1 for the transition to END: a sequence may end anywhere")
		case key != last:
			s.next = append(s.next, transition{strings.Clone(key), x, p.pos()})
		}
	}
}

// emission reads the probabilities of the symbols.
func (p *parser) emission(s *state, kind string) {
	if track, how := field(kind); track != p.track || compact(how) != "P(X)" {
		p.found(kind, p.track+": P(X)")
		return
	}
	if s.emission != nil {
		p.found(kind, "one emission of a state")
		return
	}
	line, _ := p.line()
	if key, value := field(line); key != "ORDER" || value != "0" {
		p.found(line, `"ORDER: 0"`)
		return
	}
	line, _ = p.line()
	if names, ok := strings.CutPrefix(line, "@"); ok {
		if !slices.Equal(strings.Fields(names), p.symbols) {
			p.found(line, "the symbols in the order of the track")
			return
		}
		line, _ = p.line()
	}
	s.emits = p.pos()
	for _, cell := range strings.Fields(line) {
		x, err := text.Number(cell)
		if err != nil {
			p.found(cell, "a number")
			return
		}
		s.emission = append(s.emission, x)
	}
	if len(s.emission) != len(p.symbols) {
		p.Errorf(p.pos(), "found %d numbers; want %d, one for each symbol of %s", len(s.emission), len(p.symbols), text.Quote(p.track))
	}
}
