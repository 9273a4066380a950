package xdsl_test

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
)

// ab declares two variables on lines 2 and 3; what follows starts on line 4.
const ab = "<smile version=\"1.0\" id=\"n\"><nodes>\n" +
	"<cpt id=\"a\"><state id=\"x\"/><state id=\"y\"/><probabilities>0.2 0.8</probabilities></cpt>\n" +
	"<cpt id=\"b\"><state id=\"p\"/><state id=\"q\"/><state id=\"r\"/><parents>a</parents><probabilities>0.5 0.25 0.25 0.1 0.2 0.7</probabilities></cpt>\n"

const end = "</nodes></smile>"

// node returns a network with a third node of the given kind, on line 4. Its items follow on line
// 5.
func node(kind, items string) string {
	return ab + "<" + kind + " id=\"c\"><state id=\"s\"/><state id=\"t\"/>\n" + items + "</" + kind + ">\n" + end
}

// root returns a network with the one node r, on line 2.
func root(items string) string {
	return "<smile id=\"n\"><nodes>\n<cpt id=\"r\">" + items + "</cpt>\n" + end
}

// texts holds small models in different dialects.
var texts = []formattest.Model{
	{Name: "no nodes", Text: "<smile version=\"1.0\" id=\"n\"><nodes/></smile>"},
	{Name: "no id", Text: "<smile><nodes></nodes></smile>"},
	{Name: "table", Text: ab + end,
		Posteriors: []formattest.Posterior{
			{Var: "b", State: "q", Evidence: map[string]string{"a": "y"}, Want: 0.2, From: "the text"},
			{Var: "b", State: "r", Want: 0.61, From: "0.2*0.25 + 0.8*0.7"},
		}},
	{Name: "first parent slowest", Text: node("cpt", "<parents>a b</parents><probabilities>0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4</probabilities>"),
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "s", Evidence: map[string]string{"a": "x", "b": "q"}, Want: 0.2, From: "the text"},
			{Var: "c", State: "s", Evidence: map[string]string{"a": "y", "b": "p"}, Want: 0.4, From: "the text"},
		}},
	{Name: "order of parents", Text: node("cpt", "<parents> b\n a </parents><probabilities>0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4</probabilities>"),
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "s", Evidence: map[string]string{"a": "y", "b": "p"}, Want: 0.2, From: "the text"},
			{Var: "c", State: "s", Evidence: map[string]string{"a": "x", "b": "q"}, Want: 0.3, From: "the text"},
		}},
	{Name: "deterministic", Text: node("deterministic", "<parents>a b</parents><resultingstates>s t t s s t</resultingstates>"),
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "t", Evidence: map[string]string{"a": "x", "b": "q"}, Want: 1, From: "the text"},
			{Var: "c", State: "t", Evidence: map[string]string{"a": "y", "b": "q"}, Want: 0, From: "the text"},
			{Var: "c", State: "s", Want: 0.34, From: "0.2*0.5 + 0.8*(0.1 + 0.2)"},
		}},
	{Name: "child first", Text: "<smile id=\"n\"><nodes><cpt id=\"b\"><state id=\"0\"/><state id=\"1\"/><probabilities>0.25 0.75 0.5 0.5</probabilities><parents>a</parents></cpt>" +
		"<cpt id=\"a\"><probabilities>0.5 0.5</probabilities><state id=\"0\"/><state id=\"1\"/></cpt></nodes></smile>",
		Posteriors: []formattest.Posterior{{Var: "b", State: "0", Want: 0.375, From: "0.5*0.25 + 0.5*0.5"}}},
	// A submodel within a submodel, with GeNIe's attributes of a submodel.
	{Name: "submodels", Text: "<smile id=\"n\"><nodes><submodel id=\"one\"><name>One</name><interior color=\"e5f6f7\"/>\n" +
		"<submodel id=\"two\"><cpt id=\"a\"><state id=\"x\"/><state id=\"y\"/><probabilities>0.25 0.75</probabilities></cpt></submodel></submodel>\n" +
		"<cpt id=\"b\"><state id=\"x\"/><state id=\"y\"/><parents>a</parents><probabilities>0.5 0.5 0.25 0.75</probabilities></cpt></nodes></smile>",
		Posteriors: []formattest.Posterior{{Var: "b", State: "x", Want: 0.3125, From: "0.25*0.5 + 0.75*0.25"}}},
	// The elements of GeNIe besides the distribution that are in the reference file or the manual.
	{Name: "GeNIe", Text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- made -->\n<smile version=\"1.0\" id=\"n\" numsamples=\"10000\" discsamples=\"10000\"><nodes>\n" +
		"<cpt id=\"a\" diagtype=\"observation\"><state id=\"x\" fault=\"true\" label=\"L\"/><state id=\"y\"/><cost>3</cost>\n" +
		"<probabilities>5e-1 .5</probabilities><property id=\"source\">a book</property></cpt></nodes>\n" +
		"<extensions><genie version=\"1.0\" name=\"Other\"><node id=\"a\"><name>Pretty name</name><comment><![CDATA[x]]></comment></node></genie></extensions></smile>\n",
		Posteriors: []formattest.Posterior{{Var: "a", State: "x", Want: 0.5, From: "the text"}}},
	{Name: "Latin-1", Text: "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<smile id=\"caf\xe9\"><nodes>" +
		"<cpt id=\"caf\xe9\"><state id=\"tr\xe8s\"/><probabilities>1</probabilities></cpt></nodes></smile>",
		Posteriors: []formattest.Posterior{{Var: "café", State: "très", Want: 1, From: "the text"}}},
	{Name: "names", Text: root("<state id=\"a\"/><state id=\"b\"/><probabilities>0.25 0.75</probabilities><property id=\"pgmc_latent\">true</property>" +
		"<property id=\"pgmc_states\">[\"&lt;5\", \" \\u0000\"]</property><property id=\"pgmc_name\">\"light-on\\ufffe\"</property>"),
		Posteriors: []formattest.Posterior{
			{Var: "light-on\ufffe", State: "<5", Want: 0.25, From: "the text"},
			{Var: "light-on\ufffe", State: " \x00", Want: 0.75, From: "the text"},
		}},
	{Name: "name of the network", Text: "<smile id=\"x\"><nodes/><extensions><genie/><pgmc><property id=\"pgmc_name\">\"a b\"</property></pgmc></extensions></smile>"},
	{Name: "order", Text: strings.NewReplacer("</cpt>\n<cpt", "<property id=\"pgmc_order\">1 0</property></cpt>\n<cpt",
		"</cpt>\n</nodes>", "<property id=\"pgmc_order\">0 1</property></cpt>\n</nodes>").Replace(ab + end),
		Posteriors: []formattest.Posterior{{Var: "b", State: "r", Want: 0.61, From: "0.2*0.25 + 0.8*0.7"}}},
	// In BayesFusion's schema strengths are optional; without parents there are none.
	{Name: "no strengths", Text: node("noisymax", "<parents>b a</parents><parameters>0.5 0.5 0.2 0.8 0 1 0.6 0.4 0 1 0.1 0.9</parameters>"),
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "t", Evidence: map[string]string{"b": "p", "a": "x"}, Want: 0.18, From: "0.5*0.4*0.9"},
			{Var: "c", State: "t", Evidence: map[string]string{"b": "q", "a": "y"}, Want: 0.72, From: "0.8*1*0.9"},
		}},
	{Name: "leak alone", Text: node("noisymax", "<parameters>0.3 0.7</parameters>"),
		Posteriors: []formattest.Posterior{{Var: "c", State: "s", Want: 0.3, From: "the leak"}}},
	noisyOr, ternary, small,
}

