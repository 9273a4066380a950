package ergo_test

import (
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
)

// head is a network of a root with two states and its child with three.
const head = "2\n2 3\n0\n1 0\n/* Probabilities */\n2 0.2 0.8\n6 0.5 0.25 0.25 0.1 0.2 0.7\n"

// texts holds small models.
var texts = []formattest.Model{
	{Name: "no variables", Text: "0"},
	{Name: "numbers only", Text: head,
		Posteriors: []formattest.Posterior{
			{Var: "x1", State: "2", Evidence: map[string]string{"x0": "1"}, Want: 0.7, From: "the text"},
			{Var: "x1", State: "2", Want: 0.61, From: "0.2*0.25 + 0.8*0.7"},
		}},
	{Name: "names", Text: "\ufeff/* a\nfile */" + head + "/* Names   */\nlung-cancer\nb /* the\nsecond */\n\n/* Labels  */\nyes no\nX0000 X0001 X0002\n",
		Posteriors: []formattest.Posterior{
			{Var: "b", State: "X0001", Evidence: map[string]string{"lung-cancer": "no"}, Want: 0.2, From: "the text"},
		}},
	{Name: "labels first", Text: head + "/*LABELS*/ y n 0 1 2 /*NAMES*/ a b",
		Posteriors: []formattest.Posterior{{Var: "b", State: "1", Evidence: map[string]string{"a": "n"}, Want: 0.2, From: "the text"}}},
	{Name: "parents in their order", Text: "3 2 2 2 2 2 1 0 0 /* Probabilities */ 8 1 0 0.75 0.25 0 1 0.5 0.5 2 0.5 0.5 2 0.5 0.5",
		Posteriors: []formattest.Posterior{
			{Var: "x0", State: "1", Evidence: map[string]string{"x2": "0", "x1": "1"}, Want: 0.25, From: "the second row"},
			{Var: "x0", State: "1", Evidence: map[string]string{"x2": "1", "x1": "0"}, Want: 1, From: "the third row"},
		}},
	{Name: "linkage", Text: "2 1 2 1 1 0 /* Probabilities */ 2 0.25 0.75 2 0.5 0.5",
		Warnings:   []string{`linkage:1:35: warning: row of the CPD of "x0" sums to 0.25; want 1 (2 such rows in all); the model is read as a Markov network, the product of its tables`},
		Posteriors: []formattest.Posterior{{Var: "x1", State: "1", Want: 0.75, From: "0.5*0.25 : 0.5*0.75"}}},
}

// broken holds texts that must be rejected.
var broken = []formattest.Broken{
	{Name: "empty", Want: "empty:1:1: found end of file; want the number of variables"},
	{Name: "UAI", Text: "BAYES 1", Want: `UAI:1:1: found "BAYES"; want the number of variables`},
	{Name: "claim of variables", Text: "9999999 2 2", Want: "claim of variables:1:1: the file declares 9999999 variables; the rest of it has room for at most 2"},
	{Name: "states", Text: "1 0 0 0", Want: `states:1:3: found "0"; want the number of states of a variable, from 1 to 65535`},
	{Name: "many states together", Text: "9 " + strings.Repeat("65535 ", 9), Want: `many states together:1:27: the variables so far have too many states for a file of 56 bytes`},
	{Name: "parents", Text: "2 2 2 2 1 1", Want: `parents:1:7: found "2"; want the number of parents of a variable, from 0 to 1`},
	{Name: "parent", Text: "2 2 2 1 2", Want: `parent:1:9: found "2"; want the number of a variable, from 0 to 1`},
	{Name: "parent of itself", Text: "2 2 2 1 0", Want: `parent of itself:1:9: found variable 0 for the second time in the scope of variable 0; want it once`},
	{Name: "parent twice", Text: "3 2 2 2 2 1 1", Want: `parent twice:1:13: found variable 1 for the second time in the scope of variable 0; want it once`},
	{Name: "cycle", Text: "2 2 2 1 1 1 0 4 1 0 0 1 4 1 0 0 1", Want: `cycle:1:11: the parents form a cycle: x1 -> x0 -> x1`},
	{Name: "size of a table", Text: "1 2 0 3 1 0 0", Want: "size of a table:1:7: found a count of 3 values for variable 0; want 2, one for each joint state of its 1 variables"},
	{Name: "claim of a table", Text: "1 999 0 999 1 0 0", Want: "claim of a table:1:9: the file declares 999 values; the rest of it has room for at most 3"},
	{Name: "negative", Text: "1 2 0 2 1.5 -.5", Want: `negative:1:13: found "-.5"; want a number of at least 0`},
	{Name: "no number", Text: "1 2 0 2 1 nan", Want: `no number:1:11: found "nan"; want a number`},
	{Name: "cut", Text: "1 2 0 2 1      ", Want: `cut:1:16: found end of file; want a number`},
	{Name: "open comment", Text: "1 2 0 /* Probabilities\n 2 1 0", Want: "open comment:1:7: comment is not closed; want */"},
	{Name: "no part", Text: head + "a b", Want: `no part:8:1: found "a"; want /* Names */, /* Labels */ or end of file`},
	{Name: "too few names", Text: head + "/* Names */ a", Want: `too few names:8:14: found end of file; want the name of a variable`},
	{Name: "too many names", Text: head + "/* Names */ a b c", Want: `too many names:8:17: found "c"; want end of file or another part`},
	{Name: "too few labels", Text: head + "/* Labels */ a b c d", Want: `too few labels:8:21: found end of file; want the label of a state`},
	{Name: "name twice", Text: head + "/* Names */ a a", Want: `name twice:8:15: variable "a" is declared twice; first at name twice:8:13`},
	{Name: "label twice", Text: head + "/* Labels */ a b c d c", Want: `label twice:2:3: variable "x1" has two states called "c"`},
}
