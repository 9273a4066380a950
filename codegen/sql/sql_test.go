package sql_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/sql"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/sqltext"
)

// The tests compare texts and refusals. Those of testdata/engines run queries.

// rain is a network of two variables with a zero.
func rain() *model.Model {
	m := &model.Model{}
	a := m.NewVar("rain", "no", "yes")
	b := m.NewVar("wet", "no", "yes")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{a.ID}, Dist: &model.Table{Values: []float64{.5, .5}}},
		{Scope: []model.VarID{a.ID, b.ID}, Child: 1, Dist: &model.Table{Values: []float64{1, 0, .25, .75}}},
	}
	return m
}

// about returns a description of the table visits.
func about(t testing.TB, m *model.Model, dialect string) *sql.Query {
	t.Helper()
	d, err := sqltext.Find(dialect)
	if err != nil {
		t.Fatal(err)
	}
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	return &sql.Query{Model: m, Dialect: d, Table: "visits", Key: []string{"id"}}
}

// eliminate returns the query of a program with optional evidence on all variables but the target.
func eliminate(q *sql.Query, target string) (string, error) {
	query, observed := target, make([]sql.Observation, len(q.Model.Vars))
	for i, v := range q.Model.Vars {
		if v.Name != target {
			observed[i] = sql.Optional
		}
	}
	if target == "" {
		query = "logprob"
	}
	r, err := compiler.Compile(context.Background(), q.Model, compiler.Options{Queries: []string{query}, Interpreted: true})
	if err != nil {
		return "", err
	}
	return q.Eliminate(r.Program, &r.Program.Entries[0], observed)
}

