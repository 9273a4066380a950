package engines_test

import (
	"bytes"
	"database/sql"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Variables of the environment that make the test binary a client of DuckDB, as its own one is: the
// file of the database, and a file to which it adds a line with the CPU time of each call.
const (
	clientBase  = "PGMC_DUCKDB"
	clientCalls = "PGMC_DUCKDB_CALLS"
)

func TestMain(m *testing.M) {
	base := os.Getenv(clientBase)
	if base == "" {
		os.Exit(m.Run())
	}
	if err := duckClient(base); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// duckClient runs the SQL on standard input on one thread and prints the rows as CSV.
func duckClient(base string) error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	db, err := sql.Open("duckdb", base+"?threads=1")
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := query(db, string(text))
	if err != nil {
		return err
	}
	for _, row := range rows {
		for i := range row {
			if row[i] == null {
				row[i] = ""
			}
		}
	}
	if err := csv.NewWriter(os.Stdout).WriteAll(rows); err != nil || os.Getenv(clientCalls) == "" {
		return err
	}
	f, err := os.OpenFile(os.Getenv(clientCalls), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(f, time.Duration(use.Utime.Nano()+use.Stime.Nano())); err != nil {
		return err
	}
	return f.Close()
}

// clientOf returns the client of an engine, which keeps its database from call to call.
func clientOf(t *testing.T, id string, start func(testing.TB) engine) client {
	if id != "duckdb" {
		return start(t).(client)
	}
	t.Setenv(clientBase, filepath.Join(t.TempDir(), "duck.db"))
	return client{os.Args[0]}
}

// command returns the client for --engine-cmd. It prints NULL as an empty cell.
func (c client) command() string {
	var words []string
	for i, word := range c {
		if strings.HasSuffix(word, nullText) || i+1 < len(c) && strings.HasSuffix(c[i+1], nullText) {
			continue // the text for NULL and its flag
		}
		words = append(words, `"`+word+`"`)
	}
	return strings.Join(words, " ")
}

// runs runs pgmc and returns the file that it writes.
func runs(t *testing.T, pgmc, out string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(pgmc, append(args, "-o", out, "-q")...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// insert makes a table of the rows of a CSV file, with states by name and with their numbers.
func insert(t *testing.T, e client, m *model.Model, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []struct{ name, kind string }{{"visits", "VARCHAR"}, {"codes", "INTEGER"}} {
		var columns, lines []string
		for _, name := range rows[0] {
			columns = append(columns, quote(name, `"`)+" "+table.kind)
		}
		for _, row := range rows[1:] {
			cells := make([]string, len(row))
			for i, s := range row {
				v, _ := m.VarByName(rows[0][i])
				switch {
				case s == "":
					cells[i] = "NULL"
				case table.name == "codes":
					cells[i] = fmt.Sprint(slices.Index(m.States(v.ID), s))
				default:
					cells[i] = quote(s, "'")
				}
			}
			lines = append(lines, "("+strings.Join(cells, ", ")+")")
		}
		e.run(t, "CREATE TABLE "+table.name+" ("+strings.Join(columns, ", ")+");\nINSERT INTO "+table.name+" VALUES "+strings.Join(lines, ",\n")+";")
	}
}

// TestCounts compares what count, fit and hill climbing make of the counts of engines with what
// they make of rows, some of which miss values: the bytes are the same.
func TestCounts(t *testing.T) {
	irtest.SkipUnlessLong(t)
	pgmc, dir := buildCommand(t), t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	const path = "../models/asia.bif"
	rows := runs(t, pgmc, file("rows.csv"), "sample", path, "-n", "2000", "--seed", "3")
	lines := strings.Split(string(rows), "\n")
	for i := 7; i < len(lines); i += 97 {
		cells := strings.Split(lines[i], ",")
		if len(cells) > 1 {
			cells[i%len(cells)] = ""
		}
		lines[i] = strings.Join(cells, ",")
	}
	if err := os.WriteFile(file("rows.csv"), []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	m, _, err := infer.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dialects {
		t.Run(d.id, func(t *testing.T) {
			e := clientOf(t, d.id, d.start)
			insert(t, e, m, file("rows.csv"))
			for _, x := range []struct {
				table, out string
				args       []string
				coded      bool
			}{
				{"visits", "c.csv", []string{"count", path}, false},
				{"codes", "c.csv", []string{"count", path}, true},
				{"visits", "f.json", []string{"fit", path}, false},
				{"codes", "f.json", []string{"fit", path}, true},
				{"visits", "l.json", []string{"learn", "hillclimb"}, false},
				{"codes", "l.json", []string{"learn", "hillclimb", "--init", path}, true},
			} {
				want := runs(t, pgmc, file("want-"+x.out), append(x.args, file("rows.csv"))...)
				args := append(x.args, "--counts-from", x.table, "--dialect", d.id, "--engine-cmd", e.command())
				if x.coded {
					args = append(args, "--coded")
				}
				if got := runs(t, pgmc, file(d.id+"-"+x.out), args...); !bytes.Equal(got, want) {
					t.Errorf("%v: got\n%.1000s\nwant\n%.1000s", args, got, want)
				}
			}
		})
	}
}

// edgeless writes a network of the variables of m without edges, and returns its path.
func edgeless(t *testing.T, m *model.Model) string {
	empty := &model.Model{Name: m.Name, Kind: model.Bayes}
	for i, v := range m.Vars {
		states := m.States(v.ID)
		empty.NewVar(v.Name, states...)
		uniform := slices.Repeat([]float64{1 / float64(len(states))}, len(states))
		empty.Factors = append(empty.Factors, &model.Factor{Scope: []model.VarID{model.VarID(i)}, Dist: &model.Table{Values: uniform}})
	}
	path := filepath.Join(t.TempDir(), "edgeless.json")
	if err := format.Write(compiler.Formats, path, "json", empty); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAlarm learns alarm from a million rows in DuckDB by numbers of states, in at most 60
// statements, with the bytes that rows give.
func TestAlarm(t *testing.T) {
	irtest.SkipUnlessLong(t)
	pgmc, dir := buildCommand(t), t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	path := filepath.Join(shared(t), "data", "bif", "alarm.bif.gz")
	runs(t, pgmc, file("rows.csv"), "sample", path, "-n", "1000000", "--seed", "1")
	m, _, err := infer.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	e := clientOf(t, "duckdb", nil)
	e.run(t, "CREATE TABLE codes AS SELECT "+codesOf(m)+fmt.Sprintf(" FROM read_csv('%s', all_varchar=true)", file("rows.csv")))
	t.Setenv(clientCalls, file("calls"))
	start := edgeless(t, m)
	got := runs(t, pgmc, file("got.bif"), "learn", "hillclimb", "--init", start, "--counts-from", "codes", "--coded", "--dialect", "duckdb", "--engine-cmd", e.command())
	if want := runs(t, pgmc, file("want.bif"), "learn", "hillclimb", "--init", start, file("rows.csv")); !bytes.Equal(got, want) {
		t.Errorf("got\n%.1000s\nwant\n%.1000s", got, want)
	}
	text, err := os.ReadFile(file("calls"))
	if err != nil {
		t.Fatal(err)
	}
	var cpu time.Duration
	calls := strings.Fields(string(text))
	for _, s := range calls {
		d, err := time.ParseDuration(s)
		if err != nil {
			t.Fatal(err)
		}
		cpu += d
	}
	if len(calls) > 60 {
		t.Errorf("%d statements; want at most 60", len(calls))
	}
	t.Logf("%d statements, %v of CPU time in DuckDB", len(calls), cpu)
}
