package ir

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Parse reads the text form that Print writes. It checks only the form; Verify checks the meaning.
// Errors name the line and column. An empty list is read as nil, except the factors of a query, for
// which nil and empty differ.
func Parse(r io.Reader) (p *Program, err error) {
	ps := &parser{p: &Program{}}
	lines := bufio.NewReader(r)
	for {
		text, readErr := lines.ReadString('\n')
		ps.line++
		text = strings.TrimRightFunc(text, unicode.IsSpace)
		if words := strings.TrimLeft(text, " \t"); words != "" && words[0] != '#' {
			ps.rest, ps.full = words, len(text)
			if err := ps.parseLine(); err != nil {
				return nil, err
			}
		}
		if readErr == io.EOF {
			break
		}
		if readErr != nil {
			return nil, readErr
		}
	}
	if !ps.started {
		return nil, ps.errorf("found no program line")
	}
	return ps.p, nil
}

type parser struct {
	p       *Program
	line    int
	rest    string // the unread part of the line
	full    int    // length of the whole line in bytes
	col     int    // column of the current word
	started bool
}

// syntaxError is the panic by which the parser stops at an error. parseLine recovers it, which
// keeps the grammar below readable.
type syntaxError struct{ err error }

func (ps *parser) errorf(format string, args ...any) error {
	var list diag.List
	list.Errorf(diag.Pos{Line: ps.line, Col: ps.col}, format, args...)
	return list.Err()
}

func (ps *parser) fail(format string, args ...any) { panic(syntaxError{ps.errorf(format, args...)}) }

// mark notes the column of the current word.
func (ps *parser) mark() { ps.col = ps.full - len(ps.rest) + 1 }

func (ps *parser) parseLine() (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case syntaxError:
			err = e.err
		default:
			panic(e)
		}
	}()
	word := ps.word()
	if (word == "program") == ps.started {
		ps.fail("found %q; want one program line, and want it first", word)
	}
	switch word {
	case "program":
		ps.started = true
		ps.header()
	case "span":
		ps.span()
	case "block":
		ps.p.Blocks = append(ps.p.Blocks, Block{Name: ps.quoted()})
	case "entry":
		ps.entry()
	default:
		if len(ps.p.Blocks) == 0 {
			ps.fail("found %q; want span, block or entry", word)
		}
		b := &ps.p.Blocks[len(ps.p.Blocks)-1]
		b.Steps = append(b.Steps, ps.step(word))
	}
	ps.end()
	return nil
}

func (ps *parser) header() {
	p := ps.p
	p.Name = ps.quoted()
	if ps.oneOf("const", "var") == "var" {
		p.Params = Var
	}
	ps.expect("logz")
	p.LogZ = ps.float()
	ps.expect("softbits")
	p.SoftBits = ps.float()
	word := ps.oneOf("least", "align", "work")
	if word == "least" {
		p.Least = ps.float()
		word = ps.oneOf("align", "work")
	}
	if word == "align" {
		p.Align = ps.int()
		ps.expect("work")
	}
	p.Work = ps.int()
	ps.expect("data")
	p.Data = ps.int()
	ps.expect("ints")
	p.Ints = ps.int()
	ps.expect("state")
	p.State = ps.spanID()
}

func (ps *parser) span() {
	if id := ps.spanID(); int(id) != len(ps.p.Spans) {
		ps.fail("found span s%d; want s%d, the next", id, len(ps.p.Spans))
	}
	var s Span
	s.Elem = Elem(slices.Index(elemNames[:], ps.oneOf(elemNames[:]...)))
	s.Role = Role(slices.Index(roleNames[:], ps.oneOf(roleNames[:]...)))
	s.Len = ps.int()
	ps.expect("var")
	s.Var = model.VarID(ps.int())
	ps.expect("at")
	s.Offset = ps.int()
	if strings.HasPrefix(ps.rest, "copy ") {
		ps.expect("copy")
		s.Copy = int32(1 + ps.int())
	}
	s.Name = ps.quoted()
	for ps.more() {
		s.Data = append(s.Data, ps.float())
	}
	ps.p.Spans = append(ps.p.Spans, s)
}

