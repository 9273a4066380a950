package compiler_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestPasses runs the pipeline on the models of testdata/passes/PASS, and compares what PASS
// changes with the archive. Each pass has a model that it changes and one that it leaves as it is;
// the name of the latter begins with "not".
//
// An archive holds a model, a file "options" with a query or an option a line, and the results:
// "before" and "after" are the texts of the problem or program around the pass, and "messages" are
// the warnings and the error of the whole compilation.
func TestPasses(t *testing.T) {
	for _, p := range compiler.Pipeline {
		dir := filepath.Join("testdata/passes", p.Name)
		if _, err := os.Stat(dir); err != nil {
			continue // in compiler/internal/pass
		}
		t.Run(p.Name, func(t *testing.T) {
			irtest.Golden(t, filepath.Join(dir, "*.txtar"), func(t *testing.T, in *txtar.Archive) []txtar.File {
				out := runTo(t, in, p.Name)
				fires := !bytes.Equal(out[0].Data, out[1].Data) || len(out[2].Data) > 0
				if name := filepath.Base(t.Name()); fires == strings.HasPrefix(name, "not") {
					t.Errorf("the pass changes something: %v", fires)
				}
				return out
			})
		})
	}
}

// runTo compiles the model of an archive and returns the results around a pass.
func runTo(t *testing.T, in *txtar.Archive, pass string) []txtar.File {
	t.Helper()
	dir, m := readArchive(t, in)
	opt := archiveOptions(t, irtest.File(t, in, "options"))
	texts := map[string]*text{"": {}}
	fmt.Fprintf(texts[""], "%s", numbers(m))
	before := ""
	for i, p := range compiler.Pipeline {
		if p.Name == pass && i > 0 {
			before = compiler.Pipeline[i-1].Name
		}
	}
	opt.Dump = func(_ int, name string) io.WriteCloser {
		texts[name] = &text{}
		return texts[name]
	}
	r, err := compiler.Compile(context.Background(), m, opt)
	if pass == "model-check" && err == nil { // numbers are not in the dump
		texts[pass] = &text{}
		fmt.Fprintf(texts[pass], "%s", numbers(r.Model))
	}
	out := []txtar.File{{Name: "before"}, {Name: "after"}, {Name: "messages"}}
	for i, name := range []string{before, pass} {
		if x := texts[name]; x != nil {
			out[i].Data = x.Bytes()
		}
	}
	var messages strings.Builder
	if err != nil {
		fmt.Fprintf(&messages, "%v\n", err)
	} else {
		for _, w := range r.Warnings {
			fmt.Fprintf(&messages, "%v\n", w)
		}
	}
	out[2].Data = []byte(strings.ReplaceAll(messages.String(), dir+string(filepath.Separator), ""))
	return out
}

// text is a dump in memory.
type text struct{ bytes.Buffer }

func (*text) Close() error { return nil }

// readArchive writes the first file of an archive to a folder and reads it as a model.
func readArchive(t *testing.T, in *txtar.Archive) (dir string, m *model.Model) {
	t.Helper()
	dir = t.TempDir()
	path := filepath.Join(dir, in.Files[0].Name)
	if err := os.WriteFile(path, in.Files[0].Data, 0o644); err != nil {
		t.Fatal(err)
	}
	m, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return dir, m
}

// archiveOptions reads lines "query Q", "method NAME OPTION ...", "max-table N" and "rows asis".
func archiveOptions(t *testing.T, lines string) compiler.Options {
	t.Helper()
	opt := compiler.Options{Steps: -1}
	for line := range strings.Lines(lines) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "query":
			opt.Queries = append(opt.Queries, rest)
		case "method":
			words := strings.Fields(rest)
			opt.Method = compiler.Named(words[0], words[1:]...)
		case "rows":
			opt.Rows = model.RowsAsIs
		case "max-table":
			n, err := strconv.Atoi(rest)
			if err != nil {
				t.Fatal(err)
			}
			opt.MaxTable = n
		default:
			t.Fatalf("unknown option %q", line)
		}
	}
	return opt
}

// numbers returns the tables of a model as text.
func numbers(m *model.Model) string {
	var b strings.Builder
	for i, f := range m.Factors {
		if table, ok := f.Dist.(*model.Table); ok {
			fmt.Fprintf(&b, "f%d %s: %v\n", i, m.FactorName(f), slices.Clone(table.Values))
		}
	}
	return b.String()
}
