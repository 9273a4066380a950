package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
)

// TestSharedExtension checks a format of files and one of folders with the same extension.
func TestSharedExtension(t *testing.T) {
	flat := format.Format{Name: "flat", Exts: []string{".box"}}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder.box"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file.box"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, name, want string }{
		{"folder.box", "", "boxed"},
		{"folder.box/", "", "boxed"},
		{"file.box", "", "flat"},
		{"none.box", "", "boxed"}, // the first
		{"none.box.gz", "", "flat"},
		{"folder.box", "flat", "flat"},
		{"file.box", "boxed", "boxed"},
	} {
		f, err := format.Find([]format.Format{boxed, flat}, dir+"/"+c.path, c.name)
		if err != nil || f.Name != c.want {
			t.Errorf("%s as %q: format %q, %v; want %q", c.path, c.name, f.Name, err, c.want)
		}
	}
	if f, err := format.Find([]format.Format{flat, boxed}, dir+"/none.box", ""); err != nil || f.Name != "flat" {
		t.Errorf("format %q, %v; want the first", f.Name, err)
	}
}
