package json_test

import (
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
)

// head declares two variables on lines 2 and 3; factors start on line 5.
const head = `{"pgmc": 1, "kind": "bayes", "variables": [
{"name": "a", "states": ["x", "y"]},
{"name": "b", "states": ["p", "q", "r"]}],
"factors": [
{"scope": ["a"], "child": "a", "table": [0.2, 0.8]}`

// ofScope returns a network with another factor on line 6. Its distribution starts at column 37.
func ofScope(scope, dist string) string {
	return head + ",\n{\"scope\": " + scope + ", \"child\": \"b\", " + dist + "}]}\n"
}

// ofB returns a network in which b has the parent a.
func ofB(dist string) string { return ofScope(`["a", "b"]`, dist) }

// potential returns a Markov network over a and b. The distribution starts at line 6, column 23.
func potential(dist string) string {
	return strings.Replace(head, "bayes", "markov", 1) + ",\n{\"scope\": [\"a\", \"b\"], " + dist + "}]}\n"
}

// gaussian returns a CLG network d -> x <- p whose last CPD has the given fields. It stands on line
// 5.
func gaussian(fields string) string {
	return `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "d", "states": ["s", "t"]}, {"name": "p", "real": true}, {"name": "x", "real": true}], "factors": [
{"scope": ["d"], "child": "d", "table": [0.25, 0.75]},

{"scope": ["p"], "child": "p", "gaussian": {"mean": [1], "var": [0.5]}},
{"scope": ["d", "p", "x"], "child": "x", "gaussian": {` + fields + `}}
]}
`
}

// plate returns a network of one variable, declared on line 2 and with its CPD on line 3. Its plate
// p has the given size.
func plate(size, variable, factor string) string {
	return `{"pgmc": 2, "kind": "bayes", "plates": {"p": ` + size + `},
"variables": [{"name": "r", "states": ["a", "b"]` + variable + `}],
"factors": [{"scope": ["r"], "child": "r"` + factor + `, "table": [0.25, 0.75]}]}
`
}

// soft returns a network r -> c whose CPD of c, on line 3, has the given distribution.
func soft(dist string) string {
	return `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "r", "real": true}, {"name": "c", "states": ["s", "t"]}], "factors": [
{"scope": ["r"], "child": "r", "gaussian": {"mean": [1], "var": [1]}},
{"scope": ["r", "c"], "child": "c", ` + dist + `}]}
`
}

// potentials returns a Markov network with the given factor on line 3.
func potentials(factor string) string {
	return `{"pgmc": 2, "kind": "markov", "variables": [{"name": "a", "states": ["s", "t"]}, {"name": "b", "states": ["s", "t"]}, {"name": "r", "real": true}],
"factors": [
` + factor + `]}
`
}

// realForest returns a forest over a discrete and a real variable. The fields of its LDFM start at
// line 3, column 31.
func realForest(variable, fields string) string {
	return "{\"pgmc\": 1, \"kind\": \"forest\", \"variables\": [{\"name\": \"a\", \"states\": [\"x\"]},\n" + variable + "],\n" +
		`"factors": [{"scope": ["a", "r"], "ldfm": {` + fields + "}}]}\n"
}

const (
	realVar     = `{"name": "r", "real": true}`
	realWeights = `"weights": [0.5, 0.5, 0, 1, 1, 0]`
)

const empty = `{"pgmc": 1, "kind": "bayes", "variables": [], "factors": []}`

// asia is table 1 of Lauritzen and Spiegelhalter, Local computations with probabilities on
// graphical structures and their application to expert systems, 1988.
const asia = `{"pgmc": 1, "kind": "bayes", "name": "asia", "variables": [
  {"name": "asia", "states": ["yes", "no"]}, {"name": "tub", "states": ["yes", "no"]},
  {"name": "smoke", "states": ["yes", "no"]}, {"name": "lung", "states": ["yes", "no"]},
  {"name": "bronc", "states": ["yes", "no"]}, {"name": "either", "states": ["yes", "no"]},
  {"name": "xray", "states": ["yes", "no"]}, {"name": "dysp", "states": ["yes", "no"]}
], "factors": [
  {"scope": ["asia"], "child": "asia", "table": [0.01, 0.99]},
  {"scope": ["asia", "tub"], "child": "tub", "table": [0.05, 0.95, 0.01, 0.99]},
  {"scope": ["smoke"], "child": "smoke", "table": [0.5, 0.5]},
  {"scope": ["lung", "smoke"], "child": "lung", "table": [0.1, 0.01, 0.9, 0.99]},
  {"scope": ["smoke", "bronc"], "child": "bronc", "table": [0.6, 0.4, 0.3, 0.7]},
  {"scope": ["tub", "lung", "either"], "child": "either", "deterministic": ["yes", "yes", "yes", "no"]},
  {"scope": ["either", "xray"], "child": "xray", "table": [0.98, 0.02, 0.05, 0.95]},
  {"scope": ["bronc", "either", "dysp"], "child": "dysp", "table": [0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.1, 0.9]}
]}`

