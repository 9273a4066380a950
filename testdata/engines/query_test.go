package engines_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// question is a query of pgmc sql, and the words of its command.
type question struct {
	what, target string
	evidence     []string // of a signature
	do           []string // those of evidence that are set by intervention
	missing      bool     // --with-missing
}

// cases lists the models and what is asked of each. A path in data is a reference network, and no
// path the network of longStar.
var cases = []struct {
	name, path string
	tolerance  float64
	ask        []question
}{
	{"asia", "../models/asia.bif", 1e-12, []question{
		{what: "posterior", target: "lung"}, {what: "posterior", target: "either"}, {what: "posterior", target: "asia"},
		{what: "posterior", target: "lung", missing: true}, {what: "posterior", target: "either", missing: true},
		{what: "posterior", target: "lung", evidence: []string{"xray", "smoke"}},
		{what: "posterior", target: "bronc", evidence: []string{"dysp", "either"}, missing: true},
		{what: "posterior", target: "dysp", evidence: []string{"asia", "lung"}, do: []string{"lung"}},
	}},
	{"child", "data/bif/child.bif.gz", 1e-12, []question{
		{what: "posterior", target: "Disease"}, {what: "posterior", target: "Disease", missing: true},
		{what: "posterior", target: "Disease", evidence: []string{"XrayReport", "GruntingReport"}},
	}},
	{"alarm", "data/bif/alarm.bif.gz", 1e-12, []question{
		{what: "posterior", target: "HISTORY"}, {what: "posterior", target: "CATECHOL"}, {what: "posterior", target: "LVFAILURE", missing: true},
	}},
	{"hybrid", "testdata/hybrid.json", 1e-9, []question{
		{what: "posterior", target: "age"}, {what: "posterior", target: "ill"}, {what: "posterior", target: "days"}, {what: "posterior", target: "cost"},
	}},
	{"hostile", "testdata/hostile.json", 1e-12, []question{
		{what: "posterior", target: "select"}, {what: "posterior", target: `"a\"b"`}, {what: "posterior", target: `"x1 -- \\"`},
		{what: "posterior", target: "select", missing: true}, {what: "posterior", target: `"ä\nö"`, evidence: []string{"it's"}},
	}},
	{"long", "", 1e-12, []question{
		{what: "posterior", target: "v0"}, {what: "posterior", target: "v0", missing: true},
	}},
	{"markov", "testdata/markov.json", 1e-12, []question{
		{what: "posterior", target: "b"}, {what: "posterior", target: "b", missing: true}, {what: "posterior", target: "c", evidence: []string{"a"}},
	}},
}

// TestQueries compares the answers of engines with the interpreter's, by key.
func TestQueries(t *testing.T) {
	irtest.SkipUnlessLong(t)
	pgmc := buildCommand(t)
	for _, d := range dialects {
		t.Run(d.id, func(t *testing.T) {
			e := d.start(t)
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					x := newTrial(t, pgmc, c.path, d.id, e)
					x.tolerance = c.tolerance
					x.check(t, "visits")
					x.check(t, "codes", "--coded")
					for _, q := range append(c.ask, question{what: "score"}) {
						x.compare(t, q, "--table", "visits")
						x.compare(t, q, "--table", "codes", "--coded")
						if !q.missing && q.evidence == nil {
							x.compare(t, q, "--table", "visits", "--params", "numbers")
						}
					}
					if len(x.m.Reals()) == 0 {
						x.compare(t, question{what: "score", missing: true}, "--table", "visits")
						x.compare(t, question{what: "score", missing: true}, "--table", "codes", "--coded")
					}
				})
			}
		})
	}
}