// No file with a noisymax node was available: these follow the manual of SMILE.

// noisyOr has the cause a, whose first state is active, and the cause b, whose second state is.
var noisyOr = formattest.Model{Name: "noisy-or", Text: `<smile id="n"><nodes>
<cpt id="a"><state id="yes"/><state id="no"/><probabilities>0.3 0.7</probabilities></cpt>
<cpt id="b"><state id="no"/><state id="yes"/><probabilities>0.5 0.5</probabilities></cpt>
<noisymax id="x"><state id="yes"/><state id="no"/><parents>a b</parents><strengths>0 1 1 0</strengths>
<parameters>0.8 0.2 0 1 0.6 0.4 0 1 0.1 0.9</parameters></noisymax>
</nodes></smile>`,
	Posteriors: []formattest.Posterior{
		{Var: "x", State: "yes", Evidence: map[string]string{"a": "no", "b": "no"}, Want: 0.1, From: "the leak"},
		{Var: "x", State: "yes", Evidence: map[string]string{"a": "yes", "b": "no"}, Want: 0.82, From: "1 - 0.2*0.9"},
		{Var: "x", State: "yes", Evidence: map[string]string{"a": "no", "b": "yes"}, Want: 0.64, From: "1 - 0.4*0.9"},
		{Var: "x", State: "yes", Evidence: map[string]string{"a": "yes", "b": "yes"}, Want: 0.928, From: "1 - 0.2*0.4*0.9"},
		{Var: "x", State: "no", Want: 0.4788, From: "(0.3*0.2 + 0.7)(0.5*0.4 + 0.5)*0.9"},
	}}

