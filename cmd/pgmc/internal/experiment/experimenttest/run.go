// Package experimenttest runs experiments in tests.
package experimenttest

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// Func runs an experiment.
type Func = func(ctx context.Context, a *cli.App, f *experiment.Options) error

// Quick runs the quick form of an experiment on the shared data, with the given number of cores (0
// for all), and decodes its JSON into result.
func Quick(t *testing.T, run Func, f experiment.Options, cores int, result any) {
	t.Helper()
	f.Quick, f.Data = true, filepath.Join(irtest.Shared(t), "data")
	a, out, _ := clitest.App()
	a.JSON, a.CPU = true, cores
	if err := run(t.Context(), a, &f); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), result); err != nil {
		t.Fatal(err)
	}
}
