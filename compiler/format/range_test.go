package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
)

// TestLost reads numbers that are too small for float64. Formats of potentials keep them.
func TestLost(t *testing.T) {
	const json = `{"pgmc": 1, "kind": "markov", "variables": [{"name": "a", "states": ["x1e-500", "0e-400"]}],
 "factors": [{"scope": ["a"], "table": [0.0E-400, `
	for _, c := range []struct{ name, text, want string }{
		{"m.json", json + "1e-323]}]}", ""},
		{"m.json", json + "1E-0400]}]}", "m.json:2:51: warning: 1E-0400 is too small for float64 and becomes 0"},
		{"m.json", json + "2.50e-325]}]}", "m.json:2:51: warning: 2.50e-325 is too small for float64 and becomes 0"},
		{"m.uai", "MARKOV 1 2 1 1 0 2 1e-400 2e-400", ""},
		{"m.fg", "1\n\n1\n0\n2\n2\n0 1e-400\n1 1", ""},
		{"m.uai", "BAYES 1 2 1 1 0 2 1e-400 1", "m.uai:1:17: warning: 1 numbers of the table are too small beside the others for float64 and become 0"},
	} {
		f, err := format.Find(compiler.Formats, c.name, "")
		if err != nil {
			t.Fatal(err)
		}
		_, list := format.ReadSource(f, &format.Source{Name: c.name, Data: []byte(c.text)}, format.ReadOptions{})
		got := ""
		for _, d := range list.Warnings() {
			got += d.Error()
		}
		if err := list.Err(); err != nil || got != c.want {
			t.Errorf("%s gives %v and warns %q; want %q", c.text, err, got, c.want)
		}
	}
}

// TestMaxMem reads a text that is longer than an eighth of the memory.
func TestMaxMem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.uai")
	text := "MARKOV 1 2 1 1 0 2 .5 .5" // 24 bytes
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for mem, want := range map[int64]string{8 * 24: "", 8*24 - 1: path + ": more than 23 bytes of text; the limit is 23, one byte for 8 of max-mem; 24 bytes want max-mem 1MiB or more"} {
		_, list := format.Read(compiler.Formats, path, "", format.ReadOptions{MaxMem: mem})
		if err := list.Err(); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("with %d bytes of memory: %v; want %s", mem, err, want)
		}
	}
}
