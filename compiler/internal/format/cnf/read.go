package cnf

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// mostLiterals is the most variables of a clause that is a table.
const mostLiterals = 8

// word is a word of the file with its position.
type word struct {
	text string
	pos  diag.Pos
}

// weight is the weight of a literal.
type weight struct {
	literal int
	value   float64
	pos     diag.Pos
}

// parser reads line by line. It stops at the first error.
type parser struct {
	diag.List
	file    string
	size    int
	at      int // the number of lines that were read
	head    bool
	vars    int
	count   int // clauses that the first line announces
	clauses [][]int
	places  []diag.Pos // of the clauses
	open    []int      // literals of a clause that has not ended
	weights []weight
}

func read(src *format.Source, _ format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{file: src.Name, size: len(src.Data)}
	for line := range strings.Lines(string(src.Data)) {
		p.at++
		words := p.split(line)
		if len(words) > 0 && words[0].text == "%" || p.HasErrors() {
			break
		}
		if len(words) > 0 {
			p.line(words)
		}
	}
	if end := (word{pos: diag.Pos{File: p.file, Line: max(1, p.at), Col: 1}}); !p.HasErrors() {
		switch {
		case !p.head:
			p.found(end, "a line: p cnf VARIABLES CLAUSES")
		case len(p.open) > 0:
			p.found(end, "0, which ends the clause")
		case len(p.clauses) != p.count:
			p.Errorf(end.pos, "found %d clauses; want %d, as the line p cnf says", len(p.clauses), p.count)
		}
	}
	var m *model.Model
	if !p.HasErrors() {
		m = p.model()
	}
	if p.HasErrors() {
		return nil, p.List
	}
	return m, p.List
}

// split returns the words of a line.
func (p *parser) split(line string) (words []word) {
	for at := 0; at < len(line); {
		n := strings.IndexAny(line[at:], " \t\r\n")
		if n < 0 {
			n = len(line) - at
		}
		if n > 0 {
			words = append(words, word{line[at : at+n], diag.Pos{File: p.file, Line: p.at, Col: at + 1}})
		}
		at += n + 1
	}
	return words
}

// found reports a word, or the end of the file. It returns false.
func (p *parser) found(w word, want string) bool {
	what := "the end of the file"
	if w.text != "" {
		what = text.Quote(w.text)
	}
	p.Errorf(w.pos, "found %s; want %s", what, want)
	return false
}

// line reads a line that has words.
func (p *parser) line(words []word) {
	switch first := words[0].text; {
	case first == "c":
		p.comment(words[1:])
	case strings.HasPrefix(first, "c") && !p.head: // a comment without a blank
	case first == "p":
		p.problem(words)
	case !p.head:
		p.found(words[0], "a line: p cnf VARIABLES CLAUSES")
	default:
		for _, w := range words {
			if !p.literal(w) {
				return
			}
		}
	}
}

// problem reads the line before the clauses.
func (p *parser) problem(words []word) {
	switch {
	case p.head:
		p.found(words[0], "one line p cnf only")
	case len(words) > 1 && words[1].text == "wcnf":
		p.found(words[1], "cnf: weighted MAX-SAT (wcnf) has weights of clauses, which are no weights of literals; toulbar2 reads it")
	case len(words) != 4 || words[1].text != "cnf":
		p.found(words[min(1, len(words)-1)], "p cnf VARIABLES CLAUSES")
	default:
		var ok bool
		if p.vars, ok = p.number(words[2], 1<<18+p.size, "the number of variables"); ok {
			p.count, p.head = p.number(words[3], p.size, "the number of clauses")
		}
	}
}

// number reads an integer between 0 and most.
func (p *parser) number(w word, most int, what string) (int, bool) {
	n, err := strconv.Atoi(w.text)
	if err != nil || n < 0 || n > most {
		return 0, p.found(w, what+", at most "+strconv.Itoa(most)+" in a file of this size")
	}
	return n, true
}

// literal reads a literal of a clause, or the 0 at its end.
func (p *parser) literal(w word) bool {
	n, ok := p.signed(w)
	if !ok {
		return p.found(w, "a literal from "+strconv.Itoa(-p.vars)+" to "+strconv.Itoa(p.vars)+", or 0 at the end of a clause")
	}
	if len(p.open) == 0 {
		p.places = append(p.places, w.pos)
	}
	if n != 0 {
		p.open = append(p.open, n)
		return true
	}
	p.clauses = append(p.clauses, p.open)
	p.open, p.places = nil, p.places[:len(p.clauses)]
	return true
}

func (p *parser) signed(w word) (n int, ok bool) {
	n, err := strconv.Atoi(w.text)
	return n, err == nil && n >= -p.vars && n <= p.vars
}

