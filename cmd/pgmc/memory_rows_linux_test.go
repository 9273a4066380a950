package main

import (
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestMemoryOfRows runs commands on 10 million rows, each in a process of its own, and compares its
// peak memory with a limit that does not grow with the rows.
func TestMemoryOfRows(t *testing.T) {
	irtest.SkipUnlessLong(t)
	asia, err := filepath.Abs("../../testdata/models/asia.bif")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		u := measured(t, dir, args)[0]
		if u.Code != cli.ExitDone {
			t.Fatalf("%q: exit code %d\n%s", args, u.Code, u.Stderr)
		}
		if u.Memory > mostMemory {
			t.Errorf("%q: %d bytes of memory; want at most %d", args, u.Memory, mostMemory)
		}
	}
	for _, name := range []string{"rows.csv", "groups.parquet"} {
		run("sample", asia, "-n", "10000000", "-o", name)
	}
	writeOneGroup(t, filepath.Join(dir, "rows.csv"), filepath.Join(dir, "group.parquet"))
	for _, name := range []string{"rows.csv", "groups.parquet", "group.parquet"} {
		run("score", asia, name)
		run("predict", asia, name, "--targets", "lung", "-o", "out.parquet")
		run("impute", asia, name, "-o", "out.parquet")
		run("data", name)
		run("count", asia, name, "-o", "counts.json")
		run("convert", name, "out.csv")
		run("convert", name, "out.parquet")
	}
}

// writeOneGroup writes the rows of a CSV file as Parquet of one row group.
func writeOneGroup(t *testing.T, from, to string) {
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	rows := csv.NewReader(in)
	rows.ReuseRecord = true
	names, err := rows.Read()
	if err != nil {
		t.Fatal(err)
	}
	columns := parquet.Group{}
	for _, name := range names {
		columns[name] = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	schema := parquet.NewSchema("rows", columns)
	place := make([]int, len(names))
	for i, name := range names {
		c, _ := schema.Lookup(name)
		place[i] = c.ColumnIndex
	}
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := parquet.NewWriter(out, schema, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(1<<30))
	row := []parquet.Row{make(parquet.Row, len(names))}
	for {
		cells, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range cells {
			row[0][place[i]] = parquet.ValueOf(text).Level(0, 0, place[i])
		}
		if _, err := w.WriteRows(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
