package uai_test

import (
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
)

// head is a network of a root with two states and its child with three.
const head = "BAYES 2 2 3 2 1 0 2 0 1 "

const root = "2 0.2 0.8 "

// texts holds small models in different dialects.
var texts = []formattest.Model{
	{Name: "no variables", Text: "MARKOV\n0\n0"},
	{Name: "child last", Text: "BAYES\n2\n2 3\n2\n1 0\n2 0 1\n\n2\n 0.2 0.8\n\n6\n 0.5 0.25 0.25\n 0.1 0.2 0.7\n",
		Posteriors: []formattest.Posterior{
			{Var: "x1", State: "2", Evidence: map[string]string{"x0": "1"}, Want: 0.7, From: "the text"},
			{Var: "x1", State: "2", Want: 0.61, From: "0.2*0.25 + 0.8*0.7"},
		}},
	{Name: "child first", Text: "BAYES 2 2 3 2 2 1 0 1 0 6 0.5 0.1 0.25 0.2 0.25 0.7 2 0.2 0.8",
		Posteriors: []formattest.Posterior{
			{Var: "x1", State: "2", Evidence: map[string]string{"x0": "1"}, Want: 0.7, From: "the text"},
			{Var: "x1", State: "2", Want: 0.61, From: "0.2*0.25 + 0.8*0.7"},
		}},
	{Name: "child in the middle", Text: "BAYES 3 2 2 2 3 3 0 2 1 1 0 1 1\n8 0.9 0.8 0.1 0.2 0.7 0.6 0.3 0.4\n2 0.5 0.5\n2 0.25 0.75",
		Posteriors: []formattest.Posterior{
			{Var: "x2", State: "0", Evidence: map[string]string{"x0": "0", "x1": "1"}, Want: 0.8, From: "the text"},
			{Var: "x2", State: "1", Evidence: map[string]string{"x0": "1", "x1": "0"}, Want: 0.3, From: "the text"},
		}},
	{Name: "every axis sums to one", Text: "BAYES 2 2 2 2 2 0 1 1 1\n4 0.25 0.75 0.75 0.25\n2 0.5 0.5", // so that scopes decide: x1 is the root
		Posteriors: []formattest.Posterior{
			{Var: "x0", State: "0", Evidence: map[string]string{"x1": "0"}, Want: 0.25, From: "the text"},
		}},
	{Name: "exponents and signs", Text: "MARKOV 1 2 1 1 0 2 2.5e-1 +75E-2",
		Posteriors: []formattest.Posterior{{Var: "x0", State: "1", Want: 0.75, From: "the text"}}},
	{Name: "constants and single states", Text: "MARKOV 3 1 2 1 4 0 2 0 1 0 1 2 1 0.5 2 1 3 1 4e300 1 1",
		Posteriors: []formattest.Posterior{
			{Var: "x1", State: "1", Want: 0.75, From: "1 : 3, whatever the constants"},
			{Var: "x2", State: "0", Want: 1, From: "it has no other"},
		}},
	{Name: "comments", Text: "\ufeff# first\r\nc line c\r\n  c another\r\nMARKOV # MARKOV\r\n1\r\n2\r\nc\r\n1\r\n1 0#x\r\n2\r\n1 3\r\nc end",
		Posteriors: []formattest.Posterior{{Var: "x0", State: "1", Want: 0.75, From: "the text"}}},
	{Name: "header", Text: "# made by hand\n# 0 a b {yes, no}\n#1 c {0,-,2}\n" + head + root + "6 1 0 0 0 0.5 0.5",
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "-", Evidence: map[string]string{"a b": "no"}, Want: 0.5, From: "the text"},
			{Var: "c", State: "0", Want: 0.2, From: "the text"},
		}},
	{Name: "header incomplete", Text: "# 0 a {yes, no}\n" + head + root + "6 1 0 0 0 1 0",
		Warnings: []string{"header incomplete:1:1: warning: the names in comments are not used: found 1; want one for each of 2 variables"}},
	{Name: "header of others", Text: "# 0 a {yes, no}\n# 1 b {yes, no}\n" + head + root + "6 1 0 0 0 1 0",
		Warnings: []string{`header of others:2:1: warning: the names in comments are not used: found 2 states of "b"; want 3`}},
	{Name: "header with one name", Text: "# 0 a {yes, no}\n# 1 a {x, y, z}\n" + head + root + "6 1 0 0 0 1 0",
		Warnings: []string{`header with one name:2:1: warning: the names in comments are not used: found the name "a"; want one that no other variable has`}},
	{Name: "header with one state", Text: "# 0 a {yes, no}\n# 1 b {x, y, x}\n" + head + root + "6 1 0 0 0 1 0",
		Warnings: []string{`header with one state:2:1: warning: the names in comments are not used: found a state of "b" twice`}},
	{Name: "header in disorder", Text: "# 1 b {x, y, z}\n# 0 a {yes, no}\n" + head + root + "6 1 0 0 0 1 0",
		Warnings: []string{`header in disorder:1:1: warning: the names in comments are not used: found number 1; want 0`}},
	{Name: "hand-rounded rows", Text: head + root + "6 0.333 0.333 0.333 0 1 0"},
	{Name: "row of zeros", Text: head + root + "6 0 0 0 0.1 0.2 0.7",
		Warnings: []string{`row of zeros:1:37: warning: row of the CPD of "x1" sums to 0; want 1 (1 such rows in all); the model is read as a Markov network, the product of its tables`},
		Posteriors: []formattest.Posterior{
			{Var: "x0", State: "1", Want: 1, From: "the other state has no weight"},
			{Var: "x1", State: "2", Want: 0.7, From: "the text"},
		}},
	{Name: "rows off", Text: head + root + "6 0.5 0.25 0.25 2 1 1",
		Warnings: []string{`rows off:1:51: warning: row of the CPD of "x1" sums to 4; want 1 (1 such rows in all); the model is read as a Markov network, the product of its tables`},
		Posteriors: []formattest.Posterior{
			{Var: "x0", State: "1", Want: 16.0 / 17, From: "0.2*1 : 0.8*4"},
		}},
	{Name: "more functions than variables", Text: "BAYES 1 2 2 1 0 1 0 2 0.5 0.5 2 0.25 0.75",
		Warnings:   []string{"more functions than variables:1:11: warning: BAYES with 1 variables and 2 functions, which cannot be one CPD a variable; the model is read as a Markov network, the product of its tables"},
		Posteriors: []formattest.Posterior{{Var: "x0", State: "1", Want: 0.75, From: "the product"}}},
	{Name: "two roots of one variable", Text: "BAYES 2 2 2 2 1 0 1 0 2 0.5 0.5 2 0.25 0.75",
		Warnings: []string{"two roots of one variable:1:13: warning: function 1 of BAYES has no child: every variable of its scope has a CPD in another function; the model is read as a Markov network, the product of its tables"}},
	{Name: "cycle", Text: "BAYES 2 2 2 2 2 0 1 2 0 1 4 1 0 0 1 4 0.5 0.5 0.5 0.5",
		Warnings: []string{"cycle:1:13: warning: function 0 of BAYES has no child: there is no network without cycles over these scopes; the model is read as a Markov network, the product of its tables"}},
}