func (ps *parser) entry() {
	kinds := make([]string, len(Kinds))
	for i := range Kinds {
		kinds[i] = Kinds[i].Name
	}
	kind := slices.Index(kinds, ps.oneOf(kinds...))
	e := Entry{Query: &Query{Kind: QueryKind(kind), Name: ps.quoted()}}
	ps.plan(&e)
	ps.expect("targets")
	e.Query.Targets = ps.vars("evidence")
	ps.evidence(e.Query)
	if strings.HasPrefix(ps.rest, "all ") {
		ps.expect("all")
		ps.expect("blocks")
	} else {
		e.Query.Factors = ps.ints("blocks")
		if e.Query.Factors == nil {
			e.Query.Factors = []int{}
		}
	}
	ps.blocks(&e)
	e.Root = ps.spanID()
	ps.expect("exp")
	e.Exp = ps.spanID()
	ps.expect("outs")
	for strings.HasPrefix(ps.rest, "s") {
		e.Outs = append(e.Outs, ps.spanID())
	}
	if strings.HasPrefix(ps.rest, "least ") {
		ps.expect("least")
		e.Least = ps.float()
	}
	for strings.HasPrefix(ps.rest, "decision ") {
		ps.expect("decision")
		e.Decisions = append(e.Decisions, ps.decisionTable())
	}
	for strings.HasPrefix(ps.rest, "moments ") {
		ps.expect("moments")
		e.Utilities = append(e.Utilities, ps.moments())
	}
	if ps.more() {
		ps.expect("instead")
		e.Instead = ps.instead()
	}
	ps.p.Entries = append(ps.p.Entries, e)
}

// plan parses how an entry is answered.
func (ps *parser) plan(e *Entry) {
	if strings.HasPrefix(ps.rest, "by ") {
		ps.expect("by")
		e.Query.Method = ps.word()
	}
	if strings.HasPrefix(ps.rest, "k ") {
		ps.expect("k")
		e.Query.K = ps.int()
	}
	if strings.HasPrefix(ps.rest, "search ") {
		ps.expect("search")
		e.Search = true
	}
	if strings.HasPrefix(ps.rest, "loop ") {
		ps.expect("loop")
		e.Loop = ps.loop()
	}
	if strings.HasPrefix(ps.rest, "chain ") {
		ps.expect("chain")
		e.Chain = ps.chain()
	}
}

// blocks parses the blocks of an entry, and up to the word "root" the lines after them.
func (ps *parser) blocks(e *Entry) {
	w := ps.word()
	for ; w != "cutset" && w != "logs" && w != "tilt" && w != "stream" && w != "root" && w != ""; w = ps.word() {
		e.Blocks = append(e.Blocks, ps.after("", w))
	}
	if w == "cutset" {
		for w = ps.word(); w != "logs" && w != "tilt" && w != "stream" && w != "root" && w != ""; w = ps.word() {
			e.Cutset = append(e.Cutset, model.VarID(ps.after("v", w)))
		}
	}
	if w == "logs" {
		for w = ps.word(); w != "tilt" && w != "stream" && w != "root" && w != ""; w = ps.word() {
			e.Logs = append(e.Logs, SpanID(ps.after("s", w)))
		}
	}
	if w == "tilt" {
		for w = ps.word(); w != "stream" && w != "root" && w != ""; w = ps.word() {
			e.Tilt = append(e.Tilt, SpanID(ps.after("s", w)))
		}
	}
	if w == "stream" {
		e.Stream = ps.stream("root")
	}
}

// vars and ints read up to and including the word stop.
func (ps *parser) vars(stop string) (out []model.VarID) {
	for w := ps.word(); w != stop; w = ps.word() {
		out = append(out, model.VarID(ps.after("v", w)))
	}
	return out
}

