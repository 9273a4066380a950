package psdd_test

import "github.com/pgmc-go/pgmc/compiler/internal/format/formattest"

const (
	lnTenth = "-2.3025850929940455"
	lnHalf  = "-0.6931471805599453"
	ln9of10 = "-0.10536051565782628"
)

var texts = []formattest.Model{
	{
		Name: "doc",
		Text: "c a comment\npsdd 8\nL 0 0 1\nL 1 0 -1\nT 2 2 2 " + ln9of10 + "\nL 3 2 2\nD 4 1 2 0 2 " + lnHalf + " 1 3 " + lnHalf,
		Posteriors: []formattest.Posterior{
			{Var: "x1", State: "1", Want: 0.95, From: "0.5 * 0.9 + 0.5"},
			{Var: "x0", State: "1", Evidence: map[string]string{"x1": "0"}, Want: 1, From: "where x0 is 0, x1 is 1"},
		},
	},
	{
		Name: "both numbers of T", // and ids in no order, and a number of nodes that is too large
		Text: "psdd 99\nT 7 0 2 " + lnTenth + " " + ln9of10 + "\nT 3 0 1 " + lnHalf + "\nD 5 1 1 3 7 0\n",
		Posteriors: []formattest.Posterior{
			{Var: "x1", State: "1", Want: 0.9, From: "the second number"},
			{Var: "x0", State: "1", Want: 0.5, From: "the only number"},
		},
	},
	{
		Name: "impossible", // x0 is never 1; x1 is always 0
		Text: "psdd 9\nL 0 0 1\nL 1 0 -1\nT 2 2 2 -inf\nT 3 2 2 " + lnTenth + "\nD 4 1 2 0 3 -inf 1 2 0\n",
		Posteriors: []formattest.Posterior{
			{Var: "x0", State: "1", Want: 0, From: "its weight"},
			{Var: "x1", State: "0", Want: 1, From: "node 2"},
		},
	},
	{
		Name: "cut", Text: "psdd 4\nT 0 0 1 -1\nT 1 2 2 -1\nT 2 0 1 -2\n",
		Warnings: []string{"cut:2:1: warning: the root, which is the last node, does not need this one: is the file complete?"},
	},
	{Name: "a literal", Text: "psdd 1\nL 0 0 -1"},
	{Name: "a variable", Text: "psdd\nT 0 0 1 -0\n"},
	{Name: "not a distribution", Text: "psdd 1\nT 0 0 1 0 0"}, // is read, but not written
}

var broken = []formattest.Broken{
	{Name: "empty", Text: "", Want: `empty:1:1: found end of file; want "psdd"`},
	{Name: "sdd", Text: "sdd 3\n", Want: `sdd:1:1: found "sdd"; want "psdd"`},
	{Name: "no nodes", Text: "psdd 3\nc\n", Want: `no nodes:3:1: found end of file; want a node`},
	{Name: "kind", Text: "psdd 1\nF 0\n", Want: `kind:2:1: found "F"; want a kind of node: L, T or D`},
	{Name: "id", Text: "psdd 1\nL -1 0 1\n", Want: `id:2:3: found "-1"; want the id of a node, from 0 to 2147483647`},
	{Name: "literal", Text: "psdd 1\nL 0 0 x1\n", Want: `literal:2:7: found "x1"; want a literal`},
	{Name: "gap", Text: "psdd 1\nT 0 0 3 -1\n", Want: `gap:2:1: found variable 3, but no node below the root has variable 1; want all from 1 on`},
	{Name: "not below", Text: "psdd 2\nL 0 0 1\nL 1 0 2\n", Want: `not below:3:1: found variable 2, but no node below the root has variable 1; want all from 1 on`},
	{Name: "above one", Text: "psdd 1\nT 0 0 1 0.5\n", Want: `above one:2:9: found "0.5"; want the logarithm of a probability, at most 0`},
	{Name: "no weight", Text: "psdd 2\nL 0 0 1\nL 1 0 2\nD 2 1 1 0 1\n", Want: `no weight:4:7: the file declares 3 words for operands; the rest of it has room for at most 2`},
	{Name: "next line", Text: "psdd 2\nL 0 0 1\nL 1 0 2\nD 2 1 1 0 1\nL 3 0 3\n", Want: `next line:5:1: found "L"; want the logarithm of a weight`},
	{Name: "weight", Text: "psdd 2\nL 0 0 1\nL 1 0 2\nD 2 1 1 0 1 1e3\n", Want: `weight:4:13: found "1e3"; want the logarithm of a weight of at most 709, because its exponential exceeds float64`},
	{Name: "elements", Text: "psdd 2\nL 0 0 1\nL 1 0 2\nD 2 1 99999999999 0 1 0\n", Want: `elements:4:7: found "99999999999"; want the number of operands, from 1 to 2147483647`},
	{Name: "claim", Text: "psdd 2\nL 0 0 1\nL 1 0 2\nD 2 1 99999999 0 1 0\n", Want: `claim:4:7: the file declares 299999997 words for operands; the rest of it has room for at most 3`},
	{Name: "prime", Text: "psdd 2\nL 0 0 1\nD 2 1 1 0 2 0\n", Want: `prime:3:11: found node 2 before it is given; want operands before what uses them`},
	{Name: "more", Text: "psdd 2\nL 0 0 1\nL 1 0 2\nD 2 1 1 0 1 0 0\n", Want: `more:4:15: found "0"; want the end of the line`},
}
