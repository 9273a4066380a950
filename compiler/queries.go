package compiler

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// MaxPosteriors is the number of variables up to which each has a posterior query of its own by default.
const MaxPosteriors = 64

// ParseQueries reads query specifications: `marginals`, `logprob`, `mpe`, `sample`, `batch` (marginals and
// logprob, for many rows), `posteriors`, `A` for one posterior, and `A | B, C` for a signature. Several may stand
// in one string, separated by commas at top level where none is a signature. Names with , | or blanks are written in
// double quotes, as in Go. Without any, it gives the default queries.
func ParseQueries(specs []string, m *model.Model) ([]*ir.Query, error) {
	p := &queryParser{m: m, seen: map[string]bool{}}
	if len(specs) == 0 {
		specs = []string{"marginals", "logprob", "mpe", "sample", "batch"}
		if len(m.Vars) <= MaxPosteriors {
			specs = append(specs, "posteriors")
		}
	}
	for _, spec := range specs {
		if err := p.spec(spec); err != nil {
			return nil, fmt.Errorf("query %q: %w", spec, err)
		}
	}
	return p.queries, nil
}

type queryParser struct {
	m       *model.Model
	queries []*ir.Query
	seen    map[string]bool
}

// spec reads one specification.
func (p *queryParser) spec(s string) error {
	words, err := splitQuery(s)
	if err != nil {
		return err
	}
	if i := indexWord(words, "|"); i >= 0 {
		return p.signature(words[:i], words[i+1:])
	}
	names, err := p.list(words)
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := p.simple(n); err != nil {
			return err
		}
	}
	return nil
}

var simpleKinds = map[string][]ir.QueryKind{
	"marginals": {ir.Marginals}, "logprob": {ir.LogProb}, "mpe": {ir.MPE}, "sample": {ir.Sample}, "batch": {ir.Marginals, ir.LogProb},
}

// simple adds what one word asks for. A variable of the same name as a kind of query is meant where it is quoted.
func (p *queryParser) simple(w word) error {
	kinds := simpleKinds[w.text]
	switch {
	case !w.quoted && kinds != nil:
		for _, k := range kinds {
			p.add(&ir.Query{Name: k.String(), Kind: k})
		}
		return nil
	case !w.quoted && w.text == "posteriors":
		for _, v := range p.m.Vars {
			if !v.Latent {
				p.posterior(v)
			}
		}
		return nil
	}
	v, err := p.variable(w)
	if err == nil {
		p.posterior(v)
	}
	return err
}

func (p *queryParser) posterior(v *model.Var) {
	p.add(&ir.Query{Name: "posterior " + strconv.Quote(v.Name), Kind: ir.Posterior, Targets: []model.VarID{v.ID}})
}

func (p *queryParser) signature(left, right []word) error {
	targets, err := p.list(left)
	if err != nil {
		return err
	}
	if len(targets) != 1 {
		return fmt.Errorf("a signature has one target before the bar, not %d", len(targets))
	}
	target, err := p.variable(targets[0])
	if err != nil {
		return err
	}
	given, err := p.list(right)
	if err != nil {
		return err
	}
	q := &ir.Query{Kind: ir.Signature, Targets: []model.VarID{target.ID}, Name: "signature " + strconv.Quote(target.Name) + " |"}
	in := map[model.VarID]bool{target.ID: true}
	for _, w := range given {
		v, err := p.variable(w)
		if err != nil {
			return err
		}
		if in[v.ID] {
			return fmt.Errorf("variable %q stands twice", v.Name)
		}
		in[v.ID] = true
		q.Evidence = append(q.Evidence, v.ID)
		q.Name += " " + strconv.Quote(v.Name)
	}
	p.add(q)
	return nil
}

// add appends q unless it is there.
func (p *queryParser) add(q *ir.Query) {
	if !p.seen[q.Name] {
		p.seen[q.Name] = true
		p.queries = append(p.queries, q)
	}
}

func (p *queryParser) variable(w word) (*model.Var, error) {
	v, ok := p.m.VarByName(w.text)
	switch {
	case !ok:
		return nil, fmt.Errorf("%q is neither a kind of query nor a variable", w.text)
	case v.Latent:
		return nil, fmt.Errorf("variable %q is latent; it can be neither asked for nor observed", w.text)
	}
	return v, nil
}

// list reads words separated by commas.
func (p *queryParser) list(words []word) ([]word, error) {
	var out []word
	for i, w := range words {
		comma := w.text == "," && !w.quoted
		if comma != (i%2 == 1) {
			return nil, fmt.Errorf("found %q; want names separated by commas", w.text)
		}
		if !comma {
			out = append(out, w)
		}
	}
	if len(words)%2 == 0 {
		return nil, fmt.Errorf("a name is missing")
	}
	return out, nil
}

// word is a name or one of , and |.
type word struct {
	text   string
	quoted bool
}

func indexWord(words []word, text string) int {
	for i, w := range words {
		if w.text == text && !w.quoted {
			return i
		}
	}
	return -1
}

// splitQuery splits s into names, quoted or not, and the signs , and |.
func splitQuery(s string) ([]word, error) {
	var out []word
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		switch s[0] {
		case '"':
			q, err := strconv.QuotedPrefix(s)
			if err != nil {
				return nil, fmt.Errorf("a quoted name does not end: %s", s)
			}
			text, err := strconv.Unquote(q)
			if err != nil {
				return nil, err
			}
			out, s = append(out, word{text, true}), s[len(q):]
		case ',', '|':
			out, s = append(out, word{s[:1], false}), s[1:]
		default:
			n := strings.IndexAny(s, " \t\n,|\"")
			if n < 0 {
				n = len(s)
			}
			out, s = append(out, word{s[:n], false}), s[n:]
		}
	}
	return out, nil
}

// Specification writes q so that ParseQueries reads it back.
func Specification(m *model.Model, q *ir.Query) string {
	name := func(v model.VarID) string {
		s := m.Vars[v].Name
		if s == "" || s == "posteriors" || simpleKinds[s] != nil || strings.ContainsAny(s, " \t\n,|\"") {
			return strconv.Quote(s)
		}
		return s
	}
	switch q.Kind {
	case ir.Posterior:
		return name(q.Targets[0])
	case ir.Signature:
		given := make([]string, len(q.Evidence))
		for i, v := range q.Evidence {
			given[i] = name(v)
		}
		return name(q.Targets[0]) + " | " + strings.Join(given, ", ")
	}
	return q.Kind.String()
}
