package source

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestOf writes the packages of a network, a sequence, and models with real variables and decisions.
func TestOf(t *testing.T) {
	root := irtest.ModuleRoot(t)
	for path, want := range map[string]string{
		"testdata/models/asia.bif":           "Package asia answers queries",
		"testdata/models/umbrella.pgmc.json": "type Filter ",
		"testdata/models/waste.pgmc.json":    "Package waste answers queries",
		"testdata/models/oil.pgmc.json":      "Package oil answers queries",
	} {
		m, _, err := infer.Load(filepath.Join(root, filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := Of(t.Context(), m); err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: found %.1000s, %v; want %q", path, text, err, want)
		}
	}
}
