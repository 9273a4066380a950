package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/testdata/models"
)

// documents are the texts whose console blocks are run.
var documents = []string{"README.md", "docs/commands.md", "docs/tutorial.md", "docs/editing.md", "docs/howto.md", "docs/learning.md", "docs/counts.md", "docs/folders.md", "docs/sequences.md", "docs/tracking.md", "docs/particles.md", "docs/decisions.md", "docs/decision-problems.md", "docs/policies.md", "docs/sql.md", "docs/deploying.md", "docs/gallery.md", "docs/peers.md", "learn/README.md", "compiler/method/README.md", "compiler/format/README.md"}

// TestDocuments runs the console blocks of documents, each document in a folder of its own with the
// models of testdata, and compares what the commands print with what the document shows. A block of
// "cat" makes the file. A folder with the name of a document has further files for it, and the
// pictures that its commands write.
func TestDocuments(t *testing.T) {
	for _, name := range documents {
		t.Run(name, func(t *testing.T) { runDocument(t, name) })
	}
}

func runDocument(t *testing.T, name string) {
	text := documentText(t, name)
	further := filepath.Join(irtest.ModuleRoot(t), filepath.FromSlash(strings.TrimSuffix(name, ".md")))
	dir := t.TempDir()
	if err := os.CopyFS(dir, models.Files); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	pictures := documentFiles(t, further)
	ran := 0
	for _, block := range strings.Split(text, "```console\n")[1:] {
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
				t.Errorf("%s prints:\n%s\n%s shows:\n%s", line, out.String(), name, want)
			}
			ran++
		}
	}
	if ran == 0 {
		t.Errorf("%s shows no command", name)
	}
	checkPictures(t, further, pictures)
}

// documentFiles copies the files of a document's folder, if there is one, to the working directory,
// and returns the names of its pictures, which it leaves out.
func documentFiles(t *testing.T, folder string) (pictures []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".svg" {
			pictures = append(pictures, e.Name())
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err == nil {
			err = os.WriteFile(e.Name(), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return pictures
}

// checkPictures compares the pictures that commands wrote to the working directory with those of a
// document's folder, where it writes them instead if files are updated.
func checkPictures(t *testing.T, folder string, pictures []string) {
	t.Helper()
	if _, err := os.Stat(folder); err != nil {
		return
	}
	if written, err := filepath.Glob("*.svg"); irtest.Updating() && err == nil {
		pictures = written
	}
	for _, name := range pictures {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("no command of the document writes this picture: %v", err)
			continue
		}
		path := filepath.Join(folder, name)
		if irtest.Updating() {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("the document's %s is not what its commands write (%v); go test ./cmd/pgmc -run TestDocuments -update writes it", path, err)
		}
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

// link is a link of a document to a file.
var link = regexp.MustCompile(`\]\(([^):#]+)(#[^)]*)?\)`)

// TestLinks checks that the files exist to which the module's documents link.
func TestLinks(t *testing.T) {
	root := irtest.ModuleRoot(t)
	links := 0
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			}
			links++
		}
		return err
	})
	if err != nil || links == 0 {
		t.Errorf("found %d links, %v", links, err)
	}
}

// TestPeers runs the script that compares a package with other engines, without any of these.
func TestPeers(t *testing.T) {
	irtest.SkipUnlessLong(t)
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh command")
	}
	root, dir := irtest.ModuleRoot(t), t.TempDir()
	command := filepath.Join(dir, "pgmc")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", command, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(sh, filepath.Join(root, "docs", "peers", "run.sh"), command, filepath.Join(root, "testdata", "models", "asia.bif"))
	cmd.Env = append(os.Environ(), "WORK="+dir, "SECONDS_EACH=0.1")
	out, err := cmd.CombinedOutput()
	if want := "pgmc   easiest row "; err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("%v: found %q; want %q first", err, out, want)
	}
}

// TestCommands checks that the tables of docs/commands.md have every command.
func TestCommands(t *testing.T) {
	const name = "docs/commands.md"
	text := documentText(t, name)
	for _, c := range (&app{&cli.App{}}).root().Commands() {
		if n := c.Name(); n != "help" && n != "completion" && n != "version" && !strings.Contains(text, "\n| `"+n) {
			t.Errorf("the tables of %s lack %s", name, n)
		}
	}
}

// TestFormats checks that the table of formats has every format, as it is.
func TestFormats(t *testing.T) {
	const name = "compiler/format/README.md"
	text := documentText(t, name)
	yes := map[bool]string{true: "yes", false: "no"}
	for _, f := range compiler.Formats {
		_, row, ok := strings.Cut(text, "\n| "+f.Name+" | ")
		row, _, _ = strings.Cut(row, "\n")
		if want := "| " + yes[f.Read != nil] + " | " + yes[f.Write != nil] + " |"; !ok || !strings.Contains(row, want) {
			t.Errorf("%s has the row %q for %s; want %q in it", name, row, f.Name, want)
		}
		for _, ext := range f.Exts {
			if !strings.Contains(strings.ToLower(row), ext) {
				t.Errorf("%s lacks the extension %s of %s", name, ext, f.Name)
			}
		}
	}
}

// TestDirective checks that README.md embeds pgmc in a project by the same line as the project that
// tests build.
func TestDirective(t *testing.T) {
	readme := documentText(t, "README.md")
	gen, err := os.ReadFile(filepath.Join(irtest.ModuleRoot(t), "testdata", "downstream", "gen", "gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	const directive = "//go:generate go tool pgmc compile --quiet -o "
	if !strings.Contains(readme, directive) || !strings.Contains(string(gen), directive) {
		t.Errorf("README.md and testdata/downstream/gen differ in the line %q", directive)
	}
}

// documentText returns the text of a document, named from the root of the module.
func documentText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(irtest.ModuleRoot(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