// ternary has a cause p whose states are, from the strongest, full, low and off. No state has its
// rank as index.
var ternary = formattest.Model{Name: "noisy-max", Text: `<smile id="n"><nodes>
<cpt id="p"><state id="low"/><state id="off"/><state id="full"/><probabilities>0.25 0.5 0.25</probabilities></cpt>
<cpt id="q"><state id="on"/><state id="off"/><probabilities>0.5 0.5</probabilities></cpt>
<noisymax id="x"><state id="high"/><state id="medium"/><state id="none"/><parents>p q</parents><strengths>2 0 1 0 1</strengths>
<parameters>0.5 0.3 0.2  0.1 0.4 0.5  0 0 1   0.2 0.2 0.6  0 0 1   0.05 0.15 0.8</parameters></noisymax>
</nodes></smile>`,
	Posteriors: []formattest.Posterior{
		// P(medium or none) = (1-0.5)(1-0.2)(1-0.05) = 0.38, and P(none) = 0.2*0.6*0.8 = 0.096.
		{Var: "x", State: "high", Evidence: map[string]string{"p": "full", "q": "on"}, Want: 0.62, From: "1 - 0.38"},
		{Var: "x", State: "medium", Evidence: map[string]string{"p": "full", "q": "on"}, Want: 0.284, From: "0.38 - 0.096"},
		{Var: "x", State: "none", Evidence: map[string]string{"p": "full", "q": "on"}, Want: 0.096, From: "0.2*0.6*0.8"},
		// P(medium or none) = (1-0.1)(1-0.05) = 0.855, and P(none) = 0.5*0.8 = 0.4.
		{Var: "x", State: "high", Evidence: map[string]string{"p": "low", "q": "off"}, Want: 0.145, From: "1 - 0.855"},
		{Var: "x", State: "medium", Evidence: map[string]string{"p": "low", "q": "off"}, Want: 0.455, From: "0.855 - 0.4"},
		{Var: "x", State: "medium", Evidence: map[string]string{"p": "off", "q": "off"}, Want: 0.15, From: "the leak"},
		{Var: "x", State: "none", Want: 0.432, From: "(0.25*0.5 + 0.5 + 0.25*0.2)(0.5*0.6 + 0.5)*0.8"},
	}}

// small has probabilities of which a difference from 1 keeps no digit.
var small = formattest.Model{Name: "small noisy-or", Text: `<smile id="n"><nodes>
<cpt id="a"><state id="yes"/><state id="no"/><probabilities>1e-17 1</probabilities></cpt>
<noisymax id="x"><state id="yes"/><state id="no"/><parents>a</parents>
<parameters>0.25 0.75 0 1 1e-17 1</parameters></noisymax>
</nodes></smile>`,
	Posteriors: []formattest.Posterior{
		{Var: "a", State: "yes", Evidence: map[string]string{"x": "yes"}, Want: 0.2, From: "1e-17*0.25 : 1e-17"},
	}}

// asia is the network of Lauritzen and Spiegelhalter, 1988, in the style of GeNIe. Its node
// "either" is deterministic.
const asia = `<?xml version="1.0" encoding="ISO-8859-1"?>
<smile version="1.0" id="asia" numsamples="1000">
	<nodes>
		<cpt id="asia"><state id="yes" /><state id="no" /><probabilities>0.01 0.99</probabilities></cpt>
		<cpt id="tub"><state id="yes" /><state id="no" /><parents>asia</parents><probabilities>0.05 0.95 0.01 0.99</probabilities></cpt>
		<cpt id="smoke"><state id="yes" /><state id="no" /><probabilities>0.5 0.5</probabilities></cpt>
		<cpt id="lung"><state id="yes" /><state id="no" /><parents>smoke</parents><probabilities>0.1 0.9 0.01 0.99</probabilities></cpt>
		<cpt id="bronc"><state id="yes" /><state id="no" /><parents>smoke</parents><probabilities>0.6 0.4 0.3 0.7</probabilities></cpt>
		<deterministic id="either"><state id="yes" /><state id="no" /><parents>lung tub</parents><resultingstates>yes yes yes no</resultingstates></deterministic>
		<cpt id="xray"><state id="yes" /><state id="no" /><parents>either</parents><probabilities>0.98 0.02 0.05 0.95</probabilities></cpt>
		<cpt id="dysp"><state id="yes" /><state id="no" /><parents>bronc either</parents><probabilities>0.9 0.1 0.8 0.2 0.7 0.3 0.1 0.9</probabilities></cpt>
	</nodes>
</smile>
`

