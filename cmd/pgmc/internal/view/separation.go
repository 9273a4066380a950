package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/model"
)

// separationInfo reports whether A and B are separated given other variables. If they are not, it
// holds an active trail.
type separationInfo struct {
	A         string         `json:"a"`
	B         string         `json:"b"`
	Given     []string       `json:"given"`
	Separated bool           `json:"separated"`
	Trail     []string       `json:"trail,omitempty"`
	Arrows    []string       `json:"arrows,omitempty"` // between successive variables of the trail: ->, <- or --
	Colliders []colliderInfo `json:"colliders,omitempty"`
	given     []model.VarID
	trail     []model.VarID
}

// colliderInfo is a variable at which two arrows of a trail meet, and the given variable that opens
// it: itself or a descendant.
type colliderInfo struct {
	Variable string `json:"variable"`
	OpenedBy string `json:"opened_by"`
}

// dsepQuestion is a question of separation by names: the variables a and b, and the given ones.
type dsepQuestion struct {
	text string
	a, b string
	rest []string
}

// parseQuestion parses a question such as `A, B | C, D`: two variables and, after a bar, the given
// ones.
func parseQuestion(text string) (*dsepQuestion, error) {
	left, right, bar, err := cutBar(text)
	if err != nil {
		return nil, err
	}
	pair, err := nameList(left)
	if err != nil {
		return nil, err
	}
	if len(pair) != 2 {
		return nil, fmt.Errorf("the number of variables before the bar is %d; want two, as in 'A, B | C'", len(pair))
	}
	q := &dsepQuestion{text: text, a: pair[0], b: pair[1]}
	if bar && strings.TrimSpace(right) != "" {
		if q.rest, err = nameList(right); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	for _, name := range append(pair, q.rest...) {
		if seen[name] {
			return nil, fmt.Errorf("variable %q occurs twice", name)
		}
		seen[name] = true
	}
	return q, nil
}

// cutBar cuts a text at its first | outside of quotes.
func cutBar(s string) (left, right string, found bool, err error) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '|':
			return s[:i], s[i+1:], true, nil
		case '"':
			q, err := strconv.QuotedPrefix(s[i:])
			if err != nil {
				return "", "", false, fmt.Errorf("a quoted name does not end: %s", s[i:])
			}
			i += len(q) - 1
		}
	}
	return s, "", false, nil
}

// separations answers questions.
func (v *modelView) separations(questions []*dsepQuestion) (list []separationInfo, err error) {
	for _, q := range questions {
		s, err := v.separation(q)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// separation answers a question.
func (v *modelView) separation(q *dsepQuestion) (s separationInfo, err error) {
	vars, err := v.variables(append([]string{q.a, q.b}, q.rest...))
	if err != nil {
		return s, fmt.Errorf("--dsep %q: %w", q.text, err)
	}
	s.A, s.B, s.given = q.a, q.b, vars[2:]
	s.trail = v.g.ActiveTrail(vars[0], vars[1], s.given)
	s.Separated = s.trail == nil
	s.Given, s.Trail = varNames(v.m, s.given), varNames(v.m, s.trail)
	for i := 1; i < len(s.trail); i++ {
		s.Arrows = append(s.Arrows, v.arrow(s.trail[i-1], s.trail[i]))
		if i > 1 && s.Arrows[i-2] == "->" && s.Arrows[i-1] == "<-" {
			opener, _ := v.g.Opener(s.trail[i-1], s.given)
			s.Colliders = append(s.Colliders, colliderInfo{s.Trail[i-1], v.m.Vars[opener].Name})
		}
	}
	return s, nil
}

// arrow returns the edge from a to b as text.
func (v *modelView) arrow(a, b model.VarID) string {
	switch {
	case v.m.Kind == model.Markov:
		return "--"
	case slices.Contains(v.g.Parents[b], a):
		return "->"
	}
	return "<-"
}

// text returns the answer as sentences.
func (s *separationInfo) text(kind model.Kind) string {
	word := "d-separated"
	if kind == model.Markov {
		word = "separated"
	}
	given := ""
	if len(s.Given) > 0 {
		given = " given " + joinNames(s.Given)
	}
	pair := cli.QuoteName(s.A) + " and " + cli.QuoteName(s.B)
	if s.Separated {
		return fmt.Sprintf("%s are %s%s\n", pair, word, given)
	}
	trail := cli.QuoteName(s.Trail[0])
	for i, arrow := range s.Arrows {
		trail += " " + arrow + " " + cli.QuoteName(s.Trail[i+1])
	}
	text := fmt.Sprintf("%s are not %s%s: %s\n", pair, word, given, trail)
	for _, c := range s.Colliders {
		why := "it is given"
		if c.Variable != c.OpenedBy {
			why = "its descendant " + cli.QuoteName(c.OpenedBy) + " is given"
		}
		text += fmt.Sprintf("  open at %s: %s\n", cli.QuoteName(c.Variable), why)
	}
	return text
}
