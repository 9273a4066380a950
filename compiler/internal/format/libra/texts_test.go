package libra_test

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/libra"
)

// Logarithms of small numbers.
const (
	ln2    = "0.6931471805599453"
	ln3    = "1.0986122886681098"
	lnHalf = "-0.6931471805599453"
	ln1of4 = "-1.3862943611198906"
	ln3of4 = "-0.2876820724517809"
	byHand = "by hand"
)

// texts holds the models that the tests and fuzz targets of each format start from.
var texts = map[string][]formattest.Model{
	"mn": {
		{
			// v2 sums to 1*1 + 2*2 + 2*1 = 7 if v1 is 0, and to 2*2 = 4 if it is 1; Z = 7 + 3*7 +
			// 3*4 = 40.
			Name: "lines, table and tree",
			Text: "2,2,3\nmn {\n" + ln3 + " +v0_1\n7 " + ln2 + " -v2_0\n" +
				"TABLE {\n0 +v0_0 +v1_0\n-inf +v0_0 +v1_1\n0 -v0_0 +v1_0\n0 +v0_1 -v1_0\n}\n" +
				"tree { (v2_1 " + ln2 + " (v1_0 0 -inf)) }\n}\n",
			Posteriors: []formattest.Posterior{
				{Var: "v0", State: "0", Want: 7. / 40, From: byHand},
				{Var: "v1", State: "1", Want: 12. / 40, From: byHand},
				{Var: "v2", State: "1", Want: 28. / 40, From: byHand},
			},
		},
		{
			// 1, 2, 1 and 2*3 for the states of v0 and v1.
			Name: "features",
			Text: "2,2\nMN {\nfeatures {\n" + ln3 + " +v0_1 +v1_1\n" + ln2 + " -v1_0\n}\nfeatures {\n}\n5\n}\n",
			Posteriors: []formattest.Posterior{
				{Var: "v0", State: "1", Want: 0.7, From: byHand},
				{Var: "v1", State: "1", Want: 0.8, From: byHand},
			},
		},
		{
			Name: "two lines for a state, and an open end",
			Text: "2\nMN {\ntable {\n" + lnHalf + " +v0_1\n0 +v0_0\n" + lnHalf + " +v0_1\n",
			Warnings: []string{
				`two lines for a state, and an open end:7:1: warning: the file ends before "}"; is it complete?`,
				"two lines for a state, and an open end:6:1: warning: second line for +v0_1; it is added to the first, at two lines for a state, and an open end:4:1",
			},
			Posteriors: []formattest.Posterior{{Var: "v0", State: "1", Want: 0.2, From: byHand + ": 1/4 to 1"}},
		},
		{Name: "the largest number", Text: "2\nMN {\ntable {\n709 +v0_0\n0 +v0_1\n}\n}\n"},
		{Name: "below the normal numbers", Text: "1\nMN {\ntable {\n-710 +v0_0\n}\n}\n"},
		{
			Name: "a variable of one state",
			Text: "1,2\nMN {\ntree {\n(v0_0\n  (v1_0 0 " + ln3 + ")\n  7)\n}\ntable {\n3 +v0_0\n}\n}\n",
			Posteriors: []formattest.Posterior{
				{Var: "v1", State: "1", Want: 0.75, From: byHand},
			},
		},
	},
	"bn": {
		{
			// P(v1=1 | v0) is 3/4 if v0 is 1 and 1/2 otherwise.
			Name: "logistic",
			Text: "2,2\nBN {\nv0 {\ntable {\n" + ln1of4 + " +v0_1\n" + ln3of4 + " +v0_0\n}\n}\nv1 {\n" + ln3 + " +v1_1 +v0_1\n}\n}\n",
			Posteriors: []formattest.Posterior{
				{Var: "v1", State: "1", Want: 0.5625, From: byHand},
				{Var: "v0", State: "1", Evidence: map[string]string{"v1": "1"}, Want: 1. / 3, From: byHand},
			},
		},
		{
			// P(v1 | v0=1) = 1/2, 1/4, 1/4 and P(v1 | v0=0) = 1/2, 0, 1/2.
			Name: "tree of three states",
			Text: "2,3\nBN {\nv1 {\ntree {\n(v0_1\n (v1_0 (v1_1 -5 (v1_0 " + lnHalf + " -6)) (v1_2 " + ln1of4 + " (v1_2 -7 " + ln1of4 + ")))\n (v1_1 -inf " + lnHalf + "))\n}\n}\n" +
				"v0 { tree { " + lnHalf + " } }\n}\n",
			Posteriors: []formattest.Posterior{
				{Var: "v1", State: "0", Want: 0.5, From: byHand},
				{Var: "v1", State: "1", Want: 0.125, From: byHand},
			},
		},
	},
	"dn": {
		{Name: "a leaf of more states than levels", Text: "6000\nDN { v0 { tree { -9 } } }"},
		{Name: "cycle", Text: "2,2\nDN {\nv0 {\n" + ln2 + " +v0_1 +v1_1\n}\nv1 {\n" + ln2 + " +v0_1 +v1_1\n}\n}\n"},
	},
	"xmod": {
		{
			Name: "types, tree and table",
			Text: `<?xml version="1.0"?>
<AnalysisNotebook>
 <Variables>
  <TypeVariables><Variable name="t" type="categorical"><State index="1" name="y"/><State index="0" name="n"/></Variable></TypeVariables>
  <Variable name="a" typeVariable="t"/>
  <Variable name="b &amp; c" type="categorical"><State index="0" name="0"/><State index="1" name="1"/><State index="2" name="&gt;2"/></Variable>
  <Variable name="d" typeVariable="t"/>
 </Variables>
 <Model name="small">
  <ModelProperties><GeneralProperties><Property name="x"><PropValue>1</PropValue></Property></GeneralProperties></ModelProperties>
  <LocalModels>
   <LocalModel variable="a"><Leaf><Multinomial><Probs>0.25 0.75</Probs><Counts>1 3</Counts></Multinomial></Leaf></LocalModel>
   <LocalModel variable="b &amp; c"><Inputs><Input variable="a"/></Inputs><Table>
    <TableEntry><InputStates>1</InputStates><Multinomial><Probs>0.2 0.3 0.5</Probs></Multinomial></TableEntry>
    <TableEntry><InputStates>0</InputStates><Multinomial><Probs>1 0 0</Probs></Multinomial></TableEntry></Table></LocalModel>
   <LocalModel variable="d"><Inputs><Input variable="b &amp; c"/><Input variable="a"/></Inputs><DecisionTree>
    <Vertex split="b &amp; c" id="1">
     <Branch><Values>0 1</Values><Vertex split="b &amp; c">
      <Branch><Values>1</Values><Leaf><Multinomial><Probs>0.5 0.5</Probs></Multinomial></Leaf></Branch>
      <Branch><Values>0</Values><Leaf><Multinomial><Probs>1 0</Probs></Multinomial></Leaf></Branch></Vertex></Branch>
     <Branch><Values>2</Values><Leaf><Multinomial><Probs>0 1</Probs></Multinomial></Leaf></Branch>
    </Vertex></DecisionTree></LocalModel>
  </LocalModels>
 </Model>
</AnalysisNotebook>
`,
			Posteriors: []formattest.Posterior{
				{Var: "b & c", State: ">2", Want: 0.375, From: byHand},
				{Var: "d", State: "y", Want: 0.375 + 0.5*0.225, From: byHand},
			},
		},
	},
	"ac": {
		{
			Name: "parameters",
			Text: "(2 2)\nv 0 0\nv 0 1\nn 0.3\nn 0.7\n* 0 2\n* 1 3\n+ 4 5\nv 1 0\nv 1 1\n+ 7 8\n* 6 9\nEOF\n\n2 0.3 +v0_0\n3 0.7 +v0_1\nEOF\n",
			Posteriors: []formattest.Posterior{
				{Var: "v0", State: "0", Want: 0.3, From: byHand},
				{Var: "v1", State: "0", Want: 0.5, From: byHand},
			},
		},
		{
			Name:       "ids",
			Text:       "(2)\n10 v 0 0\n20 v 0 1\n30 n 3.e-2\n31 n 1e2\n40 * 20 30 31\n50 + 10 40\nEOF\n",
			Posteriors: []formattest.Posterior{{Var: "v0", State: "1", Want: 0.75, From: byHand}},
		},
	},
}

