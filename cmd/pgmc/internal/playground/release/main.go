// Command release builds a pgmc that has the engines of the playground in it, for a release:
//
//	go run ./cmd/pgmc/internal/playground/release -o pgmc.exe windows/amd64
//
// Without an argument it builds for this computer. It writes nothing to the source tree: the
// engines reach the go command by an overlay.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground/built"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/ir/folder"
)

func main() {
	out := flag.String("o", "pgmc", "write the program to this `file`")
	source := flag.String("source", ".", "the `folder` of a clone of pgmc")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: release [-o FILE] [-source FOLDER] [GOOS/GOARCH]")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *source, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run builds the engines of the source and a program with them. args is empty or has the system.
func run(ctx context.Context, source, out string, args []string) error {
	env := []string{"CGO_ENABLED=0"}
	if len(args) > 0 {
		goos, arch, ok := strings.Cut(args[0], "/")
		if !ok || len(args) > 1 {
			return fmt.Errorf("found %q; want one system, such as windows/amd64", strings.Join(args, " "))
		}
		env = append(env, "GOOS="+goos, "GOARCH="+arch)
	}
	engines, err := built.Files(ctx, source, func(step string, number, total int) {
		fmt.Fprintf(os.Stderr, "building %s (%d of %d)\n", step, number, total)
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "building", out)
	return release(ctx, source, out, env, engines)
}

// release builds the pgmc of the source with engines in it. env is added to the environment.
func release(ctx context.Context, source, out string, env []string, engines []folder.File) error {
	source, err := filepath.Abs(source)
	if err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "pgmc-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	overlay, err := overlayOf(tmp, filepath.Join(source, "cmd", "pgmc", "internal", "playground", "built", built.Folder), engines)
	if err != nil {
		return err
	}
	_, _, err = process.RunGo(ctx, tmp, source, append(env, "GOWORK=off"),
		"build", "-trimpath", "-tags", "playground", "-overlay", overlay, "-ldflags=-s -w", "-o", out, "./cmd/pgmc")
	return err
}

// overlayOf writes files to the folder tmp, and a description by which the go command finds them in
// place. It returns the name of the description.
func overlayOf(tmp, place string, files []folder.File) (string, error) {
	replace := map[string]string{}
	for _, f := range files {
		path := filepath.Join(tmp, f.Name)
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			return "", err
		}
		replace[filepath.Join(place, f.Name)] = path
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(tmp, "overlay.json")
	return name, os.WriteFile(name, text, 0o666)
}
