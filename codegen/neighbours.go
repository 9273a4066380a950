package codegen

import (
	"bytes"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// NeighbourError reports a Go file of another package in the folder of a package. The folder would
// not build with both, or pgmc made the other one and would remove it.
type NeighbourError struct {
	Path, Package, Want string
	Replaced            bool // pgmc made the other one
}

// Error names the file and the packages.
func (e *NeighbourError) Error() string {
	if e.Replaced {
		return fmt.Sprintf("%s is of package %s, which package %s would replace", e.Path, e.Package, e.Want)
	}
	return fmt.Sprintf("%s is of package %s, which cannot share its folder with package %s", e.Path, e.Package, e.Want)
}

// CheckNeighbours returns a *[NeighbourError] if dir has a Go file of another package. Files of the
// package itself or of its tests, and files that build constraints exclude, may be there. A folder
// that does not exist is free.
func (p *Package) CheckNeighbours(dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil // WriteDir makes it or reports what is in its place
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || !e.Type().IsRegular() {
			continue
		}
		if match, err := build.Default.MatchFile(dir, name); err != nil || !match {
			continue
		}
		path := filepath.Join(dir, name)
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly)
		if err != nil {
			continue // the file does not build anyway
		}
		if found := file.Name.Name; found != p.Name && found != p.Name+"_test" {
			return &NeighbourError{path, found, p.Name, ours(dir, name)}
		}
	}
	return nil
}

// Replaces returns the name of the file of the package that p would replace in dir. It is empty if
// there is none, or if p is made from that file too.
func (p *Package) Replaces(dir string) string {
	made, err := ReadStamp(dir)
	if err != nil {
		return ""
	}
	for _, f := range p.Files {
		header, _, _ := bytes.Cut(f.Data, []byte("\n"))
		if source := sourceOf(string(header)); source != "" && source != made.Source {
			return made.Source
		}
	}
	return ""
}
