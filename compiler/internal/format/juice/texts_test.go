package juice_test

import "github.com/pgmc-go/pgmc/compiler/internal/format/formattest"

// The logarithms whose exponentials are the numbers in their names.
const (
	lnHalf    = "-0.6931471805599453"
	lnQuarter = "-1.3862943611198906"
	ln3of4    = "-0.2876820724517809"
)

// rain is the example in the README of ProbabilisticCircuits.jl: P(rain) = 0.4; P(rainbow | rain) =
// 0.7, 0.2 without rain; P(wet | rain) = 0.9, 0.3 without rain.
const rain = `c this file was saved by hand
c
jpc 16
L 0 0 1
L 1 0 -1
L 2 0 2
L 3 0 -2
L 4 0 3
L 5 0 -3
S 6 0 2 2 -0.35667494393873245 3 -1.203972804325936
S 7 0 2 4 -0.10536051565782628 5 -2.3025850929940455
P 8 0 2 6 7
P 9 0 2 0 8
S 10 0 2 2 -1.6094379124341003 3 -0.2231435513142097
S 11 0 2 4 -1.203972804325936 5 -0.35667494393873245
P 12 0 2 10 11
P 13 0 2 1 12
c comments may stand anywhere
S 14 0 2 9 -0.916290731874155 13 -0.5108256237659907
P 15 0 1 14
`

var jpcs = []formattest.Model{
	{
		Name: "rain", Text: rain,
		Posteriors: []formattest.Posterior{
			{Var: "x0", State: "1", Want: 0.4, From: "README of ProbabilisticCircuits.jl"},
			{Var: "x1", State: "1", Evidence: map[string]string{"x0": "0"}, Want: 0.2, From: "README of ProbabilisticCircuits.jl"},
			{Var: "x2", State: "1", Want: 0.54, From: "0.4 * 0.9 + 0.6 * 0.3"},
			{Var: "x0", State: "1", Evidence: map[string]string{"x1": "1", "x2": "1"}, Want: 0.875, From: "0.4 * 0.63 / (0.4 * 0.63 + 0.6 * 0.06)"},
		},
	},
	{
		Name: "doc",
		Text: "jpc 7\nL 0 0 1\nL 1 0 -1\nI 2 0 2 0\nC 3 0 2 " + lnQuarter + " " + ln3of4 +
			"\nP 4 0 2 1 2\nP 6 0 2 0 3\nS 5 0 2 4 " + lnHalf + " 6 " + lnHalf + "\n",
		Posteriors: []formattest.Posterior{
			{Var: "x1", State: "0", Want: 0.625, From: "0.5 + 0.5 / 4"},
			{Var: "x0", State: "1", Evidence: map[string]string{"x1": "0"}, Want: 0.2, From: "0.125 / 0.625"},
		},
	},
	{
		Name: "many states", // a mixture of 2 distributions of 3 states, and of binomial ones: 1 4 4 of 9 and 1 6 9 of 16
		Text: "jpc 9\nC 0 3 1 " + lnHalf + " -inf " + lnHalf + "\nI 1 3 1 1\nB 2 4 2 2 -0.40546510810816444\nB 3 4 2 2 " + ln3of4 +
			"\nI 4 5 3 0\nP 5 0 3 0 2 4\nP 6 0 3 1 3 4\nS 7 0 2 5 " + lnQuarter + " 6 " + ln3of4 + "\nS 8 0 1 7 1\n",
		Posteriors: []formattest.Posterior{
			{Var: "x0", State: "2", Want: 0.125, From: "0.25 / 2"},
			{Var: "x0", State: "1", Want: 0.75, From: "the weight"},
			{Var: "x1", State: "1", Evidence: map[string]string{"x0": "2"}, Want: 4. / 9, From: "2 * 2/3 * 1/3"},
			{Var: "x1", State: "2", Evidence: map[string]string{"x0": "1"}, Want: 9. / 16, From: "(3/4)^2"},
			{Var: "x2", State: "0", Want: 1, From: "it has one state"},
		},
	},
	{Name: "a literal", Text: "jpc\nL 0 0 -1"},
	{Name: "certain", Text: "jpc 3\nB 0 0 1 1 0\nB 1 0 2 3 -inf\nP 2 0 2 0 1\n"},
}

