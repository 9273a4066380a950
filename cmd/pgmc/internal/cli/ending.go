package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
)

// drawings are the endings of names of pictures and pages, of any program.
var drawings = []string{".svg", ".html", ".htm", ".dot", ".gv", ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".pdf", ".ps", ".eps"}

// CheckEnding returns a usage error if the name of an output ends as a picture or a page does, and
// not in one of can, the endings of those that the command writes. further names the contents of
// files of other names; it may be empty.
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

// CheckRows returns a usage error if the name of an output of rows ends as a picture, a page or a
// model does.
func CheckRows(path string) error {
	if err := CheckEnding(path, "rows, such as .csv"); err != nil {
		return err
	}
	name, ending := strings.ToLower(path), ""
	if strings.HasSuffix(name, ".parquet.gz") {
		return Usagef("%s: the pages of a Parquet file are compressed already; leave out .gz", path)
	}
	name = strings.TrimSuffix(name, ".gz")
	for _, f := range compiler.Formats {
		for _, e := range f.Exts {
			if strings.HasSuffix(name, strings.ToLower(e)) && e != ".json" && len(e) > len(ending) {
				ending = e
			}
		}
	}
	if ending == "" {
		return nil
	}
	return Usagef("%s: %s is the ending of a model, and this command writes rows; want another one, such as .csv", path, ending)
}
