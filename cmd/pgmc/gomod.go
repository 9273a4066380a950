package main

import (
	"errors"
	goversion "go/version"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// warnOfModule warns if the module that has dir is of an older Go than packages need.
func (a *app) warnOfModule(dir string) {
	path, text := nearestModule(dir)
	if path == "" {
		return
	}
	go1, line := goDirective(text)
	if goversion.Compare("go"+go1, codegen.MinGo) >= 0 {
		return
	}
	var list diag.List
	list.Warnf(diag.Pos{File: path, Line: line}, "the module is of go %s, older than the package; with the constraint //go:build %s, its files build there by Go %s or later", go1, codegen.MinGo, strings.TrimPrefix(codegen.MinGo, "go"))
	a.Warn(list.Warnings())
}

// nearestModule returns the go.mod in dir or in the nearest folder above it, by its path from the
// working directory. Without one, the path is empty.
func nearestModule(dir string) (path, text string) {
	here, err := os.Getwd()
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", ""
	}
	for {
		path := filepath.Join(dir, "go.mod")
		text, err := os.ReadFile(path)
		if err == nil {
			if rel, err := filepath.Rel(here, path); err == nil {
				path = rel
			}
			return path, string(text)
		}
		above := filepath.Dir(dir)
		if !errors.Is(err, fs.ErrNotExist) || above == dir {
			return "", ""
		}
		dir = above
	}
}

// withoutDirective is the version of a module that names none.
const withoutDirective = "1.16"

// goDirective returns the version in the go directive of a go.mod, and its line; 0 if there is none.
func goDirective(text string) (go1 string, line int) {
	for i, l := range strings.Split(text, "\n") {
		l, _, _ = strings.Cut(l, "//")
		if words := strings.Fields(l); len(words) == 2 && words[0] == "go" {
			return words[1], i + 1
		}
	}
	return withoutDirective, 0
}
