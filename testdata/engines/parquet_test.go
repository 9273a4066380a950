package engines_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// parquetOptions are ways in which DuckDB writes Parquet.
var parquetOptions = []string{
	"",
	"COMPRESSION uncompressed",
	"COMPRESSION gzip",
	"COMPRESSION zstd, ROW_GROUP_SIZE 2048",
	"COMPRESSION brotli, PARQUET_VERSION V2",
	"COMPRESSION lz4_raw, DICTIONARY_SIZE_LIMIT 1",
	"COMPRESSION snappy, DICTIONARY_SIZE_LIMIT 1, PARQUET_VERSION V2",
}

// TestParquet compares what score, predict, fit and hill climbing make of Parquet by DuckDB, with
// NULLs, with what they make of the same rows in CSV: the same bytes.
func TestParquet(t *testing.T) {
	irtest.SkipUnlessLong(t)
	pgmc, dir, d := buildCommand(t), t.TempDir(), startDuckDB(t)
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, x := range []struct {
		name, path, types, table, target string
		rows                             int
	}{
		{"texts", "../models/asia.bif", "all_varchar = true", "SELECT * FROM r", "lung", 5000},
		{"enumerations", "../models/asia.bif", "all_varchar = true", "SELECT * REPLACE (CAST(smoke AS truth) AS smoke, CAST(xray AS truth) AS xray) FROM r", "lung", 5000},
		{"one row", "../models/asia.bif", "all_varchar = true", "SELECT * FROM r", "lung", 1},
		{"numbers", "testdata/hybrid.json", "types = {'age': 'VARCHAR', 'ill': 'VARCHAR'}", "SELECT * FROM r", "", 5000},
	} {
		runs(t, pgmc, file("all.csv"), "sample", x.path, "-n", fmt.Sprint(x.rows), "--seed", "3")
		d.run(t, "CREATE OR REPLACE TABLE r AS SELECT * FROM read_csv("+quote(file("all.csv"), "'")+", header = true, "+x.types+")")
		column := d.run(t, "SELECT column_name FROM (DESCRIBE r) LIMIT 1 OFFSET 1")[1][0]
		if x.rows > 1 {
			d.run(t, "UPDATE r SET "+quote(column, `"`)+" = NULL WHERE rowid % 97 = 5")
		}
		d.run(t, "DROP TYPE IF EXISTS truth; CREATE TYPE truth AS ENUM ('yes', 'no')")
		d.run(t, "COPY r TO "+quote(file("r.csv"), "'")+" (HEADER, DELIMITER ',')")
		commands := [][]string{{"score", x.path, "ROWS", "--json"}, {"fit", x.path, "ROWS"}, {"learn", "hillclimb", "ROWS"}}
		if x.target != "" {
			commands = append(commands, []string{"predict", x.path, "ROWS", "-t", x.target})
		}
		if x.rows == 1 || x.target == "" {
			commands = commands[:2]
		}
		for _, options := range parquetOptions {
			path := file("r.parquet")
			with := "FORMAT parquet"
			if options != "" {
				with += ", " + options
			}
			d.run(t, "COPY ("+x.table+") TO "+quote(path, "'")+" ("+with+")")
			for _, command := range commands {
				want, got := result(t, pgmc, command, file("r.csv")), result(t, pgmc, command, path)
				if !bytes.Equal(got, want) {
					t.Errorf("%s, %q, %v: got\n%.1000s\nwant\n%.1000s", x.name, options, command, got, want)
				}
			}
		}
	}
}

// result returns what pgmc prints, or the file that it writes if it makes a model, with path in
// place of ROWS.
func result(t *testing.T, pgmc string, command []string, path string) []byte {
	t.Helper()
	args := slices.Clone(command)
	args[slices.Index(args, "ROWS")] = path
	if command[0] == "fit" || command[0] == "learn" {
		return runs(t, pgmc, filepath.Join(t.TempDir(), "m.pgmc.json"), args...)
	}
	var out, messages bytes.Buffer
	cmd := exec.Command(pgmc, append(args, "-q")...)
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, &messages)
	}
	return out.Bytes()
}
