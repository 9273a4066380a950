package beam

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// sample holds files of the same rows.
type sample struct {
	model, path     string
	good            []string // without bad rows, as CSV
	files           []string // with bad rows
	rows, worst     int      // how many there are, and how many bad ones
	incomplete      int
	target, further string
	all             string // a package with all posteriors
	// How far answers may be from the answers of the command: 1e-12 of packages with other queries
	// than the command compiles, since these are other programs.
	tolerance, ofAll float64
}

// models of the tests, with two targets each.
var samples = []sample{
	{model: "asia", path: "../../testdata/models/asia.bif", target: "lung", further: "xray", all: "more", ofAll: 1e-12},
	{model: "hydro", path: "../../testdata/models/hydro.bif", target: "debris", further: "flow", all: "hydro", tolerance: 1e-12, ofAll: 1e-12},
	{model: "hybrid", path: "testdata/hybrid.json", target: "ill", further: "cost", all: "hybrid"},
}

// write samples rows of a model into two files of a format. Some cells are empty, and some rows
// have a text that is no value.
func (x *sample) write(t *testing.T, format string, rows int) {
	t.Helper()
	dir := t.TempDir()
	for file := range 2 {
		lines, err := csv.NewReader(bytes.NewReader(pgmc(t, "sample", x.path, "-n", strconv.Itoa(rows), "--seed", strconv.Itoa(file+1)))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		good, dirty := [][]string{lines[0]}, [][]string{lines[0]}
		for i, line := range lines[1:] {
			if i%7 == 3 {
				line[i%len(line)] = ""
			}
			if i%97 == 50 {
				bad := slices.Clone(line)
				bad[0] = "purple"
				dirty = append(dirty, bad)
				x.worst++
			}
			if i%7 == 3 {
				x.incomplete++
			}
			good, dirty = append(good, line), append(dirty, line)
			x.rows++
		}
		name := filepath.Join(dir, strconv.Itoa(file))
		x.good = append(x.good, save(t, name+".good.csv", good))
		path := save(t, name+".csv", dirty)
		if format == "parquet" {
			pgmc(t, "convert", path, name+".parquet")
			path = name + ".parquet"
		}
		x.files = append(x.files, path)
	}
}

func save(t *testing.T, path string, lines [][]string) string {
	t.Helper()
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(lines); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