// student is figure 3.4 of Koller and Friedman, Probabilistic Graphical Models, 2009, with fields
// and factors in another order.
const student = `{"factors": [
  {"table": [0.1, 0.9, 0.4, 0.6, 0.99, 0.01], "scope": ["grade", "letter"], "child": "letter"},
  {"child": "sat", "scope": ["intelligence", "sat"], "tree": [
    {"next": [2, 1], "test": "intelligence"}, {"leaf": [0.2, 0.8]}, {"leaf": [0.95, 0.05]}]},
  {"scope": ["intelligence", "difficulty", "grade"], "child": "grade", "table": [
    0.3, 0.4, 0.3,   0.05, 0.25, 0.7,   0.9, 0.08, 0.02,   0.5, 0.3, 0.2]},
  {"scope": ["intelligence"], "child": "intelligence", "table": [7e-1, 0.3]},
  {"scope": ["difficulty"], "child": "difficulty", "table": [0.6, 4.0E-1]}
], "variables": [
  {"states": ["d0", "d1"], "latent": false, "name": "difficulty"}, {"states": ["i0", "i1"], "name": "intelligence"},
  {"states": ["g1", "g2", "g3"], "name": "grade"}, {"states": ["s0", "s1"], "name": "sat"}, {"states": ["l0", "l1"], "name": "letter"}
], "name": "student", "kind": "bayes", "pgmc": 1}`

// sprinkler is the wet grass network of Russell and Norvig, Artificial Intelligence: A Modern
// Approach, with Murphy's numbers.
const sprinkler = `{"pgmc": 1, "kind": "bayes", "name": "sprinkler", "variables": [
  {"name": "cloudy", "states": ["true", "false"]}, {"name": "sprinkler", "states": ["true", "false"]},
  {"name": "rain", "states": ["true", "false"]}, {"name": "wet_grass", "states": ["true", "false"]}
], "factors": [
  {"scope": ["cloudy"], "child": "cloudy", "table": [0.5, 0.5]},
  {"scope": ["cloudy", "sprinkler"], "child": "sprinkler", "table": [0.1, 0.9, 0.5, 0.5]},
  {"scope": ["cloudy", "rain"], "child": "rain", "table": [0.8, 0.2, 0.2, 0.8]},
  {"scope": ["sprinkler", "rain", "wet_grass"], "child": "wet_grass", "table": [0.99, 0.01, 0.9, 0.1, 0.9, 0.1, 0, 1]}
]}`

func given(name, state string) map[string]string { return map[string]string{name: state} }

