package codegen

import (
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"slices"
	"strings"
	"testing"
)

func TestStamp(t *testing.T) {
	for _, flags := range [][]string{
		{"--types", "shared"},
		{"--query", "lung | smoke, xray", "--query", `"a b" | "c\"d"`},
		{"--names", "../a b/été.txt", "--pkg", ""},
		{"--query", "line\nbreak // */ \x00 `", "--seed", "7"},
	} {
		line := stamp(flags)
		text, ok := strings.CutPrefix(line, stampMark)
		if !ok || strings.ContainsAny(line, "\n\r\x00") {
			t.Errorf("%q is no line of a stamp", line)
		}
		if got, err := parseStamp(text); err != nil || !slices.Equal(got, flags) {
			t.Errorf("%q reads back as %q, %v; want %q", line, got, err, flags)
		}
	}
	if got, err := parseStamp(`--query "a`); err == nil {
		t.Errorf("an open quote gives %q; want an error", got)
	}
}

// TestReadStamp reads the information in a package as git checks it out on Windows.
func TestReadStamp(t *testing.T) {
	dir := t.TempDir()
	text := strings.ReplaceAll(source.Header("a b.bif")+"\n"+stamp([]string{"--seed", "7"})+"\n\npackage p\n", "\n", "\r\n")
	putFiles(t, dir, map[string]string{"p.go": text, "pgmrt.go": source.Header(source.RuntimeSource) + "\r\n\r\npackage p\r\n"})
	got, err := ReadStamp(dir)
	if err != nil || got.Package != "p" || got.Version != Version || got.Source != "a b.bif" || !slices.Equal(got.Flags, []string{"--seed", "7"}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for model, want := range map[string]string{"a b.bif": "", "c.bif": "a b.bif"} {
		p := &Package{Name: "p", Files: []File{{Name: "p.go", Data: []byte(source.Header(model) + "\n\npackage p\n")}, {Name: "pgmrt.go", Data: []byte(source.Header(source.RuntimeSource) + "\n")}}}
		if got := p.Replaces(dir); got != want {
			t.Errorf("the package of %s replaces that of %q; want %q", model, got, want)
		}
	}
}

func TestVersionOf(t *testing.T) {
	for text, want := range map[string]int{source.Header("a.bif"): Version, source.Mark + " codegen/1 from x. DO NOT EDIT.": 1, source.Mark + ". DO NOT EDIT.": 0, "package x": 0} {
		if got := versionOf(text); got != want {
			t.Errorf("versionOf(%q) = %d; want %d", text, got, want)
		}
	}
}
