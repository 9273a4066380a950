package uai

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// named holds the names of a variable and its states from a comment.
type named struct {
	index  int
	name   string
	states []string
	pos    diag.Pos
}

// header parses a comment before the model such as " 0 asia {yes, no}".
func (p *parser) header(pos diag.Pos, text string) {
	text, ok := strings.CutSuffix(strings.TrimSpace(text), "}")
	number, rest, ok2 := strings.Cut(text, " ")
	name, states, ok3 := strings.Cut(rest, "{")
	index, err := strconv.Atoi(number)
	if !ok || !ok2 || !ok3 || err != nil {
		return
	}
	v := named{index: index, name: strings.TrimSpace(name), states: strings.Split(states, ","), pos: pos}
	for i, s := range v.states {
		v.states[i] = strings.TrimSpace(s)
	}
	p.named = append(p.named, v)
}

// useNames applies the names of the comments to variables and states, if there are names for all
// variables.
func (p *parser) useNames() {
	if len(p.named) == 0 {
		return
	}
	refuse := func(n named, format string, args ...any) {
		p.Warnf(n.pos, "the names in comments are not used: "+format, args...)
	}
	if len(p.named) != len(p.m.Vars) {
		refuse(p.named[0], "found %d; want one for each of %d variables", len(p.named), len(p.m.Vars))
		return
	}
	seen := make(map[string]bool, len(p.named))
	for i, n := range p.named {
		switch {
		case n.index != i:
			refuse(n, "found number %d; want %d", n.index, i)
			return
		case n.name == "" || seen[n.name]:
			refuse(n, "found the name %q; want one that no other variable has", n.name)
			return
		case len(n.states) != p.m.Card(model.VarID(i)):
			refuse(n, "found %d states of %q; want %d", len(n.states), n.name, p.m.Card(model.VarID(i)))
			return
		case hasTwice(n.states):
			refuse(n, "found a state of %q twice", n.name)
			return
		}
		seen[n.name] = true
	}
	for i, n := range p.named {
		p.m.Vars[i].Name = n.name
		p.m.Vars[i].Domain = model.Discrete{States: n.states}
	}
}

func hasTwice(names []string) bool {
	sorted := slices.Sorted(slices.Values(names))
	return len(slices.Compact(sorted)) < len(names)
}
