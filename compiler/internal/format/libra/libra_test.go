package libra_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/libra"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// data returns the folder of Libra's own files.
func data(t testing.TB) string { return filepath.Join(irtest.Shared(t), "data", "libra") }

func mustRead(t testing.TB, f format.Format, path string) *model.Model {
	t.Helper()
	m, list := format.Read([]format.Format{f}, path, f.Name, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	for _, w := range list.Warnings() {
		t.Errorf("warning: %v", w)
	}
	return m
}

// files lists the files below dir with an extension, compressed or not.
func files(t testing.TB, dir, ext string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ext) {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestAllFiles reads every file of Libra, writes it and reads it back.
func TestAllFiles(t *testing.T) {
	cyclic := 0
	for _, c := range []struct {
		f     format.Format
		count int
	}{
		{libra.MN, 15},
		{libra.BN, 19},
		{libra.XMOD, 16},
		{libra.AC, 154},
	} {
		paths := files(t, data(t), c.f.Exts[0])
		if len(paths) != c.count {
			t.Errorf("%s: found %d files; want %d", c.f.Name, len(paths), c.count)
		}
		for _, path := range paths {
			m := mustRead(t, c.f, path)
			if c.f.Name == "bn" && m.Kind == model.Dependency {
				cyclic++ // XML under another name
				continue
			}
			if !formattest.RoundTrip(t, c.f, m) {
				t.Errorf("%s: not written", path)
			}
		}
	}
	if cyclic != 1 {
		t.Errorf("found %d dependency networks called .bn; want examples/msweb.bn.gz only", cyclic)
	}
}
