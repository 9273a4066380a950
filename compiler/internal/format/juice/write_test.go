package juice_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/juice"
	"github.com/pgmc-go/pgmc/ir/model"
)

// circuit returns a Markov network of one circuit over a, with three states, and b, with two. Its
// first nodes are their indicators, in order, and the numbers 0.5 and 2.
func circuit(nodes ...model.CircuitNode) *model.Model {
	m, d := &model.Model{Kind: model.Markov}, &model.Circuit{}
	f := &model.Factor{Child: -1, Dist: d}
	f.Scope = []model.VarID{m.NewVar("a", "0", "1", "2").ID, m.NewVar("b", "0", "1").ID}
	for i := range 5 {
		d.Nodes = append(d.Nodes, model.CircuitNode{Op: model.CircuitIndicator, Axis: i / 3, State: int32(i % 3)})
	}
	for _, x := range []float64{0.5, 2} {
		d.Nodes = append(d.Nodes, model.CircuitNode{Op: model.CircuitNumber, Value: x})
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

// TestWrite writes circuits with numbers in all possible places: e^0.6931471805599453 is 2.
func TestWrite(t *testing.T) {
	const ln2 = "0.6931471805599453"
	for _, c := range []struct {
		name  string
		nodes []model.CircuitNode
		want  string
	}{
		{"weights of states", []model.CircuitNode{product(5, 0), product(1, 6), sum(7, 8, 2), product(9, 3)},
			"jpc 3\nL 0 0 -2\nC 1 0 1 -" + ln2 + " " + ln2 + " 0\nP 2 0 2 1 0\n"},
		{"states out of order", []model.CircuitNode{sum(1, 0, 2), product(7, 3)},
			"jpc 6\nI 0 0 1 0\nI 1 0 1 1\nI 2 0 1 2\nL 3 0 -2\nS 4 0 3 1 0 0 0 2 0\nP 5 0 2 4 3\n"},
		{"numbers in the root and below", []model.CircuitNode{product(6, 2), product(7, 6, 4)},
			"jpc 4\nI 0 0 1 2\nL 1 0 2\nP 2 0 2 0 1\nS 3 0 1 2 1.3862943611198906\n"},
		{"products of numbers", []model.CircuitNode{product(5, 6), product(7, 2, 3), sum(8)},
			"jpc 4\nI 0 0 1 2\nL 1 0 -2\nP 2 0 2 0 1\nS 3 0 1 2 0\n"},
		{"what is not needed", []model.CircuitNode{sum(5, 6), product(2, 3)},
			"jpc 3\nI 0 0 1 2\nL 1 0 -2\nP 2 0 2 0 1\n"},
	} {
		out, err := format.Encode(nil, juice.JPC, "out.jpc", circuit(c.nodes...))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := out.Files[0].Data.String(); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	bayes := circuit(product(2, 3))
	bayes.Factors = append(bayes.Factors, bayes.Factors[0])
	huge := circuit(model.CircuitNode{Op: model.CircuitNumber, Value: 1e200}, product(7, 7, 2, 3))
	for _, c := range []struct {
		name string
		f    format.Format
		m    *model.Model
		want string
	}{
		{"two factors", juice.JPC, bayes, "a .jpc file holds one circuit; the model is a Markov network of 2 factors"},
		{"state", juice.JPC, circuit(product(1, 3)), `no node has state 2 of "a", and a .jpc file has no list of variables`},
		{"sum", juice.JPC, circuit(sum(2, 6)), `potential over "a", "b": node 7 is a sum with a number; a .jpc file cannot hold it`},
		{"empty sum", juice.JPC, circuit(sum(), product(7, 2)), `potential over "a", "b": node 7 is an empty sum; a .jpc file cannot hold it`},
		{"weight", juice.JPC, huge, `potential over "a", "b": node 8 has a weight of +Inf; a .jpc file cannot hold it`},
		{"states", juice.SPN, circuit(product(2, 3)), `"a" has 3 states; variables of an .spn file of Juice have two`},
	} {
		if _, err := format.Encode(nil, c.f, "out", c.m); err == nil || err.Error() != "out: "+c.want {
			t.Errorf("%s: %v; want %s", c.name, err, c.want)
		}
	}
}
