package playground

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/ir/folder"
)

//go:embed page
var page embed.FS

// module is the path of the module that holds the source of the engines.
const module = "github.com/pgmc-go/pgmc"

// noInlining makes the engine a tenth smaller after compression, and answers no slower that we
// could measure; the first answer, which compiles the model, takes 7 % longer.
const noInlining = "-gcflags=all=-l"

// engines are the engines of the page, with their packages and the build tags that make them
// smaller: the page asks only for exact answers, by the method that is the default.
var engines = []struct{ file, pkg, tags string }{
	{"pgmc.wasm", "wasm", "minimal"},
	{"pgmc-go.wasm", "wasmgo", ""},
}

// Files builds the engines and returns all files of the page. dir is a folder of the module's
// source, or empty to find it: in the module of the working folder, or else through the go
// command's module cache, at the version of this program.
func Files(ctx context.Context, dir string) ([]folder.File, error) {
	if err := process.NeedGo(); err != nil {
		return nil, fmt.Errorf("building the engine of the page: %w", err)
	}
	tmp, err := os.MkdirTemp("", "pgmc-playground-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	if dir == "" {
		if dir, err = sourceFolder(ctx, tmp); err != nil {
			return nil, err
		}
	}
	files, err := pageFiles()
	if err != nil {
		return nil, err
	}
	for _, e := range engines {
		out := filepath.Join(tmp, e.file)
		env := []string{"GOOS=js", "GOARCH=wasm", "GOWORK=off"}
		if _, _, err := process.RunGo(ctx, tmp, dir, env, "build", "-trimpath", "-tags", e.tags, noInlining, "-ldflags=-s -w", "-o", out, module+"/cmd/pgmc/internal/playground/"+e.pkg); err != nil {
			return nil, fmt.Errorf("building the engine of the page: %w", err)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			return nil, err
		}
		files = append(files, folder.File{Name: e.file, Data: text})
	}
	support, err := supportFile(ctx, tmp, dir)
	return append(files, support), err
}

// pageFiles returns the files that are part of this program.
func pageFiles() ([]folder.File, error) {
	entries, err := fs.ReadDir(page, "page")
	if err != nil {
		return nil, err
	}
	var files []folder.File
	for _, x := range entries {
		text, err := page.ReadFile("page/" + x.Name())
		if err != nil {
			return nil, err
		}
		files = append(files, folder.File{Name: x.Name(), Data: text})
	}
	return files, nil
}

// supportFile returns the file by which pages run programs of the Go version that builds the
// engines.
func supportFile(ctx context.Context, tmp, dir string) (folder.File, error) {
	root, _, err := process.RunGo(ctx, tmp, dir, nil, "env", "GOROOT")
	if err != nil {
		return folder.File{}, err
	}
	const name = "wasm_exec.js"
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", name))
	return folder.File{Name: name, Data: text}, err
}

// sourceFolder returns the folder of the module's source.
func sourceFolder(ctx context.Context, tmp string) (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if out, _, err := process.RunGo(ctx, tmp, here, nil, "list", "-m", "-f", "{{.Dir}}", module); err == nil && len(strings.TrimSpace(string(out))) > 0 {
		return strings.TrimSpace(string(out)), nil
	}
	version := "latest"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == module && info.Main.Version != "" && info.Main.Version != "(devel)" {
		version = info.Main.Version
	}
	out, _, err := process.RunGo(ctx, tmp, tmp, []string{"GOWORK=off", "GOFLAGS=-mod=mod"}, "list", "-m", "-f", "{{.Dir}}", module+"@"+version)
	found := strings.TrimSpace(string(out))
	if err != nil || found == "" {
		return "", noSource(err)
	}
	return found, nil
}

// noSource returns the error of source that is not found, with the go command's reason if it gave
// one.
func noSource(reason error) error {
	text := "the engine of the page is built from pgmc's source, which is neither here nor in the module cache; work in a clone of it, or name one by --source FOLDER"
	if reason == nil {
		return errors.New(text)
	}
	return fmt.Errorf("%s; the go command says: %w", text, reason)
}