// broken holds texts that must be rejected.
var broken = []formattest.Broken{
	{Name: "empty", Want: `empty:1:1: found end of file; want "BAYES" or "MARKOV"`},
	{Name: "kind", Text: "# x\nBayes 1", Want: `kind:2:1: found "Bayes"; want "BAYES" or "MARKOV"`},
	{Name: "variables", Text: "MARKOV x", Want: `variables:1:8: found "x"; want the number of variables`},
	{Name: "negative variables", Text: "MARKOV -1", Want: `negative variables:1:8: found "-1"; want the number of variables, from 0 to 2147483647`},
	{Name: "claim of variables", Text: "MARKOV 99999999\n2 2", Want: `claim of variables:1:8: the file declares 99999999 variables; the rest of it has room for at most 2`},
	{Name: "claim beyond int", Text: "MARKOV 99999999999999999999 2 2", Want: `claim beyond int:1:8: found "99999999999999999999"; want the number of variables, from 0 to 2147483647`},
	{Name: "no states", Text: "MARKOV 1 0", Want: `no states:1:10: found "0"; want the number of states of a variable, from 1 to 65535`},
	{Name: "many states", Text: "MARKOV 1 65536", Want: `many states:1:10: found "65536"; want the number of states of a variable, from 1 to 65535`},
	{Name: "many states together", Text: "MARKOV 9 " + strings.Repeat("65535 ", 9), Want: `many states together:1:34: the variables so far have too many states for a file of 63 bytes`},
	{Name: "claim of functions", Text: "MARKOV 1 2\n7000 1 0 2 1 1", Want: `claim of functions:2:1: the file declares 7000 functions; the rest of it has room for at most 5`},
	{Name: "scope", Text: "MARKOV 1 2 1 2 0 0", Want: `scope:1:14: found "2"; want the number of variables of a function, from 0 to 1`},
	{Name: "unknown variable", Text: "MARKOV 1 2 1 1 1", Want: `unknown variable:1:16: found "1"; want the number of a variable, from 0 to 0`},
	{Name: "variable twice", Text: "MARKOV 2 2 2 1 2 1 1", Want: `variable twice:1:20: found variable 1 for the second time in the scope of function 0; want it once`},
	{Name: "size of a table", Text: head + "3 0 0 0", Want: `size of a table:1:25: found a count of 3 values for function 0; want 2, one for each joint state of its 1 variables`},
	{Name: "size of a constant", Text: "MARKOV 0 1 0 2 1 1", Want: `size of a constant:1:14: found a count of 2 values for function 0; want 1, one for each joint state of its 0 variables`},
	{Name: "claim of values", Text: "MARKOV 3 100 100 100 1 3 0 1 2 1000000 1", Want: `claim of values:1:32: the file declares 1000000 values; the rest of it has room for at most 1`},
	{Name: "beyond int32", Text: "MARKOV 3 9999 9999 9999 1 3 0 1 2 99999999999 1",
		Want: `beyond int32:1:35: found a count of 99999999999 values for function 0; want 9.9970003e+11, one for each joint state of its 3 variables`},
	{Name: "no number", Text: head + "2 0.5 half", Want: `no number:1:31: found "half"; want a number`},
	{Name: "negative", Text: head + "2 0.5 -0.5", Want: `negative:1:31: found "-0.5"; want a number of at least 0`},
	{Name: "infinite", Text: head + "2 0.5 inf", Want: `infinite:1:31: found "inf"; want a number`},
	{Name: "not a number", Text: head + "2 0.5 NaN", Want: `not a number:1:31: found "NaN"; want a number`},
	{Name: "hexadecimal", Text: head + "2 0.5 0x1p-1", Want: `hexadecimal:1:31: found "0x1p-1"; want a number`},
	{Name: "too large", Text: head + "2 0.5 1e999", Want: `too large:1:31: found "1e999"; want a probability`},
	{Name: "cut", Text: head + root + "6 1 0 0 0", Want: `cut:1:35: the file declares 6 values; the rest of it has room for at most 4`},
	{Name: "cut at a comment", Text: head + root + "6 1 0 0 # 1 0 0 0", Want: `cut at a comment:1:52: found end of file; want a number`},
	{Name: "more behind", Text: "MARKOV 0 0\n\n0 1", Want: `more behind:3:1: found "0"; want end of file`},
	{Name: "name in use", Text: "# 0 x1 {0, 1}\n# 1 x1 {0, 1}\nMARKOV 2 2 2 1 1 0 2 0", Want: `name in use:3:20: the file declares 2 values; the rest of it has room for at most 1`},
}