// broken holds texts that must be rejected.
var broken = []formattest.Broken{
	{Name: "empty", Text: "", Want: "empty:1:1: found end of file; want an element"},
	{Name: "not closed", Text: ab, Want: "not closed:4:1: XML: unexpected EOF"},
	{Name: "other root", Text: "<BIF><NETWORK/></BIF>", Want: `other root:1:1: found the element "BIF"; want "smile"`},
	{Name: "nothing", Text: "<smile/>", Want: `nothing:1:1: found no "nodes"; want the nodes of the network`},
	{Name: "two nodes", Text: "<smile><nodes/>\n<nodes/></smile>", Want: `two nodes:2:1: found a second "nodes"; want one`},
	{Name: "dynamic", Text: "<smile><dynamic numslices=\"3\"/><nodes>\n<cpt id=\"a\" dynamic=\"plate\"><state id=\"x\"/><probabilities>1</probabilities></cpt></nodes></smile>",
		Want: "dynamic:1:8: found a dynamic network; want one without time: unroll it in GeNIe\n" +
			`dynamic:2:1: node "a" is of a dynamic network; want one without time: unroll it in GeNIe`},
	{Name: "kinds", Text: ab + "<decision id=\"d\"><state id=\"x\"/></decision>\n<utility id=\"u\"><parents>d</parents></utility>\n<mau id=\"m\"/>\n" +
		"<formula id=\"e\"/>\n<noisyadder id=\"na\"/>\n<submodel id=\"s\">\n<decision id=\"d2\"/></submodel>" + end,
		Want: "kinds:5:1: utility \"u\" has no utilities; want them\n" +
			"kinds:6:1: mau \"m\" has no weights; want them\n" +
			"kinds:7:1: node \"e\" is of the kind \"formula\"; want cpt, deterministic, noisymax, equation, decision, utility or mau\n" +
			"kinds:8:1: node \"na\" is of the kind \"noisyadder\"; want cpt, deterministic, noisymax, equation, decision, utility or mau\n" +
			"kinds:10:1: node \"d2\" has no state; want at least one"},
	{Name: "other element", Text: ab + "<cptt/>" + end, Want: `other element:4:1: found the element "cptt"; want cpt, deterministic, noisymax, equation, decision, utility, mau or submodel`},
	{Name: "text between", Text: ab + "a" + end, Want: `text between:4:1: found the text "a"; want an element`},
	{Name: "without id", Text: ab + "<cpt><state id=\"x\"/><probabilities>1</probabilities></cpt>" + end, Want: "without id:4:1: found an element cpt without an id; want one"},
	{Name: "same id", Text: ab + "<cpt id=\"a\"><state id=\"x\"/><probabilities>1</probabilities></cpt>" + end,
		Want: `same id:4:1: node "a" is declared twice; first at same id:2:1`},
	{Name: "same name", Text: ab + "<cpt id=\"c\"><state id=\"x\"/><probabilities>1</probabilities><property id=\"pgmc_name\">\"a\"</property></cpt>" + end,
		Want: `same name:4:1: variable "a" is declared twice; first at same name:2:1`},
	{Name: "no states", Text: root("<probabilities>1</probabilities>"), Want: `no states:2:1: node "r" has no state; want at least one`},
	{Name: "state without id", Text: root("<state/><probabilities>1</probabilities>"), Want: `state without id:2:13: found a state of "r" without an id; want one`},
	{Name: "same states", Text: root("<state id=\"x\"/><state id=\"x\"/><probabilities>1 0</probabilities>"), Want: `same states:2:1: variable "r" has two states called "x"`},
	{Name: "same ids of states", Text: node("deterministic", "<resultingstates>s</resultingstates><state id=\"s\"/><property id=\"pgmc_states\">[\"1\",\"2\",\"3\"]</property>"),
		Want: `same ids of states:4:1: node "c" has two states with the id "s"`},
	{Name: "no probabilities", Text: root("<state id=\"x\"/>"), Want: `no probabilities:2:1: cpt "r" has no probabilities; want them`},
	{Name: "two lists", Text: root("<state id=\"x\"/><probabilities>1</probabilities><probabilities>1</probabilities>"),
		Want: "two lists:2:60: found a second list of probabilities; want one"},
	{Name: "list of another kind", Text: node("deterministic", "<probabilities>1 0</probabilities>"),
		Want: "list of another kind:5:1: found probabilities in a deterministic; want resultingstates\n" +
			`list of another kind:4:1: deterministic "c" has no resultingstates; want them`},
	{Name: "few numbers", Text: node("cpt", "<parents>a</parents><probabilities>1 0 1</probabilities>"),
		Want: `few numbers:5:41: found 3 numbers; want 4, one for each joint state of the parents and "c"`},
	{Name: "many numbers", Text: node("cpt", "<probabilities>1 0\n1</probabilities>"),
		Want: `many numbers:6:1: found 3 numbers; want 2, one for each joint state of the parents and "c"`},
	{Name: "no number", Text: node("cpt", "<probabilities>1 nun</probabilities>"), Want: `no number:5:18: found "nun"; want a number`},
	{Name: "negative", Text: node("cpt", "<probabilities>1.5 -0.5</probabilities>"), Want: `negative:5:16: CPD of "c" holds -0.5; want a number of at least 0`},
	{Name: "out of range", Text: node("cpt", "<probabilities>1e999 0</probabilities>"), Want: `out of range:5:16: found "1e999"; want a number that a float64 can hold`},
	{Name: "in a list", Text: node("cpt", "<probabilities>1 <b>0</b></probabilities>"), Want: "in a list:5:18: found the element <b> in <probabilities>; want text"},
	{Name: "unknown parent", Text: node("cpt", "<parents>a z</parents><probabilities>1 0</probabilities>"), Want: `unknown parent:5:12: found "z"; want a variable that is declared`},
	{Name: "same parent", Text: node("deterministic", "<parents>a a</parents><resultingstates>s</resultingstates>"), Want: `same parent:5:12: found "a"; want each variable once`},
	{Name: "own parent", Text: node("noisymax", "<parents>c</parents><strengths/><parameters/>"), Want: `own parent:4:1: found "c"; want each variable once`},
	{Name: "cycle", Text: "<smile><nodes>\n<cpt id=\"a\"><state id=\"x\"/><parents>b</parents><probabilities>1</probabilities></cpt>\n" +
		"<cpt id=\"b\"><state id=\"x\"/><parents>a</parents><probabilities>1</probabilities></cpt></nodes></smile>",
		Want: "cycle:3:1: the parents form a cycle: b -> a -> b"},
	{Name: "unknown state", Text: node("deterministic", "<parents>a</parents><resultingstates>s x</resultingstates>"), Want: `unknown state:5:40: found "x"; want a state of "c"`},
	{Name: "few states", Text: node("deterministic", "<parents>a</parents><resultingstates>s</resultingstates>"),
		Want: "few states:5:39: found 1 states; want 2, one for each joint state of the parents"},
	{Name: "many states", Text: node("deterministic", "<parents>a</parents><resultingstates>s t s</resultingstates>"),
		Want: "many states:5:42: found 3 states; want 2, one for each joint state of the parents"},
	{Name: "few strengths", Text: noisy("0", "0.5 0.5 0 1 0.1 0.9"), Want: "few strengths:5:33: found 1 strengths; want 2, one for each state of each parent"},
	{Name: "many strengths", Text: noisy("0 1 0", "0.5 0.5 0 1 0.1 0.9"), Want: "many strengths:5:36: found 3 strengths; want 2, one for each state of each parent"},
	{Name: "same strength", Text: noisy("1 1", "0.5 0.5 0 1 0.1 0.9"),
		Want: `same strength:5:34: found "1"; want each of 0 to 1 once, the states of "a" from the strongest to the one without effect`},
	{Name: "large strength", Text: noisy("0 2", "0.5 0.5 0 1 0.1 0.9"),
		Want: `large strength:5:34: found "2"; want each of 0 to 1 once, the states of "a" from the strongest to the one without effect`},
	{Name: "no strength", Text: noisy("0 x", "0.5 0.5 0 1 0.1 0.9"),
		Want: `no strength:5:34: found "x"; want each of 0 to 1 once, the states of "a" from the strongest to the one without effect`},
	{Name: "few parameters", Text: noisy("0 1", "0.5 0.5 0 1"),
		Want: "few parameters:6:24: found 4 parameters; want 6, a row of 2 for each state of each parent and for the leak"},
	{Name: "many parameters", Text: noisy("0 1", "0.5 0.5 0 1 0 1 0 1"),
		Want: "many parameters:6:29: found 8 parameters; want 6, a row of 2 for each state of each parent and for the leak"},
	{Name: "sum of parameters", Text: noisy("0 1", "0.5 0.5 0 1 0.5 0.25"), Want: `sum of parameters:6:25: row of the parameters of "c" sums to 0.75; want 1`},
	{Name: "negative parameter", Text: noisy("0 1", "1.5 -0.5 0 1 0.1 0.9"), Want: `negative parameter:6:17: parameters of "c" hold -0.5; want a number of at least 0`},
	{Name: "effect of nothing", Text: noisy("0 1", "0.5 0.5 0.2 0.8 0 1"),
		Want: `effect of nothing:6:21: found 0.2; want 0, as the last state of "a" in its strengths has no effect`},
	{Name: "no JSON", Text: root("<state id=\"x\"/><probabilities>1</probabilities>\n<property id=\"pgmc_name\">light-on</property>\n<property id=\"pgmc_states\">null</property>"),
		Want: "no JSON:3:26: found \"light-on\"; want the name of the variable as JSON\nno JSON:4:28: found \"null\"; want the names of the states as JSON"},
	{Name: "few names", Text: root("<state id=\"x\"/><state id=\"y\"/><probabilities>1 0</probabilities><property id=\"pgmc_states\">[\"x\"]</property>"),
		Want: `few names:2:1: node "r" has 2 states, but the property pgmc_states names 1; want as many`},
	{Name: "no order", Text: root("<state id=\"x\"/><probabilities>1</probabilities>\n<property id=\"pgmc_order\">1 -1</property>"),
		Want: `no order:3:27: found "1 -1"; want the places of variable and CPD`},
	{Name: "wide", Text: wide("cpt", "<probabilities>1</probabilities>"), Want: `wide:32:1: CPD of "c" would have 2.15e+09 numbers; the limit is 67108864`},
	{Name: "wide deterministic", Text: wide("deterministic", "<resultingstates>x</resultingstates>"),
		Want: `wide deterministic:32:1: CPD of "c" would have 1.07e+09 states; the limit is 67108864`},
	{Name: "wide noisymax", Text: wide("noisymax", "<strengths>"+strings.Repeat("0 1 ", 30)+"</strengths><parameters>"+strings.Repeat("0 1 ", 61)+"</parameters>"),
		Want: `wide noisymax:32:1: the tables of the noisymax nodes up to "c" would have 2.15e+09 numbers; the limit is 4194304`},
}

