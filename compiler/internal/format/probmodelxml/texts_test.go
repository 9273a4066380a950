package probmodelxml_test

import (
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
)

// declared returns the declaration of a variable with states.
func declared(name, role string, states ...string) string {
	out := `<Variable name="` + name + `" type="finiteStates" role="` + role + `"><States>`
	for _, s := range states {
		out += `<State name="` + s + `"/>`
	}
	return out + "</States></Variable>\n"
}

// potential returns a potential with the given content after its variables.
func potential(kind, content string, vars ...string) string {
	out := `<Potential type="` + kind + `"><Variables>`
	for _, v := range vars {
		out += `<Variable name="` + v + `"/>`
	}
	return out + "</Variables>" + content + "</Potential>\n"
}

// document returns a file.
func document(vars, potentials string) string {
	return "<ProbModelXML formatVersion=\"0.2.0\"><ProbNet type=\"MID\">\n<Variables>\n" + vars +
		"</Variables>\n<Potentials>\n" + potentials + "</Potentials></ProbNet></ProbModelXML>\n"
}

var (
	abc = declared("a", "chance", "n", "y") + declared("b", "chance", "0", "1", "2") + declared("c", "chance", "n", "y")
	ab  = potential("Table", "<Values>0.75 0.25</Values>", "a") + potential("Table", "<Values>0.5 0.25 0.25 0.125 0.125 0.75</Values>", "b", "a")

	// parents has two parents of different sizes: rows in another order give other posteriors.
	parents = document(abc, ab+potential("Table", "<Values>1 0 0.75 0.25 0.5 0.5 0.25 0.75 0.125 0.875 0 1</Values>", "c", "a", "b"))
	tree    = document(abc, ab+potential("Tree/ADD", `<TopVariable name="b"/><Branches>
<Branch><States><State name="0"/></States><Label>even</Label>`+potential("Table", "<Values>1 0 0.75 0.25</Values>", "c", "a")+`</Branch>
<Branch><States><State name="1"/></States>`+potential("Delta", "<State>y</State>", "c")+`</Branch>
<Branch><States><State name="2"/></States><Reference>even</Reference></Branch></Branches>`, "c", "a", "b"))
	minimum = document(abc, ab+potential("ICIModel", "<Model>AND / MIN</Model><Subpotentials>"+
		potential("Table", "<Values>0 1 0.5 0.5</Values>", "c", "a")+potential("Table", "<Values>0 1 0.25 0.75 0.5 0.5</Values>", "c", "b")+"</Subpotentials>", "c", "a", "b"))
	maximum = strings.Replace(minimum, "AND / MIN", "OR / MAX", 1)
	// In smallest and largest, only a contributes c = n or c = y, with 1e-17 for a=n and 2e-17 for
	// a=y.
	smallest = document(abc, ab+potential("ICIModel", "<Model>AND / MIN</Model><Subpotentials>"+
		potential("Table", "<Values>1e-17 1 2e-17 1</Values>", "c", "a")+potential("Table", "<Values>0 1 0 1 0 1</Values>", "c", "b")+"</Subpotentials>", "c", "a", "b"))
	largest = document(abc, ab+potential("ICIModel", "<Model>OR / MAX</Model><Subpotentials>"+
		potential("Table", "<Values>1 1e-17 1 2e-17</Values>", "c", "a")+potential("Table", "<Values>1 0 1 0 1 0</Values>", "c", "b")+"</Subpotentials>", "c", "a", "b"))
	decision = document(declared("d", "decision", "no", "yes")+declared("u", "utility")+declared("x", "chance", "n", "y"),
		potential("Table", "<Values>1 0 0.5 0.5</Values>", "x", "d")+potential("Table", "<Values>3 4</Values>", "u", "d"))
	clock = document(`<Variable name="t [0]" type="numeric" role="chance"/><Variable name="t" timeSlice="1" type="numeric" role="chance"/>`+
		declared("x [0]", "chance", "n", "y"), potential("Delta", "<NumericValue>0.5</NumericValue>", "t [0]")+potential("CycleLengthShift", "", "t [1]", "t [0]")+
		potential("Tree/ADD", `<TopVariable name="t [0]"/><Branches>
<Branch><Thresholds><Threshold value="0" belongsTo="right"/><Threshold value="1.5" belongsTo="left"/></Thresholds>`+potential("Table", "<Values>0.25 0.75</Values>", "x [0]")+`</Branch>
<Branch><Thresholds><Threshold value="1.5" belongsTo="left"/><Threshold value="Infinity" belongsTo="left"/></Thresholds>`+potential("Table", "<Values>0.5 0.5</Values>", "x [0]")+`</Branch></Branches>`, "x [0]", "t [0]"))
)