// texts lists whole queries, one in each way.
var texts = []struct {
	name, dialect string
	write         func(q *sql.Query) (string, error)
	want          string
}{
	{"score", "duckdb", (*sql.Query).Score, `SELECT "id",
  CASE "rain" WHEN 'no' THEN CAST('-0.6931471805599453' AS DOUBLE) WHEN 'yes' THEN CAST('-0.6931471805599453' AS DOUBLE) END
 + CASE "rain" WHEN 'no' THEN CASE "wet" WHEN 'no' THEN CAST('0' AS DOUBLE) WHEN 'yes' THEN CAST('-Infinity' AS DOUBLE) END WHEN 'yes' THEN CASE "wet" WHEN 'no' THEN CAST('-1.3862943611198906' AS DOUBLE) WHEN 'yes' THEN CAST('-0.2876820724517809' AS DOUBLE) END END AS "logp"
FROM (SELECT "id",
  CAST("rain" AS VARCHAR) AS "rain",
  CAST("wet" AS VARCHAR) AS "wet"
 FROM "visits") AS t;
`},
	{"codes", "postgres", func(q *sql.Query) (string, error) { q.Coded = true; return q.Score() }, `SELECT "id",
  ('{-0.6931471805599453,-0.6931471805599453}'::float8[])["rain" + 1]
 + ('{0,-Infinity,-1.3862943611198906,-0.2876820724517809}'::float8[])["wet" + "rain" * 2 + 1] AS "logp"
FROM (SELECT "id",
  CASE WHEN "rain" BETWEEN 0 AND 1 THEN CAST("rain" AS integer) END AS "rain",
  CASE WHEN "wet" BETWEEN 0 AND 1 THEN CAST("wet" AS integer) END AS "wet"
 FROM "visits") AS t;
`},
	{"posterior", "sqlite", func(q *sql.Query) (string, error) { return q.Posterior(1) }, `WITH xs0 AS MATERIALIZED (
 SELECT "id",
  CASE "rain" WHEN 'no' THEN 0e0 WHEN 'yes' THEN -1.3862943611198906 END AS x0,
  CASE "rain" WHEN 'no' THEN -9e999 WHEN 'yes' THEN -0.2876820724517809 END AS x1
 FROM (SELECT "id",
  CAST("rain" AS TEXT) AS "rain"
 FROM "visits") AS t),
xs1 AS MATERIALIZED (
 SELECT "id",
  x0,
  x1,
  nullif(max(x0, x1), -9e999) AS x2
 FROM xs0),
xs2 AS MATERIALIZED (
 SELECT "id",
  CASE WHEN x0 - x2 > -700e0 THEN exp(x0 - x2) ELSE 0e0 END AS x0,
  CASE WHEN x1 - x2 > -700e0 THEN exp(x1 - x2) ELSE 0e0 END AS x1
 FROM xs1)
SELECT "id",
  x0 / nullif(x0 + x1, 0e0) AS "P(wet=no)",
  x1 / nullif(x0 + x1, 0e0) AS "P(wet=yes)"
FROM xs2;
`},
	{"check", "bigquery", (*sql.Query).Check, "SELECT 'rain' AS `column`, CAST(`rain` AS STRING) AS `value`, count(*) AS n FROM `visits`\n" +
		" WHERE `rain` IS NULL OR NOT (CAST(`rain` AS STRING) IN ('no', 'yes')) GROUP BY CAST(`rain` AS STRING)\n" +
		"UNION ALL\n" +
		"SELECT 'wet' AS `column`, CAST(`wet` AS STRING) AS `value`, count(*) AS n FROM `visits`\n" +
		" WHERE `wet` IS NULL OR NOT (CAST(`wet` AS STRING) IN ('no', 'yes')) GROUP BY CAST(`wet` AS STRING);\n"},
	{"params", "bigquery", func(q *sql.Query) (string, error) { q.Params = "p.numbers"; return q.Parameters() },
		"CREATE TABLE `p`.`numbers` (pgmc_factor INT64 NOT NULL, pgmc_entry INT64 NOT NULL, pgmc_ln FLOAT64 NOT NULL, PRIMARY KEY (pgmc_factor, pgmc_entry) NOT ENFORCED);\n" +
			"INSERT INTO `p`.`numbers` VALUES\n(0, 0, CAST('-0.6931471805599453' AS FLOAT64)),\n(0, 1, CAST('-0.6931471805599453' AS FLOAT64));\n" +
			"INSERT INTO `p`.`numbers` VALUES\n(1, 0, CAST('0' AS FLOAT64)),\n(1, 1, CAST('-inf' AS FLOAT64)),\n(1, 2, CAST('-1.3862943611198906' AS FLOAT64)),\n(1, 3, CAST('-0.2876820724517809' AS FLOAT64));\n"},
	{"missing", "duckdb", func(q *sql.Query) (string, error) { return eliminate(q, "") }, `WITH xs0 AS (
 SELECT "id",
  "rain",
  "wet",
  CASE "rain" WHEN 'no' THEN CAST('0' AS DOUBLE) WHEN 'yes' THEN CAST('1' AS DOUBLE) ELSE CASE WHEN "rain" IS NULL THEN CAST('1' AS DOUBLE) END END AS x7
 FROM (SELECT "id",
  CAST("rain" AS VARCHAR) AS "rain",
  CAST("wet" AS VARCHAR) AS "wet"
 FROM "visits") AS t),
xs1 AS (
 SELECT "id",
  (((CASE "rain" WHEN 'no' THEN CAST('1' AS DOUBLE) WHEN 'yes' THEN CAST('0' AS DOUBLE) ELSE CASE WHEN "rain" IS NULL THEN CAST('1' AS DOUBLE) END END * CAST('0.5' AS DOUBLE)) + (CAST('0.125' AS DOUBLE) * x7)) * CASE "wet" WHEN 'no' THEN CAST('1' AS DOUBLE) WHEN 'yes' THEN CAST('0' AS DOUBLE) ELSE CASE WHEN "wet" IS NULL THEN CAST('1' AS DOUBLE) END END) + ((CAST('0.375' AS DOUBLE) * x7) * CASE "wet" WHEN 'no' THEN CAST('0' AS DOUBLE) WHEN 'yes' THEN CAST('1' AS DOUBLE) ELSE CASE WHEN "wet" IS NULL THEN CAST('1' AS DOUBLE) END END) AS x15
 FROM xs0)
SELECT "id",
  CASE WHEN x15 > CAST('0' AS DOUBLE) THEN ln(x15) WHEN x15 = CAST('0' AS DOUBLE) THEN CAST('-Infinity' AS DOUBLE) END AS "logp"
FROM xs1;
`},
}

