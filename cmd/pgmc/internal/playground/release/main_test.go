package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground/built"
	"github.com/pgmc-go/pgmc/ir/folder"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestRelease builds pgmc with the engines in it, in short tests with three texts in their place,
// and lets it write the page in an empty folder, without the go command.
func TestRelease(t *testing.T) {
	root := irtest.ModuleRoot(t)
	var engines []folder.File
	if irtest.Long(t) {
		files, err := built.Files(t.Context(), root, func(step string, _, _ int) { t.Log(step) })
		if err != nil {
			t.Fatal(err)
		}
		engines = files
	} else {
		for _, name := range []string{"pgmc.wasm", "pgmc-go.wasm", "wasm_exec.js"} {
			packed, err := built.Pack([]byte("stands for " + name))
			if err != nil {
				t.Fatal(err)
			}
			engines = append(engines, folder.File{Name: name, Data: packed})
		}
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "pgmc.exe") // runs on all systems
	if err := release(t.Context(), root, program, nil, engines); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "playground", "-o", "site")
	cmd.Dir, cmd.Env = dir, []string{"PATH=", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, f := range engines {
		var want bytes.Buffer
		if err := built.Unpack(&want, f.Data); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "site", f.Name)); err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s has %d bytes, %v; want the %d of the release", f.Name, len(got), err, want.Len())
		}
	}
	if _, err := os.Stat(filepath.Join(root, "cmd", "pgmc", "internal", "playground", "built", built.Folder)); !os.IsNotExist(err) {
		t.Errorf("the build has left files in the source tree: %v", err)
	}
}
