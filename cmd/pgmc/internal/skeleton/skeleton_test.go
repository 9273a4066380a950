package skeleton_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/skeleton"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"A->B<-C", `[A B C] [[] [0 2] []] [[] [] []]`},
		{" A -> B ; ; B->C;A : yes no; ", `[A B C] [[] [0] [1]] [[yes no] [] []]`},
		{"A: lo,mid, hi;A<-B<-C", `[A B C] [[1] [2] []] [[lo mid hi] [] []]`},
		{`"a b"->"c->d"; "a b": "x;y" z`, `[a b c->d] [[] [0]] [[x;y z] []]`},
		{"a-b->c", `[a-b c] [[] [0]] [[] []]`},
		{"A", `[A] [[]] [[]]`},
	} {
		s, err := skeleton.Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := fmt.Sprint(s.Names, s.Parents, s.States); got != c.want {
			t.Errorf("%s: got %s; want %s", c.text, got, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "structure:1:1: the structure is empty; want variables, as in A->B<-C"},
		{" ;", "structure:1:3: the structure is empty; want variables, as in A->B<-C"},
		{"A->", "structure:1:4: found the end; want the name of a variable"},
		{"A B", `structure:1:3: found "B"; want "->", "<-", a colon and states, or a semicolon`},
		{"A=>B", `structure:1:1: found "A=>B", which has no arrow; want "->" or "<-" between names, or quotes around a name with such signs`},
		{"A->B --> C", `structure:1:6: found "--> C"; want "->", "<-", a colon and states, or a semicolon`},
		{"A->B--C", `structure:1:4: found "B--C", which has no arrow; want "->" or "<-" between names, or quotes around a name with such signs`},
		{"A->A", "structure:1:2: the edge A->A is there twice, or joins a variable to itself"},
		{"A->B; A->B", "structure:1:8: the edge A->B is there twice, or joins a variable to itself"},
		{"A:", "structure:1:3: found the end; want the name of a state"},
		{"A: yes yes", `structure:1:11: the state "yes" of "A" is there twice`},
		{"A: yes; A: no", `structure:1:11: the states of "A" are there twice`},
		{`"A`, `structure:1:1: a quoted name does not end: "A`},
		{`""`, "a name is empty"},
	} {
		if _, err := skeleton.Parse(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v; want %s", c.text, err, c.want)
		}
	}
}

// TestModel checks scopes, states and that tables are uniform.
func TestModel(t *testing.T) {
	s, err := skeleton.Parse("A->B<-C; A: a b c")
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Model(map[string][]string{"C": {"x"}}, nil, 100)
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, v := range m.Vars {
		sizes = append(sizes, m.Card(v.ID))
	}
	if fmt.Sprint(sizes) != "[3 2 1]" || fmt.Sprint(m.Factors[1].Scope) != "[0 2 1]" || m.Factors[1].Child != 2 {
		t.Errorf("sizes %v, scope %v", sizes, m.Factors[1].Scope)
	}
	for _, f := range m.Factors {
		for _, x := range f.Dist.(*model.Table).Values {
			if want := 1 / float64(m.Card(f.ChildVar())); x != want {
				t.Errorf("%v has %v; want %v", f.Scope, x, want)
			}
		}
	}
	for text, want := range map[string]string{
		"A->B->C->A":     "the parents form a cycle: B -> C -> A -> B",
		"A->D;B->D;C->D": `the table of "D" with 3 parents has more than 10 entries; want fewer parents or states`,
	} {
		s, err := skeleton.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Model(nil, nil, 10); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v; want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"A->B<-C; A: yes no", `"a b"->c`, "A:", "->"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := skeleton.Parse(text); err == nil {
			s.Model(nil, nil, 1<<16)
		}
	})
}

// TestReals checks the CPDs of real variables and of their children: discrete parents come first.
func TestReals(t *testing.T) {
	s, err := skeleton.Parse("x->y<-g; x->c<-g")
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Model(map[string][]string{"g": {"a", "b", "c"}}, []string{"x", "y"}, 100)
	if err != nil {
		t.Fatal(err)
	}
	y, c := m.Factors[1], m.Factors[3]
	if g, ok := y.Dist.(*model.Gaussian); !ok || len(g.Mean) != 3 || len(g.Coef) != 3 || len(g.Var) != 3 || m.Vars[y.Scope[0]].Name != "g" || m.Vars[y.Scope[2]].Name != "y" {
		t.Errorf("the CPD of y is %+v over %v", y.Dist, y.Scope)
	}
	if d, ok := c.Dist.(*model.Softmax); !ok || len(d.Bias) != 6 || len(d.Coef) != 6 || m.Vars[c.Scope[0]].Name != "g" {
		t.Errorf("the CPD of c is %+v over %v", c.Dist, c.Scope)
	}
	if _, err := s.Model(map[string][]string{"g": {"a", "b", "c"}}, []string{"x", "y"}, 11); err == nil {
		t.Error("a softmax CPD of 12 numbers is within 11")
	}
}
