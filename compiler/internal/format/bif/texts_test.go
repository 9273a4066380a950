package bif_test

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
)

// ab declares two variables. A probability block for each must follow.
const ab = "network n {}\n" +
	"variable a { type discrete [ 2 ] { x, y }; }\n" +
	"variable b { type discrete [ 3 ] { p, q, r }; }\n"

const rootA = "probability ( a ) { table 0.2, 0.8; }\n"

// texts holds small models in different dialects.
var texts = []formattest.Model{
	{Name: "no variables", Text: "network n {\n  property version 1.0;\n}"},
	{Name: "rows", Text: ab + rootA + "probability ( b | a ) {\n (y) 0.1, 0.2, 0.7;\n (x) 0.5, 0.25, 0.25;\n}",
		Posteriors: []formattest.Posterior{
			{Var: "b", State: "r", Evidence: map[string]string{"a": "y"}, Want: 0.7, From: "the text"},
			{Var: "b", State: "r", Want: 0.61, From: "0.2*0.25 + 0.8*0.7"},
		}},
	{Name: "flat table", Text: ab + rootA + "probability ( b | a ) { table 0.5 0.1 0.25 0.2 0.25 0.7; }",
		Posteriors: []formattest.Posterior{
			{Var: "b", State: "q", Evidence: map[string]string{"a": "x"}, Want: 0.25, From: "the text"},
			{Var: "b", State: "q", Evidence: map[string]string{"a": "y"}, Want: 0.2, From: "the text"},
		}},
	{Name: "default", Text: ab + rootA + "probability ( b | a ) { default 0.5 0.25 0.25; (y) 0.1 0.2 0.7; }",
		Posteriors: []formattest.Posterior{
			{Var: "b", State: "q", Evidence: map[string]string{"a": "x"}, Want: 0.25, From: "the text"},
			{Var: "b", State: "q", Evidence: map[string]string{"a": "y"}, Want: 0.2, From: "the text"},
		}},
	{Name: "blocks in any order", Text: "probability ( b | a ) { (x) 1 0; (y) 0 1; }\n" +
		"variable a { type discrete[2]{x y} }\nprobability(a){default .25 .75;}\n" +
		"variable b { type discrete[2] { 0, 1 }; }\nnetwork \"two words\" { property author { \\ae } // };\n}",
		Posteriors: []formattest.Posterior{{Var: "b", State: "1", Want: 0.75, From: "the text"}}},
	{Name: "names", Text: "network a+b {}\n" +
		`variable "light on" { type discrete [ 3 ] { <7.5, >=7.5, "a; b {//}" }; }` + "\n" +
		"variable 5_9 { type discrete [ 4 ] { 12+, Asy/Patchy, 4-10_days, 50% }; } // 4 states\n" +
		"probability(\"light on\" \"5_9\") { default 0.5 0.25 0.25; ( 12+ ) 1, 0, 0; (Asy/Patchy) 0 1 0; /* no more\n */ }\n" +
		"probability ( 5_9 ) { table .25 2.5e-1, 25E-2 +0.25; }",
		Posteriors: []formattest.Posterior{
			{Var: "light on", State: "<7.5", Evidence: map[string]string{"5_9": "12+"}, Want: 1, From: "the text"},
			{Var: "light on", State: "a; b {//}", Evidence: map[string]string{"5_9": "50%"}, Want: 0.25, From: "the text"},
		}},
	{Name: "states are numbers", Text: "network n {}\nvariable a { type discrete [ 3 ] { 2, 0, 1 }; }\n" +
		"variable b { type discrete [ 2 ] { 1, 0 }; }\nprobability ( a ) { table 0.5, 0.3, 0.2; }\n" +
		"probability ( b | a ) {\n (0) 0.1, 0.9;\n (1) 0.2, 0.8;\n (2) 0.3, 0.7;\n}",
		Posteriors: []formattest.Posterior{
			{Var: "b", State: "1", Evidence: map[string]string{"a": "0"}, Want: 0.1, From: "the text"},
			{Var: "a", State: "2", Want: 0.5, From: "the text"},
		}},
	{Name: "properties", Text: "\ufeffnetwork n {\r\n  property Source = \"a;}b\"\r\n  property size = ( 2,\r\n 3);\r\n}\r\n" +
		"variable a { property label = \"x\" // ; }\n type discrete[1] { only // \"just one\"\n }; property position (1, 2) }\n" +
		"probability ( a ) {\n property source = http://example.org\n table 1;\n}"},
	{Name: "latent", Text: "network n {}\nvariable h { type discrete[2] {0, 1}; property latent = true; }\nprobability (h) { table 0.5 0.5; }"},
	{Name: "noisy-max", Text: ab + rootA + "variable c { type discrete [ 3 ] { none, some, much }; }\n" +
		"probability ( b ) { table 0.2, 0.3, 0.5; }\nprobability ( c | a, b ) {\n  property function max;\n" +
		"  (x, p) 0.9, 0.08, 0.02;\n  (y, p) 0.5, 0.3, 0.2;\n  (x, r) 0.25, 0.25, 0.5;\n  (x, q) 0.6, 0.4, 0;\n}",
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "none", Evidence: map[string]string{"a": "x", "b": "p"}, Want: 0.9, From: "the leak"},
			{Var: "c", State: "none", Evidence: map[string]string{"a": "y", "b": "r"}, Want: 0.9 * 0.5 * 0.25, From: "all three are none"},
			{Var: "c", State: "some", Evidence: map[string]string{"a": "y", "b": "r"}, Want: 0.98*0.8*0.5 - 0.9*0.5*0.25, From: "none exceeds some, less all none"},
			{Var: "c", State: "much", Evidence: map[string]string{"b": "q", "a": "x"}, Want: 0.02, From: "only the leak reaches it"},
		}},
	{Name: "noisy-max without parents", Text: ab + rootA + "probability ( b ) { property function = \"max\"; () 0.2 0.3 0.5; }"},
	{Name: "given twice", Text: ab + rootA + "probability ( b | a ) {\n  table 0.5 0.1 0.25 0.2 0.25 0.7;\n  (x) 1 0 0;\n  (x) 0 1 0;\n  default 1 0 0;\n  default 0 0 1;\n}",
		Warnings: []string{
			`given twice:10:3: warning: second default row for "b"; it replaces the first, at given twice:9:11`,
			`given twice:7:7: warning: second row for ("x") in the CPD of "b"; it replaces the first, at given twice:6:9`,
			`given twice:8:7: warning: second row for ("x") in the CPD of "b"; it replaces the first, at given twice:7:7`,
		}},
	{Name: "table over rows", Text: ab + rootA + "probability ( b | a ) { (x) 1 0 0; table 0.5 0.1 0.25 0.2 0.25 0.7; }",
		Warnings: []string{`table over rows:5:42: warning: table of the CPD of "b" replaces the numbers before it, at table over rows:5:29`},
		Posteriors: []formattest.Posterior{
			{Var: "b", State: "p", Evidence: map[string]string{"a": "x"}, Want: 0.5, From: "the later one"},
		}},
	{Name: "twins", Text: twins + "probability ( d | c ) {\n (__) 0.5 0.5;\n (__2) 1 0;\n (__) 0.25 0.75;\n (__3) 0 1;\n}",
		Warnings: []string{"twins" + twinsWarning,
			`twins:8:2: warning: second row labelled ("__") in the CPD of "d"; it is taken for ("__4"), and further ones likewise`},
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "__4", Want: 0.4, From: "the text"},
			{Var: "d", State: "0", Evidence: map[string]string{"c": "__"}, Want: 0.5, From: "the text"},
			{Var: "d", State: "0", Evidence: map[string]string{"c": "__4"}, Want: 0.25, From: "the text"},
			{Var: "d", State: "0", Evidence: map[string]string{"c": "__3"}, Want: 0, From: "the text"},
		}},
	{Name: "twins by their new names", Text: twins + "probability ( d | c ) { (__4) 0.5 0.5; (__) 0.25 0.75; default 1 0; }",
		Warnings: []string{"twins by their new names" + twinsWarning},
		Posteriors: []formattest.Posterior{
			{Var: "d", State: "0", Evidence: map[string]string{"c": "__"}, Want: 0.25, From: "the text"},
			{Var: "d", State: "0", Evidence: map[string]string{"c": "__4"}, Want: 0.5, From: "the text"},
		}},
	{Name: "twins in two parents", Text: "network n {}\nvariable a { type discrete[2] { __, __ }; }\nvariable b { type discrete[2] { __ \"__\" }; }\n" +
		"variable c { type discrete[2] { 0 1 }; }\nprobability (a) { table 0.5 0.5; }\nprobability (b) { table 0.5 0.5; }\n" +
		"probability (c | a b) { (__ __) 0.5 0.5; (__ __) 0.25 0.75; (__ __) 1 0; (__ __) 0 1; }",
		Warnings: []string{
			`twins in two parents:2:37: warning: variable "a" has two states called "__"; the second is renamed to "__2"`,
			`twins in two parents:3:36: warning: variable "b" has two states called "__"; the second is renamed to "__2"`,
			`twins in two parents:7:42: warning: second row labelled ("__", "__") in the CPD of "c"; it is taken for ("__", "__2"), and further ones likewise`,
		},
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "0", Evidence: map[string]string{"a": "__", "b": "__2"}, Want: 0.25, From: "the text"},
			{Var: "c", State: "0", Evidence: map[string]string{"a": "__2", "b": "__"}, Want: 1, From: "the text"},
		}},
	{Name: "root, then parents", Text: ab + "probability ( b ) { default 0.5 0.25 0.25; }\n" + rootA + "probability ( b | a ) { (x) 1 0 0; (y) 0 1 0; }",
		Warnings:   []string{`root, then parents:6:1: warning: second probability block for "b", with parents; it replaces the first, without, at root, then parents:4:1`},
		Posteriors: []formattest.Posterior{{Var: "b", State: "q", Evidence: map[string]string{"a": "y"}, Want: 1, From: "the later one"}}},
	{Name: "two slips", Text: grid + "(x p) 1 0;\n(x q) 0 1;\n(y r) 0.5 0.5;\n(y p) 0.125 0.875;\n(x q) 0.25 0.75;\n(y r) 0.75 0.25;\n}",
		Warnings: []string{
			`two slips:10:7: warning: row in the CPD of "c" is labelled ("y", "r"), as the row at two slips:13:7 is, and is in the place of ("x", "r"), which is missing; it is read as that row`,
			`two slips:12:7: warning: row in the CPD of "c" is labelled ("x", "q"), as the row at two slips:9:7 is, and is in the place of ("y", "q"), which is missing; it is read as that row`,
		},
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "0", Evidence: map[string]string{"a": "x", "b": "r"}, Want: 0.5, From: "the text"},
			{Var: "c", State: "0", Evidence: map[string]string{"a": "x", "b": "q"}, Want: 0, From: "the text"},
			{Var: "c", State: "0", Evidence: map[string]string{"a": "y", "b": "q"}, Want: 0.25, From: "the text"},
			{Var: "c", State: "0", Evidence: map[string]string{"a": "y", "b": "r"}, Want: 0.75, From: "the text"},
		}},
	{Name: "given twice, with a default", Text: grid + "(x p) 1 0;\n(x q) 0 1;\n(x r) 0.5 0.5;\n(y p) 0.5 0.5;\n(x q) 1 0;\n(y r) 0.75 0.25;\ndefault 0 1;\n}",
		Warnings: []string{`given twice, with a default:12:7: warning: second row for ("x", "q") in the CPD of "c"; it replaces the first, at given twice, with a default:9:7`},
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "0", Evidence: map[string]string{"a": "x", "b": "q"}, Want: 1, From: "the later one"},
			{Var: "c", State: "0", Evidence: map[string]string{"a": "y", "b": "q"}, Want: 0, From: "the default"},
		}},
	{Name: "unmentioned", Text: ab + rootA + "variable c { type discrete [ 2 ] { 0, 1 }; }\nprobability ( c | a ) { property function max; (x) 1 0; (y) 0.5 0.5; }",
		Warnings:   []string{`unmentioned:3:10: warning: variable "b" is in no probability block; it becomes a root with equal probabilities`},
		Posteriors: []formattest.Posterior{{Var: "b", State: "q", Want: 1.0 / 3, From: "three states"}}},
}

