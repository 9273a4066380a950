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

	time = `<Variable name="t" type="numeric" role="chance"/>`

	// therapy has a decision that is taken once, by a symptom of slice 0, and another one in each
	// slice. Its cycles are half a year, of which three count: age is 10, 16, 22 and 28 months.
	therapy = timed(`<Variable name="age [0]" type="numeric" role="chance"/><Variable name="age [1]" type="numeric" role="chance"/>
`+declared("x [0]", "chance", "n", "y")+declared("x [1]", "chance", "n", "y")+declared("d", "decision", "no", "yes")+declared("a [0]", "decision", "no", "yes")+
		valued("once", "---", "")+valued("cost", "money", "0")+valued("part", "money", "0")+valued("whole", "money", "0"),
		link("x [0]", "d")+link("d", "a [0]")+link("x [0]", "a [0]")+link("age [0]", "a [0]"),
		potential("Delta", "<NumericValue>10</NumericValue>", "age [0]")+potential("CycleLengthShift", "", "age [1]", "age [0]")+
			potential("Table", "<Values>0.5 0.5</Values>", "x [0]")+potential("Table", "<Values>0.75 0.25 0.5 0.5 0 1 1 0</Values>", "x [1]", "x [0]", "a [0]")+
			potential("Table", "<Values>5 3</Values>", "once", "d")+potential("Function", "<Function>{age [0]}^2/100 + d*2</Function>", "part [0]", "age [0]", "d")+
			potential("Table", "<Values>1 4 2 8</Values>", "cost [0]", "x [0]", "a [0]")+potential("Sum", "", "whole [0]", "cost [0]", "part [0]"))
)

// risky has two states with hazards, by the number of the slice and by a time that starts anew, and
// numbers of each kind.
var risky = strings.Replace(timed(strings.ReplaceAll(`<Variable name="t [0]" type="numeric" role="chance"/><Variable name="t [1]" type="numeric" role="chance"/>
<Variable name="since" type="numeric" role="chance"/><Variable name="sum [0]" type="numeric" role="chance"/><Variable name="log [0]" type="numeric" role="chance"/><Variable name="all [0]" type="numeric" role="chance"/>
`, "\n", "")+declared("dose", "chance", "0.5", "2")+declared("x [0]", "chance", "n", "y")+declared("w [1]", "chance", "n", "y")+declared("e [1]", "chance", "n", "y"), "",
	potential("Delta", "<NumericValue>3</NumericValue>", "since")+potential("Linear combination", "<Coefficients>-1 0.5</Coefficients><Covariates><Covariate>Constant</Covariate><Covariate>since</Covariate></Covariates>", "t [0]", "since")+
		potential("Tree/ADD", `<TopVariable name="x [0]"/><Branches><Branch><States><State name="n"/></States>`+potential("CycleLengthShift", "", "t [1]", "t [0]")+`</Branch>
<Branch><States><State name="y"/></States>`+potential("Delta", "<NumericValue>0.5</NumericValue>", "t [1]")+"</Branch></Branches>", "t [1]", "x [0]", "t [0]")+
		potential("Table", "<Values>0.25 0.75</Values>", "dose")+potential("Table", "<Values>0.5 0.5</Values>", "x [0]")+
		potential("Sum", "", "sum [0]", "t [0]", "since")+potential("Exponential", "<Coefficients>0.5 1</Coefficients><Covariates><Covariate>log({t [0]})</Covariate><Covariate>Constant</Covariate></Covariates>", "log [0]", "t [0]")+
		potential("Product", "", "all [0]", "sum [0]", "dose")+
		potential("Hazard (Weibull)", "<Coefficients>0.3 -1 0.25</Coefficients><Covariates><Covariate>Gamma</Covariate><Covariate>Constant</Covariate><Covariate>pow(dose, 2)</Covariate></Covariates>", "w [1]", "dose")+
		potential("Hazard (Weibull)", `<TimeVariable name="t" timeSlice="0"/><Log>false</Log><Coefficients>0.1 -0.25</Coefficients><Covariates><Covariate>t [0]</Covariate><Covariate>Gamma</Covariate></Covariates>`, "e [1]", "t [0]")), `unit="MONTH" Value="6"`, `unit="YEAR"`, 1)

// valued returns the declaration of a utility, in a slice unless that is "".
func valued(name, criterion, slice string) string {
	if slice != "" {
		slice = ` timeSlice="` + slice + `"`
	}
	return `<Variable name="` + name + `"` + slice + ` type="numeric" role="utility"><Criterion name="` + criterion + `"/></Variable>` + "\n"
}

// link returns a link.
func link(from, to string) string {
	return `<Link directed="true"><Variable name="` + from + `"/><Variable name="` + to + `"/></Link>`
}