// TestTexts compares whole queries.
func TestTexts(t *testing.T) {
	for _, c := range texts {
		t.Run(c.name, func(t *testing.T) {
			text, err := c.write(about(t, rain(), c.dialect))
			if err != nil || text != c.want {
				t.Errorf("error %v; got\n%s\nwant\n%s", err, text, c.want)
			}
		})
	}
}

var (
	quoted  = regexp.MustCompile("'(?:[^'\\\\]|''|\\\\.)*'|\"(?:[^\"]|\"\")*\"|`(?:[^`\\\\]|\\\\.)*`")
	decimal = regexp.MustCompile(`\b\d+\.|\b\d+e[+-]?\d`)
	words   = regexp.MustCompile(`\b(CASE|END)\b|[()\[\]]`)
)

// form returns what is wrong with a text: brackets and CASE that do not pair, decimals that are not
// cast from text, and expressions that nest too deeply.
func form(text string, deepest int) string {
	bare := quoted.ReplaceAllString(text, "''")
	if x := decimal.FindString(bare); x != "" {
		return "it has the bare number " + x
	}
	var stack []string
	opens := map[string]string{")": "(", "]": "[", "END": "CASE"}
	for _, w := range words.FindAllString(bare, -1) {
		open, closes := opens[w]
		switch {
		case !closes:
			if stack = append(stack, w); len(stack) > deepest {
				return fmt.Sprintf("it nests deeper than %d", deepest)
			}
		case len(stack) == 0 || stack[len(stack)-1] != open:
			return w + " closes nothing"
		default:
			stack = stack[:len(stack)-1]
		}
	}
	if len(stack) > 0 || !strings.HasSuffix(text, ";\n") || strings.Count(bare, "'")%2 != 0 {
		return fmt.Sprintf("it ends in %q within %v", text[max(0, len(text)-10):], stack)
	}
	return ""
}

// TestForm checks the form of all queries, which is all that is known of those for BigQuery.
func TestForm(t *testing.T) {
	for _, dialect := range []string{"bigquery", "duckdb", "postgres"} {
		q := about(t, irtest.Asia(), dialect)
		for name, write := range map[string]func() (string, error){
			"check": q.Check, "score": q.Score, "posterior": func() (string, error) { return q.Posterior(3) },
			"missing": func() (string, error) { return eliminate(q, "") }, "missing lung": func() (string, error) { return eliminate(q, "lung") },
			"codes": func() (string, error) {
				coded := *q
				coded.Coded = true
				return coded.Score()
			},
			"params": func() (string, error) {
				joined := *q
				joined.Params = "numbers"
				return joined.Score()
			},
		} {
			text, err := write()
			if err != nil {
				t.Fatal(err)
			}
			if wrong := form(text, 16); wrong != "" {
				t.Errorf("%s, %s: %s:\n%s", dialect, name, wrong, text)
			}
			if dialect == "bigquery" && strings.Contains(quoted.ReplaceAllString(strings.ReplaceAll(text, "`", ""), ""), `"`) {
				t.Errorf("%s holds a double quote, which is a text in BigQuery:\n%s", name, text)
			}
		}
	}
}

// star returns a naive Bayes network of n children.
func star(n, states int) *model.Model {
	m := &model.Model{}
	var names []string
	row := make([]float64, states)
	for s := range states {
		names, row[s] = append(names, fmt.Sprint("state ", s)), 1/float64(states)
	}
	row[0], row[1] = row[0]/2, row[1]*1.5
	for i := range n + 1 {
		v := m.NewVar(fmt.Sprint("v", i), names...)
		f := &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: row}}
		if i > 0 {
			values := make([]float64, 0, states*states)
			for s := range states {
				values = append(append(values, row[s:]...), row[:s]...)
			}
			f = &model.Factor{Scope: []model.VarID{0, v.ID}, Child: 1, Dist: &model.Table{Values: values}}
		}
		m.Factors = append(m.Factors, f)
	}
	return m
}