// grid declares c with the parents a and b, which have two and three states. The rows of c must
// follow from line 8.
const grid = ab + rootA + "probability ( b ) { table 0.2 0.3 0.5; }\nvariable c { type discrete [ 2 ] { 0, 1 }; }\nprobability ( c | a, b ) {\n"

// twins declares c, whose last two states have the same name, and its child d.
const twins = "network n {}\nvariable c { type discrete [ 4 ] { __2, __, __3, __ }; }\nvariable d { type discrete [ 2 ] { 0, 1 }; }\n" +
	"probability ( c ) { table 0.1, 0.2, 0.3, 0.4; }\n"

const twinsWarning = `:2:50: warning: variable "c" has two states called "__"; the second is renamed to "__4"`

// block returns a complete network with the given CPD for b, which starts at line 5, column 23.
func block(items string) string { return ab + rootA + "probability ( b | a ) {" + items + "\n}\n" }

// wide returns a text that declares a table of 10^11 numbers.
func wide() string {
	s := "network n {}\n"
	names := make([]string, 11)
	for i := range names {
		names[i] = fmt.Sprintf("v%d", i)
		s += "variable " + names[i] + " { type discrete[10] { 0 1 2 3 4 5 6 7 8 9 }; }\n"
	}
	return s + "probability (" + strings.Join(names, ", ") + ") {"
}

