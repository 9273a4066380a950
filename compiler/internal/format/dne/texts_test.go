package dne_test

import "github.com/pgmc-go/pgmc/compiler/internal/format/formattest"

// two declares two nodes on lines 2 and 3; what follows starts on line 4.
const two = "bnet two {\n" +
	"node a { states = (x, y); parents = (); probs = (0.25, 0.75); };\n" +
	"node b { kind = NATURE; discrete = TRUE; chance = CHANCE; states = (p, q, r); probs = (0.5, 0.25, 0.25); };\n"

const layers = `// ~->[DNET-1]->~
bnet layers {
autoupdate = TRUE; whenchanged = 1478673234; title = "a \"title\"; with }\
 two lines";
visual V1 { nodefont = font {shape= "Arial"; size= 9;}; NodeSet Node {BuiltIn = 1; Color = 0x00E1E1E1;}; };
node a { states = (x, y); parents = (); probs = (0.25, 0.75); evidence = y; numcases = 4; visual V1 { center = (1, 2); height = 2; }; };
node b { states = ("p", q, r); parents = (); probs = // p q r
  (0.5, 0.25, 0.25); belief = (0.5, 0.25, 0.25); };
node c { discrete = TRUE; chance = CHANCE; states = (yes, no); inputs = (, G); parents = (a, b);
  probs = (((0.1, 0.9), (0.2, 0.8), (0.3, 0.7)), ((0.4, 0.6), (0.5, 0.5), (0.6, 0.4))); };
node flat { states = (yes, no); parents = (b, a); probs = (0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6, 0.5, 0.5, 0.6, 0.4); };
node sure { states = (yes, no); parents = (b); chance = DETERMIN; functable = (no, #0, no); equation = "sure (b) = ..."; };
node speed { discrete = TRUE; numstates = 3; levels = (0, 2.5, 10); parents = (a); probs = (#2, (0.5, 0.5, 0)); };
node mass { discrete = FALSE; levels = (-INFINITY, 0.1, 10, INFINITY); parents = (speed);
  functable = (0, 0.1, 99); };
node bin { discrete = FALSE; states = (low, high); levels = (0, 5, 10); probs = (0.5, 0.5); };
node down { discrete = FALSE; levels = (10, 5, 0); probs = (0.125, 0.875); };
node cannot { states = (s, t); parents = (sure); probs = ((@imposs, @imposs), (0.25, 0.75)); };
node number { numstates = 2; probs = (0.25, 0.75); };
node LABEL { kind = CONSTANT; discrete = FALSE; value = 3; };
ElimOrder = (b, a);
};
`

