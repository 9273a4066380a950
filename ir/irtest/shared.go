package irtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared returns the folder of reference data: the value of PGMC_SHARED, or otherwise ../shared
// from the root of the module. It skips the test if the folder is absent, and fails it if
// PGMC_SHARED is set but names no folder.
func Shared(t testing.TB) string {
	t.Helper()
	dir, set := os.LookupEnv("PGMC_SHARED")
	if !set {
		dir = filepath.Join("..", "shared")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(ModuleRoot(t), dir)
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return dir
	}
	if set {
		t.Fatalf("PGMC_SHARED is %q, which is no folder", dir)
	}
	t.Skipf("needs the reference data in %s; set PGMC_SHARED to say where they are", dir)
	return ""
}

// ModuleRoot returns the folder that holds go.mod, at or above the folder in which the test runs.
func ModuleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		t.Fatal("no go.mod at or above the folder of the test")
	}
}
