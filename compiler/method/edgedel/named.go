package edgedel

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// edgesGiven returns the edges of option delete.
func (x *Options) edgesGiven(m *model.Model) (edges []Edge, err error) {
	if x.Delete == "" {
		return nil, nil
	}
	c := chooser{m: m}
	for _, f := range m.Factors {
		c.scope = append(c.scope, slices.Clone(f.Scope))
	}
	words, err := x.words()
	if err != nil {
		return nil, err
	}
	for _, word := range words {
		if from, to, named := ends(m, word, "->"); named {
			err = c.between(from, to)
		} else {
			err = c.numbered(word)
		}
		if err != nil {
			return nil, err
		}
	}
	sortEdges(c.deleted)
	return c.deleted, nil
}

// words splits option delete into edges.
func (x *Options) words() ([]string, error) {
	list := csv.NewReader(strings.NewReader(x.Delete))
	list.TrimLeadingSpace = true
	words, err := list.Read()
	if err != nil {
		return nil, fmt.Errorf("found edges %q to delete; want edges with commas between them, and quotes around an edge with a comma in its names, as in \"A,B->C\"", x.Delete)
	}
	return words, nil
}

// ends returns the names around an arrow, if there is one: an arrow between names of variables,
// which may have arrows too, and otherwise the first.
func ends(m *model.Model, word, arrow string) (from, to string, ok bool) {
	for at := range len(word) {
		if !strings.HasPrefix(word[at:], arrow) {
			continue
		}
		a, b := strings.TrimSpace(word[:at]), strings.TrimSpace(word[at+2:])
		_, known := m.VarByName(a)
		if _, both := m.VarByName(b); known && both {
			return a, b, true
		}
		if !ok {
			from, to, ok = a, b, true
		}
	}
	return from, to, ok
}

// numbered deletes an edge that is written as the numbers of a variable and a factor.
func (c *chooser) numbered(word string) error {
	var e Edge
	if _, err := fmt.Sscanf(word, "%d>%d", &e.Parent, &e.Factor); err != nil || e.Factor < 0 || e.Factor >= len(c.m.Factors) || !c.deletable(e.Factor, e.Parent) {
		return fmt.Errorf("found edge %q to delete; want a parent and its child, as in A->B, or the numbers of a variable and of a factor that has other variables and is not its CPD, as in 3>7", word)
	}
	c.delete(e)
	return nil
}

// between deletes the edge between two variables, by their names: from the first into the CPD of
// the second, or into each factor without a child that has both.
func (c *chooser) between(from, to string) error {
	ends, err := variables(c.m, from, to, "->")
	if err != nil {
		return err
	}
	before := len(c.deleted)
	for n, f := range c.m.Factors {
		if child := f.ChildVar(); ends[0] != ends[1] && (child < 0 || child == ends[1]) && slices.Contains(c.scope[n], ends[1]) && c.deletable(n, ends[0]) {
			c.delete(Edge{n, ends[0]})
		}
	}
	if len(c.deleted) == before {
		return fmt.Errorf("edge %s->%s to delete: there is none, or it is named twice; want a parent and its child, or two variables of a factor", from, to)
	}
	return nil
}

// variables returns the ends of an edge by their names.
func variables(m *model.Model, from, to, arrow string) (ends [2]model.VarID, err error) {
	for i, name := range []string{from, to} {
		v, ok := m.VarByName(name)
		if !ok {
			var known []string
			for _, v := range m.Vars {
				known = append(known, v.Name)
			}
			return ends, fmt.Errorf("edge %s%s%s to delete: no variable %q%s", from, arrow, to, name, diag.DidYouMean(name, known))
		}
		ends[i] = v.ID
	}
	return ends, nil
}

// Option returns the value of option delete that deletes edges.
func Option(edges []Edge) string {
	words := make([]string, len(edges))
	for i, e := range edges {
		words[i] = fmt.Sprintf("%d>%d", e.Parent, e.Factor)
	}
	return strings.Join(words, ",")
}