// comment reads `p weight LITERAL WEIGHT 0` and refuses what asks for another count.
func (p *parser) comment(words []word) {
	switch {
	case len(words) > 1 && words[0].text == "t" && words[1].text != "mc" && words[1].text != "wmc":
		p.found(words[1], "mc or wmc; projected counts are not read")
	case len(words) > 1 && words[0].text == "p" && words[1].text == "show":
		p.found(words[1], "weight; counts that are projected to some variables (show) are not read")
	case len(words) > 1 && words[0].text == "p" && words[1].text == "weight":
		p.weight(words[2:], words[1])
	}
}

// weight reads the weight of a literal. The number of variables may follow in a later line.
func (p *parser) weight(words []word, at word) {
	if len(words) == 2 || len(words) == 3 && words[2].text == "0" {
		n, err := strconv.Atoi(words[0].text)
		x, err2 := text.Number(words[1].text)
		switch {
		case err != nil || n == 0 || n == math.MinInt:
			p.found(words[0], "a literal")
		case err2 != nil || !(x >= 0) || math.IsInf(x, 0):
			p.found(words[1], "a weight of at least 0")
		default:
			p.weights = append(p.weights, weight{n, x, words[0].pos})
		}
		return
	}
	p.found(at, "c p weight LITERAL WEIGHT 0")
}

// model returns the Markov network of the formula.
func (p *parser) model() *model.Model {
	m := &model.Model{Kind: model.Markov, File: p.file}
	for v := range p.vars {
		m.NewVar("x"+strconv.Itoa(v+1), "0", "1")
	}
	p.weigh(m)
	for i, c := range p.clauses {
		slices.SortFunc(c, func(a, b int) int { return variable(a) - variable(b) })
		c = slices.Compact(c)
		if slices.ContainsFunc(c, func(l int) bool { return l > 0 && slices.Contains(c, -l) }) {
			continue // it always holds
		}
		chain(m, c, i, p.places[i])
	}
	return m
}

// variable returns the number of the variable of a literal, from 1.
func variable(literal int) int { return max(literal, -literal) }

// weigh adds the potentials of variables that have weights.
func (p *parser) weigh(m *model.Model) {
	slices.SortStableFunc(p.weights, func(a, b weight) int { return variable(a.literal) - variable(b.literal) })
	for len(p.weights) > 0 {
		first := p.weights[0]
		v := variable(first.literal)
		values, known := []float64{1, 1}, [2]bool{}
		for ; len(p.weights) > 0 && variable(p.weights[0].literal) == v; p.weights = p.weights[1:] {
			w, state := p.weights[0], 0
			if w.literal > 0 {
				state = 1
			}
			if v > p.vars || known[state] {
				p.Errorf(w.pos, "found a weight of the literal %d; want one for each literal of the %d variables", w.literal, p.vars)
				return
			}
			values[state], known[state] = w.value, true
		}
		if known[0] != known[1] {
			state := 0
			if known[0] {
				state = 1
			}
			if values[state] = 1 - values[1-state]; values[state] < 0 {
				p.Errorf(first.pos, "found the weight %v of %d and none of %d; want both, since the other would be negative", values[1-state], first.literal, -first.literal)
				return
			}
			p.Warnf(first.pos, "only %d has a weight; %d gets %v, so that they sum to 1", first.literal, -first.literal, values[state])
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(v - 1)}, Child: -1, Dist: &model.Table{Values: values}, Pos: first.pos})
	}
}

// chain adds the potentials of a clause. Each latent variable of a long clause is 1 if the literals
// so far do not satisfy it.
func chain(m *model.Model, clause []int, number int, pos diag.Pos) {
	open := []int(nil) // the latent variable, if there is one
	for part := 1; ; part++ {
		n := len(clause)
		last := n+len(open) <= mostLiterals
		if !last {
			n = mostLiterals - 1 - len(open)
		}
		f := &model.Factor{Child: -1, Pos: pos}
		for _, v := range open {
			f.Scope = append(f.Scope, model.VarID(v))
		}
		failing := (1 << len(open)) - 1 // the row in which no literal holds
		for _, l := range clause[:n] {
			f.Scope = append(f.Scope, model.VarID(variable(l)-1))
			if failing *= 2; l < 0 {
				failing++
			}
		}
		clause = clause[n:]
		if last {
			f.Dist = &model.Table{Values: slices.Repeat([]float64{1}, 1<<len(f.Scope))}
			f.Dist.(*model.Table).Values[failing] = 0
			m.Factors = append(m.Factors, f)
			return
		}
		v := m.NewVar("clause "+strconv.Itoa(number+1)+" part "+strconv.Itoa(part), "0", "1")
		v.Latent, v.Pos = true, pos
		f.Scope = append(f.Scope, v.ID)
		values := slices.Repeat([]float64{1, 0}, 1<<(len(f.Scope)-1))
		values[2*failing], values[2*failing+1] = 0, 1
		f.Dist = &model.Table{Values: values}
		m.Factors = append(m.Factors, f)
		open = []int{int(v.ID)}
	}
}