// buildCommand builds pgmc.
func buildCommand(t testing.TB) string {
	path := filepath.Join(t.TempDir(), "pgmc")
	build := exec.Command("go", "build", "-trimpath", "-o", path, "github.com/pgmc-go/pgmc/cmd/pgmc")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// The states of a cell that holds none.
const (
	missing = -1
	foreign = -2 // it holds no state of its variable, or an infinity
)

// trial is a model and rows of data in an engine.
type trial struct {
	pgmc, path, dialect string
	engine              engine
	m                   *model.Model
	answers             *infer.Engine
	state               [][]int
	x                   [][]float64
	tolerance           float64
}

// rows is the number of rows of a table.
const rows = 240

func newTrial(t *testing.T, pgmc, path, dialect string, e engine) *trial {
	if rest, ok := strings.CutPrefix(path, "data/"); ok {
		path = filepath.Join(shared(t), "data", rest)
	} else if path == "" {
		path = longStar(t)
	}
	m, _, err := infer.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	x := &trial{pgmc: pgmc, path: path, dialect: dialect, engine: e}
	if x.answers, err = infer.New(context.Background(), m, infer.Options{Seed: 1}); err != nil {
		t.Fatal(err)
	}
	x.m = x.answers.Model()
	x.draw(t)
	for _, table := range []string{"visits", "codes", "numbers"} {
		e.run(t, "DROP TABLE IF EXISTS "+table+";")
	}
	x.load(t, "visits", false)
	x.load(t, "codes", true)
	e.run(t, x.sql(t, "params", "--params", "numbers"))
	return x
}

// longStar writes a naive Bayes network whose products leave the range of float64, so that programs
// rescale, and returns its path.
func longStar(t *testing.T) string {
	const children = 100
	var vars, factors []string
	vars = append(vars, `{"name": "v0", "states": ["a", "b"]}`)
	factors = append(factors, `{"scope": ["v0"], "child": "v0", "table": [0.25, 0.75]}`)
	for i := 1; i <= children; i++ {
		vars = append(vars, fmt.Sprintf(`{"name": "v%d", "states": ["a", "b"]}`, i))
		factors = append(factors, fmt.Sprintf(`{"scope": ["v0", "v%[1]d"], "child": "v%[1]d", "table": [0.9999, 0.0001, 0.%[2]d, 0.%[3]d]}`, i, 5+i%5, 5-i%5))
	}
	path := filepath.Join(t.TempDir(), "long.json")
	text := fmt.Sprintf(`{"pgmc": 2, "kind": "bayes", "name": "long", "variables": [%s], "factors": [%s]}`, strings.Join(vars, ","), strings.Join(factors, ","))
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// shared returns the folder of reference data.
func shared(t testing.TB) string {
	if _, set := os.LookupEnv("PGMC_SHARED"); !set {
		t.Setenv("PGMC_SHARED", filepath.Join("..", "..", "..", "shared"))
		if _, err := os.Stat(os.Getenv("PGMC_SHARED")); err != nil {
			t.Skip("needs the reference data; set PGMC_SHARED to say where they are")
		}
		abs, err := filepath.Abs(os.Getenv("PGMC_SHARED"))
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("PGMC_SHARED", abs)
	}
	return irtest.Shared(t)
}

// draw makes rows: drawn from the model, with missing cells, with states that are drawn alike and
// so are often impossible together, and with one cell that is no state.
func (x *trial) draw(t *testing.T) {
	drawn, err := x.answers.Draw(context.Background(), nil, rows)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i, row := range drawn {
		state, real := make([]int, len(row)), make([]float64, len(row))
		for v, value := range row {
			state[v], real[v] = value.State, value.Real
			switch discrete := !x.m.IsReal(model.VarID(v)); {
			case i%4 == 1 && r.Float64() < .15:
				state[v], real[v] = missing, math.NaN()
			case i%4 == 2 && discrete:
				state[v] = r.IntN(x.m.Card(model.VarID(v)))
			case i%4 == 2:
				real[v] *= 1 + r.NormFloat64()/8
			}
		}
		if i%4 == 3 {
			v := r.IntN(len(row))
			state[v], real[v] = foreign, math.Inf(1)
		}
		x.state, x.x = append(x.state, state), append(x.x, real)
	}
}

// quote is the quoting of the standard, which the three engines share.
func quote(s, by string) string { return by + strings.ReplaceAll(s, by, by+by) + by }

// load creates a table of the rows, with names or with numbers of states. Its rows come in another
// order than their keys.
func (x *trial) load(t *testing.T, table string, coded bool) {
	b := &strings.Builder{}
	fmt.Fprintf(b, "CREATE TABLE %s (id INTEGER", table)
	for _, v := range x.m.Vars {
		kind := map[bool]string{true: "INTEGER", false: "TEXT"}[coded]
		if x.m.IsReal(v.ID) {
			kind = "DOUBLE PRECISION"
		}
		fmt.Fprintf(b, ", %s %s", quote(v.Name, `"`), kind)
	}
	b.WriteString(");\n")
	for i := range rows {
		key := (i*7 + 3) % rows
		fmt.Fprintf(b, "INSERT INTO %s VALUES (%d", table, key)
		for v := range x.m.Vars {
			b.WriteString(", " + x.cell(key, model.VarID(v), coded))
		}
		b.WriteString(");\n")
	}
	x.engine.run(t, b.String())
}

// cell returns the literal of a cell.
func (x *trial) cell(row int, v model.VarID, coded bool) string {
	switch state := x.state[row][v]; {
	case state == missing && x.m.IsReal(v) && row%2 == 0 && x.dialect != "sqlite": // which has no NaN
		return "CAST('NaN' AS DOUBLE PRECISION)"
	case state == missing:
		return "NULL"
	case x.m.IsReal(v):
		if state == foreign {
			return map[bool]string{true: "9e999", false: "CAST('Infinity' AS DOUBLE PRECISION)"}[x.dialect == "sqlite"]
		}
		return fmt.Sprintf("CAST('%s' AS DOUBLE PRECISION)", strconv.FormatFloat(x.x[row][v], 'g', -1, 64))
	case coded && state == foreign:
		return strconv.Itoa([]int{x.m.Card(v), -1, -2}[row%3])
	case coded:
		return strconv.Itoa(state)
	case state == foreign:
		return "'no such state'"
	}
	return quote(x.m.States(v)[x.state[row][v]], "'")
}

// sql returns what pgmc sql prints.
func (x *trial) sql(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(x.pgmc, append([]string{"sql", x.path, "--dialect", x.dialect}, args...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("pgmc sql %q: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// words returns the operands of a question.
func (q *question) words() []string {
	list := []string{q.what}
	if q.what == "posterior" {
		target := q.target
		for i, name := range q.evidence {
			mark := map[bool]string{true: " | ", false: ", "}[i == 0]
			word := strconv.Quote(name)
			if has(q.do, name) {
				word = "do(" + word + ")"
			}
			target += mark + word
		}
		list = append(list, target)
	}
	if q.missing {
		list = append(list, "--with-missing")
	}
	return list
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// compare compares the answers to a question with the interpreter's.
func (x *trial) compare(t *testing.T, q question, flags ...string) {
	t.Helper()
	words := append(append(q.words(), flags...), "--key", "id")
	got := x.engine.run(t, x.sql(t, words...))
	if len(got) != rows+1 {
		t.Errorf("%q: %d rows; want %d", words, len(got)-1, rows)
		return
	}
	seen, nulls, wrong := map[int]bool{}, 0, 0
	for _, row := range got[1:] {
		key, err := strconv.Atoi(row[0])
		if err != nil || seen[key] {
			t.Fatalf("%q: key %s; want each number from 0 to %d once", words, row[0], rows-1)
		}
		seen[key] = true
		want, known := x.want(t, &q, key)
		if !known {
			continue
		}
		if want == nil {
			nulls++
		}
		if off := x.differ(row[1:], want); off != "" && wrong < 3 {
			wrong++
			t.Errorf("%q: row %d: %s", words, key, off)
		}
	}
	if nulls == 0 || nulls == rows {
		t.Errorf("%q: %d rows of %d without an answer; the rows test nothing", words, nulls, rows)
	}
}

// differ returns how answers differ from those wanted, or "". Wanted answers of nil are NULL.
func (x *trial) differ(got []string, want []float64) string {
	for i, text := range got {
		if want == nil {
			if text != null {
				return fmt.Sprintf("got %s; want NULL", text)
			}
			continue
		}
		number, err := strconv.ParseFloat(text, 64)
		if err != nil || !(number == want[i] || math.Abs(number-want[i]) <= x.tolerance*math.Max(1, math.Abs(want[i]))) {
			return fmt.Sprintf("column %d: got %q; want %v", i, text, want[i])
		}
	}
	return ""
}

// want returns the answers to a question about a row; nil stands for NULL. known is false if the
// question has no answer, see posterior.
func (x *trial) want(t *testing.T, q *question, row int) (answers []float64, known bool) {
	if q.what == "score" {
		given, state := x.given(row, x.m.IDs())
		if state == foreign || state == missing && !q.missing {
			return nil, true
		}
		log, err := x.answers.LogProb(context.Background(), given)
		if errors.Is(err, infer.ErrImpossible) {
			log, err = math.Inf(-1), nil
		}
		if err != nil {
			t.Fatal(err)
		}
		return []float64{log}, true
	}
	return x.posterior(t, q, row)
}

// given returns the evidence in the cells of some variables, and the least of their states.
func (x *trial) given(row int, vars []model.VarID) (infer.Evidence, int) {
	given, least := infer.Evidence{}, 0
	for _, v := range vars {
		s := x.state[row][v]
		if least = min(least, s); s < 0 {
			continue
		}
		if given[x.m.Vars[v].Name] = x.x[row][v]; !x.m.IsReal(v) {
			given[x.m.Vars[v].Name] = x.m.States(v)[s]
		}
	}
	return given, least
}

// posterior returns the numbers of a posterior. It has none if cells of the Markov blanket are
// impossible together, but not with any state of the target: the query sees a part of the factors.
func (x *trial) posterior(t *testing.T, q *question, row int) (answers []float64, known bool) {
	name := q.target
	if s, err := strconv.Unquote(name); err == nil {
		name = s
	}
	target, _ := x.m.VarByName(name)
	vars := model.NewGraph(x.m).Blanket(target.ID)
	switch {
	case q.evidence != nil:
		vars = nil
		for _, name := range q.evidence {
			v, _ := x.m.VarByName(name)
			vars = append(vars, v.ID)
		}
	case q.missing:
		vars = nil
		for _, v := range x.m.Vars {
			if v != target {
				vars = append(vars, v.ID)
			}
		}
	}
	given, state := x.given(row, vars)
	if state == foreign || state == missing && !q.missing {
		return nil, true
	}
	e := x.answers
	if q.do != nil {
		set := infer.Evidence{}
		for _, name := range q.do {
			set[name] = given[name]
			delete(given, name)
		}
		cut, err := infer.Do(x.m, set)
		if err != nil {
			t.Fatal(err)
		}
		if e, err = infer.New(context.Background(), cut, infer.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	p, err := e.Posterior(context.Background(), given, name)
	switch {
	case errors.Is(err, infer.ErrImpossible):
		return nil, q.missing || q.evidence != nil || x.excluded(row, target.ID)
	case err != nil:
		t.Fatal(err)
	case p.States == nil:
		return []float64{p.Mean, p.Variance}, true
	}
	return p.P, true
}

// excluded reports whether the factors of a variable exclude each of its states.
func (x *trial) excluded(row int, v model.VarID) bool {
	state := append([]int(nil), x.state[row]...)
	for s := range x.m.Card(v) {
		state[v] = s
		log := 0.0
		for _, f := range x.m.Factors {
			for _, u := range f.Scope {
				if u == v {
					log += x.m.LogFactor(f, state, x.x[row])
				}
			}
		}
		if log > math.Inf(-1) {
			return false
		}
	}
	return true
}

// check compares the cells that pgmc sql check finds with those that the rows hold.
func (x *trial) check(t *testing.T, table string, flags ...string) {
	want := map[string]int{}
	for row := range rows {
		for v, s := range x.state[row] {
			if s < 0 {
				want[x.m.Vars[v].Name]++
			}
		}
	}
	got := map[string]int{}
	for i, row := range x.engine.run(t, x.sql(t, append([]string{"check", "--table", table}, flags...)...)) {
		if i == 0 {
			continue
		}
		n, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		got[row[0]] += n
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("check found %v; want %v", got, want)
	}
}
