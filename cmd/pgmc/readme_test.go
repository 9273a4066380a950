package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestReadmeCommands runs the console blocks of README.md in a folder with the models of testdata, and wants what they show; a block of
// "cat" makes the file.
func TestReadmeCommands(t *testing.T) {
	readme := readmeText(t)
	models, err := filepath.Glob(filepath.Join(irtest.ModuleRoot(t), "testdata", "models", "*.bif"))
	if err != nil || len(models) == 0 {
		t.Fatalf("models: %v, %v", models, err)
	}
	t.Chdir(t.TempDir())
	for _, path := range models {
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(filepath.Base(path), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	for _, block := range strings.Split(readme, "```console\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		for _, part := range strings.Split(block, "$ ")[1:] {
			line, want, _ := strings.Cut(part, "\n")
			words := shellWords(line)
			if words[0] == "cat" {
				if err := os.WriteFile(words[1], []byte(want), 0o666); err != nil {
					t.Fatal(err)
				}
				continue
			}
			var out, errs bytes.Buffer
			if code := run(words[1:], nil, &out, &errs); code != 0 || words[0] != "pgmc" {
				t.Errorf("%s: exit %d: %s", line, code, errs.String())
			}
			if out.String() != want {
				t.Errorf("%s prints:\n%s\nREADME.md shows:\n%s", line, out.String(), want)
			}
			ran++
		}
	}
	if ran < 6 {
		t.Errorf("ran %d commands of README.md", ran)
	}
}

// shellWords splits a line at blanks outside of single quotes.
func shellWords(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// TestReadmeFormats holds the table of formats against the formats that there are.
func TestReadmeFormats(t *testing.T) {
	readme := readmeText(t)
	yes := map[bool]string{true: "yes", false: "no"}
	for _, f := range compiler.Formats {
		_, row, ok := strings.Cut(readme, "\n| "+f.Name+" | ")
		row, _, _ = strings.Cut(row, "\n")
		if want := "| " + yes[f.Read != nil] + " | " + yes[f.Write != nil] + " |"; !ok || !strings.Contains(row, want) {
			t.Errorf("README.md has the row %q for %s; want %q in it", row, f.Name, want)
		}
		for _, ext := range f.Exts {
			if !strings.Contains(strings.ToLower(row), ext) {
				t.Errorf("README.md lacks the extension %s of %s", ext, f.Name)
			}
		}
	}
}

// TestReadmeCopies wants the lines that embed pgmc in a project to be those of the project that tests build.
func TestReadmeCopies(t *testing.T) {
	readme := readmeText(t)
	gen, err := os.ReadFile(filepath.Join(irtest.ModuleRoot(t), "testdata", "downstream", "gen", "gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	const directive = "//go:generate go tool pgmc compile --quiet -o "
	if !strings.Contains(readme, directive) || !strings.Contains(string(gen), directive) {
		t.Errorf("README.md and testdata/downstream/gen differ in the line %q", directive)
	}
}

func readmeText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(irtest.ModuleRoot(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