func given(pairs ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

var texts = []formattest.Model{
	{Name: "layers", Text: layers,
		Warnings: []string{
			`layers:6:74: warning: the finding "y" of "a" is not part of the model; give it as evidence`,
			`layers:18:60: warning: row of "cannot" is marked as impossible; it is read as uniform`,
		},
		Posteriors: []formattest.Posterior{
			{Var: "c", State: "yes", Evidence: given("a", "x", "b", "r"), Want: .3, From: "the text"},
			{Var: "c", State: "yes", Evidence: given("a", "y", "b", "p"), Want: .4, From: "the text; .2 or .3, where the order of parents is mistaken"},
			{Var: "flat", State: "yes", Evidence: given("a", "y", "b", "p"), Want: .2, From: "the text"},
			{Var: "c", State: "yes", Want: .25*(.5*.1+.25*.2+.25*.3) + .75*(.5*.4+.25*.5+.25*.6), From: "by hand"},
			{Var: "sure", State: "yes", Want: .25, From: "by hand: b=q"},
			{Var: "speed", State: "10", Evidence: given("a", "x"), Want: 1, From: "the text"},
			{Var: "speed", State: "2.5", Want: .375, From: "by hand: .75*.5"},
			{Var: "mass", State: "..0.1", Evidence: given("speed", "0"), Want: 1, From: "the text: 0 is below 0.1"},
			{Var: "mass", State: "0.1..10", Evidence: given("speed", "2.5"), Want: 1, From: "the text: 0.1 begins the second interval"},
			{Var: "mass", State: "10..", Want: .25, From: "by hand: speed=10"},
			{Var: "bin", State: "high", Want: .5, From: "the text"},
			{Var: "down", State: "5 to 0", Want: .875, From: "the text"},
			{Var: "cannot", State: "s", Evidence: given("sure", "no"), Want: .25, From: "the text"},
			{Var: "number", State: "#1", Want: .75, From: "the text"},
		}},
}

var broken = []formattest.Broken{
	{Name: "empty", Want: `empty:1:1: found the end of the file; want "bnet"`},
	{Name: "field", Text: two + "node c { states = (u, v)\n};", Want: `field:5:1: found "}"; want ";"`},
	{Name: "skipped field", Text: two + "title = (((", Want: `skipped field:4:12: found the end of the file; want ";" or "}"`},
	{Name: "string", Text: two + "title = \"a };", Want: `string:4:14: found the end of the file; want ";" or "}"`},
	{Name: "more", Text: two + "}; bnet", Want: `more:4:4: found "bnet"; want the end of the file`},
	{Name: "twice", Text: two + "node a { };", Want: `twice:4:6: node "a" is declared twice; first at twice:2:6`},
	{Name: "field twice", Text: two + "node c { states = (u, v); states = (u, v); };", Want: `field twice:4:27: node "c" has a second field states; want one`},
	{Name: "kind", Text: two + "node c { kind = ACTION; states = (u, v); };};", Want: `kind:4:17: node "c" is of the kind "ACTION"; want NATURE, DECISION, UTILITY or CONSTANT`},
	{Name: "utility", Text: two + "node c { kind = UTILITY; discrete = FALSE; parents = (a); };};", Want: `utility:4:6: utility "c" has no functable; want its table: use Equation to Table in Netica, and save`},
	{Name: "utility state", Text: two + "node c { kind = UTILITY; parents = (); functable = (x); };};", Want: `utility state:4:53: found "x"; want a number`},
	{Name: "utility size", Text: two + "node c { kind = UTILITY; parents = (a); functable = (1); };};", Want: `utility size:4:6: found 1 numbers of the utility "c"; want 2, one for each joint state of its parents`},
	{Name: "utility parent", Text: two + "node c { kind = UTILITY; parents = (); functable = (1); };\nnode d { states = (u, v); parents = (c); probs = (1, 0); };};", Want: `utility parent:5:38: found "c"; want a variable that is declared`},
	{Name: "decision itself", Text: two + "node c { kind = DECISION; states = (u, v); parents = (c); };};", Want: `decision itself:4:55: decision "c" knows itself; want only what is known before it`},
	{Name: "delays", Text: two + "node c { delays = (1); states = (u, v); };};", Want: `delays:4:10: node "c" has delays; want a network without time: expand it in Netica`},
	{Name: "constant", Text: two + "node K { kind = CONSTANT; };\nnode c { states = (u, v); parents = (K); probs = (1, 0); };};",
		Want: `constant:5:38: parent "K" of "c" is a CONSTANT; want a node of the kind NATURE`},
	{Name: "continuous", Text: two + "node c { discrete = FALSE; equation = \"c = 1\"; };};",
		Want: `continuous:4:6: node "c" is continuous and has no levels; want the bounds of intervals: set them in Netica, under Discretization`},
	{Name: "bounds", Text: two + "node c { discrete = FALSE; states = (u, v); levels = (1, 2); };};",
		Want: `bounds:4:6: node "c" has 2 levels; want the bounds of its intervals, one more than states`},
	{Name: "levels", Text: two + "node c { states = (u, v); levels = (1, 2, 3); };};", Want: `levels:4:6: node "c" has 3 levels and 2 states; want one level for each state`},
	{Name: "level", Text: two + "node c { levels = (1, two); };};", Want: `level:4:23: found "two"; want a number, INFINITY or -INFINITY`},
	{Name: "no states", Text: two + "node c { probs = (1); };};", Want: `no states:4:6: node "c" has no states; want states, levels or numstates`},
	{Name: "numstates", Text: two + "node c { numstates = 1000000; };};", Want: `numstates:4:22: found "1000000"; want a number of states up to 65535`},
	{Name: "equation", Text: two + "node c { states = (u, v); equation = \"c = u\"; };};",
		Want: `equation:4:6: node "c" has an equation and no probs; want a table: use Equation to Table in Netica, and save`},
	{Name: "no table", Text: two + "node c { states = (u, v); };};", Want: `no table:4:6: node "c" has no probs; want its table`},
	{Name: "parent", Text: two + "node c { states = (u, v); parents = (, a); probs = (1, 0, 0, 1); };};", Want: `parent:4:38: found ","; want an entry of parents`},
	{Name: "stranger", Text: two + "node c { states = (u, v); parents = (d); probs = (1, 0); };};", Want: `stranger:4:38: found "d"; want a variable that is declared`},
	{Name: "number", Text: two + "node c { states = (u, v); probs = (1, o); };};", Want: `number:4:39: found "o"; want a number, a state as "#0", or "@imposs"`},
	{Name: "comma", Text: two + "node c { states = (u v); };};", Want: `comma:4:22: found "v"; want "," or ")"`},
	{Name: "few", Text: two + "node c { states = (u, v); parents = (a); probs = (1, 0, 0); };};",
		Want: `few:4:58: found 3 numbers; want 4, one for each joint state of the parents and "c"`},
	{Name: "row", Text: two + "node c { states = (u, v); parents = (a); probs = ((1, 0), (1, 0, 0), (1)); };};", Want: `row:4:59: found a row of 3 numbers; the first has 2`},
	{Name: "mark", Text: two + "node c { states = (u, v); parents = (a); probs = (#0, #2); };};", Want: `mark:4:55: found "#2"; want #0 to #1, the states of "c"`},
	{Name: "function", Text: two + "node c { states = (u, v); parents = (a); functable = (u); };};",
		Want: `function:4:56: found 1 entries of functable; want 2, one for each joint state of the parents of "c"`},
	{Name: "result", Text: two + "node c { states = (u, v); parents = (a); functable = (u, w); };};", Want: `result:4:58: found "w"; want a state of "c", by name or number`},
	{Name: "value", Text: two + "node c { levels = (1, 2); parents = (a); functable = (1, 3); };};", Want: `value:4:58: found "3"; want a state of "c", by name or number`},
	{Name: "deep", Text: two + "node c { states = ((((((((u", Want: `deep:4:28: found the end of the file; want "," or ")"`},
}