var brokenJPCs = []formattest.Broken{
	{Name: "empty", Text: "", Want: `empty:1:1: found end of file; want "jpc"`},
	{Name: "other", Text: "psdd 1\nL 0 0 1", Want: `other:1:1: found "psdd"; want "jpc"`},
	{Name: "count", Text: "jpc 3\nL 0 0 1", Want: `count:1:1: the head declares 3 nodes; the file has 1`},
	{Name: "nothing", Text: "jpc 0\n", Want: `nothing:2:1: found end of file; want a node`},
	{Name: "normal", Text: "jpc 1\nG 0 0 1 0.5 1", Want: `normal:2:1: found "G"; want a kind of node with states: L, I, C, B, P or S`},
	{Name: "gap", Text: "jpc 1\nL 0 0 2000000000", Want: `gap:2:1: found variable 2000000000, but no node below the root has variable 1; want all from 1 on`},
	{Name: "state", Text: "jpc 1\nI 0 0 1 65535", Want: `state:2:9: found "65535"; want a state, from 0 to 65534`},
	{Name: "zero", Text: "jpc 1\nL 0 0 0", Want: `zero:2:1: found the literal 0; want a variable, from 1 on, or its negative`},
	{Name: "many", Text: "jpc 1\nB 0 0 1 99999999999 -1", Want: `many:2:9: found "99999999999"; want the largest number of successes, from 0 to 65534`},
	{Name: "operands", Text: "jpc 1\nP 0 0 999999999 1 2", Want: `operands:2:7: the file declares 999999999 words for operands; the rest of it has room for at most 2`},
	{Name: "none", Text: "jpc 1\nP 0 0 0", Want: `none:2:7: found "0"; want the number of operands, from 1 to 2147483647`},
	{Name: "forward", Text: "jpc 2\nP 0 0 1 1\nL 1 0 1", Want: `forward:2:9: found node 1 before it is given; want operands before what uses them`},
	{Name: "itself", Text: "jpc 1\nP 0 0 1 0", Want: `itself:2:9: found node 0 before it is given; want operands before what uses them`},
	{Name: "twice", Text: "jpc 2\nL 0 0 1\nL 0 0 2", Want: `twice:3:3: found a second node 0; want each id once`},
	{Name: "weight", Text: "jpc 2\nL 0 0 1\nS 1 0 1 0 710", Want: `weight:3:11: found "710"; want the logarithm of a weight of at most 709, because its exponential exceeds float64`},
	{Name: "probability", Text: "jpc 1\nB 0 0 1 1 1", Want: `probability:2:11: found "1"; want the logarithm of a probability, at most 0`},
	{Name: "line", Text: "jpc 1\nL 0 0 1 1", Want: `line:2:9: found "1"; want the end of the line`},
	{Name: "infinite", Text: "jpc 1\nC 0 0 1 inf", Want: `infinite:2:9: found "inf"; want the logarithm of a probability`},
}

var spns = []formattest.Model{
	{
		Name: "doc",
		Text: "(2 2)\nv 0 1\nv 0 0\nv 1 0\nv 1 1\n+ 2 " + lnQuarter + " 3 " + ln3of4 + "\n* 1 2\n* 0 4\n+ 5 " + lnHalf + " 6 " + lnHalf + "\nEOF\n",
		Posteriors: []formattest.Posterior{
			{Var: "x1", State: "0", Want: 0.625, From: "0.5 + 0.5 / 4"},
			{Var: "x0", State: "1", Evidence: map[string]string{"x1": "0"}, Want: 0.2, From: "0.125 / 0.625"},
		},
	},
	{Name: "blanks", Text: "( 2 2 )\nv 0 1\n\n* 0\nEOF"},
	{Name: "weighted literal", Text: "(2)\nv 0 0\n+ 0 -2\nEOF\n"},
}

var brokenSPNs = []formattest.Broken{
	{Name: "empty", Text: "", Want: `empty:1:1: found end of file; want the numbers of states of the variables in brackets`},
	{Name: "open", Text: "(2 2", Want: `open:1:5: found end of file; want 2, the number of states of every variable`},
	{Name: "no variables", Text: "()\nEOF", Want: `no variables:1:1: found ")"; want 2, the number of states of every variable`},
	{Name: "states", Text: "(2 3)\nv 0 0\nEOF", Want: `states:1:4: found "3)"; want 2, the number of states of every variable`},
	{Name: "no nodes", Text: "(2)\nEOF\n", Want: `no nodes:3:1: found end of file; want a node`},
	{Name: "cut", Text: "(2)\nv 0 0\n", Want: `cut:3:1: found end of file; want "EOF"`},
	{Name: "behind", Text: "(2)\nv 0 0\nEOF\nv 0 1\n", Want: `behind:4:1: found "v" behind "EOF"; want the end of the file`},
	{Name: "number", Text: "(2)\nn 0.5\nEOF\n", Want: `number:2:1: found "n"; want a kind of node: v, * or +`},
	{Name: "variable", Text: "(2)\nv 1 0\nEOF\n", Want: `variable:2:3: found "1"; want the number of a variable, from 0 to 0`},
	{Name: "operand", Text: "(2)\nv 0 0\n* 1\nEOF\n", Want: `operand:3:3: found node 1 before it is given; want operands before what uses them`},
	{Name: "no operand", Text: "(2)\nv 0 0\n*\nEOF\n", Want: `no operand:4:1: found "EOF"; want the id of a node`},
	{Name: "no weight", Text: "(2)\nv 0 0\n+ 0\nEOF\n", Want: `no weight:4:1: found "EOF"; want the logarithm of a weight`},
}
