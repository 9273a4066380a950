package rowfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// load reads a text as a file of the given name.
func load(name, text string, opt rowfile.LoadOptions) (*data.Set, error) {
	r, err := rowfile.NewReader(name, strings.NewReader(text), rowfile.Auto)
	if err != nil {
		return nil, err
	}
	return r.Load(opt)
}

// show formats a set for comparison: the variables with their states, then the rows with their
// weights.
func show(s *data.Set) string {
	var b strings.Builder
	for _, v := range s.Vars {
		fmt.Fprintf(&b, "%q%q ", v.Name, v.States)
	}
	states := make([]int, len(s.Vars))
	for row := range s.Len() {
		s.Row(row, states)
		fmt.Fprintf(&b, "| %d", states)
		if w := s.Weight(row); w != 1 {
			fmt.Fprintf(&b, " x%v", w)
		}
	}
	return b.String()
}

var yesNo = []data.Var{{Name: "a", States: []string{"yes", "no"}}, {Name: "b", States: []string{"NA", "?", "ok"}}}

func TestLoad(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		opt              rowfile.LoadOptions
		want             string
	}{
		{"sorted", "x.csv", "a,b\ny,2\nn,10\n", rowfile.LoadOptions{}, `"a"["n" "y"] "b"["2" "10"] | [1 0]| [0 1]`},
		{"appearance", "x.csv", "a,b\ny,2\nn,10\n", rowfile.LoadOptions{Order: rowfile.Appearance}, `"a"["y" "n"] "b"["2" "10"] | [0 0]| [1 1]`},
		{"no last newline, CR LF, BOM", "x.csv", "\ufeffa,b\r\ny,n\r\ny,y", rowfile.LoadOptions{}, `"a"["y"] "b"["n" "y"] | [0 0]| [0 1]`},
		{"quotes", "x.csv", "\"a,b\",\"c\"\"d\"\n\"1\n2\", \" x \"\n", rowfile.LoadOptions{}, `"a,b"["1\n2"] "c\"d"["x"] | [0 0]`},
		{"blanks and semicolon", "x.csv", " a ; b\n y ; n , m\n", rowfile.LoadOptions{}, `"a"["y"] "b"["n , m"] | [0 0]`},
		{"separator outside of quotes", "x.csv", "\"a,b,c\";d\n1;2\n", rowfile.LoadOptions{}, `"a,b,c"["1"] "d"["2"] | [0 0]`},
		{"tab by content", "x.txt", "a\tb\n\t2\n", rowfile.LoadOptions{}, `"a"[] "b"["2"] | [-1 0]`},
		{"tab by name", "x.tsv", "a,b\tc,d,e\n1\t2\n", rowfile.LoadOptions{}, `"a,b"["1"] "c,d,e"["2"] | [0 0]`},
		{"one column", "x.csv", "\r\na\n1\n\n\r\n2\n\n\n", rowfile.LoadOptions{}, `"a"["1" "2"] | [0]| [-1]| [-1]| [1]`},
		{"one column, quotes", "x.csv", "\"a\n\nb\"\n\n\"1\n\n\"\n\n\"2\"\n", rowfile.LoadOptions{}, `"a\n\nb"["1" "2"] | [-1]| [0]| [-1]| [1]`},
		{"two columns", "x.csv", "a,b\n\n1,2\n\n3,4\n", rowfile.LoadOptions{}, `"a"["1" "3"] "b"["2" "4"] | [0 0]| [1 1]`},
		{"markers", "x.csv", "a,b,c,d,e,f,g,h\n,NA,NaN,null,?,*,N/A,na\nNan,<na>,-NaN,NULL,n/a,#N/A,nan,None\n", rowfile.LoadOptions{},
			`"a"[] "b"[] "c"[] "d"[] "e"[] "f"[] "g"[] "h"["None"] | [-1 -1 -1 -1 -1 -1 -1 -1]| [-1 -1 -1 -1 -1 -1 -1 0]`},
		{"equal numbers", "x.csv", "a,b\n1.0,10\n1,2.50\n3e0,2.5\n+3,1e1\n", rowfile.LoadOptions{}, `"a"["1" "+3"] "b"["2.5" "10"] | [0 1]| [0 0]| [1 0]| [1 1]`},
		{"equal numbers, appearance", "x.jsonl", "{\"a\": 3.0}\n{\"a\": 1}\n{\"a\": 3}\n", rowfile.LoadOptions{Order: rowfile.Appearance}, `"a"["3" "1"] | [0]| [1]| [0]`},
		{"numbers with one float64", "x.csv", "a\n9007199254740993\n9007199254740992\n9007199254740992.0\n9007199254740993e0\n", rowfile.LoadOptions{},
			`"a"["9007199254740992" "9007199254740993"] | [1]| [0]| [0]| [1]`},
		{"codes and texts", "x.csv", "a,b\n007,1\n7,1.0\n07,many\n", rowfile.LoadOptions{}, `"a"["007" "07" "7"] "b"["1" "1.0" "many"] | [0 0]| [2 1]| [1 2]`},
		{"numbers of a model", "x.csv", "a,b\n1.0,2\n0,02\n", rowfile.LoadOptions{Vars: []data.Var{{Name: "a", States: []string{"0", "1"}}, {Name: "b", States: []string{"2", "02"}}}},
			`"a"["0" "1"] "b"["2" "02"] | [1 0]| [0 1]`},
		{"bars", "x.csv", "a|b\n1|x,y\n", rowfile.LoadOptions{}, `"a"["1"] "b"["x,y"] | [0 0]`},
		{"bars in names", "x.csv", "P(a|b),P(c|d)\n1|2,3\n", rowfile.LoadOptions{}, `"P(a|b)"["1|2"] "P(c|d)"["3"] | [0 0]`},
		{"declared separator", "x.csv", "\nsep=;\na,b;c\n1;2\n", rowfile.LoadOptions{}, `"a,b"["1"] "c"["2"] | [0 0]`},
		{"declared tab", "x.csv", "\"SEP=\t\"\r\na,b\tc\r\n1\t2\r\n", rowfile.LoadOptions{}, `"a,b"["1"] "c"["2"] | [0 0]`},
		{"blanks", "x.txt", "  \"x y\"  z   w \n   0   nan   1 \n 10  2  1\n", rowfile.LoadOptions{}, `"x y"["0" "10"] "z"["2"] "w"["1"] | [0 -1 0]| [1 0 0]`},
		{"one column of words", "x.txt", "patient age\n35\n40\n", rowfile.LoadOptions{}, `"patient age"["35" "40"] | [0]| [1]`},
		{"UTF-8", "x.csv", "größe,年\nklein,大\n", rowfile.LoadOptions{}, `"größe"["klein"] "年"["大"] | [0 0]`},
		{"bound by name, states that are markers", "x.csv", "b,c,a\nNA,1, yes\n?,2,*\nok,3,no\n", rowfile.LoadOptions{Vars: yesNo},
			`"a"["yes" "no"] "b"["NA" "?" "ok"] | [0 0]| [-1 1]| [1 2]`},
		{"bound, a column missing", "x.csv", "a\nno\n", rowfile.LoadOptions{Vars: yesNo}, `"a"["yes" "no"] "b"["NA" "?" "ok"] | [1 -1]`},
		{"bound, unseen is missing", "x.csv", "a\nmaybe\n", rowfile.LoadOptions{Vars: yesNo[:1], Unseen: rowfile.UnseenMissing}, `"a"["yes" "no"] | [-1]`},
		{"libra", "x.data", "0,1,*\n\n2.5|2,0,0\n", rowfile.LoadOptions{}, `"x0"["0" "1" "2"] "x1"["0" "1"] "x2"["0" "1"] | [0 1 -1]| [2 0 0] x2.5`},
		{"libra, schema", "x.ev", "0,1\n", rowfile.LoadOptions{Cards: []int{2, 4}}, `"x0"["0" "1"] "x1"["0" "1" "2" "3"] | [0 1]`},
		{"libra, bound by position", "x.q", "1,2\n", rowfile.LoadOptions{Vars: yesNo}, `"a"["yes" "no"] "b"["NA" "?" "ok"] | [1 2]`},
		{"libra, bound by name", "x.data", "1,0\n", rowfile.LoadOptions{Vars: []data.Var{{Name: "x1", States: []string{"f", "t"}}, {Name: "x0", States: []string{"f", "t"}}}},
			`"x1"["f" "t"] "x0"["f" "t"] | [0 1]`},
		{"arff", "x.arff", "% about\n@RELATION 'a b'\n\n@attribute 'p q' {x, 'y z', \"it's\", 'it\\'s2', ?}\n@Attribute n NUMERIC % why\n@data\n" +
			"'y z' , 10\n% none\n?,2\n\"it's\",?\n'?',2 % end\n'it\\'s2',2, {3}\n", rowfile.LoadOptions{},
			`"p q"["x" "y z" "it's" "it's2" "?"] "n"["2" "10"] | [1 1]| [-1 0]| [2 -1]| [4 0]| [3 0] x3`},
		{"arff, sparse", "x.arff", "@relation r\n@attribute a {u,v}\n@attribute b {w,x,y}\n@attribute c real\n@data\n{1 x, 2 5}\n{}\n{ 2 ?,0 v }, {0.5}\n", rowfile.LoadOptions{},
			`"a"["u" "v"] "b"["w" "x" "y"] "c"["0" "5"] | [0 1 1]| [0 0 0]| [1 0 -1] x0.5`},
		{"arff by content", "-", "% c\n\n@relation r\n@attribute a {u,v}\n@data\nv\n", rowfile.LoadOptions{}, `"a"["u" "v"] | [1]`},
		{"json lines", "x.jsonl", "{\"a\": \"y\", \"b\": 2}\n\n{\"b\": 10, \"c\": true}\n{\"a\": null, \"b\": 2.5e3, \"c\": false }\n", rowfile.LoadOptions{},
			`"a"["y"] "b"["2" "10" "2.5e3"] "c"["false" "true"] | [0 0 -1]| [-1 1 1]| [-1 2 0]`},
		{"json lines by content, bound", "x", "{\"b\": \"ok\", \"a\": \"no\"}\n{}\n", rowfile.LoadOptions{Vars: yesNo}, `"a"["yes" "no"] "b"["NA" "?" "ok"] | [1 2]| [-1 -1]`},
		{"json lines, state that is a marker", "x.ndjson", "{\"b\": \"NA\"}\n{\"b\": null}\n", rowfile.LoadOptions{Vars: yesNo[1:]}, `"b"["NA" "?" "ok"] | [0]| [-1]`},
		{"arff, bound", "x.arff", "@relation r\n@attribute a {no,yes}\n@data\n{}\n", rowfile.LoadOptions{Vars: yesNo}, `"a"["yes" "no"] "b"["NA" "?" "ok"] | [1 -1]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := load(c.file, c.text, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(s); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	long := strings.Repeat("x", 1<<20+1<<16)
	arff := "@relation r\n@attribute a {u,v}\n@attribute s string\n@data\n"
	many := data.Var{Name: "a"}
	for i := range 12 {
		many.States = append(many.States, fmt.Sprintf("s%d", i))
	}
	for _, c := range []struct {
		name, file, text string
		opt              rowfile.LoadOptions
		want             string
	}{
		{"empty", "x.csv", "", rowfile.LoadOptions{}, `x.csv: the file is empty; want a line of column names`},
		{"empty libra", "x.data", "\n", rowfile.LoadOptions{}, `x.data: the file is empty; want rows of numbers`},
		{"Parquet", "x.parquet", "PAR1\x15\x04", rowfile.LoadOptions{}, `x.parquet: this is a Parquet file, which is read from its end; want the name of the file itself, neither a stream nor a file that gzip compressed`},
		{"json, no object", "x.jsonl", "{\"a\": 1}\n[1]\n", rowfile.LoadOptions{}, `x.jsonl:2:1: the line is no JSON object; want one a line, as in {"smoke": "yes", "age": 35}`},
		{"json, nested", "x.jsonl", "{\"a\": {\"b\": 1}}\n", rowfile.LoadOptions{}, `x.jsonl:1:8: the member "a" is a list or an object; want a text, a number, true, false or null`},
		{"json, twice", "x.jsonl", "{\"a\": 1, \"a\": 2}\n", rowfile.LoadOptions{}, `x.jsonl:1:13: the object has two members "a"; want one`},
		{"json, over two lines", "x.jsonl", "{\n\"a\": 1}\n", rowfile.LoadOptions{}, `x.jsonl:1:2: the object does not end; want a whole one in each line`},
		{"json, two in a line", "x.jsonl", "{\"a\": 1} {\"a\": 2}\n", rowfile.LoadOptions{}, `x.jsonl:1:9: something follows the object; want one a line`},
		{"json, nothing", "x.jsonl", "{}\n", rowfile.LoadOptions{}, `x.jsonl: the file has no columns; want an object a line, as in {"smoke": "yes", "age": 35}`},
		{"json, late member", "x.jsonl", strings.Repeat("{\"a\": 1}\n", 1000) + "{\"b\": 1}\n", rowfile.LoadOptions{}, `x.jsonl:1001:5: no object of the first 1000 lines has the member "b"; want one of those`},
		{"JSON", "x.json", "[{\"a\": 1}]\n", rowfile.LoadOptions{}, `x.json: this is a list in JSON; want separated values (CSV), JSON Lines, ARFF, or rows of numbers: export it as CSV`},
		{"almost foreign", "x.csv", "PAR\n", rowfile.LoadOptions{Vars: yesNo}, `x.csv:1:1: no column has the name of a variable: found "PAR"; want some of "a", "b"`},
		{"fields", "x.csv", "a,b\n1,2\n1,2,3\n1\n", rowfile.LoadOptions{}, "x.csv:3:1: the row has 3 values; want 2\nx.csv:4:1: the row has 1 value; want 2"},
		{"names", "x.csv", "a,b,a\n", rowfile.LoadOptions{}, `x.csv:1:5: columns 1 and 3 are both called "a"; want different names in the first line, or leave them out by drop a`},
		{"unseen", "x.csv", "c,a\n1,maybe\n", rowfile.LoadOptions{Vars: yesNo[:1]}, `x.csv:2:3: column "a" has no state "maybe"; want "yes", "no", or unseen missing`},
		{"unseen, many states", "x.csv", "a\n\nt\n", rowfile.LoadOptions{Vars: []data.Var{many}},
			`x.csv:3:1: column "a" has no state "t"; want "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", ..., or unseen missing`},
		{"no column", "x.csv", "c,d\n", rowfile.LoadOptions{Vars: yesNo}, `x.csv:1:1: no column has the name of a variable: found "c", "d"; want some of "a", "b"`},
		{"bare quote", "x.csv", "a,b\n1,2\"3\n", rowfile.LoadOptions{}, `x.csv:2:4: a quote is inside a value; want the whole value in quotes and that quote doubled`},
		{"open quote", "x.csv", "a,b\n1,\"2\n3,4\n", rowfile.LoadOptions{},
			`x.csv:3:5: a quoted value does not end (its row starts in line 2); want a closing quote before a separator, and quotes inside doubled`},
		{"long row", "x.csv", "a,b\n1,2\n1,\"2" + long + "\n", rowfile.LoadOptions{}, `x.csv:2: what follows this line is longer than 1 MiB; is there a quote that does not end?`},
		{"long header", "x.csv", long, rowfile.LoadOptions{}, `x.csv: the first row is longer than 1 MiB; is there a quote that does not end?`},
		{"long line", "x.data", "1,2\n1," + long + "\n", rowfile.LoadOptions{}, `x.data:2:1: the row is longer than 1 MiB`},
		{"NUL", "x.csv", "a,b\n1,2\x00\n", rowfile.LoadOptions{}, `x.csv:2:4: found a NUL byte; want text in UTF-8`},
		{"NUL in libra", "x.data", "1,2\n1,\x00\n", rowfile.LoadOptions{}, `x.data:2:3: found a NUL byte; want text in UTF-8`},
		{"UTF-16", "x.csv", "\xff\xfea\x00", rowfile.LoadOptions{}, `x.csv:1:1: the text is UTF-16; want UTF-8, as iconv -f UTF-16 -t UTF-8 converts it`},
		{"Latin-1", "x.csv", "größe\n1\ngro\xdf\n", rowfile.LoadOptions{},
			`x.csv:3:4: the byte 0xdf is not UTF-8; want UTF-8, as iconv -f LATIN1 -t UTF-8 converts a text of Western Europe, and -f GBK one in Chinese`},
		{"Latin-1 at the end", "x.data", "1\xe4", rowfile.LoadOptions{},
			`x.data:1:2: the byte 0xe4 is not UTF-8; want UTF-8, as iconv -f LATIN1 -t UTF-8 converts a text of Western Europe, and -f GBK one in Chinese`},
		{"words", "x.txt", "sex smoke\nmale yes\n", rowfile.LoadOptions{},
			`x.txt:1: the first line has 2 words, and no comma, semicolon, tab or bar; want separator blank for 2 columns, or separator comma for one`},
		{"separator after the names", "x.csv", "a,b,\n1,2\n3,4\n", rowfile.LoadOptions{},
			`x.csv:2:1: the row has 2 values; want 3: a separator ends the first line, as if another column followed; take it away there`},
		{"names of rows", "x.csv", "a,b\nr1,1,2\nr2,3,4\n", rowfile.LoadOptions{},
			`x.csv:2:1: the row has 3 values; want 2, as many as the first line has names; if the first column names the rows, name it too`},
		{"not gzip", "x.csv", "\x1f\x8babcdefgh", rowfile.LoadOptions{}, `x.csv: not a gzip file: gzip: invalid header`},
		{"memory", "x.csv", "a,b\n1,2\n1,3\n", rowfile.LoadOptions{MaxMem: 198},
			`x.csv:3:1: row 2 of 2 columns would bring the data to 199 bytes of memory, over the limit of 198; give more memory, or leave out columns or rows`},
		{"libra value", "x.data", "0,1\n0,99999999999\n-1,1\n", rowfile.LoadOptions{},
			"x.data:2:3: column \"x1\" has no state \"99999999999\"; want a number from 0 to 65534\nx.data:3:1: column \"x0\" has no state \"-1\"; want a number from 0 to 65534"},
		{"libra, schema", "x.data", "0,2\n", rowfile.LoadOptions{Cards: []int{2, 2}}, `x.data:1:3: column "x1" has no state "2"; want a number from 0 to 1, or unseen missing`},
		{"libra, other schema", "x.data", "0,2\n", rowfile.LoadOptions{Cards: []int{2}}, `x.data:1: the rows have 2 values; want 1, as in the schema`},
		{"csv, schema", "x.csv", "a\n", rowfile.LoadOptions{Cards: []int{2}}, `x.csv: a schema is only for files of state numbers; want one, or leave out the schema`},
		{"libra, other model", "x.data", "0,1,1\n", rowfile.LoadOptions{Vars: yesNo}, `x.data:1: the rows have 3 values; want one for each of the 2 variables`},
		{"libra, weight", "x.data", "0,1\n-1|0,1\n", rowfile.LoadOptions{}, `x.data:2:1: the weight is "-1"; want a number of at least 0`},
		{"libra, fields", "x.data", "0,1\n3|0\n", rowfile.LoadOptions{}, `x.data:2:1: the row has 1 value; want 2`},
		{"arff, no data", "x.arff", "@relation r\n", rowfile.LoadOptions{}, `x.arff: the file ends before @data`},
		{"arff, no attribute", "x.arff", "@relation r\n @data\n", rowfile.LoadOptions{}, `x.arff:2:2: there is no @attribute before @data`},
		{"arff, word", "x.arff", "@relation r\n@atribute a {u}\n", rowfile.LoadOptions{}, `x.arff:2:1: found "@atribute"; want @relation, @attribute or @data`},
		{"arff, type", "x.arff", "@attribute a relational\n", rowfile.LoadOptions{}, `x.arff:1:14: attribute "a" is of type "relational"; want states in braces, numeric, string or date`},
		{"arff, states", "x.arff", "@attribute a {u,v\n", rowfile.LoadOptions{}, `x.arff:1:18: found ""; want a comma or a closing brace`},
		{"arff, same state", "x.arff", "@attribute a {u,u}\n", rowfile.LoadOptions{}, `x.arff:1:17: state "u" occurs twice`},
		{"arff, value", "x.arff", arff + "w,1\nNA,1\n", rowfile.LoadOptions{}, "x.arff:5:1: column \"a\" has no state \"w\"; want \"u\", \"v\", or unseen missing"},
		{"arff, fields", "x.arff", arff + "u\nu,1,2\nu v\nu,\n", rowfile.LoadOptions{},
			"x.arff:5:1: the row has 1 value; want 2\nx.arff:6:4: found \",2\" after 2 values; want the end of the row\nx.arff:7:3: found \"v\"; want a comma\nx.arff:8:3: the line ends; want a word"},
		{"arff, quote", "x.arff", arff + "'u,1\n", rowfile.LoadOptions{}, `x.arff:5:1: a quoted word does not end in its line`},
		{"arff, sparse", "x.arff", arff + "{0 u}\n{2 u}\n{x u}\n{1 a,1 b}\n{1 a 0 u}\n{1 a", rowfile.LoadOptions{},
			"x.arff:5:1: the sparse row leaves out attribute \"s\", which is neither numeric nor has states; want its value\n" +
				"x.arff:6:2: the number of the attribute is \"2\"; want 0 to 1\nx.arff:7:2: the number of the attribute is \"x\"; want 0 to 1\n" +
				"x.arff:8:6: attribute 1 occurs twice in the row\nx.arff:9:6: found \"0 u}\"; want a comma or a closing brace\nx.arff:10:5: found \"\"; want a comma or a closing brace"},
		{"arff, weight", "x.arff", arff + "u,1,{-1}\nu,1,{2\n", rowfile.LoadOptions{},
			"x.arff:5:6: the weight is \"-1\"; want a number of at least 0\nx.arff:6:6: the brace of the weight does not close"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := load(c.file, c.text, c.opt)
			if err == nil {
				t.Fatalf("accepted as %s", show(s))
			}
			if err.Error() != c.want {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
		})
	}
}
