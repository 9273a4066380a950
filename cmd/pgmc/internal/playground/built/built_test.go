package built

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/folder"
)

// write writes the files of a folder, by path.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCache builds small programs in the place of the engines, and counts how often: once for each
// content of the source, wherever it is, also after another content, and again after damage.
func TestCache(t *testing.T) {
	const place = "cmd/pgmc/internal/playground/"
	program := `package main

import (
	_ "embed"

	"` + module + `/text"
)

//go:embed more.txt
var more string

func main() { println(text.Text, more) }
`
	source := map[string]string{
		"go.mod":                    "module " + module + "\n\ngo 1.24\n",
		place + "wasm/main.go":      program,
		place + "wasm/more.txt":     "one",
		place + "wasmgo/main.go":    program,
		place + "wasmgo/more.txt":   "two",
		"text/text.go":              "package text\n\nconst Text = `three`\n",
		"text/text_test.go":         "package text\n",
		"other/no_part_of_them.txt": "four",
	}
	first, second, kept := t.TempDir(), t.TempDir(), cache{filepath.Join(t.TempDir(), "kept")}
	write(t, first, source)
	write(t, second, source)
	var before []folder.File
	for _, step := range []struct {
		name, dir string
		change    map[string]string // of the source
		builds    int
	}{
		{"new", first, nil, 2},
		{"again", first, nil, 0},
		{"elsewhere", second, nil, 0},
		{"no part of the engines", second, map[string]string{"other/no_part_of_them.txt": "five", "text/text_test.go": "package text // six\n"}, 0},
		{"another file of Go", second, map[string]string{"text/text.go": "package text\n\nconst Text = `seven`\n"}, 2},
		{"another embedded file", second, map[string]string{place + "wasmgo/more.txt": "eight"}, 2},
		{"the first one", first, nil, 0},
		{"changed and back", second, map[string]string{"text/text.go": source["text/text.go"], place + "wasmgo/more.txt": "two"}, 0},
	} {
		write(t, step.dir, step.change)
		builds := 0
		files, err := kept.files(t.Context(), step.dir, func(string, int, int) { builds++ })
		if err != nil {
			t.Fatal(err)
		}
		if builds != step.builds || len(files) != 3 {
			t.Errorf("%s: found %d builds and %d files; want %d and 3", step.name, builds, len(files), step.builds)
		}
		if before != nil && step.builds > 0 && bytes.Equal(content(t, files, "pgmc-go.wasm"), content(t, before, "pgmc-go.wasm")) {
			t.Errorf("%s: the engine is the same as before", step.name)
		}
		before = files
	}
	if found, err := filepath.Glob(filepath.Join(kept.dir, "*", "pgmc.wasm")); err != nil || len(found) != 3 {
		t.Errorf("the cache has %v, %v; want 3 engines", found, err)
	} else {
		for _, path := range found {
			if err := os.Truncate(path, 1000); err != nil {
				t.Fatal(err)
			}
		}
	}
	builds := 0
	files, err := kept.files(t.Context(), first, func(string, int, int) { builds++ })
	if err != nil || builds != 2 || !bytes.Equal(content(t, files, "pgmc.wasm"), content(t, before, "pgmc.wasm")) {
		t.Errorf("after damage: found %d builds, %v; want 2 with the same result", builds, err)
	}
}

// content returns a file after decompression.
func content(t *testing.T, files []folder.File, name string) []byte {
	t.Helper()
	for _, f := range files {
		if f.Name == name {
			var out bytes.Buffer
			if err := Unpack(&out, f.Data); err != nil {
				t.Fatal(err)
			}
			return out.Bytes()
		}
	}
	t.Fatalf("there is no file %s", name)
	return nil
}

// TestForget stores more keys than the cache keeps.
func TestForget(t *testing.T) {
	c := cache{t.TempDir()}
	files := []folder.File{{Name: "b", Data: []byte("two")}, {Name: "a", Data: []byte("one")}}
	for key := range strings.SplitSeq("u v w x y z", " ") {
		c.store(key, files)
	}
	have := 0
	for key := range strings.SplitSeq("u v w x y z", " ") {
		if c.load(key) != nil {
			have++
		}
	}
	if have != mostKept || c.load("z") == nil {
		t.Errorf("%d keys are kept, the last one: %v; want %d", have, c.load("z") != nil, mostKept)
	}
	none := cache{}
	if none.store("u", files); none.load("u") != nil {
		t.Error("a cache without a folder keeps files")
	}
}

// TestSource checks the errors of folders that do not hold the source.
func TestSource(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"other/go.mod": "module example.com/x\n\nrequire " + module + " v1.0.0\n", "file": ""})
	for name, want := range map[string]string{
		"missing": ": there is no such folder; want a clone of pgmc",
		"file":    ": there is no such folder; want a clone of pgmc",
		"other":   ": the folder has no go.mod of module github.com/pgmc-go/pgmc; want a clone of pgmc",
		".":       ": the folder has no go.mod of module github.com/pgmc-go/pgmc; want a clone of pgmc",
	} {
		path := dir + "/" + name
		if _, err := source(t.Context(), dir, path); err == nil || err.Error() != "source "+path+want {
			t.Errorf("%s: found %v; want %s", name, err, want)
		}
	}
	t.Chdir(dir)
	if found, err := source(t.Context(), dir, ""); err == nil || !strings.Contains(err.Error(), "name one by source FOLDER, or use a release") {
		t.Errorf("found %q, %v", found, err)
	}
}
