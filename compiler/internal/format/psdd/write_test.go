package psdd_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/psdd"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestWrite writes a circuit over three variables and checks the text and the vtree: x2 against
// (x0, x1).
func TestWrite(t *testing.T) {
	text := "psdd 6\nL 10 0 3\nL 11 0 -3\nL 12 0 1\nL 13 0 -1\nL 14 0 2\nT 15 0 2 " + lnHalf + "\nD 16 0 2 12 14 " + lnTenth + " 13 15 " + ln9of10 +
		"\nT 17 0 1 " + lnTenth + "\nD 18 0 1 17 15 0\nD 19 0 2 10 16 " + lnHalf + " 11 18 " + lnHalf
	const want = "psdd 10\nL 0 2 -1\nL 1 2 1\nL 2 4 2\nL 3 0 -3\nL 4 0 3\nT 5 4 2 " + lnHalf + "\nD 6 3 2 1 2 " + lnTenth + " 0 5 -0.1053605156578263\n" +
		"T 7 2 1 " + lnTenth + "\nD 8 3 1 7 5 0\nD 9 1 2 4 6 " + lnHalf + " 3 8 " + lnHalf + "\n"
	m, list := format.ReadSource(psdd.Format, &format.Source{Name: "a", Data: []byte(text)}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	out, err := format.Encode(nil, psdd.Format, "dir/a.psdd.gz", m)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Files) != 2 || out.Files[1].Name != "dir/a.vtree" {
		t.Fatalf("%d files; want a.vtree too", len(out.Files))
	}
	if got := out.Files[1].Data.String(); got != "vtree 5\nL 0 3\nL 2 1\nL 4 2\nI 3 2 4\nI 1 0 3\n" {
		t.Errorf("vtree:\n%s", got)
	}
	plain, err := format.Encode(nil, psdd.Format, "a.psdd", m)
	if err != nil {
		t.Fatal(err)
	}
	if got := plain.Files[0].Data.String(); got != want {
		t.Errorf("text:\n%s\nwant:\n%s", got, want)
	}
}

// circuit returns a Markov network of one circuit over n binary variables, whose indicators are the
// first nodes: 2v for state 0 of v, 2v+1 for state 1.
func circuit(n int, nodes ...model.CircuitNode) *model.Model {
	m, d := &model.Model{Kind: model.Markov}, &model.Circuit{}
	f := &model.Factor{Child: -1, Dist: d}
	for v := range n {
		f.Scope = append(f.Scope, m.NewVar(string(rune('a'+v)), "0", "1").ID)
		for s := range int32(2) {
			d.Nodes = append(d.Nodes, model.CircuitNode{Op: model.CircuitIndicator, Axis: v, State: s})
		}
	}
	d.Nodes = append(d.Nodes, nodes...)
	m.Factors = []*model.Factor{f}
	return m
}

func sum(args ...int32) model.CircuitNode {
	return model.CircuitNode{Op: model.CircuitSum, Args: args}
}

func product(args ...int32) model.CircuitNode {
	return model.CircuitNode{Op: model.CircuitProduct, Args: args}
}

func number(x float64) model.CircuitNode {
	return model.CircuitNode{Op: model.CircuitNumber, Value: x}
}

// TestRefused writes circuits that are not PSDDs.
func TestRefused(t *testing.T) {
	three := circuit(1, product(1))
	three.Vars[0].Domain = model.Discrete{States: []string{"0", "1", "2"}}
	half := number(0.5)
	for _, c := range []struct {
		name string
		m    *model.Model
		want string
	}{
		{"states", three, `"a" has 3 states; variables of a .psdd file have two`},
		{"unknown variable", circuit(2, product(0)), `no node has state 1 of "b", and a .psdd file has no list of variables`},
		{"constant", circuit(1, half), `potential over "a" is a number; a .psdd file holds a circuit`},
		{"not smooth", circuit(1, half, sum(0, 2)), `potential over "a": node 3 is a sum with a number; a .psdd file cannot hold it`},
		{"three factors", circuit(3, product(0, 2, 4)), `the circuit is not a PSDD: it has a sum or product that is neither over products of a prime and a sub nor over the states of a variable`},
		{"not normalised", circuit(1, half, product(2, 0), sum(3, 1)), `the circuit is not a PSDD: the weights of a sum add up to 1.5; want 1`},
		{"a mixture", circuit(2, half, product(4, 0, 2), product(4, 0, 2), sum(5, 6)), `the circuit is not a PSDD: two operands of a sum are positive in one state`},
		{"two trees", circuit(3, half, product(4, 0), product(0, 2), product(8, 4), product(0, 5), product(10, 2), product(6, 9), product(6, 11), sum(12, 13)),
			`the circuit is not a PSDD: no single tree of variables fits all its products`},
		{"the other way round", circuit(2, half, product(4, 0, 3), product(4, 2, 1), sum(5, 6)), `the circuit is not a PSDD: no single tree of variables fits all its products`},
	} {
		if _, err := format.Encode(nil, psdd.Format, "out.psdd", c.m); err == nil || err.Error() != "out.psdd: "+c.want {
			t.Errorf("%s: %v; want %s", c.name, err, c.want)
		}
	}
}
