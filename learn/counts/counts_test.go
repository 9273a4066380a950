package counts_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/sqltext"
	"github.com/pgmc-go/pgmc/learn/counts"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// vars are variables with hostile names, of which the last two are real.
func vars() []data.Var {
	list := learnertest.Vars("a", 2, "b\"\n,", 3, "é", 2)
	return append(list, data.Var{Name: "x", Real: true}, data.Var{Name: "y", Real: true})
}

// families are families of vars, and each variable as one.
var families = []data.Family{
	{Discrete: []int{0, 1}}, {Discrete: []int{0, 1, 2}}, {Discrete: []int{1}, Real: []int{3, 4}}, {Real: []int{3, 4}},
	{Discrete: []int{0}}, {Discrete: []int{1}}, {Discrete: []int{2}}, {Real: []int{3}}, {Real: []int{4}},
}

// draw returns rows of vars, some with a missing value of b if missing is set.
func draw(t *testing.T, seed uint64, n int, missing bool) *data.Set {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 4))
	rows := make([][]float64, n)
	for i := range rows {
		x := 1e6 + rng.NormFloat64()
		rows[i] = []float64{float64(rng.IntN(2)), float64(rng.IntN(3)), float64(rng.IntN(2)), x, x - 1e6 + rng.NormFloat64()}
		if missing && rng.IntN(5) == 0 {
			rows[i][1] = math.NaN()
		}
	}
	s, err := data.NewReal(vars(), rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// count counts the families row by row.
func count(t *testing.T, s *data.Set) *counts.Counts {
	t.Helper()
	c, err := counts.OfRows(s.Vars, families, 0)
	if err != nil {
		t.Fatal(err)
	}
	states, values := make([]int, len(s.Vars)), make([]float64, len(s.Vars))
	for row := range s.Len() {
		s.Row(row, states)
		c.Row(states, s.Values(row, values), s.Weight(row))
	}
	return c
}

// close compares tables: counts exactly, and moments within rounding.
func sameTables(t *testing.T, what string, got, want []data.Table) {
	t.Helper()
	for i := range want {
		if !slices.Equal(got[i].N, want[i].N) || len(got[i].Moments) != len(want[i].Moments) {
			t.Errorf("%s, family %v: %v; want %v", what, families[i], got[i], want[i])
			continue
		}
		for k, x := range want[i].Moments {
			y := got[i].Moments[k]
			if y.Weight != x.Weight {
				t.Errorf("%s, family %v: weight %v; want %v", what, families[i], y.Weight, x.Weight)
			}
			for j := range x.Mean {
				irtest.CloseTo(t, y.Mean[j], x.Mean[j], 1e-9*math.Abs(x.Mean[j])+1e-12)
			}
			for j := range x.Cross {
				irtest.CloseTo(t, y.Cross[j], x.Cross[j], 1e-8*x.Weight)
			}
		}
	}
}

// Counts row by row, of two parts that are added, and read back from both forms of files are those
// of the rows in memory.
func TestFiles(t *testing.T) {
	for _, missing := range []bool{false, true} {
		s := draw(t, 1, 400, missing)
		want, err := learnertest.NewRows(s).Count(families)
		if err != nil {
			t.Fatal(err)
		}
		c := count(t, s)
		tables := func(c *counts.Counts) []data.Table {
			got, err := c.Count(families)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		sameTables(t, "row by row", tables(c), want)
		var text, array bytes.Buffer
		if err := c.WriteCSV(&text); err != nil {
			t.Fatal(err)
		}
		if err := c.WriteJSON(&array); err != nil {
			t.Fatal(err)
		}
		first, again := text.String(), bytes.Buffer{}
		read, err := counts.ReadCSV(&text, "c.csv", 0)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(tables(read), tables(c)) {
			t.Errorf("CSV has other numbers")
		}
		if err := read.WriteCSV(&again); err != nil || again.String() != first {
			t.Errorf("error %v, or another text:\n%s\nwant\n%s", err, &again, first)
		}
		if read, err = counts.ReadJSON(&array, "c.json", 0); err != nil || !reflect.DeepEqual(tables(read), tables(c)) {
			t.Errorf("JSON has other numbers; error %v", err)
		}
		odd, even := []int{}, []int{}
		for row := range s.Len() {
			if row%3 == 0 {
				odd = append(odd, row)
			} else {
				even = append(even, row)
			}
		}
		sum := count(t, s.Subset(odd))
		if err := sum.Add(count(t, s.Subset(even))); err != nil {
			t.Fatal(err)
		}
		if sum.Rows != c.Rows {
			t.Errorf("%v rows; want %v", sum.Rows, c.Rows)
		}
		sameTables(t, "sum of two parts", tables(sum), want)
	}
}

// Passes over a file have the counts of the rows, to the bit on any number of cores.
func TestPasses(t *testing.T) {
	var many []string
	for i := range 300 {
		many = append(many, strconv.Itoa(i))
	}
	list := append(learnertest.Vars("a", 2), data.Var{Name: "b", States: many}, data.Var{Name: "x", Real: true}, data.Var{Name: "absent", States: many[:2]})
	asked := []data.Family{{}, {Discrete: []int{0, 1}}, {Discrete: []int{1}}, {Discrete: []int{0}, Real: []int{2}}, {Discrete: []int{0, 3}}, {Real: []int{2}}}
	for _, weights := range []bool{false, true} {
		text := "@relation r\n@attribute a {0,1}\n@attribute b {" + strings.Join(many, ",") + "}\n@attribute x numeric\n@data\n"
		rows, weight := [][]float64{}, []float64{}
		for i := range 5000 {
			row := []float64{float64(i * i % 7 % 2), float64(i * i % 300), float64(i%13) / 7, math.NaN()}
			cells := []string{strconv.Itoa(int(row[0])), strconv.Itoa(int(row[1])), strconv.FormatFloat(row[2], 'g', -1, 64)}
			if i%11 == 0 {
				row[i%3], cells[i%3] = math.NaN(), "?"
			}
			w := 1.0
			if weights && i > 3000 {
				w = float64(i%9) / 8
			}
			rows, weight = append(rows, row), append(weight, w)
			text += strings.Join(cells, ",") + ", {" + strconv.FormatFloat(w, 'g', -1, 64) + "}\n"
		}
		s, err := data.NewReal(list, rows, weight)
		if err != nil {
			t.Fatal(err)
		}
		want, err := learnertest.NewRows(s).Count(asked[1:])
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 0.0
		if weights {
			tolerance = 1e-9
		}
		var first []data.Table
		for cores := 1; cores <= 3; cores++ {
			p := &counts.Passes{Vars: list, Cores: cores, Ctx: t.Context()}
			p.Open = func() (*rowfile.Reader, error) {
				return rowfile.NewReader("rows.arff", strings.NewReader(text), rowfile.ARFF)
			}
			got, err := p.Count(asked)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			}
			if !reflect.DeepEqual(got, first) {
				t.Errorf("other counts on %d cores", cores)
			}
			if total := s.Total(); math.Abs(got[0].N[0]-total) > 1e-9 {
				t.Errorf("%v rows; want %v", got[0].N[0], total)
			}
			for i := range want {
				for k, n := range want[i].N {
					irtest.CloseTo(t, got[i+1].N[k], n, tolerance)
				}
				for k, x := range want[i].Moments {
					irtest.CloseTo(t, got[i+1].Moments[k].Weight, x.Weight, 1e-9)
					irtest.CloseTo(t, got[i+1].Moments[k].Mean[0], x.Mean[0], 1e-9)
					irtest.CloseTo(t, got[i+1].Moments[k].Cross[0], x.Cross[0], 1e-8*x.Weight)
				}
			}
		}
	}
}

// The counts of a part of a family follow from it unless rows miss a value of the rest.
func TestParts(t *testing.T) {
	parts := []data.Family{{Discrete: []int{0, 2}}, {Discrete: []int{1, 2}}, {}}
	for _, missing := range []bool{false, true} {
		s := draw(t, 2, 300, missing)
		c := count(t, s)
		want, err := learnertest.NewRows(s).Count(parts[:2])
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Count(parts)
		if missing {
			const text = `there are no counts of "a", "é"; want counts of this family, or of one that contains it and of which no row misses a value`
			if err == nil || err.Error() != text {
				t.Errorf("error %v; want %s", err, text)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		sameTables(t, "part", got, append(want, data.Table{N: []float64{300}}))
	}
}

// Other variables, states and families are refused, and the difference is named.
func TestDiffers(t *testing.T) {
	c := count(t, draw(t, 3, 10, false))
	for _, x := range []struct {
		change func(list []data.Var)
		want   string
	}{
		{func(l []data.Var) { l[0].Name = "z" }, `variable 1 is "a"; want "z"`},
		{func(l []data.Var) { l[1].States = l[0].States }, "variable \"b\\\"\\n,\" has the states [\"0\" \"1\" \"2\"]; want [\"0\" \"1\"]"},
		{func(l []data.Var) { l[2].Real = true }, `of the variable "é", one is real and the other has states`},
	} {
		list := vars()
		x.change(list)
		if err := c.Differs(list); err == nil || err.Error() != x.want {
			t.Errorf("error %v; want %s", err, x.want)
		}
	}
	if err := c.Differs(vars()[:4]); err == nil || err.Error() != `there is a variable "y" more than wanted` {
		t.Errorf("error %v", err)
	}
	fewer, err := counts.OfRows(vars(), families[:3], 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{c.Add(fewer), fewer.Add(c)} {
		if err == nil || !strings.HasPrefix(err.Error(), `there are `) {
			t.Errorf("error %v", err)
		}
	}
}

// Files that are cut or changed are refused, with the line.
func TestDamaged(t *testing.T) {
	const good = "record,family,states,n,mean,cross\nrows,,,3,,\nvariable,\"[\"\"a\"\"]\",\"[\"\"0\"\",\"\"1\"\"]\",,,\nvariable,\"[\"\"x\"\"]\",,,,\n" +
		"family,\"[\"\"a\"\",\"\"x\"\"]\",,1,,\ncount,\"[\"\"a\"\",\"\"x\"\"]\",\"[\"\"1\"\"]\",2,[5],[0.5]\n"
	if _, err := counts.ReadCSV(strings.NewReader(good), "c.csv", 0); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ old, new, want string }{
		{"record", "rekord", `c.csv:1: found ["rekord" `},
		{"rows,,,3", "rows,,,4", `c.csv: the counts of "a", "x" and the rows that it misses are 3; want 4, the number of rows`},
		{"rows,,,3,,\n", "", `c.csv:4: unexpected record "family"`},
		{",2,[5]", ",-2,[5]", `c.csv:6: the record "count" has no number n of 0 or more`},
		{",2,[5]", ",two,[5]", `c.csv:6: column "n" has "two": `},
		{",2,[5]", ",2,[NaN]", `c.csv:6: column "mean" has "[NaN]": `},
		{"[5],[0.5]", "[5],", "c.csv:6: found 1 states, 1 means and 0 cross products; want 1, 1 and 1"},
		{`"[""1""]",2`, `"[""2""]",2`, `c.csv:6: variable "a" has no state "2"`},
		{"family,\"[\"\"a\"\",", "family,\"[\"\"b\"\",", `c.csv:5: there is no variable "b"`},
		{"family,\"[\"\"a\"\",\"\"x\"\"]\"", "family,\"[\"\"a\"\",\"\"a\"\"]\"", `c.csv:5: the variable "a" is twice in a family`},
		{"variable,\"[\"\"x\"\"]\"", "variable,\"[\"\"a\"\"]\"", `c.csv:4: the variable "a" is there twice`},
		{"count,\"[\"\"a\"\",\"\"x\"\"]\"", "count,\"[\"\"a\"\"]\"", `c.csv:6: a count of ["a"] is among those of "a", "x"`},
		{"count", "kount", `c.csv:6: unexpected record "kount"`},
		{"[0.5]\n", "[0.5],7\n", "c.csv:6: wrong number of fields"},
	} {
		if _, err := counts.ReadCSV(strings.NewReader(strings.Replace(good, x.old, x.new, 1)), "c.csv", 0); err == nil || !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%q in place of %q: error %v; want %s", x.new, x.old, err, x.want)
		}
	}
	if _, err := counts.ReadCSV(strings.NewReader(good), "c.csv", 8); err == nil || !strings.Contains(err.Error(), "max-mem") {
		t.Errorf("error %v", err)
	}
	for at := range good { // no prefix panics
		counts.ReadCSV(strings.NewReader(good[:at]), "c.csv", 0)
	}
	for _, text := range []string{"", "{}", "[", "[{}]", `[{"record":"rows","n":1}`, `[{"record":"rows","n":1}]`} {
		if _, err := counts.ReadJSON(strings.NewReader(text), "c.json", 0); err == nil || !strings.HasPrefix(err.Error(), "c.json:") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// Families share scans of the table as far as these have few joint values. Columns with unknown
// states, and a table with the name of a step, share nothing.
func TestScans(t *testing.T) {
	d, err := sqltext.Find("sqlite")
	if err != nil {
		t.Fatal(err)
	}
	var names []any
	for i := range 37 {
		names = append(names, "v"+strconv.Itoa(i), 2+i%3)
	}
	list := learnertest.Vars(names...)
	var pairs, single []data.Family
	for v := range list {
		single = append(single, data.Family{Discrete: []int{v}})
		for u := range v {
			pairs = append(pairs, data.Family{Discrete: []int{u, v}})
		}
	}
	unknown := slices.Clone(list)
	for v := range unknown {
		unknown[v].States = nil
	}
	for _, x := range []struct {
		table       string
		vars        []data.Var
		families    []data.Family
		step        string
		least, most int
	}{
		{"t", list, pairs, "g", 15, 45},
		{`"G1".t`, list, single, "g_", 1, 8},
		{"t", unknown, single, "g", 37, 37},
	} {
		q := &counts.Query{Dialect: d, Table: x.table, Vars: x.vars}
		statements, err := q.Statements(x.families)
		if err != nil || len(statements) != 1 {
			t.Fatal(len(statements), err)
		}
		text := statements[0].Text
		if n := strings.Count(text, " AS MATERIALIZED ("); n < x.least || n > x.most || !strings.HasPrefix(text, "WITH "+x.step+"1 AS ") {
			t.Errorf("%d scans for %d families; want %d to %d:\n%.500s", n, len(x.families), x.least, x.most, text)
		}
		if n := strings.Count(text, "SUM(r.n)"); n != len(x.families) {
			t.Errorf("%d counts; want %d", n, len(x.families))
		}
	}
}

// The output of a client is read only if it is whole.
func TestOutput(t *testing.T) {
	d, err := sqltext.Find("postgres")
	if err != nil {
		t.Fatal(err)
	}
	q := &counts.Query{Dialect: d, Table: "t", Vars: vars()}
	discrete := []data.Family{{Discrete: []int{0}}, {Discrete: []int{0, 2}}}
	list, err := q.Statements(discrete)
	if err != nil || len(list) != 1 {
		t.Fatal(len(list), err)
	}
	const want = `SET jit = off;
WITH g1 AS MATERIALIZED (SELECT CAST("a" AS text) AS v1, CAST("é" AS text) AS v3, COUNT(*) AS n FROM "t" GROUP BY 1, 2)
SELECT f, s1, s2, n FROM (
SELECT 0 AS f, r.s1 AS s1, CAST(NULL AS text) AS s2, SUM(r.n) AS n FROM (SELECT v1 AS s1, n FROM g1 WHERE v1 IS NOT NULL) AS r GROUP BY 2
UNION ALL
SELECT 1 AS f, r.s1 AS s1, r.s2 AS s2, SUM(r.n) AS n FROM (SELECT v1 AS s1, v3 AS s2, n FROM g1 WHERE v1 IS NOT NULL AND v3 IS NOT NULL) AS r GROUP BY 2, 3
UNION ALL
SELECT 2 AS f, CAST(NULL AS text) AS s1, CAST(NULL AS text) AS s2, COUNT(*) AS n FROM "t" AS r
) AS u ORDER BY f;
`
	if list[0].Text != want {
		t.Errorf("got\n%s\nwant\n%s", list[0].Text, want)
	}
	for _, x := range []struct{ text, want string }{
		{"f,s1,s2,n\n0,1,,4\n1,1,0,3\n2,,,5\n", ""},
		{"", "the client printed no CSV; want the columns f,s1,s2,n"},
		{"n\n4\n", `the client printed the columns ["n"]; want ["f" "s1" "s2" "n"]`},
		{"f,s1,s2,n\n0,1,,4\n", "the output ends before its last row"},
		{"f,s1,s2,n\n0,1,,4\n1,1", "record on line 3: wrong number of fields"},
		{"f,s1,s2,n\n0,7,,4\n", `column "a" has the value "7", which is no state of the variable`},
		{"f,s1,s2,n\n0,1,,4\n0,1,,4\n2,,,8\n", `the client printed the row ["0" "1" "" "4"] after another with these states; want one`},
		{"f,s1,s2,n\n0,1,,x\n", `the client printed the count "x"; want a number`},
		{"f,s1,s2,n\n9,1,,1\n", `the client printed the row ["9" "1" "" "1"]; want the number of a family`},
	} {
		got, err := q.Read(&list[0], discrete, strings.NewReader(x.text))
		switch {
		case x.want == "" && (err != nil || got.Rows != 5 || !slices.Equal(got.Tables[1].N, []float64{0, 0, 3, 0})):
			t.Errorf("%q: %v, error %v", x.text, got, err)
		case x.want != "" && (err == nil || !strings.HasPrefix(err.Error(), x.want)):
			t.Errorf("%q: error %v; want %s", x.text, err, x.want)
		}
	}
}

// Moments of many rows keep the digits of a small variance beside a large mean. The values are
// whole multiples of a power of two, so that whole numbers give the exact sums.
func TestLargeMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	list := []data.Var{{Name: "x", Real: true}, {Name: "y", Real: true}}
	c, err := counts.OfRows(list, []data.Family{{Real: []int{0, 1}}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	const unit, n = 1.0 / (1 << 20), 1 << 14
	var x, y, xx, xy int64
	for range n {
		a, b := rng.Int64N(2001)-1000, rng.Int64N(2001)-1000
		x, y, xx, xy = x+a, y+b, xx+a*a, xy+a*b
		c.Row([]int{0, 0}, []float64{1e9 + float64(a)*unit, -2e8 + float64(b)*unit}, 1)
	}
	tables, err := c.Count([]data.Family{{Real: []int{0, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	got := tables[0].Moments[0].Cross
	variance := float64(n*xx-x*x) / n * unit * unit
	irtest.CloseTo(t, got[0], variance, 1e-10*variance)
	irtest.CloseTo(t, got[1], float64(n*xy-x*y)/n*unit*unit, 1e-10*variance)
}
