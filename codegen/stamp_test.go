package codegen

import (
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

func TestVersionOf(t *testing.T) {
	for text, want := range map[string]int{header("a.bif"): Version, generatedMark + " codegen/1 from x. DO NOT EDIT.": 1, generatedMark + ". DO NOT EDIT.": 0, "package x": 0} {
		if got := versionOf(text); got != want {
			t.Errorf("versionOf(%q) = %d; want %d", text, got, want)
		}
	}
}
