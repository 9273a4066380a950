package dne

import (
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/tokens"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// list reads the value of a field that is a list, nested or flat. A single entry needs no list.
func (p *parser) list(n *node, key string) bool {
	if p.Tok.Kind == tokens.Word || p.Tok.Kind == tokens.Quoted {
		ok := p.entry(n, key)
		p.Advance()
		return ok
	}
	depth, before := 0, byte(',')
	from, open := -1, p.Tok // where the innermost list begins
	for ; ; p.Advance() {
		kind := p.Tok.Kind
		if kind == tokens.Quoted {
			kind = tokens.Word
		}
		complete := before == tokens.Word || before == ')'
		switch {
		case kind == '(' && !complete:
			depth++
			from, open = n.entries(), p.Tok
		case kind == ')' && before != ',':
			if from >= 0 && key == "probs" {
				n.innermost(n.entries()-from, p.Pos(open.Off))
			}
			from = -1
			if depth--; depth == 0 {
				n.End = p.Pos(p.Tok.Off)
				p.Advance()
				return true
			}
		case kind == ',' && complete:
		case kind == tokens.Word && !complete:
			if !p.entry(n, key) {
				return false
			}
		case complete:
			return p.Fail(`"," or ")"`)
		default:
			return p.Fail("an entry of " + key)
		}
		before = kind
	}
}

// entries returns the number of entries of probs so far.
func (n *node) entries() int { return len(n.Values) + len(n.marks) }

// innermost notes the length of an innermost list of probs.
func (n *node) innermost(length int, pos diag.Pos) {
	switch {
	case n.row == 0:
		n.row = length
	case n.odd == 0 && length != n.row:
		n.odd, n.oddPos = length, pos
	}
}

// entry reads one entry of a list, which is the current token, and leaves it there.
func (p *parser) entry(n *node, key string) bool {
	s := p.Tok.Text
	switch key {
	case "parents":
		n.Parents = append(n.Parents, cpt.Name{Text: strings.Clone(s), Pos: p.Pos(p.Tok.Off)})
	case "states", "statetitles":
		to := &n.states
		if key == "statetitles" {
			to = &n.titles
		}
		*to = append(*to, unescape(s))
		return len(*to) <= model.MaxStates || p.Fail("at most "+strconv.Itoa(model.MaxStates)+" of "+key)
	case "levels":
		x, ok := level(s)
		n.levels = append(n.levels, x)
		return ok && len(n.levels) <= model.MaxStates+1 || p.Fail("a number, INFINITY or -INFINITY")
	case "functable":
		n.function = append(n.function, mark{0, p.Tok})
		return len(n.function) <= p.opt.MaxEntries || p.Fail("at most "+strconv.Itoa(p.opt.MaxEntries)+" entries")
	case "probs":
		if n.entries() == p.opt.MaxEntries {
			return p.Fail("at most " + strconv.Itoa(p.opt.MaxEntries) + " numbers")
		}
		x, err := text.Entry(s)
		if err == nil {
			n.Values, n.Offsets = append(n.Values, x), append(n.Offsets, p.Tok.Off)
			return true
		}
		if !strings.HasPrefix(s, "#") && s != impossible {
			return p.Fail(`a number, a state as "#0", or "` + impossible + `"`)
		}
		n.marks = append(n.marks, mark{len(n.Values), p.Tok})
	}
	return true
}

// impossible marks a joint state of the parents that cannot occur.
const impossible = "@imposs"

// level parses a bound of an interval or the number of a state.
func level(s string) (x float64, ok bool) {
	switch strings.TrimPrefix(strings.ToUpper(s), "+") {
	case "INFINITY":
		return math.Inf(1), true
	case "-INFINITY":
		return math.Inf(-1), true
	}
	x, err := text.Number(s)
	return x, err == nil
}