var formats = map[string]format.Format{
	"mn": libra.MN, "bn": libra.BN, "dn": libra.DN, "xmod": libra.XMOD, "ac": libra.AC, "spn": libra.SPN,
}

func TestContract(t *testing.T) {
	for name, f := range formats {
		t.Run(name, func(t *testing.T) {
			cases := formattest.Cases{Models: texts[name]}
			for _, c := range broken[name] {
				cases.Errors = append(cases.Errors, formattest.Broken{Name: c.name, Text: c.text, Want: c.want})
			}
			formattest.Run(t, f, cases)
		})
	}
}

// broken holds texts that must be rejected, with all their messages.
var broken = map[string][]struct{ name, text, want string }{
	"mn": {
		{"empty", "",
			"empty:1:1: found end of file; want the number of states of a variable, or MN"},
		{"no states", "2,0\nMN {\n}\n",
			`no states:1:3: found "0"; want a number of states, from 1 to 65535`},
		{"too many states", "70000\nMN {\n}\n",
			`too many states:1:1: found "70000"; want a number of states, from 1 to 65535`},
		{"many variables", strings.Repeat("65535,", 9) + "\nMN {\n}\n",
			"many variables:1:25: the variables so far have more states than a file of this size may declare"},
		{"other", "2\nBN {\n}\n",
			`other:2:1: found "BN"; want MN in a .mn file; name the file .bn`},
		{"bracket", "2\nMN (\n",
			`bracket:2:4: found "("; want "{"`},
		{"text after", "2\nMN {\n}\n}\n",
			`text after:4:1: found "}"; want end of file`},
		{"no weight", "2\nMN {\n+v0_1\n}\n",
			`no weight:3:1: found "+v0_1"; want a logarithm, or "}"`},
		{"nan", "2\nMN {\nnan +v0_1\n}\n",
			`nan:3:1: found "nan"; want a logarithm, or "}"`},
		{"inf", "2\nMN {\ninf +v0_1\n}\n",
			`inf:3:1: found "inf"; want a logarithm, or "}"`},
		{"two weights", "2\nMN {\n0.5 1 +v0_1\n}\n",
			`two weights:3:5: found "1"; want a literal, as in +v0_1`},
		{"junk after literals", "2\nMN {\n1 +v0_1 x\n}\n",
			`junk after literals:3:9: found "x"; want a literal, as in +v0_1`},
		{"variable", "2\nMN {\n1 +v1_0\n}\n",
			`variable:3:3: found "+v1_0"; want a literal, as in +v0_1, of v0 to v0 and a state of it`},
		{"state", "2\nMN {\n1 +v0_2\n}\n",
			`state:3:3: found "+v0_2"; want a literal, as in +v0_1, of v0 to v0 and a state of it`},
		{"unsigned", "2\nMN {\n1 v0_1\n}\n",
			`unsigned:3:3: found "v0_1"; want a literal, as in +v0_1`},
		{"signed state", "2\nMN {\n1 +v0_+1\n}\n",
			`signed state:3:3: found "+v0_+1"; want a literal, as in +v0_1, of v0 to v0 and a state of it`},
		{"huge", "2\nMN {\n800 +v0_1\n}\n",
			`huge:3:1: potential over "v0" has positive weights that sum to 800; want at most 700, so that its values are finite`},
		{"huge in a table", "2\nMN {\ntable {\n800 +v0_1\n0 +v0_0\n}\n}\n",
			"huge in a table:4:1: 800 is too large for a logarithm; want at most 709, so that its exponential is a number"},
		{"huge in a tree", "2\nMN {\ntree {\n800\n}\n}\n",
			`huge in a tree:4:1: found "800"; want a logarithm of at most 709, so that its exponential is a number`},
		{"missing line", "2,2\nMN {\ntable {\n1 +v0_1 +v1_1\n1 +v0_0 +v1_0\n}\n}\n",
			"missing line:3:1: the table has no line for +v0_0 +v1_1; want one for each joint state, -inf if it is impossible"},
		{"large table", strings.Repeat("1000,", 30) + "\nMN {\ntable {\n1" + literals(30) + "\n}\n}\n",
			"large table:3:1: the table has e^207.2 joint states; the limit is 67108864"},
		{"table of millions", "1000,1000\nMN {\ntable {\n1 +v0_0 +v1_0\n}\n}\n",
			"table of millions:3:1: the table has no line for +v0_0 +v1_1; want one for each joint state, -inf if it is impossible"},
		{"open state", "3\nMN {\ntable {\n1 +v0_0\n1 -v0_0\n}\n}\n",
			"open state:5:1: line of a table with -v0_0, which leaves open which state; want one of 3"},
		{"part of a state", "2,2\nMN {\ntable {\n1 +v0_0 +v1_0\n1 +v0_0\n}\n}\n",
			"part of a state:5:1: line of a table without v1; want a state of each variable, or a features block"},
		{"more than the first line", "2,2\nMN {\ntable {\n1 +v0_0\n1 +v0_1 +v1_0\n}\n}\n",
			"more than the first line:5:1: line of a table that names v1 twice, or names it where the first line does not; want each variable once"},
		{"tree without test", "2\nMN {\ntree {\n(1 2 3)\n}\n}\n",
			`tree without test:4:2: found "1"; want a test, as in v0_1, of v0 to v0 and a state of it`},
		{"tree with one branch", "2\nMN {\ntree {\n(v0_0 1)\n}\n}\n",
			`tree with one branch:4:8: found ")"; want a logarithm, or "("`},
		{"tree with three branches", "2\nMN {\ntree {\n(v0_0 1 2 3)\n}\n}\n",
			`tree with three branches:4:11: found "3"; want ")"`},
		{"two trees", "2\nMN {\ntree {\n1 2\n}\n}\n",
			`two trees:4:3: found "2"; want "}"`},
		{"wide tree", "60000\nMN {\ntree {\n" + strings.Repeat("(v0_0 1 ", 80) + "1" + strings.Repeat(")", 80) + "\n}\n}\n",
			"wide tree:4:593: the trees so far have more numbers than a file of this size may declare"},
	},
	"bn": {
		{"no variable", "2\nBN {\nx {\n}\n}\n",
			`no variable:3:1: found "x"; want a variable, v0 to v0`},
		{"no CPD", "2,2\nBN {\nv0 {\n0 +v0_1\n}\n}\n",
			`no CPD:1:3: variable "v1" has no probability block`},
		{"two CPDs", "2\nBN {\nv0 {\n0 +v0_1\n}\nv0 {\n0 +v0_1\n}\n}\n",
			`two CPDs:6:1: variable "v0" has a second probability block; the first is at two CPDs:3:1`},
		{"empty CPD", "2\nBN {\nv0 {\n}\n}\n",
			"empty CPD:3:1: the CPD of v0 has 0 tables, trees and lists of features; want one"},
		{"two blocks", "2\nBN {\nv0 {\n0 +v0_1\ntree { 0 }\n}\n}\n",
			"two blocks:3:1: the CPD of v0 has 2 tables, trees and lists of features; want one"},
		{"cycle", "2,2\nBN {\nv0 {\n0 +v0_1 +v1_0\n}\nv1 {\n0 +v1_1 +v0_1\n}\n}\n",
			"cycle:6:1: the parents form a cycle: v1 -> v0 -> v1"},
		{"child on top", "2,2\nBN {\nv0 {\ntree { (v0_1 (v1_0 0 0) 0) }\n}\nv1 {\n0 +v1_1\n}\n}\n",
			"child on top:4:8: the test of the child v0 is above tests of other variables; want it below them, or a features block"},
		{"table without child", "2,2\nBN {\nv0 {\ntable {\n0 +v1_0\n0 +v1_1\n}\n}\nv1 {\n0 +v1_1\n}\n}\n",
			"table without child:5:1: line of a table without v0; want a state of each variable, or a features block"},
	},
	"dn": {
		{"Bayesian", "2\nBN {\n}\n",
			`Bayesian:2:1: found "BN"; want DN in a .dn file; name the file .bn`},
	},
	"ac": {
		{"empty", "",
			`empty:1:1: found end of file; want "("`},
		{"no nodes", "(2)\nEOF\n",
			"no nodes:3:1: found end of file; want a node: n, v, * or +"},
		{"no bracket", "2\n",
			`no bracket:1:1: found "2"; want "("`},
		{"open bracket", "(2 2\nn 1\n",
			`open bracket:2:1: found "n"; want a number of states, from 1 to 65535`},
		{"kind", "(2)\nx 1\nEOF\n",
			`kind:2:1: found "x"; want a node: n, v, * or +`},
		{"negative", "(2)\nn -1\nEOF\n",
			`negative:2:3: found "-1"; want a number of at least 0`},
		{"no number", "(2)\nn\nn 1\nEOF\n",
			`no number:3:1: found "n"; want a number of at least 0`},
		{"infinite", "(2)\nn inf\nEOF\n",
			`infinite:2:3: found "inf"; want a number of at least 0`},
		{"variable", "(2)\nv 1 0\nEOF\n",
			`variable:2:3: found "1"; want the number of a variable, 0 to 0`},
		{"state", "(2)\nv 0 2\nEOF\n",
			`state:2:5: found "2"; want a state of variable 0, 0 to 1`},
		{"later node", "(2)\n+ 1\nn 1\nEOF\n",
			`later node:2:3: found "1"; want a node that was given before`},
		{"same id", "(2)\n5 n 1\n5 n 1\nEOF\n",
			"same id:3:1: second node with the id 5; want each once"},
		{"own id", "(2)\n5 + 5\nEOF\n",
			`own id:2:5: found "5"; want a node that was given before`},
		{"own place", "(2)\n+ 0\nEOF\n",
			`own place:2:3: found "0"; want a node that was given before`},
		{"long line", "(2)\nn 1 2\nEOF\n",
			`long line:2:5: found "2"; want the end of the line`},
		{"parameter", "(2)\nn 1\nEOF\n7 1 +v0_0\nEOF\n",
			`parameter:4:1: found "7"; want a node that was given before`},
		{"feature", "(2)\nn 1\nEOF\n0 1 +v9_0\nEOF\n",
			`feature:4:5: found "+v9_0"; want a literal, as in +v0_1, of v0 to v0 and a state of it`},
		{"text after", "(2)\nn 1\nEOF\n0 1\nEOF\nn 1\n",
			`text after:6:1: found "n"; want end of file`},
	},
	"xmod": {
		{"empty", "",
			"empty:1:1: found end of file; want an element"},
		{"root", "<a/>",
			"root:1:1: found <a>; want <AnalysisNotebook>"},
		{"no model", "<AnalysisNotebook/>",
			"no model:1:1: found no <Model>; want one"},
		{"type", "<AnalysisNotebook><Variables><Variable name='a' typeVariable='t'/></Variables></AnalysisNotebook>",
			`type:1:30: variable "a" is of the type "t"; want one of <TypeVariables>`},
		{"index", "<AnalysisNotebook><Variables><Variable name='a'><State index='1' name='x'/></Variable></Variables></AnalysisNotebook>",
			"index:1:30: the indices of the states are not 0 to 0, each once"},
		{"unknown variable", xmodOf("<LocalModel variable='z'/>"),
			`unknown variable:4:1: <LocalModel> names "z"; want one of the variables`},
		{"no distribution", xmodOf("<LocalModel variable='a'/>"),
			`no distribution:4:1: <LocalModel> of "a" has no distribution; want <DecisionTree> or <Table>`},
		{"probabilities", xmodOf("<LocalModel variable='a'><Leaf><Multinomial><Probs>1</Probs></Multinomial></Leaf></LocalModel>"),
			`probabilities:4:53: found 1 probabilities; want 2, one for each state of "a"`},
		{"negative", xmodOf("<LocalModel variable='a'><Leaf><Multinomial><Probs>-1 2</Probs></Multinomial></Leaf></LocalModel>"),
			`negative:4:52: found "-1" after 0 probabilities; want 2 numbers of at least 0`},
		{"no input", xmodOf("<LocalModel variable='a'><Vertex split='b'/></LocalModel>"),
			`no input:4:26: the tree of "a" splits by "b"; want one of its inputs`},
		{"input", xmodOf("<LocalModel variable='a'><Inputs><Input variable='a'/></Inputs></LocalModel>"),
			`input:4:34: input "a" is the variable itself or occurs twice`},
		{"no branch", xmodOf("<LocalModel variable='a'><Inputs><Input variable='b'/></Inputs><Vertex split='b'/></LocalModel>"),
			"no branch:4:64: <Vertex> has no <Branch>; want some"},
		{"branch twice", xmodOf("<LocalModel variable='a'><Inputs><Input variable='b'/></Inputs><Vertex split='b'>" + xmodBranch("0") + xmodBranch("0") + "</Vertex></LocalModel>"),
			"branch twice:6:17: state 0 is in two branches; want one"},
		{"branch missing", xmodOf("<LocalModel variable='a'><Inputs><Input variable='b'/></Inputs><Vertex split='b'>" + xmodBranch("0") + "</Vertex></LocalModel>"),
			`branch missing:4:64: no branch for state 1 of "b"; want each state in a branch`},
		{"empty branch", xmodOf("<LocalModel variable='a'><Inputs><Input variable='b'/></Inputs><Vertex split='b'>" + xmodBranch("0 1") + xmodBranch("") + "</Vertex></LocalModel>"),
			"empty branch:6:26: no state leads here; want <Values> before it"},
		{"values last", xmodOf("<LocalModel variable='a'><Inputs><Input variable='b'/></Inputs><Vertex split='b'><Branch><Leaf>" + xmodProbs + "</Leaf><Values>0</Values></Branch></Vertex></LocalModel>"),
			"values last:4:148: found <Values> after what the <Branch> leads to; want nothing more"},
		{"unknown state", xmodOf("<LocalModel variable='a'><Inputs><Input variable='b'/></Inputs><Vertex split='b'>" + xmodBranch("2") + "</Vertex></LocalModel>"),
			`unknown state:5:17: found "2"; want the index of a state of "b", 0 to 1`},
		{"two roots", xmodOf("<LocalModel variable='a'><DecisionTree><Leaf>" + xmodProbs + "</Leaf><Leaf/></DecisionTree></LocalModel>"),
			"two roots:4:98: found <Leaf> besides the root of the tree; want one root"},
		{"two distributions", xmodOf("<LocalModel variable='a'><Leaf>" + xmodProbs + "</Leaf><Leaf/></LocalModel>"),
			`two distributions:4:84: found <Leaf> after the distribution of "a"; want nothing more`},
		{"no root", xmodOf("<LocalModel variable='a'><DecisionTree/></LocalModel>"),
			"no root:4:26: <DecisionTree> is empty; want a <Vertex> or a <Leaf>"},
		{"empty leaf", xmodOf("<LocalModel variable='a'><Leaf/></LocalModel>"),
			"empty leaf:4:26: <Leaf> has no <Multinomial>; want one"},
		{"index of a state", "<AnalysisNotebook><Variables><Variable name='a'><State index='x' name='x'/></Variable></Variables><Model/></AnalysisNotebook>",
			`index of a state:1:49: state "x" has the index "x"; want a number`},
		{"two models", "<AnalysisNotebook><Model/><Model/></AnalysisNotebook>",
			"two models:1:27: found a second <Model>; want one"},
		{"no name", "<AnalysisNotebook><Variables><Variable/></Variables><Model/></AnalysisNotebook>",
			"no name:1:30: <Variable> has no name; want one"},
		{"short table", xmodOf("<LocalModel variable='a'><Inputs><Input variable='b'/></Inputs><Table>" + xmodEntry("0") + "</Table></LocalModel>"),
			"short table:4:64: the table has 1 entries; want 2, one for each joint state of the inputs"},
		{"double entry", xmodOf("<LocalModel variable='a'><Inputs><Input variable='b'/></Inputs><Table>" + xmodEntry("0") + xmodEntry("0") + "</Table></LocalModel>"),
			"double entry:6:1: second entry for the same states of the inputs; want one"},
		{"input states", xmodOf("<LocalModel variable='a'><Table>" + xmodEntry("0") + "</Table></LocalModel>"),
			"input states:5:26: found more states than inputs; want 0"},
	},
}

// literals returns ` +v0_0 +v1_0` and so on, for n variables.
func literals(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(" +v")
		b.WriteString(string([]byte{byte('0' + i/10), byte('0' + i%10)}))
		b.WriteString("_0")
	}
	return b.String()
}

// xmodOf returns a file of two variables, a and b, with the given local models.
func xmodOf(models string) string {
	states := "<State index='0' name='n'/><State index='1' name='y'/></Variable>"
	return "<AnalysisNotebook>\n<Variables><Variable name='a'>" + states + "<Variable name='b'>" + states + "</Variables>\n" +
		"<Model><LocalModels>\n" + models + "</LocalModels></Model></AnalysisNotebook>"
}

func xmodBranch(values string) string {
	return "\n<Branch><Values>" + values + "</Values><Leaf>" + xmodProbs + "</Leaf></Branch>"
}

const xmodProbs = "<Multinomial><Probs>1 0</Probs></Multinomial>"

func xmodEntry(states string) string {
	return "\n<TableEntry><InputStates>" + states + "</InputStates>" + xmodProbs + "</TableEntry>"
}