// TestDepth checks that expressions over many factors nest to logarithmic depth.
func TestDepth(t *testing.T) {
	q := about(t, star(1200, 2), "duckdb")
	text, err := q.Posterior(0)
	if err != nil {
		t.Fatal(err)
	}
	if wrong := form(text, 20); wrong != "" {
		t.Error(wrong)
	}
}

// TestRefusals compares errors, which name what is in the way and what works.
func TestRefusals(t *testing.T) {
	circuit := rain()
	circuit.Kind = model.Markov
	circuit.Factors = []*model.Factor{{Scope: []model.VarID{0, 1}, Child: -1, Dist: &model.Circuit{Nodes: []model.CircuitNode{{Op: model.CircuitIndicator}}}}}
	latent := rain()
	latent.Vars[0].Latent = true
	folded := rain()
	folded.Vars[1].Name = "Rain"
	long := rain()
	long.Vars[1].Name = strings.Repeat("w", 64)
	real := &model.Model{}
	x := real.NewReal("x")
	real.Factors = []*model.Factor{{Scope: []model.VarID{x.ID}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{0}}}}
	causes := &model.Model{}
	wide := &model.Factor{Child: 17, Dist: &model.NoisyMax{Leak: []float64{1, 0}}}
	for i := range 18 {
		v := causes.NewVar(fmt.Sprint("c", i), "no", "yes")
		wide.Scope = append(wide.Scope, v.ID)
		if i < 17 {
			wide.Dist.(*model.NoisyMax).Cause = append(wide.Dist.(*model.NoisyMax).Cause, []float64{1, 0, .5, .5})
			causes.Factors = append(causes.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{.5, .5}}})
		}
	}
	causes.Factors = append(causes.Factors, wide)
	for _, c := range []struct {
		name, dialect string
		m             *model.Model
		write         func(q *sql.Query) (string, error)
		want          string
	}{
		{"circuit", "duckdb", circuit, (*sql.Query).Score, `-: the potential over "rain", "wet" is of kind circuit and has no form in SQL; use pgmc score or pgmc predict`},
		{"latent", "duckdb", latent, (*sql.Query).Score, `-: variable "rain" is latent, and no column has it; use with-missing`},
		{"case", "sqlite", folded, (*sql.Query).Score, `columns: the names "rain" and "Rain" differ by case only, and are one column in SQLite; rename one`},
		{"long", "postgres", long, (*sql.Query).Score, `the name "` + long.Vars[1].Name + `" has 64 bytes; PostgreSQL takes 63 at most, and the rest would be cut; use a shorter name`},
		{"variance", "duckdb", real, func(q *sql.Query) (string, error) { return q.Posterior(0) }, `-: the CPD of "x" is of kind gaussian and has a row of variance 0, which has no density; use pgmc score or pgmc predict`},
		{"noisy-max", "duckdb", causes, (*sql.Query).Score, `-: the CPD of "c17" is of kind noisy-max and has more than 65536 joint states; use pgmc score or pgmc predict`},
		{"text", "duckdb", star(200, 10), (*sql.Query).Score, `the query has `},
		{"products", "duckdb", star(200, 6), func(q *sql.Query) (string, error) { return eliminate(q, "") }, `the query would take `},
		{"joins", "sqlite", star(1, 70), func(q *sql.Query) (string, error) { q.Params = "numbers"; return q.Posterior(0) }, `a step of the query joins the table of parameters 70 times; SQLite takes 63; leave params out`},
		{"columns", "sqlite", star(2000, 2), func(q *sql.Query) (string, error) { return q.Score() }, `a step of the query has 2002 columns; SQLite takes 2000 at most; use pgmc score or pgmc predict`},
		{"keys", "duckdb", rain(), func(q *sql.Query) (string, error) { q.Key = []string{"wet"}; return q.Score() }, `columns: two columns of the result would have the name "wet"; rename one`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := c.write(about(t, c.m, c.dialect))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error %v, %d bytes; want %s", err, len(text), c.want)
			}
		})
	}
}
