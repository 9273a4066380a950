package cli

import (
	"path/filepath"
	"slices"
	"strings"
)

// drawings are the endings of names of pictures and pages, of any program.
var drawings = []string{".svg", ".html", ".htm", ".dot", ".gv", ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".pdf", ".ps", ".eps"}

// CheckEnding returns a usage error if the name of an output ends as a picture or a page does, and
// not in one of can, the endings of those that the command writes. further says what the command
// writes to files of other names; it may be empty.
func CheckEnding(path, further string, can ...string) error {
	ending := strings.ToLower(filepath.Ext(path))
	if !slices.Contains(drawings, ending) || slices.Contains(can, ending) {
		return nil
	}
	want := can
	if further != "" {
		want = append(slices.Clip(can), "another ending for "+further)
	}
	list := want[len(want)-1]
	if n := len(want) - 1; n > 0 {
		list = strings.Join(want[:n], ", ") + " or " + list
	}
	return Usagef("%s: this command writes no %s file; want %s", path, ending, list)
}
