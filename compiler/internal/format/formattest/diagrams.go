package formattest

import "testing"

// Diagrams has influence diagrams and a decision analysis network in the formats that hold one, by
// the end of the file's name: where fuzzing starts.
var Diagrams = []struct{ Ext, Text string }{
	{"pgmc.json", `{"pgmc": 2, "kind": "bayes",
"variables": [{"name": "x", "states": ["a", "b"]}, {"name": "t", "states": ["y", "n"], "given": true},
  {"name": "r", "states": ["+", "-"]}, {"name": "d", "states": ["y", "n"], "given": true}],
"factors": [{"scope": ["x"], "child": "x", "table": [0.3, 0.7]},
  {"scope": ["t", "x", "r"], "child": "r", "table": [0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.5, 0.5]}],
"decisions": [{"variable": "t"}, {"variable": "d", "knows": ["t", "r"]}],
"utilities": [{"name": "cost", "criterion": "c", "scope": ["t"], "table": [-1, 0]},
  {"name": "gain", "criterion": "e", "scope": ["x", "d"], "table": [4, 1, -3, 0]}, {"name": "all", "function": "cost + exp(gain)"}],
"criteria": [{"name": "c", "unit": "EUR", "scale": -1, "cost": 1}, {"name": "e", "scale": 3, "effect": 2}]}`},
	{"pgmc.json", `{"pgmc": 2, "kind": "bayes",
"variables": [{"name": "x", "states": ["a", "b"]}, {"name": "t", "states": ["y", "n"], "given": true},
  {"name": "r", "states": ["+", "-"]}, {"name": "d", "states": ["y", "n"], "given": true}],
"factors": [{"scope": ["x"], "child": "x", "table": [0.3, 0.7]},
  {"scope": ["t", "x", "r"], "child": "r", "table": [0.9, 0.1, 0.2, 0.8, 0, 0, 0, 0]}],
"decisions": [{"variable": "t"}, {"variable": "d"}], "utilities": [{"name": "u", "scope": ["x", "d"], "table": [4, 1, -3, 0]}],
"asymmetry": {"observed": ["x"], "restrictions": [{"parent": "t", "child": "r", "allowed": [1, 1, 0, 0]}],
  "reveals": [{"by": "t", "states": ["y"], "variable": "r"}]}}`},
	{"bifxml", `<BIF VERSION="0.3"><NETWORK><NAME>n</NAME>
<VARIABLE TYPE="nature"><NAME>x</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME></VARIABLE>
<VARIABLE TYPE="decision"><NAME>d</NAME><OUTCOME>y</OUTCOME><OUTCOME>n</OUTCOME></VARIABLE>
<VARIABLE TYPE="utility"><NAME>u</NAME><OUTCOME>0</OUTCOME></VARIABLE>
<DEFINITION><FOR>x</FOR><TABLE>0.3 0.7</TABLE></DEFINITION><DEFINITION><FOR>d</FOR><GIVEN>x</GIVEN></DEFINITION>
<DEFINITION><FOR>u</FOR><GIVEN>x</GIVEN><GIVEN>d</GIVEN><TABLE>1 2 3 4</TABLE></DEFINITION></NETWORK></BIF>`},
	{"xdsl", `<?xml version="1.0"?><smile version="1.0" id="n"><nodes>
<cpt id="x"><state id="a"/><state id="b"/><probabilities>0.3 0.7</probabilities></cpt>
<decision id="d"><state id="y"/><state id="n"/><parents>x</parents></decision>
<utility id="u"><parents>x d</parents><utilities>1 2 3 4</utilities></utility><utility id="v"><parents>d</parents><utilities>1 2</utilities></utility>
<mau id="m"><parents>u v</parents><weights>2 -1</weights></mau></nodes></smile>`},
	{"net", `net {}
node x { states = ("a" "b"); }
decision d { states = ("y" "n"); }
utility u {}
potential (x) { data = (0.3 0.7); }
potential (d | x) {}
potential (u | x d) { data = ((1 2) (3 4)); }`},
	{"dne", `// ~->[DNET-1]->~
bnet n {
node x { kind = NATURE; discrete = TRUE; states = (a, b); parents = (); probs = (0.3, 0.7); };
node d { kind = DECISION; discrete = TRUE; states = (y, n); parents = (x); };
node u { kind = UTILITY; discrete = FALSE; parents = (x, d); functable = ((1, 2), (3, 4)); };
};`},
	{"pgmx", `<ProbModelXML formatVersion="0.2.0"><ProbNet type="InfluenceDiagram"><Variables>
<Variable name="x" type="finiteStates" role="chance"><States><State name="a"/><State name="b"/></States></Variable>
<Variable name="d" type="finiteStates" role="decision"><States><State name="y"/><State name="n"/></States></Variable>
<Variable name="u" type="numeric" role="utility"/></Variables>
<Links><Link directed="true"><Variable name="x"/><Variable name="d"/></Link></Links><Potentials>
<Potential type="Table" role="conditionalProbability"><Variables><Variable name="x"/></Variables><Values>0.3 0.7</Values></Potential>
<Potential type="Table" role="utility"><UtilityVariable name="u"/><Variables><Variable name="x"/><Variable name="d"/></Variables><Values>1 2 3 4</Values></Potential>
</Potentials></ProbNet></ProbModelXML>`},
}

// AddDiagrams adds the diagrams whose files' names end in ext to where a reader's fuzzing starts.
func AddDiagrams(f *testing.F, ext string) {
	for _, d := range Diagrams {
		if d.Ext == ext {
			f.Add(d.Text)
		}
	}
}