// On P(a, b): a=n has .375 .1875 .1875, a=y has .03125 .03125 .1875.
var models = []formattest.Model{
	{Name: "parents", Text: parents, Posteriors: []formattest.Posterior{
		{Var: "c", State: "y", Evidence: map[string]string{"a": "y", "b": "1"}, Want: 0.75, From: "the first variable is the fastest"},
		{Var: "c", State: "y", Evidence: map[string]string{"a": "n", "b": "2"}, Want: 0.875, From: "the text"},
		{Var: "b", State: "2", Evidence: map[string]string{"a": "y"}, Want: 0.75, From: "the text"},
		{Var: "c", State: "y", Want: 0.1875*0.5 + 0.1875*0.875 + 0.03125*0.25 + 0.03125*0.75 + 0.1875, From: "by hand"},
	}},
	{Name: "tree", Text: tree, Posteriors: []formattest.Posterior{
		{Var: "c", State: "y", Evidence: map[string]string{"a": "y", "b": "2"}, Want: 0.25, From: "the reference"},
		{Var: "c", State: "y", Evidence: map[string]string{"b": "1"}, Want: 1, From: "the text"},
	}},
	{Name: "minimum", Text: minimum, Posteriors: []formattest.Posterior{
		{Var: "c", State: "y", Evidence: map[string]string{"a": "y", "b": "1"}, Want: 0.5 * 0.75, From: "by hand"},
		{Var: "c", State: "y", Evidence: map[string]string{"a": "n", "b": "0"}, Want: 1, From: "by hand"},
	}},
	{Name: "smallest", Text: smallest, Posteriors: []formattest.Posterior{
		{Var: "a", State: "y", Evidence: map[string]string{"c": "n"}, Want: 0.4, From: "0.75*1e-17 : 0.25*2e-17"}}},
	{Name: "largest", Text: largest, Posteriors: []formattest.Posterior{
		{Var: "a", State: "y", Evidence: map[string]string{"c": "y"}, Want: 0.4, From: "0.75*1e-17 : 0.25*2e-17"}}},
	{Name: "maximum", Text: maximum, Posteriors: []formattest.Posterior{
		{Var: "c", State: "y", Evidence: map[string]string{"a": "y", "b": "1"}, Want: 1 - 0.5*0.25, From: "by hand"},
	}},
	{Name: "decision", Text: decision, Warnings: []string{"decision:1:1: warning: the file is of type \"MID\", of which these are not read: utilities (u), what its decisions know"}},
	{Name: "clock", Text: clock},
}

var broken = []formattest.Broken{
	{Name: "empty", Want: "empty:1:1: found end of file; want an element"},
	{Name: "other", Text: "<smile/>", Want: `other:1:1: found the element "smile"; want "ProbModelXML"`},
	{Name: "blank", Text: "<ProbModelXML/>", Want: `blank:1:1: found no "ProbNet"; want a network`},
	{Name: "markov", Text: `<ProbModelXML><ProbNet type="MarkovNetwork"/></ProbModelXML>`, Want: `markov:1:15: found a network of the type "MarkovNetwork"; want one with directed links alone`},
	{Name: "utilities", Text: document(declared("u", "utility"), ""), Want: "utilities:1:1: found no chance variable and no decision; want at least one"},
	{Name: "role", Text: document(declared("a", "whim", "n"), ""), Want: `role:3:1: variable "a" has the role "whim"; want chance, decision or utility`},
	{Name: "twice", Text: document(declared("a", "chance", "n")+declared("a", "chance", "n"), ""), Want: `twice:4:1: variable "a" is declared twice; first at twice:3:1`},
	{Name: "slices", Text: document(declared("a [2]", "chance", "n"), ""), Want: `slices:3:1: found "a" in slice 2; want 0 or 1`},
	{Name: "differs", Text: document(declared("a [0]", "chance", "n")+declared("a [1]", "chance", "y"), ""),
		Want: `differs:4:1: variable "a" differs from that of another slice, at differs:3:1; want the same type, role and states`},
	{Name: "none", Text: document(declared("a", "chance", "n", "y"), ""), Want: `none:3:1: variable "a" has no potential; want one`},
	{Name: "second", Text: document(declared("a", "chance", "n"), potential("Uniform", "", "a")+potential("Uniform", "", "a")),
		Want: `second:7:1: found a second potential of "a"; first at second:6:1`},
	{Name: "few", Text: strings.Replace(parents, "0.875 0 1", "0.875", 1), Want: `few:10:1: found 10 numbers in a table of "c"; want 12, one for each joint state of its variables`},
	{Name: "rest", Text: strings.Replace(parents, "0.75 0.25</Values>", "0.75 x</Values>", 1), Want: `rest:8:81: found "x"; want a number`},
	{Name: "tuning", Text: strings.Replace(minimum, "AND / MIN", "Tuning", 1),
		Want: `tuning:10:1: the potential of "c" is of the type "ICIModel Tuning"; want Table, Uniform, Delta, Tree/ADD, SameAsPrevious, or ICIModel with OR / MAX or AND / MIN`},
	{Name: "branch", Text: strings.Replace(tree, `<State name="1"/></States><Pot`, `<State name="3"/></States><Pot`, 1),
		Want: `branch:10:1: a tree of "c" has no branch for "1"; want one for each state of "b"`},
	{Name: "reference", Text: strings.Replace(tree, "<Reference>even", "<Reference>odd", 1),
		Want: `reference:15:1: found a reference to "odd"; want the label of a branch without references`},
	{Name: "function", Text: document(`<Variable name="t" type="numeric" role="chance"/>`, potential("Function", "<Function>1</Function>", "t")),
		Want: `function:5:1: numeric variable "t" has a potential of the type "Function"; want Delta with a number, then CycleLengthShift, or Uniform`},
	{Name: "future", Text: document(declared("a [0]", "chance", "n")+declared("a [1]", "chance", "n"), potential("Uniform", "", "a [0]", "a [1]")+potential("Uniform", "", "a [1]")),
		Want: `future:7:62: found a parent "a" in a later slice; want one of this slice or the one before`},
	{Name: "late", Text: strings.Replace(clock, `value="1.5"`, `value="1e9"`, 2), Want: `late:3:1: numeric variable "t" goes from 0.5 to the threshold 1e+09; want at most 10000 cycles`},
}
