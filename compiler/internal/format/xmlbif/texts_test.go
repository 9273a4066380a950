package xmlbif_test

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
)

// ab declares two variables on lines 2 and 3; what follows starts on line 4.
const ab = "<BIF VERSION=\"0.3\"><NETWORK><NAME>n</NAME>\n" +
	"<VARIABLE TYPE=\"nature\"><NAME>a</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>\n" +
	"<VARIABLE TYPE=\"nature\"><NAME>b</NAME><OUTCOME>p</OUTCOME><OUTCOME>q</OUTCOME><OUTCOME>r</OUTCOME></VARIABLE>\n"

const (
	rootA = "<DEFINITION><FOR>a</FOR><TABLE>0.2 0.8</TABLE></DEFINITION>\n"
	rootB = "<DEFINITION><FOR>b</FOR><TABLE>1 0 0</TABLE></DEFINITION>\n"
	end   = "</NETWORK></BIF>"
)

// ofB returns a network in which b has the parent a; its items start at line 5, column 13.
func ofB(items string) string { return ab + rootA + "<DEFINITION>" + items + "</DEFINITION>\n" + end }

// table returns a network in which b has the parent a. Its numbers start at line 5, column 47.
func table(numbers string) string {
	return ofB("<FOR>b</FOR><GIVEN>a</GIVEN><TABLE>" + numbers + "</TABLE>")
}

// oneUtility returns a network with a decision d and a utility of it.
func oneUtility(numbers string) string {
	return "<BIF VERSION=\"0.3\"><NETWORK><NAME>n</NAME>\n" +
		"<VARIABLE TYPE=\"decision\"><NAME>d</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>\n" +
		"<VARIABLE TYPE=\"utility\"><NAME>u</NAME></VARIABLE>\n" +
		"\n<DEFINITION><FOR>u</FOR><GIVEN>d</GIVEN><TABLE>" + numbers + "</TABLE></DEFINITION>\n" + end
}

// three declares c with the parents a and b.
const three = ab + rootA + "<DEFINITION><FOR>b</FOR><TABLE>0.5 0.25 0.25</TABLE></DEFINITION>\n" +
	"<VARIABLE><NAME>c</NAME><OUTCOME>0</OUTCOME><OUTCOME>1</OUTCOME></VARIABLE>\n"

// fastNetwork has variables without outcomes, as aGrUM describes them in one word.
const fastNetwork = "<BIF><NETWORK>\n" +
	"<VARIABLE><NAME>A</NAME><PROPERTY> fast = A[2,5] </PROPERTY></VARIABLE><VARIABLE><NAME>B</NAME><PROPERTY>fast = B[1,1.5,2]</PROPERTY></VARIABLE>" +
	"<VARIABLE><NAME>C</NAME><PROPERTY>fast = C{yes|no}</PROPERTY></VARIABLE><VARIABLE><NAME>D</NAME><PROPERTY>fast = D[3]</PROPERTY></VARIABLE>" +
	"<VARIABLE><NAME>E</NAME><PROPERTY>fast=E</PROPERTY></VARIABLE><DEFINITION><FOR>A</FOR><TABLE>.5 .25 .125 .125</TABLE></DEFINITION>" +
	"<DEFINITION><FOR>B</FOR><GIVEN>C</GIVEN><TABLE>.5 .5 .25 .75</TABLE></DEFINITION><DEFINITION><FOR>C</FOR><TABLE>.5 .5</TABLE></DEFINITION>" +
	"<DEFINITION><FOR>D</FOR><TABLE>.25 .25 .5</TABLE></DEFINITION><DEFINITION><FOR>E</FOR><TABLE>.125 .875</TABLE></DEFINITION></NETWORK></BIF>"

