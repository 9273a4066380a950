package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFresh checks that the runtime's files are what the command writes, and that it writes all
// assembly.
func TestFresh(t *testing.T) {
	paths, err := filepath.Glob("../../*.s")
	if err != nil {
		t.Fatal(err)
	}
	list, err := files("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		path := filepath.Join("../..", f.path)
		got, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, f.bytes()) {
			t.Errorf("%s is not what the command writes; run go generate in runtime", f.path)
		}
		paths = slices.DeleteFunc(paths, func(p string) bool { return p == path })
	}
	if len(paths) > 0 {
		t.Errorf("no description has %q", paths)
	}
}

// TestVectors writes an instruction for one register and for two: their numbers and their places in
// memory follow the form.
func TestVectors(t *testing.T) {
	for _, c := range []struct {
		name, line string
		form       form
		want       string
	}{
		{"one register", "VADDPD (BX)(R8*8), V1, V0", wide, "\tVADDPD (BX)(R8*8), Z1, Z0\n"},
		{"two registers", "VADDPD (BX)(R8*8), V1, V0", narrow(neighbours),
			"\tVADDPD (BX)(R8*8), Y2, Y0\n\tVADDPD 32(BX)(R8*8), Y3, Y1\n"},
		{"a place with an offset", "VMOVUPD V0, 64(DX)", narrow(neighbours), "\tVMOVUPD Y0, 64(DX)\n\tVMOVUPD Y1, 96(DX)\n"},
		{"a register that both halves share", "VMULPD Y9, V1, V1", narrow(neighbours), "\tVMULPD Y9, Y2, Y2\n\tVMULPD Y9, Y3, Y3\n"},
	} {
		f := &file{}
		f.vectors(c.form, "%s", c.line)
		if got := f.b.String(); got != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}
