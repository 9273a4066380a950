package built

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// module is the path of the module that holds the source of the engines.
const module = "github.com/pgmc-go/pgmc"

// source returns the folder of the module's source: dir, if it is one, or if dir is empty, the
// folder that [findSource] finds.
func source(ctx context.Context, tmp, dir string) (string, error) {
	if dir == "" {
		return findSource(ctx, tmp)
	}
	named := diag.Option{Name: "source", Value: dir}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", diag.Errorf("%v: there is no such folder; want a clone of pgmc", named)
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !declares(string(text)) {
		return "", diag.Errorf("%v: the folder has no go.mod of module %s; want a clone of pgmc", named, module)
	}
	return filepath.Abs(dir)
}

// declares reports whether the text of a go.mod declares the module of the engines.
func declares(text string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "module "+module {
			return true
		}
	}
	return false
}

// findSource returns the folder of the module if the working folder is in it or requires it, or
// else its folder in the go command's module cache, at the version of this program. It uses no
// network.
func findSource(ctx context.Context, tmp string) (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	try := func(dir string, env []string, name string) string {
		out, _, err := process.RunGo(ctx, tmp, dir, append(env, "GOPROXY=off"), "list", "-m", "-f", "{{.Dir}}", name)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	found := try(here, nil, module)
	if info, ok := debug.ReadBuildInfo(); found == "" && ok && info.Main.Path == module && strings.HasPrefix(info.Main.Version, "v") {
		found = try(tmp, []string{"GOWORK=off", "GOFLAGS=-mod=mod"}, module+"@"+info.Main.Version)
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if found == "" {
		return "", diag.Errorf("the engine of the page is built from pgmc's source, which is neither here nor in the module cache; work in a clone of pgmc, name one by %v, or use a release of pgmc, which has the engine in it", diag.Option{Name: "source", Value: "FOLDER"})
	}
	return found, nil
}
