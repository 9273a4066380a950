package engines_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// BenchmarkDuckDB compares queries with pulling the columns of text through database/sql, in DuckDB
// with one thread. An operation is all rows.
func BenchmarkDuckDB(b *testing.B) {
	const drawn = 200_000
	pgmc := buildCommand(b)
	for _, c := range []struct{ name, target string }{{"asia", "lung"}, {"alarm", "HISTORY"}} {
		path := filepath.Join(shared(b), "data", "bif", c.name+".bif.gz")
		csv := filepath.Join(b.TempDir(), "rows.csv")
		command := func(args ...string) string {
			out, err := exec.Command(pgmc, args...).Output()
			if err != nil {
				b.Fatal(err)
			}
			return strings.TrimSuffix(string(out), ";\n")
		}
		command("sample", path, "-n", fmt.Sprint(drawn), "-o", csv)
		m, _, err := infer.Load(path)
		if err != nil {
			b.Fatal(err)
		}
		d := startDuckDB(b).(duckDB)
		d.run(b, fmt.Sprintf("CREATE TABLE visits AS SELECT * FROM read_csv('%s', all_varchar=true)", csv))
		d.run(b, "CREATE TABLE codes AS SELECT "+codesOf(m)+" FROM visits")
		b.Run(c.name+"/pull", func(b *testing.B) {
			for b.Loop() {
				pull(b, d, len(m.Vars))
			}
		})
		target, _ := m.VarByName(c.target)
		answer := fmt.Sprintf(`"P(%s=%s)"`, c.target, m.States(target.ID)[0])
		for _, q := range []struct {
			name, column string
			args         []string
		}{
			{"score", "logp", []string{"score", "--table", "visits"}},
			{"score of codes", "logp", []string{"score", "--table", "codes", "--coded"}},
			{"posterior", answer, []string{"posterior", c.target, "--table", "visits"}},
			{"posterior of codes", answer, []string{"posterior", c.target, "--table", "codes", "--coded"}},
		} {
			text := fmt.Sprintf("SELECT sum(%s) FROM (%s) AS q", q.column, command(append([]string{"sql", path}, q.args...)...))
			b.Run(c.name+"/"+q.name, func(b *testing.B) {
				for b.Loop() {
					d.run(b, text)
				}
			})
		}
	}
}

// codesOf returns the columns of a table of texts as numbers of states.
func codesOf(m *model.Model) string {
	var codes []string
	for _, v := range m.Vars {
		code := "CASE " + quote(v.Name, `"`)
		for s, name := range m.States(v.ID) {
			code += fmt.Sprintf(" WHEN %s THEN %d", quote(name, "'"), s)
		}
		codes = append(codes, fmt.Sprintf("CAST(%s END AS TINYINT) AS %s", code, quote(v.Name, `"`)))
	}
	return strings.Join(codes, ", ")
}

// pull reads all cells of the table visits as texts.
func pull(b *testing.B, d duckDB, columns int) {
	rows, err := d.db.Query("SELECT * FROM visits")
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	cells, places := make([]string, columns), make([]any, columns)
	for i := range cells {
		places[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			b.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
}