// texts holds small models in different dialects.
var texts = []formattest.Model{
	{Name: "fast", Text: fastNetwork, Posteriors: []formattest.Posterior{
		{Var: "A", State: "3", Want: 0.25, From: "the text"},
		{Var: "B", State: "1.5..", Evidence: map[string]string{"C": "no"}, Want: 0.75, From: "the text"},
		{Var: "D", State: "2", Want: 0.5, From: "the text"},
		{Var: "E", State: "1", Want: 0.875, From: "the text"},
	}},
	{Name: "no variables", Text: "<BIF VERSION=\"0.3\"><NETWORK><NAME>n</NAME></NETWORK></BIF>"},
	{Name: "no name", Text: "<BIF><NETWORK/></BIF>"},
	{Name: "table", Text: table("0.5 0.25 0.25 0.1 0.2 0.7"),
		Posteriors: []formattest.Posterior{
			{Var: "b", State: "q", Evidence: map[string]string{"a": "y"}, Want: 0.2, From: "the text"},
			{Var: "b", State: "r", Want: 0.61, From: "0.2*0.25 + 0.8*0.7"},
		}},
	{Name: "first given slowest", Text: three + "<DEFINITION><FOR>c</FOR><GIVEN>a</GIVEN><GIVEN>b</GIVEN><TABLE>" +
		"0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4</TABLE></DEFINITION>" + end,
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "0", Evidence: map[string]string{"a": "x", "b": "q"}, Want: 0.2, From: "the text"},
			{Var: "c", State: "0", Evidence: map[string]string{"a": "y", "b": "p"}, Want: 0.4, From: "the text"},
		}},
	{Name: "order of appearance", Text: three + "<DEFINITION><GIVEN>b</GIVEN><FOR>c</FOR><GIVEN>a</GIVEN><TABLE>" +
		"0.1 0.9 0.2 0.8 0.3 0.7 0.4 0.6 0.5 0.5 0.6 0.4</TABLE></DEFINITION>" + end,
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "0", Evidence: map[string]string{"a": "y", "b": "p"}, Want: 0.2, From: "the text"},
			{Var: "c", State: "0", Evidence: map[string]string{"a": "x", "b": "q"}, Want: 0.3, From: "the text"},
		}},
	{Name: "definitions first", Text: "<BIF><NETWORK><DEFINITION><TABLE>1 0</TABLE><FOR>a</FOR></DEFINITION>" +
		"<VARIABLE><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME><NAME>a</NAME></VARIABLE><NAME>late</NAME></NETWORK></BIF>"},
	// The style of JavaBayes: the document type in the file, tables in lines with comments.
	{Name: "document type", Text: "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>\n<!--\n\tBayesian network in XMLBIF v0.3\n-->\n" +
		"<!-- DTD for the XMLBIF 0.3 format -->\n<!DOCTYPE BIF [\n\t<!ELEMENT BIF ( NETWORK )*>\n\t      <!ATTLIST BIF VERSION CDATA #REQUIRED>\n" +
		"\t<!ELEMENT VARIABLE ( NAME, ( OUTCOME |  PROPERTY )* ) >\n\t      <!ATTLIST VARIABLE TYPE (nature|decision|utility) \"nature\">\n]>\n" +
		table("\n<!-- x --> 5e-1 .25 +0.25\n<!-- y -->0.1\t0.2\r\n0.7 <!-- p q r -->"),
		Posteriors: []formattest.Posterior{{Var: "b", State: "r", Want: 0.61, From: "0.2*0.25 + 0.8*0.7"}}},
	{Name: "small letters", Text: "<bif version=\"0.3\"><network><Name>n</Name><variable type=\"Nature\"><name>a</name><outcome>x</outcome></variable>" +
		"<definition><for>a</for><table>1</table></definition></network></bif>"},
	{Name: "names", Text: "<BIF><NETWORK><NAME> a &amp; b </NAME><VARIABLE><NAME>\n  light on\n</NAME><OUTCOME>&lt;5</OUTCOME>" +
		"<OUTCOME><!-- none --></OUTCOME><OUTCOME>x<!-- -->&#10;y</OUTCOME></VARIABLE>" +
		"<DEFINITION><FOR>light on</FOR><TABLE>0.5 <![CDATA[0.25]]>&#13;0.25</TABLE></DEFINITION></NETWORK></BIF>",
		Posteriors: []formattest.Posterior{
			{Var: "light on", State: "<5", Want: 0.5, From: "the text"},
			{Var: "light on", State: "x\ny", Want: 0.25, From: "the text"},
		}},
	{Name: "Latin-1", Text: "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<BIF><NETWORK><VARIABLE><NAME>caf\xe9</NAME><OUTCOME>tr\xe8s</OUTCOME></VARIABLE>" +
		"<DEFINITION><FOR>caf\xe9</FOR><TABLE>1</TABLE></DEFINITION></NETWORK></BIF>",
		Posteriors: []formattest.Posterior{{Var: "café", State: "très", Want: 1, From: "the text"}}},
	{Name: "properties", Text: strings.Replace(table("1 0 0 1 0 0"), "<FOR>", "<PROPERTY>latent = true</PROPERTY><PROPERTY/><FOR>", 1)},
	{Name: "latent", Text: "<BIF><NETWORK><PROPERTY>latent = true</PROPERTY><VARIABLE><NAME>h</NAME><OUTCOME>0</OUTCOME><PROPERTY>fast = h[0,0]</PROPERTY>" +
		"<PROPERTY>latent=true</PROPERTY></VARIABLE><DEFINITION><FOR>h</FOR><TABLE>1</TABLE></DEFINITION></NETWORK></BIF>"},
	{Name: "version", Text: "<?xml version=\"1.0\"?>\n<BIF VERSION=\"0.4\"><NETWORK/></BIF>",
		Warnings: []string{`version:2:1: warning: XMLBIF version "0.4"; it is read as 0.3`}},
}