// broken holds texts that must be rejected, with all their messages.
var broken = []struct{ name, text, want string }{
	{"empty", "", `empty:1:1: found no network block; want "network"`},
	{"prose", "network n {}\nSome prose.\nvariable a { type discrete[1] { x }; }", `prose:2:1: found "Some"; want "network", "variable" or "probability"`},
	{"network name", "network {\n}", `network name:1:9: found "{"; want the name of the network`},
	{"network body", "network n { type }", `network body:1:13: found "type"; want "property" or "}"`},
	{"two networks", "network n {}\nnetwork m {}", "two networks:2:1: found a second network block; want one"},
	{"variable name", "network n {}\nvariable { }", `variable name:2:10: found "{"; want the name of the variable`},
	{"no type", "network n {}\nvariable a { }", `no type:2:14: found "}"; want the type of "a"`},
	{"two types", "network n {}\nvariable a { type discrete[1] { x }; type discrete[1] { x }; }", `two types:2:38: found "type"; want "property" or "}"`},
	{"continuous", "network n {}\nvariable a { type continuous; }", `continuous:2:19: found "continuous"; want "discrete"`},
	{"no count", "network n {}\nvariable a { type discrete { x, y }; }", `no count:2:28: found "{"; want "["`},
	{"count", "network n {}\nvariable a { type discrete [ two ] { x, y }; }", `count:2:30: found "two"; want the number of states`},
	{"fewer states", "network n {}\nvariable a { type discrete [3] { x, y }; }", `fewer states:2:29: variable "a" declares 3 states; its list has 2`},
	{"huge claim", "network n {}\nvariable a { type discrete [ 999999999 ] { x, y }; }", `huge claim:2:30: variable "a" declares 999999999 states; its list has 2`},
	{"beyond int", "network n {}\nvariable a { type discrete [ 99999999999999999999 ] { x }; }", `beyond int:2:30: found "99999999999999999999"; want the number of states`},
	{"no states", "network n {}\nvariable a { type discrete [ 0 ] { }; }", `no states:2:30: variable "a" has no states; want at least one`},
	{"same states", "network n {}\nvariable a { type discrete [ 2 ] { x, x }; }", `same states:2:39: variable "a" has two states called "x"`},
	{"same variables", "network n {}\nvariable a { type discrete[1] { x }; }\nvariable \"a\" { type discrete[1] { x }; }\nprobability (a) { table 1; }",
		`same variables:3:10: variable "a" is declared twice; first at same variables:2:10`},
	{"states not closed", "network n {}\nvariable a { type discrete[2] { x, y ; }", `states not closed:2:38: found ";"; want a state or "}"`},
	{"open quote", "network n {}\nvariable \"a { }", "open quote:2:10: quoted name is not closed on its line"},
	{"open comment", "network n {}\n/* variable", "open comment:2:1: comment is not closed"},
	{"control", "network n\x00 {}", "control:1:10: found the control character 0x00; want text"},
	{"control in quotes", "network \"n\x07\" {}", "control in quotes:1:9: found the control character 0x07 in a quoted name"},
	{"two mistakes", "network n {}\nvariable a { type real; }\nvariable b { type discrete [ 2 ] { x y }; }\nvariable c }",
		"two mistakes:2:19: found \"real\"; want \"discrete\"\ntwo mistakes:4:12: found \"}\"; want \"{\""},
	{"unknown child", ab + "probability ( c ) { table 1; }", `unknown child:4:15: found "c"; want a variable that is declared`},
	{"unknown parent", ab + "probability ( a | b, \"c d\" ) { table 1; }", `unknown parent:4:22: found "c d"; want a variable that is declared`},
	{"no child", ab + "probability ( ) { table 1; }", `no child:4:15: found ")"; want the variable`},
	{"header not closed", ab + "probability ( a | b { table 1; }", `header not closed:4:21: found "{"; want a variable or ")"`},
	{"parent twice", ab + "probability ( a | b, b ) { table 1; }", `parent twice:4:22: found "b"; want each variable once`},
	{"unknown state", block("\n (z) 1 0 0;"), `unknown state:6:3: found "z"; want a state of "a": "x", "y"`},
	{"few labels", block("\n () 1 0 0;"), "few labels:6:2: row names 0 states; want 1, one for each parent"},
	{"many labels", block("\n (x, y) 1 0 0;"), "many labels:6:2: row names 2 states; want 1, one for each parent"},
	{"few numbers", block("\n (x) 1 0;"), `few numbers:6:9: found 2 numbers; want 3, one for each state of "b"`},
	{"many numbers", block("\n (x) 1 0 0 0;"), `many numbers:6:12: found more than 3 numbers; want 3, one for each state of "b"`},
	{"few in table", block("\n table 1 0 0 1 0;"), `few in table:6:17: found 5 numbers; want 6, one for each joint state of the parents and "b"`},
	{"many in table", block("\n table 1 0 0 1 0 0 0;"), `many in table:6:20: found more than 6 numbers; want 6, one for each joint state of the parents and "b"`},
	{"few in default", block("\n default 1 0;"), `few in default:6:13: found 2 numbers; want 3, one for each state of "b"`},
	{"no number", block("\n (x) 1 nun 0;"), `no number:6:8: found "nun"; want a number`},
	{"bad number", block("\n (x) 1 0.5.1 0;"), `bad number:6:8: found "0.5.1"; want a number`},
	{"out of range", block("\n (x) 1 1e999 0;"), `out of range:6:8: found "1e999"; want a number that a float64 can hold`},
	{"negative", block("\n (x) 1 0 0;\n (y) 1.5 -0.5 0;"), `negative:7:6: CPD of "b" holds -0.5; want a number of at least 0`},
	{"quoted number", block("\n (x) 1 \"0\" 0;"), `quoted number:6:8: found "0"; want a number or ";"`},
	{"no semicolon", block("\n (x) 1 0 0"), `no semicolon:7:1: found "}"; want a number or ";"`},
	{"item", block("\n entry 1 0 0;"), `item:6:2: found "entry"; want a row, "table", "default", "property" or "}"`},
	{"missing row", block("\n (y) 1 0 0;"), `missing row:5:1: CPD of "b" has no row for ("x"); want one, or a "default"`},
	{"missing second row", block("\n (x) 1 0 0;\n (x) 1 0 0;"), `missing second row:5:1: CPD of "b" has no row for ("y"); want one, or a "default"`},
	{"no numbers", ab + "probability ( a ) { }", `no numbers:4:1: CPD of "a" has no numbers; want "table"`},
	{"no block", ab + rootA, `no block:3:10: variable "b" has no probability block`},
	{"three twins", "network n {}\nvariable a { type discrete [ 3 ] { __, __, __ }; }",
		"three twins:2:44: variable \"a\" has more than two states called \"__\""},
	{"third row of twins", twins + "probability ( d | c ) {\n (__) 1 0; (__2) 1 0;\n (__) 1 0;\n (__) 1 0; (__3) 1 0;\n}",
		`third row of twins:8:2: too many rows are labelled ("__"); want one for each of the states with that name`},
	{"one row of twins", twins + "probability ( d | c ) { (__) 1 0; (__2) 1 0; (__3) 1 0; }",
		`one row of twins:5:1: CPD of "d" has no row for ("__4"); want one, or a "default"`},
	{"slip beside a missing row", grid + "(x p) 1 0;\n(x q) 0 1;\n(x r) 0.5 0.5;\n(y p) 0.125 0.875;\n(x q) 0.25 0.75;\n}",
		`slip beside a missing row:7:1: CPD of "c" has no row for ("y", "q"); want one, or a "default"`},
	{"slip among rows in another order", grid + "(x q) 1 0;\n(x p) 0 1;\n(x r) 0.5 0.5;\n(y p) 0.125 0.875;\n(x q) 0.25 0.75;\n(y r) 1 0;\n}",
		`slip among rows in another order:7:1: CPD of "c" has no row for ("y", "q"); want one, or a "default"`},
	{"line doubled, next one lost", grid + "(x p) 1 0;\n(x p) 1 0;\n(x r) 0.5 0.5;\n(y p) 0.125 0.875;\n(y q) 0.25 0.75;\n(y r) 1 0;\n}",
		`line doubled, next one lost:7:1: CPD of "c" has no row for ("x", "q"); want one, or a "default"`},
	{"label wrong in all states", grid + "(x p) 1 0;\n(x q) 0 1;\n(x r) 0.5 0.5;\n(y p) 0.125 0.875;\n(x p) 0.25 0.75;\n(y r) 1 0;\n}",
		`label wrong in all states:7:1: CPD of "c" has no row for ("y", "q"); want one, or a "default"`},
	{"two blocks with parents", block("table 1 1 0 0 0 0;") + "probability ( b | a ) { table 1 1 0 0 0 0; }",
		`two blocks with parents:7:1: variable "b" has a second probability block; the first is at two blocks with parents:5:1`},
	{"parents, then root", block("table 1 1 0 0 0 0;") + "probability ( b ) { table 1 0 0; }",
		`parents, then root:7:1: variable "b" has a second probability block; the first is at parents, then root:5:1`},
	{"root, then parents twice", ab + "probability ( b ) { table 1 0 0; }\n" + rootA + "probability ( b | a ) { default 1 0 0; }\nprobability ( b | a ) { default 1 0 0; }",
		`root, then parents twice:7:1: variable "b" has a second probability block; the first is at root, then parents twice:6:1`},
	{"mentioned as a parent", ab + "probability ( b | a ) { property function max; (x) 1 0 0; (y) 0 1 0; }",
		`mentioned as a parent:2:10: variable "a" has no probability block`},
	{"two unmentioned", ab + rootA + "variable c { type discrete[2] { 0 1 }; }\nvariable d { type discrete[2] { 0 1 }; }\nprobability (c | a) { property function max; (x) 1 0; (y) 0.5 0.5; }",
		"two unmentioned:3:10: variable \"b\" has no probability block\ntwo unmentioned:6:10: variable \"d\" has no probability block"},
	{"two blocks", block("table 1 1 0 0 0 0;") + rootA, `two blocks:7:1: variable "a" has a second probability block; the first is at two blocks:4:1`},
	{"cycle", ab + "probability (a | b) { default 0.5 0.5; }\nprobability (b | a) { default 1 0 0; }", "cycle:5:1: the parents form a cycle: b -> a -> b"},
	{"function", block("\n property function min;"), `function:6:2: found the function "min"; want "max" or no function`},
	{"two causes", ab + rootA + "probability (b) { default 1 0 0; }\nvariable c { type discrete[2] { 0 1 }; }\nprobability (c | a b) { property function max;\n (x p) 1 0;\n (y r) 1 0; }",
		`two causes:9:8: row ("y", "r") of the CPD of "c" has 2 causes that are not in their first state; want at most one in a noisy-max`},
	{"no leak", block("\n property function max;\n (y) 1 0 0;"), `no leak:5:1: CPD of "b" has no row for ("x"); want one, or a "default"`},
	{"missing cause", block("\n property function max;\n (x) 1 0 0;"), `missing cause:5:1: CPD of "b" has no row for ("y"); want one, or a "default"`},
	{"table in noisy-max", block("\n property function max;\n table 1 1 0 0 0 0;"), "table in noisy-max:7:8: found a table; want rows in a noisy-max"},
	{"default in noisy-max", block("\n property function max;\n default 1 0 0;"), "default in noisy-max:7:10: found a default row; want none in a noisy-max"},
	{"not closed", ab + rootA + "probability ( b | a ) { (x) 1 0 0;", `not closed:5:35: found end of file; want a row, "table", "default", "property" or "}"`},
	{"wide default", wide() + "default 1 0 0 0 0 0 0 0 0 0; }", `wide default:13:1: CPD of "v0" would have 1e+11 numbers; the limit is 67108864`},
	{"wide table", wide() + "table 1; }", `wide table:13:1: CPD of "v0" would have 1e+11 numbers; the limit is 67108864`},
}