// texts holds small models.
var texts = []formattest.Model{
	{Name: "plate", Text: plate(`3`, `, "in": ["p"]`, `, "in": ["p"]`)},
	{Name: "plate of untied CPDs", Text: plate(`3`, `, "in": ["p"]`, `, "in": ["p"], "tied": false`)},
	{Name: "softmax", Text: soft(`"softmax": {"bias": [0, 1], "coef": [2, 1]}`)},
	{Name: "canonical", Text: potentials(`{"scope": ["a", "b", "r"], "canonical": {"g": [0, "-inf", 1, 2], "h": [1, 2, 3, 4], "k": [1, 2, 3, 4]}}`)},
	{Name: "pairwise", Text: potentials(`{"scope": ["a", "b"], "pairwise": {"metric": "quadratic", "weight": -1}}`)},
	{Name: "gaussian", Text: gaussian(`"var": [4, 0], "coef": [2, 3], "mean": [0, 1]`)},
	{Name: "given", Text: strings.Replace(strings.Replace(gaussian(`"mean": [0, 1], "coef": [2, 3], "var": [4, 1]`), `"p", "real": true`, `"p", "real": true, "given": true`, 1),
		`{"scope": ["p"], "child": "p", "gaussian": {"mean": [1], "var": [0.5]}},`, "", 1)},
	{Name: "real", Text: realForest(realVar, realWeights+`, "normals": [-1.5, 0, 2, 3, 0, 0.25, 0, 0, 0]`)},
	{Name: "empty", Text: empty},
	{Name: "asia", Text: asia, Posteriors: []formattest.Posterior{
		{Var: "dysp", State: "yes", Want: 0.4359706, From: "by hand from the tables of Lauritzen and Spiegelhalter"},
		{Var: "either", State: "yes", Want: 0.064828, From: "by hand"},
	}},
	{Name: "student", Text: student, Posteriors: []formattest.Posterior{
		{Var: "letter", State: "l1", Want: 0.502336, From: "Koller and Friedman, section 3.2.1.2: 0.502"},
		{Var: "letter", State: "l1", Evidence: given("intelligence", "i0"), Want: 0.3886, From: "Koller and Friedman, section 3.2.1.2: 0.389"},
		{Var: "intelligence", State: "i1", Evidence: given("grade", "g3"), Want: 0.0789, Tol: 1e-4, From: "Koller and Friedman: 0.079"},
		{Var: "intelligence", State: "i1", Evidence: map[string]string{"grade": "g3", "sat": "s1"}, Want: 0.578, Tol: 5e-4,
			From: "Koller and Friedman, section 3.2.1.2: 0.578"},
	}},
	{Name: "sprinkler", Text: sprinkler, Posteriors: []formattest.Posterior{
		{Var: "rain", State: "true", Evidence: given("wet_grass", "true"), Want: 0.7079276773296245,
			From: "Murphy, A brief introduction to graphical models, 1998: 0.708"},
		{Var: "sprinkler", State: "true", Evidence: given("wet_grass", "true"), Want: 0.4297635605006954, From: "Murphy 1998: 0.430"},
	}},
	{Name: "noisy-max", Text: ofB(`"noisy-max": {"causes": [[1, 0, 0, 0.5, 0.25, 0.25]], "leak": [0.5, 0.5, 0]}`), Posteriors: []formattest.Posterior{
		{Var: "b", State: "p", Evidence: given("a", "x"), Want: 0.5, From: "the leak"},
		{Var: "b", State: "p", Evidence: given("a", "y"), Want: 0.25, From: "0.5*0.5"},
		{Var: "b", State: "q", Evidence: given("a", "y"), Want: 0.5, From: "1*0.75 - 0.25"},
	}},
	{Name: "features of a CPD", Text: ofB(`"features": [{"weight": 0.6931471805599453, "if": [{"var": "a", "is": "x"}, {"var": "b", "is": "p"}]},
		{"if": [{"var": "a", "not": "x"}, {"var": "b", "is": "r"}], "weight": "-inf"}, {"weight": 4}]`), Posteriors: []formattest.Posterior{
		{Var: "b", State: "p", Evidence: given("a", "x"), Want: 0.5, From: "2:1:1"},
		{Var: "b", State: "q", Evidence: given("a", "y"), Want: 0.5, From: "1:1:0"},
	}},
	{Name: "circuit", Text: potential(`"circuit": [{"var": "a", "is": "y"}, {"var": "b", "is": "q"}, {"number": 3}, {"product": [1, 2]}, {"sum": [0, 3]}]`),
		Posteriors: []formattest.Posterior{
			// a = x: 0, 3, 0, times 0.2; a = y: 1, 4, 1, times 0.8
			{Var: "b", State: "q", Want: 3.8 / 5.4, From: "by hand: 0.2*3 + 0.8*4 of 0.2*3 + 0.8*6"},
		}},
	{Name: "features of a potential", Text: potential(`"features": []`), Posteriors: []formattest.Posterior{{Var: "a", State: "y", Want: 0.8, From: "the text"}}},
	{Name: "constant", Text: `{"pgmc": 1, "kind": "markov", "variables": [], "factors": [{"scope": [], "table": [7]}]}`},
	{Name: "escapes", Text: `{"pgmc": 1, "kind": "markov", "name": "\u00e9\ud83d\ude00\ufffd\\ud800\/", "variables": [{"name": "\"", "states": ["", "\n<&>\u2028"]}], "factors": []}`},
}

// names lists the fields of a factor.
const names = `["scope" "child" "counts" "in" "tied" "table" "deterministic" "noisy-max" "tree" "features" "circuit" "ldfm" "gaussian" "diffuse" "softmax" "func" "canonical" "pairwise"]`