// broken holds texts that must be rejected.
var broken = []formattest.Broken{
	{Name: "fast", Text: strings.ReplaceAll(fastNetwork, "A[2,5]", "A[5,2]"),
		Want: `fast:2:36: found the variable "A[5,2]"; want states as in A[2,5], A[1,1.5,2] or A{yes|no}`},
	{Name: "empty", Text: "", Want: "empty:1:1: found end of file; want an element"},
	{Name: "not closed", Text: ab, Want: "not closed:4:1: XML: unexpected EOF"},
	{Name: "not XML", Text: "network n {}", Want: "not XML:1:1: found the text \"network n {}\"; want an element\nnot XML:1:13: found end of file; want an element"},
	{Name: "other root", Text: "<smile><nodes/></smile>", Want: `other root:1:1: found the element "smile"; want BIF`},
	{Name: "no network", Text: "<BIF></BIF>", Want: "no network:1:1: found no NETWORK; want one"},
	{Name: "two networks", Text: "<BIF><NETWORK/>\n<NETWORK/></BIF>", Want: "two networks:2:1: found a second NETWORK; want one"},
	{Name: "variable outside", Text: "<BIF><VARIABLE/></BIF>", Want: `variable outside:1:6: found the element "VARIABLE"; want NETWORK`},
	{Name: "two names", Text: "<BIF><NETWORK><NAME>a</NAME><NAME>b</NAME></NETWORK></BIF>", Want: "two names:1:29: found a second NAME of the network; want one"},
	{Name: "unknown element", Text: ab + "<EVIDENCE/>" + end, Want: `unknown element:4:1: found the element "EVIDENCE"; want NAME, PROPERTY, VARIABLE or DEFINITION`},
	{Name: "in a variable", Text: ab + "<VARIABLE><NAME>c</NAME><VALUE>x</VALUE></VARIABLE>" + end,
		Want: "in a variable:4:25: found the element \"VALUE\"; want NAME, OUTCOME or PROPERTY\nin a variable:4:17: variable \"c\" has no OUTCOME; want at least one"},
	{Name: "in a definition", Text: ofB("<FOR>b</FOR><TABLE>1 0 0</TABLE><NOTE/>"), Want: `in a definition:5:45: found the element "NOTE"; want FOR, GIVEN, TABLE or PROPERTY`},
	{Name: "in a table", Text: table("1 0 0 <b>1</b> 0 0"), Want: "in a table:5:54: found the element <b> in <TABLE>; want text"},
	{Name: "text between", Text: ab + "a" + end, Want: `text between:4:1: found the text "a"; want an element`},
	{Name: "type", Text: ab + "<VARIABLE TYPE=\"choice\"><NAME>d</NAME><OUTCOME>x</OUTCOME></VARIABLE>" + end,
		Want: "type:4:1: variable \"d\" has the type \"choice\"; want \"nature\", \"decision\" or \"utility\""},
	{Name: "utility", Text: oneUtility("1 2 3"), Want: "utility:5:1: found 3 numbers of the utility \"u\"; want 2, one for each joint state of its parents"},
	{Name: "utility of none", Text: oneUtility("1 2</TABLE><GIVEN>w</GIVEN><TABLE>"), Want: "utility of none:5:75: found a second TABLE; want one"},
	{Name: "nameless", Text: ab + "<VARIABLE><OUTCOME>x</OUTCOME></VARIABLE>" + end, Want: "nameless:4:1: found a VARIABLE with 0 NAMEs; want one"},
	{Name: "two NAMEs", Text: ab + "<VARIABLE><NAME>c</NAME><NAME>d</NAME></VARIABLE>" + end, Want: "two NAMEs:4:1: found a VARIABLE with 2 NAMEs; want one"},
	{Name: "same states", Text: "<BIF><NETWORK><VARIABLE><NAME> a</NAME><OUTCOME>x</OUTCOME><OUTCOME> x</OUTCOME></VARIABLE></NETWORK></BIF>",
		Want: `same states:1:32: variable "a" has two states called "x"`},
	{Name: "same variables", Text: ab + "<VARIABLE><NAME>a</NAME><OUTCOME>x</OUTCOME></VARIABLE>" + rootA + end,
		Want: `same variables:4:17: variable "a" is declared twice; first at same variables:2:31`},
	{Name: "no definition", Text: ab + rootA + end, Want: `no definition:3:31: variable "b" has no probability block`},
	{Name: "two definitions", Text: table("1 0 0 1 0 0")[:len(table("1 0 0 1 0 0"))-len(end)] + rootB + end,
		Want: `two definitions:6:1: variable "b" has a second probability block; the first is at two definitions:5:1`},
	{Name: "cycle", Text: ab + "<DEFINITION><FOR>a</FOR><GIVEN>b</GIVEN><TABLE>1 0 1 0 1 0</TABLE></DEFINITION>\n" +
		"<DEFINITION><FOR>b</FOR><GIVEN>a</GIVEN><TABLE>1 0 0 1 0 0</TABLE></DEFINITION>" + end, Want: "cycle:5:1: the parents form a cycle: b -> a -> b"},
	{Name: "no FOR", Text: ofB("<TABLE>1</TABLE>"), Want: "no FOR:5:1: found a DEFINITION without FOR; want the variable that it is for"},
	{Name: "two FOR", Text: ofB("<FOR>b</FOR><FOR>a</FOR><TABLE>1</TABLE>"), Want: `two FOR:5:30: found a second FOR, "a"; want a definition for one variable`},
	{Name: "no TABLE", Text: ofB("<FOR>b</FOR>"), Want: `no TABLE:5:1: CPD of "b" has no TABLE; want one`},
	{Name: "two TABLE", Text: ofB("<FOR>b</FOR><TABLE>1 0 0</TABLE><TABLE/>"), Want: "two TABLE:5:45: found a second TABLE; want one"},
	{Name: "unknown FOR", Text: ofB("<FOR>c</FOR><TABLE>1 0 0</TABLE>"), Want: `unknown FOR:5:18: found "c"; want a variable that is declared`},
	{Name: "unknown GIVEN", Text: ofB("<FOR>b</FOR><GIVEN> c d</GIVEN><TABLE>1 0 0</TABLE>"), Want: `unknown GIVEN:5:33: found "c d"; want a variable that is declared`},
	{Name: "same GIVEN", Text: ofB("<FOR>b</FOR><GIVEN>a</GIVEN><GIVEN>a</GIVEN><TABLE>1 0 0</TABLE>"), Want: `same GIVEN:5:48: found "a"; want each variable once`},
	{Name: "own parent", Text: ofB("<FOR>b</FOR><GIVEN>b</GIVEN><TABLE>1 0 0</TABLE>"), Want: `own parent:5:18: found "b"; want each variable once`},
	{Name: "few numbers", Text: table("1 0 0 1 0"), Want: `few numbers:5:57: found 5 numbers; want 6, one for each joint state of the parents and "b"`},
	{Name: "no numbers", Text: table(""), Want: `no numbers:5:48: found 0 numbers; want 6, one for each joint state of the parents and "b"`},
	{Name: "many numbers", Text: table("1 0 0 1 0 0\n1 0 0"), Want: `many numbers:6:1: found 9 numbers; want 6, one for each joint state of the parents and "b"`},
	{Name: "no number", Text: table("1 0 0\n<!-- é --> 1,0 0"), Want: `no number:6:13: found "1,0"; want a number`},
	{Name: "in Latin-1", Text: "<?xml version='1.0' encoding='latin1'?>" + table("1 0 0 <!-- \xe9\xe8 --> 1 nun 0"), Want: `in Latin-1:5:68: found "nun"; want a number`},
	{Name: "negative", Text: table("1 0 0\n1.5 -0.5 0"), Want: `negative:6:1: CPD of "b" holds -0.5; want a number of at least 0`},
	{Name: "out of range", Text: table("1e999 0 0 1 0 0"), Want: `out of range:5:48: found "1e999"; want a number that a float64 can hold`},
	{Name: "entity", Text: "<!DOCTYPE BIF [<!ENTITY a \"1 0 0\">]>" + table("&a; &a;"), Want: "entity:5:51: XML: invalid character entity &a;"},
	{Name: "cut in a variable", Text: ab + "<VARIABLE>", Want: "cut in a variable:4:11: XML: unexpected EOF"},
	{Name: "cut in a definition", Text: ab + "<DEFINITION><GIVEN>a", Want: "cut in a definition:4:21: XML: unexpected EOF"},
	{Name: "wide", Text: wide(), Want: `wide:13:1: CPD of "v0" would have 1e+11 numbers; the limit is 67108864`},
}

// wide returns a text that declares a table of 10^11 numbers.
func wide() string {
	s := "<BIF><NETWORK>\n"
	given := ""
	for i := range 11 {
		s += fmt.Sprintf("<VARIABLE><NAME>v%d</NAME>", i)
		for j := range 10 {
			s += fmt.Sprintf("<OUTCOME>%d</OUTCOME>", j)
		}
		s += "</VARIABLE>\n"
		if i > 0 {
			given += fmt.Sprintf("<GIVEN>v%d</GIVEN>", i)
		}
	}
	return s + "<DEFINITION><FOR>v0</FOR>" + given + "<TABLE>1</TABLE></DEFINITION></NETWORK></BIF>"
}
