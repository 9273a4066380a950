package net_test

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
)

// ab declares two nodes on lines 2 and 3; what follows starts on line 4.
const ab = "net { }\n" +
	"node a { states = (\"x\" \"y\"); }\n" +
	"node b { states = (\"p\" \"q\" \"r\"); }\n"

const (
	rootA = "potential (a) { data = (0.2 0.8); }\n"
	rootB = "potential (b) { data = (0.5 0.25 0.25); }\n"
)

// ofB returns a network in which b has the parent a; the attributes of its potential start at line
// 5, column 20.
func ofB(attributes string) string { return ab + rootA + "potential (b | a) {" + attributes + "}\n" }

// three declares c with the parents a and b. The attributes of its potential start at line 7,
// column 22.
func three(attributes string) string {
	return ab + rootA + rootB + "node c { states = (0 1); }\npotential (c | a b) {" + attributes + "}\n"
}

// continuous declares d with the parents a and c, of which c is continuous. The data of its
// potential stand on line 8.
func continuous(data string) string {
	return ab + rootA + rootB + "continuous node c { } continuous node d { }\npotential (c) { data = normal (0.5, 2); }\n" +
		"potential (d | a c) { data = (" + data + "); }\n"
}

// texts holds small models in different dialects.
var texts = []formattest.Model{
	{Name: "continuous", Text: continuous("normal (1 - c * 2, 0.25) % a comment, with (brackets\n normal (-(c/4) + 3 % one\n - 1, 1e-2)")},
	{Name: "function", Text: continuous("(normal (c, 0) normal (0, 0))")},
	{Name: "no nodes", Text: "net\n{\n}\n"},
	{Name: "table", Text: ofB("data = ((0.5 0.25 0.25)\n(0.1 0.2 0.7)); % x, y\n"),
		Posteriors: []formattest.Posterior{
			{Var: "b", State: "q", Evidence: map[string]string{"a": "y"}, Want: 0.2, From: "the text"},
			{Var: "b", State: "r", Want: 0.61, From: "0.2*0.25 + 0.8*0.7"},
		}},
	{Name: "first parent slowest", Text: three("data = (((0.1 0.9)(0.2 0.8)(0.3 0.7))((0.4 0.6)(0.5 0.5)(0.6 0.4)));"),
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "0", Evidence: map[string]string{"a": "x", "b": "q"}, Want: 0.2, From: "the text"},
			{Var: "c", State: "0", Evidence: map[string]string{"a": "y", "b": "p"}, Want: 0.4, From: "the text"},
		}},
	{Name: "flat", Text: three("data = (0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4);"),
		Posteriors: []formattest.Posterior{{Var: "c", State: "0", Evidence: map[string]string{"a": "y", "b": "p"}, Want: 0.4, From: "the text"}}},
	{Name: "half nested", Text: three("data = ((0.1 0.9 0.2 0.8 0.3 0.7)(0.4 0.6 0.5 0.5 0.6 0.4));"),
		Posteriors: []formattest.Posterior{{Var: "c", State: "0", Evidence: map[string]string{"a": "y", "b": "p"}, Want: 0.4, From: "the text"}}},
	{Name: "potentials first", Text: "potential (\"b\" | a) { data = ((1 0)(0 1)); }\npotential (a | ) { data = (.25 75e-2); }\n" +
		"discrete node a { states = (x y); }\nnode b { states = (1 2); }\nnet {}",
		Posteriors: []formattest.Posterior{{Var: "b", State: "2", Want: 0.75, From: "the text"}}},
	{Name: "class", Text: "\ufeffclass chest % one\r\n{\r\n  inputs = (); outputs = (a);\r\n  HR_Desc = \"node x { ; %\\\"\";\r\n" +
		"  node a { label = \"\"; position = (1 2); states = (\"x\" \"y\"); HR_State_0 = \"\\q\"; }\r\n  potential (a) { data = (0.5 0.5); }\r\n} % class chest\r\n",
		Posteriors: []formattest.Posterior{{Var: "a", State: "x", Want: 0.5, From: "the text"}}},
	{Name: "kinds of states", Text: "net { }\nnode b { subtype = boolean; }\nnode n { states = (\"\" \"\"); subtype = number; state_values = (0 2.5); }\n" +
		"node i { subtype = interval; state_values = (-infinity -1 10); states = (\"\" \"\"); }\nnode m { subtype = number; state_values = (3 1); }\n" +
		"node l { states = (\"low\" \"\"); subtype = number; state_values = (1 2); }\n" +
		"potential (b) { data = (1 0); }\npotential (n) { data = (0 1); }\npotential (i) { data = (1 0); }\npotential (m) { data = (0 1); }\npotential (l) { data = (0 1); }\n",
		Posteriors: []formattest.Posterior{
			{Var: "b", State: "false", Want: 1, From: "the text"},
			{Var: "n", State: "2.5", Want: 1, From: "the text"},
			{Var: "i", State: "-infinity - -1", Want: 1, From: "the text"},
			{Var: "m", State: "1", Want: 1, From: "the text"},
			{Var: "l", State: "", Want: 1, From: "the text"},
		}},
	{Name: "names", Text: "net { name = \"two\\twords\"; }\nnode v5_9 { label = \"5_9\"; pgmc_name = \"5_9\"; states = (\"a \\\"b\\\" \\\\\" \"\\n\" \"over\na line\"); }\n" +
		"node x.y { states = (<5 >5); }\npotential (v5_9 | x.y) { data = ((1 0 0)(0 1 0)); }\npotential (x.y) { data = (0.5 0.5); }\n",
		Posteriors: []formattest.Posterior{
			{Var: "5_9", State: `a "b" \`, Evidence: map[string]string{"x.y": "<5"}, Want: 1, From: "the text"},
			{Var: "5_9", State: "\n", Want: 0.5, From: "the text"},
		}},
	// The style of pgmpy and aGrUM.
	{Name: "bare words", Text: "\nnet {\n  name = asia;\n  software = \"aGrUM 1.0\";\n}\nnode a{\n    states = (\"x\"  \"y\");\n    weight = None;\n}\n" +
		"node b {\n   states = (0 1 );\n   label = \"b\";\n   ID = \"b\";\n}\npotential (a |){\n data = (0.5 0.5);\n}\n" +
		"potential ( b | a    ) {\n   data = \n   ((   0.25   0.75)   % a=x   \n   (   1   0));   % a=y   \n}\n",
		Posteriors: []formattest.Posterior{{Var: "b", State: "0", Evidence: map[string]string{"a": "x"}, Want: 0.25, From: "the text"}}},
	{Name: "latent", Text: "net { }\nnode h { states = (0); pgmc_latent = \"true\"; }\npotential (h) { data = (1); }\n"},
	{Name: "experience", Text: strings.Replace(ofB("experience = (3 4); fading = (0.9 1); data = ((0.5 0.25 0.25)(0.1 0.2 0.7)); HR_x = a;"), "net { }", "net { node_size = (1 2); }", 1),
		Posteriors: []formattest.Posterior{{Var: "b", State: "r", Want: 0.61, From: "0.2*0.25 + 0.8*0.7"}}},
	{Name: "weights", Text: ofB("data = ((1 1 2)(0.1 0.2 0.7));"),
		Warnings: []string{`weights:5:29: warning: a row of the CPD of "b" sums to 4; such rows are treated as weights and scaled to sum to 1`},
		Posteriors: []formattest.Posterior{
			{Var: "b", State: "r", Evidence: map[string]string{"a": "x"}, Want: 0.5, From: "2 of 4"},
			{Var: "b", State: "r", Evidence: map[string]string{"a": "y"}, Want: 0.7, From: "the text"},
		}},
}

// broken holds texts that must be rejected.
var broken = []formattest.Broken{
	{Name: "empty", Text: "", Want: `empty:1:1: found end of file; want "net" or "class"`},
	{Name: "no net", Text: "% nothing\nnode a { states = (x); }", Want: `no net:2:25: found end of file; want "net" or "class"`},
	{Name: "two nets", Text: "net { }\nnet { }", Want: `two nets:2:1: found "net"; want one net or class only`},
	{Name: "net and class", Text: "net { }\nclass a { }", Want: `net and class:2:1: found "class"; want one net or class only`},
	{Name: "no class name", Text: "class { }", Want: `no class name:1:7: found "{"; want the name of the class`},
	{Name: "class not closed", Text: "class a { node_size = (1 2);\n", Want: `class not closed:2:1: found end of file; want a block or "}", the end of the class`},
	{Name: "closed twice", Text: "net { } }", Want: `closed twice:1:9: found "}"; want "net", "class", "node" or "potential"`},
	{Name: "other format", Text: "network n { }", Want: `other format:1:1: found "network"; want "net", "class", "node" or "potential"`},
	{Name: "net not closed", Text: "net { a = 1;", Want: `net not closed:1:13: found end of file; want an attribute or "}"`},
	{Name: "no value", Text: "net { a = 1 }", Want: `no value:1:13: found "}"; want ";"`},
	{Name: "no equals", Text: "net { a 1; }", Want: `no equals:1:9: found "1"; want "="`},
	{Name: "brackets", Text: "net { a = (1; }", Want: `brackets:1:13: found ";"; want as many closing brackets as opening ones`},
	{Name: "open string", Text: "net { a = \"1; }\\\"", Want: "open string:1:11: string is not closed"},
	{Name: "control", Text: "net { }\n\x00", Want: "control:2:1: found the control character 0x00; want text"},
	{Name: "control in a string", Text: "net { a = \"b\x07\"; }", Want: "control in a string:1:13: found the control character 0x07; want text"},
	{Name: "escape", Text: "net { }\nnode a { states = (\"x\" \"C:\\dir\"); }", Want: `escape:2:27: found an unknown escape in a string; want \", \\, \n, \t or \r`},
	{Name: "two mistakes", Text: "net { }\nnode a { states = x; }\nnode b { states = (x { }\nnode c { states = (x); }\n",
		Want: "two mistakes:2:19: found \"x\"; want \"(\"\ntwo mistakes:3:22: found \"{\"; want a state or \")\""},

	{Name: "continuous with states", Text: ab + "continuous node c { states = (\"x\"); }\n", Want: "continuous with states:4:17: node \"c\" is continuous and has states; want one of them"},
	{Name: "no variance", Text: continuous("normal (1)"), Want: "no variance:8:40: found \")\"; want a mean, a comma and a variance"},
	{Name: "normal without end", Text: continuous("normal (1, (2"), Want: "normal without end:8:31: found a normal distribution without end; want \")\" after it"},
	{Name: "not linear", Text: continuous("normal (c * c, 1) normal (1, 1)"), Want: "not linear:8:39: found an expression that is not linear in the continuous parents; want one such as 3 - 0.5 * X"},
	{Name: "stranger", Text: continuous("normal (1 + d, 1) normal (1, 1)"), Want: "stranger:8:43: found \"d\"; want a continuous parent"},
	{Name: "discrete parent", Text: continuous("normal (1 + a, 1) normal (1, 1)"), Want: "discrete parent:8:43: found \"a\"; want a continuous parent"},
	{Name: "variance of a parent", Text: continuous("normal (1, c) normal (1, 1)"), Want: "variance of a parent:8:42: found \"c\"; want a constant"},
	{Name: "negative variance", Text: continuous("normal (1, 2) normal (1, -2)"), Want: "negative variance:8:45: CPD of \"d\" has the variance -2; want 0, or a number from 1e-30 to 1e+30"},
	{Name: "few normals", Text: continuous("normal (1, 2)"), Want: "few normals:8:31: found 1 normal distributions; want 2, one for each joint state of the discrete parents of \"d\""},
	{Name: "numbers for a continuous node", Text: continuous("1 2"), Want: "numbers for a continuous node:8:31: found numbers for the continuous node \"d\"; want normal distributions"},
	{Name: "nothing for a continuous node", Text: continuous(""), Want: "nothing for a continuous node:8:31: found numbers for the continuous node \"d\"; want normal distributions"},
	{Name: "normal and a number", Text: continuous("normal (1, 2) 3"), Want: "normal and a number:8:45: found \"3\"; want a normal distribution like the first"},
	{Name: "brackets", Text: strings.Replace(continuous("((normal (1, 2)) (normal (1, 2)) (normal (1, 2) normal (1, 2) normal (1, 2) normal (1, 2)))"), "(d | a c)", "(d | b a c)", 1),
		Want: "brackets:8:35: found 1 normal distributions in brackets; want 2, one for each state of \"a\""},
	{Name: "normal of a discrete node", Text: ab + "potential (b) { data = (normal(0, 1)); }\n",
		Want: "normal of a discrete node:4:25: found a normal distribution for \"b\"; want numbers, since it has states"},
	{Name: "decision", Text: ab + "decision d { states = (\"x\" \"y\"); }\nutility u { }\nutility u { }\nfunction f { }\ncontinuous decision e { }\n",
		Want: "decision:6:9: node \"u\" is declared twice; first at decision:5:9\n" +
			"decision:7:10: \"f\" is a function; want a chance node, a discrete decision or a utility\ndecision:8:21: \"e\" is a continuous decision; want a chance node, a discrete decision or a utility"},
	{Name: "no data", Text: ab + "utility u { }\npotential (u | a) { }\n", Want: `no data:5:1: potential of "u" has no data; want data = (...)`},
	{Name: "utility size", Text: ab + "utility u { }\npotential (u | a) { data = (1 2 3); }\n", Want: `utility size:5:1: found 3 numbers of the utility "u"; want 2, one for each joint state of its parents`},
	{Name: "utility brackets", Text: ab + "utility u { }\npotential (u | a) { data = ((1) (2)); }\n", Want: `utility brackets:5:30: found 1 numbers in brackets; want 2, one for each state of "a"`},
	{Name: "utility normal", Text: ab + "utility u { }\npotential (u) { data = normal(1, 2); }\n", Want: `utility normal:5:24: found a normal distribution for the utility "u"; want numbers`},
	{Name: "discrete what", Text: ab + "discrete a { }", Want: `discrete what:4:10: found "a"; want "node"`},
	{Name: "instance", Text: "class c {\ninstance i : d (a = b; c = e)\n{ } }", Want: `instance:2:10: found "i"; want nodes, and no instance of a class`},
	{Name: "nameless", Text: ab + "node { }", Want: `nameless:4:6: found "{"; want the name of the node`},
	{Name: "no states", Text: "net { }\nnode a { states = (); }\nnode b { label = \"c\"; }\nnode c { subtype = number; }\nnode d { subtype = interval; state_values = (1); }",
		Want: "no states:2:6: node \"a\" has no states; want at least one\nno states:3:6: node \"b\" has no states; want at least one\n" +
			"no states:4:6: node \"c\" has no states; want at least one\nno states:5:6: node \"d\" has no states; want at least one"},
	{Name: "states twice", Text: "net { }\nnode a { states = (x); states = (x); }", Want: `states twice:2:24: node "a" has its states twice; want them once`},
	{Name: "subtype", Text: "net { }\nnode a { states = (x); subtype = fuzzy; }", Want: `subtype:2:34: found "fuzzy"; want "labelled", "boolean", "number" or "interval"`},
	{Name: "three truths", Text: "net { }\nnode a { states = (x y z); subtype = boolean; }", Want: `three truths:2:6: node "a" is boolean and has 3 states; want two`},
	{Name: "unnamed", Text: "net { }\nnode a { states = (\"\" \"\"); subtype = interval; state_values = (0 1); }", Want: `unnamed:2:6: variable "a" has two states called ""`},
	{Name: "same states", Text: "net { }\nnode a { states = (x \"x\"); }", Want: `same states:2:6: variable "a" has two states called "x"`},
	{Name: "same nodes", Text: ab + "node a { states = (x); pgmc_name = \"c\"; }", Want: `same nodes:4:6: node "a" is declared twice; first at same nodes:2:6`},
	{Name: "same names", Text: ab + "node c { states = (x); pgmc_name = \"a\"; }", Want: `same names:4:6: variable "a" is declared twice; first at same names:2:6`},
	{Name: "bare name", Text: "net { }\nnode a { pgmc_name = b; }", Want: `bare name:2:22: found "b"; want the name of the node in quotes`},
	{Name: "name of a net", Text: "net { name = (a b); }", Want: `name of a net:1:14: found "("; want the name of the network`},

	{Name: "no potential", Text: ab + rootA, Want: `no potential:3:6: variable "b" has no probability block`},
	{Name: "two potentials", Text: ab + rootA + rootB + rootA, Want: `two potentials:6:1: variable "a" has a second probability block; the first is at two potentials:4:1`},
	{Name: "cycle", Text: ab + "potential (a | b) { data = (1 0 1 0 1 0); }\npotential (b | a) { data = (1 0 0 1 0 0); }", Want: "cycle:5:1: the parents form a cycle: b -> a -> b"},
	{Name: "no header", Text: ab + "potential a { }", Want: `no header:4:11: found "a"; want "("`},
	{Name: "no child", Text: ab + "potential ( | a) { }", Want: `no child:4:13: found "|"; want the node that the potential is for`},
	{Name: "joint", Text: ab + "potential (a b) { data = (1 1 1 1 1 1); }", Want: `joint:4:14: found a potential of the nodes "a", "b" together; want one node before the bar`},
	{Name: "joint of many", Text: "net { }\npotential (a b c d e f | g) { }", Want: `joint of many:2:14: found a potential of the nodes "a", "b", "c", "d", and 2 more together; want one node before the bar`},
	{Name: "two bars", Text: ab + "potential (a | b | b) { }", Want: `two bars:4:18: found "|"; want ")"`},
	{Name: "header not closed", Text: ab + "potential (a { }", Want: `header not closed:4:14: found "{"; want a node or ")"`},
	{Name: "unknown child", Text: ab + "potential (c) { data = (1); }", Want: `unknown child:4:12: found "c"; want a variable that is declared`},
	{Name: "unknown parent", Text: ab + "potential (a | c) { data = (1); }", Want: `unknown parent:4:16: found "c"; want a variable that is declared`},
	{Name: "own parent", Text: ab + "potential (a | a) { data = (1); }", Want: `own parent:4:12: found "a"; want each variable once`},
	{Name: "no data", Text: ofB("experience = (1 1);"), Want: `no data:5:1: potential of "b" has no data; want data = (...)`},
	{Name: "data twice", Text: ofB("data = (1 0 0 1 0 0); data = (1);"), Want: `data twice:5:42: potential of "b" has its data twice; want it once`},
	{Name: "expression", Text: ofB(" model_nodes = (a); model_data = (5, 4); data = (1 0 0 1 0 0); "), Want: `expression:5:21: the table of "b" is an expression (model_nodes); want numbers (data)`},
	{Name: "model", Text: ofB(" model_data = (if(x>y, \"a\", \"b\")); "), Want: `model:5:21: the table of "b" is an expression (model_data); want numbers (data)`},
	{Name: "distribution", Text: ofB("data = normal (0, 1);"), Want: `distribution:5:27: found a normal distribution for "b"; want numbers, since it has states`},
	{Name: "few numbers", Text: ofB("data = ((1 0 0)(1 0));"), Want: `few numbers:5:40: found 5 numbers; want 6, one for each joint state of the parents and "b"`},
	{Name: "no numbers", Text: ofB("data = ();"), Want: `no numbers:5:28: found 0 numbers; want 6, one for each joint state of the parents and "b"`},
	{Name: "many numbers", Text: ofB("data = (1 0 0 1 0 0\n1 0 0);"), Want: `many numbers:6:1: found 9 numbers; want 6, one for each joint state of the parents and "b"`},
	{Name: "transposed", Text: ofB("data = ((1 0)(1 0)(0 1));"), Want: `transposed:5:29: found 2 numbers in brackets; want 3, one for each state of "b"`},
	{Name: "uneven", Text: three("data = (((1 0)(1 0)(1 0))(1 0 1 0 1 0));"), Want: `uneven:7:48: found 6 numbers in brackets; want 2, one for each state of "c"`},
	{Name: "no number", Text: ofB("data = ((1 0,0 0)(1 0 0));"), Want: `no number:5:31: found "0,0"; want a number`},
	{Name: "no brackets", Text: ofB("data = (1 0 0 1 0 0;"), Want: `no brackets:5:39: found ";"; want a number, "(" or ")"`},
	{Name: "negative", Text: ofB("data = ((1 0 0)\n(3 -1 0));"), Want: `negative:6:2: CPD of "b" holds -1; want a number of at least 0`},
	{Name: "out of range", Text: ofB("data = ((1e999 0 0)(1 0 0));"), Want: `out of range:5:29: found "1e999"; want a number that a float64 can hold`},
	{Name: "wide", Text: wide(), Want: `wide:13:1: CPD of "v0" would have 1e+11 numbers; the limit is 67108864`},
}

// wide returns a text that declares a table of 10^11 numbers.
func wide() string {
	s := "net { }\n"
	parents := ""
	for i := range 11 {
		s += fmt.Sprintf("node v%d { states = (0 1 2 3 4 5 6 7 8 9); }\n", i)
		if i > 0 {
			parents += fmt.Sprintf(" v%d", i)
		}
	}
	return s + "potential (v0 |" + parents + ") { data = (1); }\n"
}