// timed returns a file with cycles of six months and a discount rate for each year.
func timed(vars, links, potentials string) string {
	text := document(vars, potentials)
	text = strings.Replace(text, "<Potentials>", `<TimeUnit unit="MONTH" Value="6"/><Links>`+links+"</Links>\n<Potentials>", 1)
	return strings.Replace(text, "</ProbNet>", `</ProbNet><InferenceOptions><TemporalOptions><Slices>3</Slices><Transition>BEGINNING</Transition><DiscountRates>
<DiscountRate Criterion="money" value="0.25" unit="YEAR"/></DiscountRates></TemporalOptions></InferenceOptions>`, 1)
}

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
	{Name: "decision", Text: decision},
	{Name: "agents", Text: strings.Replace(decision, `type="MID"`, `type="DEC_POMDP"`, 1), Warnings: []string{
		"agents:1:1: warning: the file is of type \"DEC_POMDP\", of which these are not read: utilities (u), what its decisions know, since several agents decide, each by what it knows itself"}},
	{Name: "unknown", Text: strings.Replace(decision, `type="MID"`, `type="CLIMB"`, 1), Warnings: []string{
		"unknown:1:1: warning: the file is of type \"CLIMB\", of which these are not read: utilities (u), what its decisions know"}},
	{Name: "half", Text: strings.Replace(therapy, "BEGINNING", "HALF", 1), Warnings: []string{
		`half:3:1: warning: numeric variable "age" has the values of 4 slices; it keeps the last one in later slices`,
		"half:23:89: warning: decisions and utilities are left out: transitions are in the middle of cycles (HALF), and which utilities that corrects depends on the version of OpenMarkov; want BEGINNING or END"}},
	{Name: "valueless", Text: document(declared("d", "decision", "no", "yes")+declared("u", "utility"), ""), Warnings: []string{
		`valueless:4:1: warning: decisions and utilities are left out: utility "u" has no potential`}},
	{Name: "gamble", Text: strings.Replace(decision, potential("Table", "<Values>3 4</Values>", "u", "d"), potential("Delta", "<NumericValue>1</NumericValue>", "u", "d"), 1), Warnings: []string{
		`gamble:9:1: warning: decisions and utilities are left out: "u" is of the type "Delta"; want Table, Uniform, Tree/ADD, Linear combination, Exponential, Sum, Product or Function`}},
	{Name: "limid", Text: strings.Replace(decision, `type="MID"`, `type="LIMID"`, 1), Warnings: []string{
		`limid:1:1: warning: the file is of type "LIMID", in which a decision knows only what links say; pgmc decide takes it so with --limited`}},
	{Name: "asymmetric", Text: strings.Replace(therapy, `type="MID"`, `type="DAN"`, 1), Warnings: []string{
		`asymmetric:3:1: warning: numeric variable "age" has the values of 4 slices; it keeps the last one in later slices`,
		"asymmetric:1:1: warning: decisions and utilities are left out: a decision analysis network with slices is not solved"}},
	{Name: "clock", Text: clock},
	{Name: "therapy", Text: therapy, Warnings: []string{`therapy:3:1: warning: numeric variable "age" has the values of 4 slices; it keeps the last one in later slices`}},
	{Name: "risky", Text: risky, Warnings: []string{
		`risky:3:1: warning: numeric variable "t" has the values of 4 slices; it keeps the last one in later slices`,
		`risky:21:1: warning: numeric variable "slice" has the values of 4 slices; it keeps the last one in later slices`,
		`risky:5:1: warning: variable "w" begins in slice 1; it is uniform in slice 0`,
		`risky:6:1: warning: variable "e" begins in slice 1; it is uniform in slice 0`,
	}},
	{Name: "again", Text: strings.Replace(parents, "</Potentials>", potential("Table", "<Values>0.75 0.25</Values>", "a")+"</Potentials>", 1),
		Warnings: []string{`again:11:1: warning: found the potential of "a" a second time; first at again:8:1`}},
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
	{Name: "second", Text: document(declared("a", "chance", "n"), potential("Uniform", "", "a")+potential("Table", "<Values>1</Values>", "a")),
		Want: `second:7:1: found a second potential of "a"; want one; first at second:6:1`},
	{Name: "few", Text: strings.Replace(parents, "0.875 0 1", "0.875", 1), Want: `few:10:1: found 10 numbers in a table of "c"; want 12, one for each joint state of its variables`},
	{Name: "rest", Text: strings.Replace(parents, "0.75 0.25</Values>", "0.75 x</Values>", 1), Want: `rest:8:81: found "x"; want a number`},
	{Name: "tuning", Text: strings.Replace(minimum, "AND / MIN", "Tuning", 1),
		Want: `tuning:10:1: the potential of "c" is of the type "ICIModel Tuning"; want Table, Uniform, Delta, Tree/ADD, SameAsPrevious, Hazard (Weibull), Hazard (Exponential), or ICIModel with OR / MAX or AND / MIN`},
	{Name: "branch", Text: strings.Replace(tree, `<State name="1"/></States><Pot`, `<State name="3"/></States><Pot`, 1),
		Want: `branch:10:1: a tree of "c" has no branch for "1"; want one for each state of "b"`},
	{Name: "reference", Text: strings.Replace(tree, "<Reference>even", "<Reference>odd", 1),
		Want: `reference:15:1: found a reference to "odd"; want the label of a branch without references`},
	{Name: "normal", Text: document(time, potential("UnivariateDistr", "<Parameters>0.5 0.5</Parameters>", "t")),
		Want: `normal:5:1: the potential of "t" is of the type "UnivariateDistr"; want Delta with a number, CycleLengthShift, Linear combination, Exponential, Sum, Product, Function or Tree/ADD, or Uniform for a given one`},
	{Name: "infinite", Text: document(time, potential("Function", "<Function>log(0)</Function>", "t")), Want: `infinite:5:1: numeric variable "t" is -Inf; want a finite number`},
	{Name: "word", Text: document(time, potential("Function", "<Function>1 + x</Function>", "t")),
		Want: `word:5:1: in the expression "1 + x" of "t", found "x"; want a parent`},
	{Name: "itself", Text: document(time, potential("Sum", "", "t", "t")), Want: `itself:5:1: numeric variable "t" depends on itself in the same slice; want an order`},
	{Name: "coefficients", Text: document(time, potential("Linear combination", "<Coefficients>1 2</Coefficients><Covariates><Covariate>Constant</Covariate></Covariates>", "t")),
		Want: `coefficients:5:1: found 2 coefficients and 1 covariates of "t"; want as many`},
	{Name: "interval", Text: document(time+strings.Replace(time, `"t"`, `"s"`, 1), potential("Uniform", "", "t")+potential("Sum", "", "s", "t")),
		Want: `interval:6:1: the potential of "s" needs the number "t", which has no distribution; want one that is a number in each slice`},
	{Name: "states", Text: document(declared("x [0]", "chance", "a", "b", "c"), potential("Hazard (Exponential)", "<Coefficients>1</Coefficients><Covariates><Covariate>Constant</Covariate></Covariates>", "x [0]")),
		Want: `states:6:1: variable "x" with a hazard has 3 states; want 2`},
	{Name: "gamma", Text: strings.Replace(timed(declared("x [0]", "chance", "a", "b"), "", potential("Hazard (Weibull)", "<Coefficients>1</Coefficients><Covariates><Covariate>Constant</Covariate></Covariates>", "x [0]")), "6", "1", 1),
		Want: `gamma:7:1: found 0 covariates Gamma of "x"; want 1`},
	{Name: "months", Text: timed(declared("x [0]", "chance", "a", "b"), "", potential("Hazard (Exponential)", "<Coefficients>1</Coefficients><Covariates><Covariate>Constant</Covariate></Covariates>", "x [0]")),
		Want: `months:7:1: found the hazard of "x" in cycles of length 6; want 1`},
	{Name: "eternal", Text: document(declared("x [0]", "chance", "a", "b"), potential("Hazard (Weibull)", "<Coefficients>1 0</Coefficients><Covariates><Covariate>Gamma</Covariate><Covariate>Constant</Covariate></Covariates>", "x [0]")),
		Want: `eternal:6:1: numeric variable "slice" has a new value in each slice, and the file has no number of slices; want one in TemporalOptions`},
	{Name: "endless", Text: strings.Replace(therapy, "<Slices>3", "<Slices>0", 1),
		Want: `endless:3:1: numeric variable "age" has a new value in each slice, and the file has no number of slices; want one in TemporalOptions`},
	{Name: "aeons", Text: strings.Replace(therapy, "<Slices>3", "<Slices>1048576", 1), Want: `aeons:3:1: numeric variable "age" has more than 10000 values; want fewer`},
	{Name: "count", Text: strings.Replace(therapy, "<Slices>3", "<Slices>-3", 1), Want: `count:23:67: found "-3" slices; want a number from 0 to 1048576`},
	{Name: "middle", Text: strings.Replace(therapy, "BEGINNING", "MIDDLE", 1), Want: `middle:23:89: found transitions at "MIDDLE"; want BEGINNING, HALF or END`},
	{Name: "interest", Text: strings.Replace(therapy, `value="0.25"`, `value="-0.25"`, 1),
		Want: `interest:24:1: found the discount rate "-0.25" of "money" for each "YEAR"; want a number of 0 or more, for each YEAR or CYCLE`},
	{Name: "fortnight", Text: strings.Replace(therapy, `unit="MONTH"`, `unit="FORTNIGHT"`, 1),
		Want: `fortnight:13:1: found a cycle of "6" in the unit "FORTNIGHT"; want a number above 0 and YEAR, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND or MILISECOND`},
	{Name: "foresight", Text: strings.Replace(therapy, `<Variable name="x [0]"/><Variable name="d"/>`, `<Variable name="x [1]"/><Variable name="d"/>`, 1),
		Want: `foresight:13:42: found a link from "x" in a later slice than that of the decision "d"; want what is known before it`},
	{Name: "future", Text: document(declared("a [0]", "chance", "n")+declared("a [1]", "chance", "n"), potential("Uniform", "", "a [0]", "a [1]")+potential("Uniform", "", "a [1]")),
		Want: `future:7:62: found a parent "a" in a later slice; want one of this slice or the one before`},
	{Name: "late", Text: strings.Replace(clock, `value="1.5"`, `value="1e9"`, 2), Want: `late:3:1: numeric variable "t" goes from 0.5 to the threshold 1e+09; want at most 10000 cycles`},
}
