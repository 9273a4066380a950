package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// muninDocLines is the largest length of go doc's overview: about 5 lines for each of the 54 lists
// of states. A type for each of the 1,041 variables would take 20 times as many.
const muninDocLines = 300

// TestMunin uses the package of a network of 1,041 variables as a program does, with evidence and
// answers by name, and checks the length of its documentation.
func TestMunin(t *testing.T) {
	irtest.SkipUnlessLong(t)
	shared, dir := irtest.Shared(t), t.TempDir()
	path := filepath.Join(shared, "data", "bif", "munin.bif.gz")
	args := []string{"compile", path, "--types", "shared", "--rows", "asis", "-q", "-o", filepath.Join(dir, "munin")}
	if code, _, stderr := pgmc("", args...); code != cli.ExitDone {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	text, err := os.ReadFile("testdata/munin_driver.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	putFiles(t, filepath.Join(dir, "driver"), map[string]string{"main.go": string(text)})
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.24\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	doc := goCommand(t, dir, nil, "doc", "./munin")
	lines := bytes.Count(doc, []byte("\n"))
	t.Logf("go doc gives %d lines, and %d with -all", lines, bytes.Count(goCommand(t, dir, nil, "doc", "-all", "./munin"), []byte("\n")))
	if lines > muninDocLines {
		t.Errorf("go doc gives %d lines; want at most %d", lines, muninDocLines)
	}
	program := filepath.Join(dir, "driver.exe")
	goCommand(t, dir, nil, "build", "-o", program, "./driver")

	want := readOracle(t, filepath.Join(shared, "oracle", "munin.jsonl.gz"))
	var in strings.Builder
	for _, row := range want {
		line, err := json.Marshal(row.Evidence)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	cmd := exec.Command(program)
	cmd.Stdin, cmd.Stderr = strings.NewReader(in.String()), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	compareMunin(t, path, out, want)
}

// compareMunin compares the driver's answers with the stored ones.
func compareMunin(t *testing.T, path string, out []byte, want []oracleRow) {
	t.Helper()
	m, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	for _, w := range want {
		var a struct {
			Marginals map[string]json.RawMessage
			MPE       map[string]chosen
			MPELogP   float64 `json:"mpe_logp"`
		}
		if err := dec.Decode(&a); err != nil {
			t.Fatal(err)
		}
		var logP float64
		if err := json.Unmarshal(a.Marginals["logP"], &logP); err != nil {
			t.Fatal(err)
		}
		got := oracleRow{}
		got.LogP, got.MPELogP, got.MPE, got.Marginals = &logP, &a.MPELogP, a.MPE, map[string]map[string]float64{}
		for _, v := range m.Vars {
			posterior := map[string]float64{}
			if err := json.Unmarshal(a.Marginals[v.Name], &posterior); err != nil || len(posterior) != m.Card(v.ID) {
				t.Fatalf("row %d: the posterior of %q is %s, %v", w.ID, v.Name, a.Marginals[v.Name], err)
			}
			got.Marginals[v.Name] = posterior
		}
		compareRow(t, m, &got, &w)
	}
}