// broken holds texts that must be rejected.
var broken = []formattest.Broken{
	{Name: "few counts", Text: ofB(`"table": [0, 0, 1, 0, 1, 0], "counts": [1, 2]`), Want: `few counts:6:1: CPD of "b" has 2 counts; want 6`},
	{Name: "counts of leaves", Text: ofB(`"tree": [{"leaf": [0, 1, 0]}], "counts": [1, 2, 3, 4, 5, 6]`), Want: `counts of leaves:6:1: CPD of "b" has 6 counts; want 3`},
	{Name: "negative counts", Text: ofB(`"table": [0, 0, 1, 0, 1, 0], "counts": [1, 2, 3, -4, 5, 6]`), Want: `negative counts:6:1: counts of the CPD of "b" holds -4; want a number of at least 0`},
	{Name: "counts of a potential", Text: potential(`"table": [0, 0, 1, 0, 1, 0], "counts": [1, 2, 3, 4, 5, 6]`), Want: `counts of a potential:6:1: potential over "a", "b" has counts; want them with a CPD`},
	{Name: "counts alone", Text: ofB(`"counts": [1, 2, 3, 4, 5, 6]`), Want: `counts alone:6:1: found a factor without a distribution; want one of ["table" "deterministic" "noisy-max" "tree" "features" "circuit" "ldfm" "gaussian" "diffuse" "softmax" "func" "canonical" "pairwise"]`},
	{Name: "nothing", Text: "", Want: `nothing:1:1: found the end of the file; want {`},
	{Name: "list", Text: "[]", Want: `list:1:1: found "["; want {`},
	{Name: "trailing", Text: empty + "\n{}", Want: `trailing:2:1: found "{"; want the end of the file`},
	{Name: "later version", Text: `{"pgmc": 3, "slices": []}`, Want: `later version:1:10: found version 3 of the format; want at most 2: a later pgmc wrote this file`},
	{Name: "version 0", Text: `{"pgmc": 0}`, Want: `version 0:1:10: found version 0 of the format; want 1 to 2`},
	{Name: "version text", Text: `{"pgmc": "1"}`, Want: `version text:1:10: found the string "1"; want a version of the format`},
	{Name: "no version", Text: ` {"kind": "bayes"}`, Want: `no version:1:2: found an object without the field "pgmc"; want one`},
	{Name: "no kind", Text: `{"pgmc": 1}`, Want: `no kind:1:1: found an object without the field "kind"; want one`},
	{Name: "kind", Text: `{"pgmc": 1, "kind": "Bayes"}`, Want: `kind:1:21: found the kind "Bayes"; want one of ["bayes" "markov" "dependency" "forest"]`},
	{Name: "no factors", Text: `{"pgmc": 1, "kind": "bayes", "variables": []}`, Want: `no factors:1:1: found an object without the field "factors"; want one`},
	{Name: "unknown field", Text: "{\"pgmc\": 1,\n \"x\": [{}, 2]}", Want: `unknown field:2:2: found the field "x"; want one of ["pgmc" "kind" "name" "description" "variables" "factors" "tied" "plates" "maps" "next" "decisions" "utilities" "criteria" "asymmetry" "horizon"]`},
	{Name: "field twice", Text: "{\"pgmc\": 1,\n \"pgmc\": 1}", Want: `field twice:2:2: found the field "pgmc" a second time; want it once`},
	{Name: "no comma", Text: `{"pgmc": 1 "kind": "bayes"}`, Want: `no comma:1:12: found the string "kind"; want a comma or }`},
	{Name: "comma", Text: `{"pgmc": 1,}`, Want: `comma:1:12: found "}"; want the name of a field`},
	{Name: "no colon", Text: `{"pgmc", 1}`, Want: `no colon:1:8: found ","; want a colon`},
	{Name: "no value", Text: `{"pgmc": }`, Want: `no value:1:10: found "}"; want a value`},
	{Name: "comma for value", Text: `{"pgmc": , 1}`, Want: `comma for value:1:10: found ","; want a value`},
	{Name: "end", Text: `{"pgmc": 1, "name": ["a"`, Want: `end:1:25: found the end of the file; want a value`},
	{Name: "deep", Text: `{"pgmc": ` + strings.Repeat("[", 50) + strings.Repeat("]", 50) + "}", Want: `deep:1:10: found "["; want a version of the format`},
	{Name: "comment", Text: "{} // empty", Want: `comment:1:4: found "/"; want JSON`},
	{Name: "null name", Text: `{"pgmc": 1, "kind": "bayes", "name": null}`, Want: `null name:1:38: found "null"; want the name of the network`},
	{Name: "string end", Text: `{"pgmc`, Want: `string end:1:2: found a string without end; want a quotation mark after it`},
	{Name: "string end at escape", Text: `{"pgmc\`, Want: `string end at escape:1:2: found a string without end; want a quotation mark after it`},
	{Name: "line end", Text: "{\"pg\nmc\": 1}", Want: `line end:1:5: found '\n' in a string; want an escape such as \u000a`},
	{Name: "escape", Text: `{"\x": 1}`, Want: `escape:1:2: found the string "\\x" with an unknown escape; want those of JSON`},
	{Name: "half", Text: `{"\ud83dx": 1}`, Want: `half:1:2: found the string "\\ud83dx" with an unknown escape; want those of JSON`},
	{Name: "wrong half", Text: `{"\ud83d\u0041": 1}`, Want: `wrong half:1:2: found the string "\\ud83d\\u0041" with an unknown escape; want those of JSON`},
	{Name: "utf-8", Text: "{\"a\xff\": 1}", Want: `utf-8:1:4: the byte 0xff is not UTF-8; want UTF-8, as iconv -f LATIN1 -t UTF-8 converts a text of Western Europe, and -f GBK one in Chinese`},
	{Name: "latin", Text: "{\xe9}", Want: "latin:1:2: the byte 0xe9 is not UTF-8; want UTF-8, as iconv -f LATIN1 -t UTF-8 converts a text of Western Europe, and -f GBK one in Chinese"},
	{Name: "variable", Text: strings.Replace(empty, "[]", "[3]", 1), Want: `variable:1:44: found "3"; want a variable`},
	{Name: "variable without name", Text: strings.Replace(empty, "[]", `[{"states": ["x"]}]`, 1), Want: `variable without name:1:44: found an object without the field "name"; want one`},
	{Name: "no states", Text: strings.Replace(empty, "[]", `[{"name": "v", "states": []}]`, 1), Want: `no states:1:44: found the variable "v" without states; want at least one`},
	{Name: "latent", Text: strings.Replace(empty, "[]", `[{"name": "v", "states": ["x"], "latent": 1}]`, 1), Want: `latent:1:85: found "1"; want true or false`},
	{Name: "bracket", Text: strings.Replace(empty, "[]", `[{"name": "v", "states": ["x"}]]`, 1), Want: `bracket:1:72: found "}"; want ]`},
	{Name: "variable twice", Text: strings.Replace(head, `"b"`, `"a"`, 1) + "]}", Want: `variable twice:3:1: variable "a" is declared twice; first at variable twice:2:1`},
	{Name: "no CPD", Text: head + "]}", Want: `no CPD:3:1: variable "b" has no probability block`},
	{Name: "no distribution", Text: head + ",\n{\"scope\": []}]}", Want: `no distribution:6:1: found a factor without a distribution; want one of ["table" "deterministic" "noisy-max" "tree" "features" "circuit" "ldfm" "gaussian" "diffuse" "softmax" "func" "canonical" "pairwise"]`},
	{Name: "two distributions", Text: ofB(`"tree": [], "table": []`), Want: `two distributions:6:45: found "tree" beside "table"; want one distribution`},
	{Name: "unknown field of a factor", Text: ofB(`"cpt": []`), Want: `unknown field of a factor:6:37: found the field "cpt"; want one of ` + names},
	{Name: "scope", Text: ofScope(`["c"]`, `"table": []`), Want: `scope:6:12: found "c"; want a variable of the list`},
	{Name: "twice in scope", Text: ofScope(`["b", "b"]`, `"table": []`), Want: `twice in scope:6:17: found "b"; want each variable once`},
	{Name: "child", Text: ofScope(`["a"]`, `"table": []`), Want: `child:6:27: found "b"; want a variable of the scope`},
	{Name: "few numbers", Text: ofB(`"table": [1, 2]`), Want: `few numbers:6:51: found 2 numbers; want 6, one for each joint state`},
	{Name: "many numbers", Text: ofB(`"table": [1, 2, 3, 4, 5, 6, 7]`), Want: `many numbers:6:66: found 7 numbers; want 6, one for each joint state`},
	{Name: "nested rows", Text: ofB(`"table": [[1, 0, 0], [1, 0, 0]]`), Want: `nested rows:6:47: found "["; want a number`},
	{Name: "leading zero", Text: ofB(`"table": [01]`), Want: `leading zero:6:47: found "01"; want a number as in JSON`},
	{Name: "large number", Text: ofB(`"table": [1e999]`), Want: `large number:6:47: found "1e999"; want a number that a float64 can hold`},
	{Name: "number", Text: ofB(`"table": [1-1]`), Want: `number:6:47: found "1-1"; want a number`},
	{Name: "NaN", Text: ofB(`"table": [NaN]`), Want: `NaN:6:47: found "NaN"; want a number`},
	{Name: "negative", Text: ofB("\"table\": [1, 0, 0,\n1, -1, 1]"), Want: `negative:7:1: CPD of "b" holds -1; want a number of at least 0`},
	{Name: "state", Text: ofB(`"deterministic": ["p", "x"]`), Want: `state:6:60: found "x"; want a state of "b"`},
	{Name: "few states", Text: ofB(`"deterministic": ["p"]`), Want: `few states:6:58: found 1 states; want 2, one for each joint state`},
	{Name: "deterministic potential", Text: potential(`"deterministic": []`), Want: `deterministic potential:6:40: found a deterministic potential; want a child`},
	{Name: "noisy-max potential", Text: potential(`"noisy-max": {}`), Want: `noisy-max potential:6:36: found a noisy-max potential; want a child`},
	{Name: "no leak", Text: ofB(`"noisy-max": {}`), Want: `no leak:6:50: found an object without the field "leak"; want one`},
	{Name: "causes", Text: ofB(`"noisy-max": {"leak": [1, 0, 0], "causes": [[1]]}`), Want: `causes:6:1: CPD of "b" has 1 noisy-max numbers for "a"; want 6`},
	{Name: "empty tree", Text: ofB(`"tree": []`), Want: `empty tree:6:1: CPD of "b" is an empty tree`},
	{Name: "leaf and test", Text: ofB(`"tree": [{"leaf": [1], "test": "a"}]`), Want: `leaf and test:6:46: found a node that is a leaf and a test; want one of them`},
	{Name: "empty leaf", Text: ofB(`"tree": [{"leaf": []}]`), Want: `empty leaf:6:46: found a leaf without numbers; want one for each state of the child, and without a child one number`},
	{Name: "node", Text: ofB(`"tree": [{"test": "a"}]`), Want: `node:6:46: found an object without the field "next"; want one`},
	{Name: "test of the child", Text: ofB(`"tree": [{"test": "b", "next": [1, 1]}]`), Want: `test of the child:6:1: CPD of "b" tests position 1 of its scope; want one of its parents`},
	{Name: "loop", Text: ofB(`"tree": [{"test": "a", "next": [0, 0]}]`), Want: `loop:6:1: CPD of "b" has node 0 under node 0; want a later one of 1`},
	{Name: "node number", Text: ofB(`"tree": [{"test": "a", "next": [1.5]}]`), Want: `node number:6:69: found "1.5"; want the place of a node`},
	{Name: "large node", Text: ofB(`"tree": [{"test": "a", "next": [4294967296]}]`), Want: `large node:6:69: found "4294967296"; want the place of a node`},
	{Name: "weight", Text: ofB(`"features": [{"weight": "inf"}]`), Want: `weight:6:61: found the weight "inf"; want a number or "-inf"`},
	{Name: "large weight", Text: potential("\"features\": [{\"weight\": 701}]"), Want: `large weight:6:1: potential over "a", "b" has positive weights that sum to 701; want at most 700, so that its values are finite`},
	{Name: "is and not", Text: ofB(`"features": [{"weight": 1, "if": [{"var": "a", "is": "x", "not": "y"}]}]`), Want: `is and not:6:71: found a literal with both or neither of "is" and "not"; want one of them`},
	{Name: "state of a literal", Text: ofB(`"features": [{"weight": 1, "if": [{"var": "a", "is": "p"}]}]`), Want: `state of a literal:6:90: found "p"; want a state of "a"`},
	{Name: "circuit of a CPD", Text: ofB(`"circuit": [{"number": 1}]`),
		Want: `circuit of a CPD:6:1: CPD of "b" is of kind circuit; want that in a potential`},
	{Name: "operand", Text: potential("\"circuit\": [{\"number\": 1},\n{\"sum\": [1]}]"), Want: `operand:7:1: potential over "a", "b": node 1 has operand 1; want a node before it`},
	{Name: "two operations", Text: potential(`"circuit": [{"number": 1, "sum": []}]`),
		Want: `two operations:6:35: found a node that is not one operation; want a number, a variable and its state, a sum or a product`},
	{Name: "real and states", Text: realForest(`{"name": "r", "real": true, "states": ["p"]}`, realWeights), Want: `real and states:2:1: found the variable "r" real-valued and with states; want one of them`},
	{Name: "real or not", Text: realForest(`{"name": "r", "real": 1}`, realWeights), Want: `real or not:2:23: found "1"; want true or false`},
	{Name: "no normals", Text: realForest(realVar, realWeights),
		Want: `no normals:3:13: an LDFM with 3 rows over 1 real variables has 0 normal distributions; want 3`},
	{Name: "half a normal", Text: realForest(realVar, realWeights+`, "normals": [0, 0, 1, 0]`), Want: `half a normal:3:90: found 4 numbers of normal distributions; want a mean, a slope and a variance of each`},
	{Name: "variance", Text: realForest(realVar, realWeights+`, "normals": [0, 0, -1, 0, 0, 1, 0, 0, 0]`),
		Want: `variance:3:56: real variable "r" has mean 0, slope 0 and variance -1 in row 0 of an LDFM; want 1e+30 at most in size, and a variance from 1e-30 to 1e+30`},
	{Name: "real network", Text: `{"pgmc": 1, "kind": "bayes", "variables": [{"name": "r", "real": true}], "factors": [{"scope": ["r"], "child": "r", "table": [1]}]}`,
		Want: `real network:1:128: found a table over the real variable "r"; want states, or a kind for real variables such as gaussian`},
	{Name: "real dependency", Text: `{"pgmc": 2, "kind": "dependency", "variables": [{"name": "r", "real": true}], "factors": []}`,
		Want: `real dependency:1:49: variable "r" is real-valued in a dependency network; want states, or a Bayesian network`},
	{Name: "real in version 1", Text: `{"pgmc": 1, "kind": "markov", "variables": [{"name": "r", "real": true}], "factors": []}`,
		Want: `real in version 1:1:10: found version 1 of the format; want 2, since the variable "r" is real`},
	{Name: "biases", Text: soft(`"softmax": {"bias": [0, 1], "coef": [2]}`),
		Want: `biases:3:1: CPD of "c" has 2 biases and 1 coefficients; want 2 and 2, for each joint state of the discrete parents and of the child a bias and one coefficient for each real parent`},
	{Name: "softmax potential", Text: `{"pgmc": 2, "kind": "markov", "variables": [{"name": "r", "real": true}], "factors": [{"scope": ["r"], "softmax": {"bias": [], "coef": []}}]}`,
		Want: `softmax potential:1:87: potential over "r" is of kind softmax; want that in a CPD`},
	{Name: "expression", Text: strings.Replace(soft(`"softmax": {"bias": [0, 1], "coef": [2, 1]}`), `"gaussian": {"mean": [1], "var": [1]}`, `"func": {"mean": "1 + q", "var": [1]}`, 1),
		Want: "expression:2:49: in the expression, column 5: found \"q\"; want a parent"},
	{Name: "canonical order", Text: potentials(`{"scope": ["r", "a"], "canonical": {"k": [1, 1], "h": [0, 0], "g": [0, "-inf"]}}`),
		Want: `canonical order:3:1: potential over "r", "a" is of kind canonical; want its discrete variables before its real ones`},
	{Name: "canonical size", Text: potentials(`{"scope": ["a", "r"], "canonical": {"k": [1], "h": [0, 0], "g": [0, "-inf"]}}`),
		Want: `canonical size:3:1: potential over "a", "r" has 1, 2 and 2 numbers for k, h and g; want 2, 2 and 2, for each joint state of its discrete variables the upper triangle of a matrix, a number for each real variable, and one`},
	{Name: "metric", Text: potentials(`{"scope": ["a", "b"], "pairwise": {"metric": "euclid", "weight": 1}}`),
		Want: `metric:3:46: found "euclid"; want one of ["potts" "linear" "quadratic"]`},
	{Name: "energy", Text: potentials(`{"scope": ["a", "b"], "pairwise": {"metric": "potts", "weight": 701}}`),
		Want: `energy:3:1: potential over "a", "b" has energies up to 701; want at most 700 in size`},
	{Name: "pairwise of one", Text: potentials(`{"scope": ["a"], "pairwise": {"metric": "potts", "weight": 1}}`),
		Want: `pairwise of one:3:1: potential over "a" is of kind pairwise; want two variables with equally many states`},
	{Name: "negative cap", Text: potentials(`{"scope": ["a", "b"], "pairwise": {"metric": "potts", "weight": 1, "cap": -1}}`),
		Want: `negative cap:3:1: potential over "a", "b" has the cap -1; want a positive number, or 0 for none`},
	{Name: "tied shapes", Text: strings.Replace(soft(`"softmax": {"bias": [0, 1], "coef": [2, 1]}`), "]}\n", `], "tied": [["r", "c"]]}`, 1),
		Want: `tied shapes:3:1: CPD of "c" is tied to the CPD of "r"; want distributions of one kind over equally many parents with equally many states in the same order`},
	{Name: "plates in version 1", Text: `{"pgmc": 1, "kind": "bayes", "plates": {"p": 2}, "variables": [], "factors": []}`,
		Want: `plates in version 1:1:10: found version 1 of the format; want 2, since there are plates`},
	{Name: "size of a plate", Text: plate(`0`, "", ""), Want: `size of a plate:1:46: found the size 0; want 1 to 262144`},
	{Name: "huge plates", Text: plate(`262144, "q": 2`, `, "in": ["p", "q"]`, ""), Want: `huge plates:2:63: found plates with more than 262144 joint indices; want fewer`},
	{Name: "many variables", Text: plate(`262144`, `, "in": ["p"]`, ""), Want: `many variables:2:15: found more than 262144 variables in plates; want fewer`},
	{Name: "no such plate", Text: plate(`2`, `, "in": ["r"]`, ""), Want: `no such plate:2:58: found "r"; want a plate, once`},
	{Name: "factor out of its plate", Text: plate(`2`, `, "in": ["p"]`, ""), Want: `factor out of its plate:3:13: found "r[1]" of the plate "p" in a factor that is not in it; want the factor in the same plates`},
	{Name: "tied without plates", Text: plate(`2`, "", `, "tied": false`), Want: `tied without plates:3:13: found "tied" in a factor without plates; want it in a factor with "in"`},
	{Name: "tied over nothing", Text: plate(`2`, `, "in": ["p"]`, `, "in": ["p"], "tied": ["p", "q"]`), Want: `tied over nothing:3:71: found "q"; want a plate of the factor, once`},
	{Name: "tied by a number", Text: plate(`2`, `, "in": ["p"]`, `, "in": ["p"], "tied": 1`), Want: `tied by a number:3:65: found "1"; want true or false`},
	{Name: "child out of the plate", Text: plate(`2`, "", `, "in": ["p"]`), Want: `child out of the plate:3:13: variable "r" has a second probability block; the first is at child out of the plate:3:13`},
	{Name: "tied twice", Text: strings.Replace(soft(`"softmax": {"bias": [0, 1], "coef": [2, 1]}`), "]}\n", `], "tied": [["r"], ["r"]]}`, 1),
		Want: `tied twice:1:44: variable "r" is tied twice; want it in one group, once`},
	{Name: "gaussian in version 1", Text: strings.Replace(gaussian(`"mean": [0, 1], "coef": [2, 3], "var": [4, 0]`), `"pgmc": 2`, `"pgmc": 1`, 1),
		Want: `gaussian in version 1:1:10: found version 1 of the format; want 2, since the CPD of "p" is of kind gaussian`},
	{Name: "given in version 1", Text: `{"pgmc": 1, "kind": "bayes", "variables": [{"name": "r", "states": ["p"], "given": true}], "factors": []}`,
		Want: `given in version 1:1:10: found version 1 of the format; want 2, since the variable "r" is given`},
	{Name: "coefficients", Text: gaussian(`"mean": [0, 1], "coef": [2], "var": [4, 0]`),
		Want: `coefficients:5:1: CPD of "x" has 2 means, 1 coefficients and 2 variances; want 2, 2 and 2, for each joint state of the discrete parents a mean, one coefficient for each real parent, and a variance`},
	{Name: "negative variance", Text: gaussian(`"mean": [0, 1], "coef": [2, 3], "var": [4, -1]`),
		Want: `negative variance:5:67: CPD of "x" has the variance -1; want 0, or a number from 1e-30 to 1e+30`},
	{Name: "no variance", Text: gaussian(`"mean": [0, 1], "coef": [2, 3]`),
		Want: `no variance:5:54: found an object without the field "var"; want one`},
	{Name: "given with a CPD", Text: strings.Replace(gaussian(`"mean": [0, 1], "coef": [2, 3], "var": [4, 1]`), `"p", "real": true`, `"p", "real": true, "given": true`, 1),
		Want: `given with a CPD:4:1: variable "p" is given and has a probability block; want one of them`},
	{Name: "number is", Text: potential(`"circuit": [{"number": 1, "is": "x"}]`),
		Want: `number is:6:35: found a node that is not one operation; want a number, a variable and its state, a sum or a product`},
	{Name: "indicator without state", Text: potential(`"circuit": [{"var": "a"}]`), Want: `indicator without state:6:35: found an object without the field "is"; want one`},
}