// noisy returns a network in which c has the cause a. Strengths start at line 5, column 32, and
// parameters at line 6, column 13.
func noisy(strengths, parameters string) string {
	return node("noisymax", "<parents>a</parents><strengths>"+strengths+"</strengths>\n<parameters>"+parameters+"</parameters>")
}

// wide returns a network with a child c of 30 other nodes, on line 32.
func wide(kind, items string) string {
	s := "<smile id=\"n\"><nodes>\n"
	parents := ""
	for i := range 30 {
		s += fmt.Sprintf("<cpt id=\"v%d\"><state id=\"x\"/><state id=\"y\"/><probabilities>0.5 0.5</probabilities></cpt>\n", i)
		parents += fmt.Sprintf("v%d ", i)
	}
	return s + "<" + kind + " id=\"c\"><state id=\"x\"/><state id=\"y\"/><parents>" + parents + "</parents>" + items + "</" + kind + ">" + end
}

// manyNoisy returns a network of binary causes, on lines from the second on, and of noisy-max nodes
// c0, c1, ..., each of which has all causes.
func manyNoisy(causes, children int) string {
	var s strings.Builder
	s.WriteString("<smile id=\"n\"><nodes>\n")
	parents := ""
	for i := range causes {
		fmt.Fprintf(&s, "<cpt id=\"v%d\"><state id=\"x\"/><state id=\"y\"/><probabilities>0.5 0.5</probabilities></cpt>\n", i)
		parents += fmt.Sprintf("v%d ", i)
	}
	for i := range children {
		fmt.Fprintf(&s, "<noisymax id=\"c%d\"><state id=\"x\"/><state id=\"y\"/><parents>%s</parents><strengths>%s</strengths><parameters>%s0 1</parameters></noisymax>\n",
			i, parents, strings.Repeat("0 1 ", causes), strings.Repeat("0.5 0.5 0 1 ", causes))
	}
	return s.String() + end
}