// evidence reads the observed variables, up to the word factors.
func (ps *parser) evidence(q *Query) {
	for w := ps.word(); w != "factors"; w = ps.word() {
		do := w == "do"
		if do {
			w = ps.word()
		}
		v := model.VarID(ps.after("v", w))
		q.Evidence = append(q.Evidence, v)
		if do {
			q.Do = append(q.Do, v)
		}
	}
}

func (ps *parser) ints(stop string) (out []int) {
	for w := ps.word(); w != stop; w = ps.word() {
		out = append(out, ps.after("", w))
	}
	return out
}

// group reads the words between two brackets.
func (ps *parser) group(open, end byte) []string {
	ps.mark()
	i := strings.IndexByte(ps.rest, end)
	if ps.rest == "" || ps.rest[0] != open || i < 0 {
		ps.fail("found %q; want words in %c%c", ps.rest, open, end)
	}
	words := strings.Fields(ps.rest[1:i])
	ps.rest = strings.TrimLeft(ps.rest[i+1:], " ")
	return words
}

// spanID reads a span, or - for none.
func (ps *parser) spanID() SpanID { return ps.spanOf(ps.word()) }

// spanOf returns the span that a word names.
func (ps *parser) spanOf(w string) SpanID {
	if w == "-" {
		return NoSpan
	}
	return SpanID(ps.after("s", w))
}

// named reads a word and the span after it.
func (ps *parser) named(name string) SpanID {
	ps.expect(name)
	return ps.spanID()
}

// spansTo reads spans up to and including the word end.
func (ps *parser) spansTo(end string) (ids []SpanID) {
	for ps.more() && ps.rest != end && !strings.HasPrefix(ps.rest, end+" ") {
		ids = append(ids, ps.spanID())
	}
	ps.expect(end)
	return ids
}

// spansLeft reads spans up to the end of the line.
func (ps *parser) spansLeft() (ids []SpanID) {
	for ps.more() {
		ids = append(ids, ps.spanID())
	}
	return ids
}

// after returns the integer after prefix in w.
func (ps *parser) after(prefix, w string) int {
	digits, ok := strings.CutPrefix(w, prefix)
	n, err := strconv.ParseInt(digits, 10, 32)
	if !ok || err != nil {
		ps.fail("found %q; want an integer behind %q", w, prefix)
	}
	return int(n)
}

func (ps *parser) int() int { return ps.after("", ps.word()) }

func (ps *parser) float() float64 {
	w := ps.word()
	x, err := strconv.ParseFloat(w, 64)
	if err != nil {
		ps.fail("found %q; want a number", w)
	}
	return x
}

func (ps *parser) quoted() string {
	ps.mark()
	q, err := strconv.QuotedPrefix(ps.rest)
	if err != nil {
		ps.fail("found %q; want a quoted name", ps.rest)
	}
	ps.rest = strings.TrimLeft(ps.rest[len(q):], " ")
	name, err := strconv.Unquote(q)
	if err != nil {
		ps.fail("found %s; want a quoted name", q)
	}
	return name
}

func (ps *parser) oneOf(words ...string) string {
	w := ps.word()
	if !slices.Contains(words, w) {
		ps.fail("found %q; want one of %s", w, strings.Join(words, ", "))
	}
	return w
}

func (ps *parser) expect(want string) {
	if w := ps.word(); w != want {
		ps.fail("found %q; want %q", w, want)
	}
}

func (ps *parser) more() bool { return ps.rest != "" }

// word removes the next word from the line and returns it. It fails at the end of the line.
func (ps *parser) word() string {
	ps.mark()
	w, rest, _ := strings.Cut(ps.rest, " ")
	if w == "" {
		ps.fail("found the end of the line; want more")
	}
	ps.rest = strings.TrimLeft(rest, " ")
	return w
}

func (ps *parser) end() {
	ps.mark()
	if ps.rest != "" {
		ps.fail("found %q; want the end of the line", ps.rest)
	}
}
