package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestMemoryParquet scores ten million rows in many row groups and in one. Memory depends neither
// on the rows nor on the groups.
func TestMemoryParquet(t *testing.T) {
	irtest.SkipUnlessLong(t)
	dir := t.TempDir()
	model := filepath.Join(irtest.ModuleRoot(t), "testdata", "models", "asia.bif")
	many, one := filepath.Join(dir, "many.parquet"), filepath.Join(dir, "one.parquet")
	u := measured(t, dir, []string{"sample", model, "-n", "10000000", "-o", many})[0]
	if u.Code != cli.ExitDone || u.Memory > mostMemory {
		t.Fatalf("sample: exit code %d, %d bytes of memory; want at most %d\n%s", u.Code, u.Memory, mostMemory, u.Stderr)
	}
	oneGroup(t, many, one)
	want := ""
	for _, path := range []string{many, one} {
		u := measured(t, dir, []string{"score", model, path})[0]
		if u.Code != cli.ExitDone || !strings.Contains(u.Stdout, "10000000") {
			t.Fatalf("%s: exit code %d\n%s%s", path, u.Code, u.Stdout, u.Stderr)
		}
		t.Logf("%s: %d bytes of memory", filepath.Base(path), u.Memory)
		if u.Memory > mostMemory {
			t.Errorf("%s: %d bytes of memory; want at most %d", path, u.Memory, mostMemory)
		}
		if want == "" {
			want = u.Stdout
		}
		if u.Stdout != want {
			t.Errorf("other answers from one row group:\n%s%s", u.Stdout, want)
		}
	}
}

// oneGroup copies the rows of a file into one row group, by another writer.
func oneGroup(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	r := parquet.NewReader(in)
	defer r.Close()
	w := parquet.NewWriter(out, r.Schema(), parquet.Compression(&parquet.Snappy))
	if _, err := parquet.CopyRows(w, r); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