// logs holds models in logarithms.
var logs = []formattest.Model{
	{Name: "logarithms", Text: "MARKOV 1 3 1 1 0 3 0 1.0986122886681098 -inf",
		Posteriors: []formattest.Posterior{
			{Var: "x0", State: "1", Want: 0.75, From: "1 : 3"},
			{Var: "x0", State: "2", Want: 0, From: "ln 0"},
		}},
	{Name: "network", Text: "BAYES 1 2 1 1 0 2 -0.6931471805599453 -0.6931471805599453"},
	{Name: "small", Text: "MARKOV 1 2 1 1 0 2 -1800 -1800.6931471805599453", Posteriors: []formattest.Posterior{
		{Var: "x0", State: "0", Want: 2. / 3, From: "the numbers have the ratio 2 to 1"}}},
	{Name: "large", Text: "MARKOV 1 3 1 1 0 3 1800 1800.6931471805599453 -inf", Posteriors: []formattest.Posterior{
		{Var: "x0", State: "0", Want: 1. / 3, From: "the numbers have the ratio 1 to 2"}}},
	{Name: "far", Text: "MARKOV 1 2 2 1 0 1 0 2 800 0 2 -1500 -700", Posteriors: []formattest.Posterior{
		{Var: "x0", State: "0", Want: .5, From: "both states have the logarithm -700"}}},
	{Name: "too small", Text: "MARKOV 1 3 1 1 0 3 -745 -3000 -1e9",
		Warnings: []string{"too small:1:18: warning: 2 numbers of the table are too small beside the others for float64 and become 0"}},
}

// brokenLogs holds texts in logarithms that must be rejected.
var brokenLogs = []formattest.Broken{
	{Name: "overflow", Text: "MARKOV 1 2 1 1 0 2 0 1e6", Want: `overflow:1:22: found "1e6"; want a natural logarithm of 726817 at most`},
	{Name: "underflow", Text: "MARKOV 1 2 1 1 0 2 -inf -1e6", Want: `underflow:1:18: no number of the table is above 2^-1048576; want one`},
	{Name: "product", Text: "MARKOV 1 2 24" + strings.Repeat(" 1 0", 24) + strings.Repeat(" 2 7e5 7e5", 24), Want: `product: the product of the tables is about 2^24237288; want less than 16777216 bits`},
	{Name: "infinite", Text: "MARKOV 1 2 1 1 0 2 0 inf", Want: `infinite:1:22: found "inf"; want a natural logarithm`},
	{Name: "no logarithm", Text: "MARKOV 1 2 1 1 0 2 0 x", Want: `no logarithm:1:22: found "x"; want a natural logarithm`},
}
