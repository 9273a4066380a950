// Package vet finds mistakes in programs that use generated packages: an error of a query that is
// dropped, an engine that several goroutines use, a state of one variable that is converted to a
// state of another, and a package that is older than its model.
//
// Each mistake is an analyzer of golang.org/x/tools/go/analysis, so that go vet runs them too. They
// look at one package at a time, and report faults that the text of a function shows: an engine
// that reaches another goroutine by a field or a channel is not seen.
package vet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/build"
	"go/types"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// Analyzers is the list of analyzers.
var Analyzers = []*analysis.Analyzer{Converted, Dropped, Shared, Stale}

// Finding is a mistake at a place in a file.
type Finding struct {
	Pos      string `json:"pos"` // file:line:column
	Analyzer string `json:"analyzer"`
	Message  string `json:"message"`
}

// Run analyzes the packages that match patterns, as the go command understands them in folder dir,
// and their tests, and for patterns that end in /... the go:generate comments of the modules below.
// The findings are in order of their places, without repetitions.
func Run(ctx context.Context, dir string, patterns []string) ([]Finding, error) {
	mode := packages.LoadSyntax | packages.NeedModule
	list, err := packages.Load(&packages.Config{Mode: mode, Context: ctx, Dir: dir, Tests: true}, patterns...)
	if err != nil {
		return nil, err
	}
	var failed []error
	packages.Visit(list, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			if e.Pos == "" || e.Pos == "-" { // no place in a file
				failed = append(failed, errors.New(e.Msg))
			} else {
				failed = append(failed, e)
			}
		}
	})
	if failed != nil {
		return nil, fmt.Errorf("%w; vet needs packages that compile, in the folder of their Go module", failed[0])
	}
	hasFiles := func(p *packages.Package) bool { return len(p.GoFiles) > 0 }
	below := func(pattern string) bool { return strings.HasSuffix(pattern, "/...") }
	if !slices.ContainsFunc(list, hasFiles) && !slices.ContainsFunc(patterns, below) {
		return nil, fmt.Errorf("%s: there are no Go files; want packages of a Go module, such as ./...", strings.Join(patterns, " "))
	}
	graph, err := checker.Analyze(Analyzers, list, nil)
	if err != nil {
		return nil, err
	}
	var out []Finding
	for act := range graph.All() {
		if !act.IsRoot {
			continue
		}
		if act.Err != nil {
			return nil, act.Err
		}
		for _, d := range act.Diagnostics {
			pos := act.Package.Fset.Position(d.Pos)
			out = append(out, Finding{pos.String(), act.Analyzer.Name, d.Message})
		}
	}
	for _, p := range patterns {
		if root, all := strings.CutSuffix(p, "/..."); all && build.IsLocalImport(p) {
			found, err := staleBelow(filepath.Join(dir, root))
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
	}
	slices.SortFunc(out, func(a, b Finding) int {
		return bytes.Compare([]byte(a.Pos+a.Message), []byte(b.Pos+b.Message))
	})
	return slices.Compact(out), nil
}

// Print writes a line for each finding.
func Print(w io.Writer, list []Finding) error {
	var errs []error
	for _, f := range list {
		_, err := fmt.Fprintf(w, "%s: %s (%s)\n", f.Pos, f.Message, f.Analyzer)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// isGenerated reports whether pkg is a package that pgmc generates: it has the names that all of
// them have.
func isGenerated(pkg *types.Package) bool {
	if pkg == nil {
		return false
	}
	for _, name := range []string{"Engine", "Evidence", "ErrImpossible", "ErrState"} {
		if pkg.Scope().Lookup(name) == nil {
			return false
		}
	}
	return true
}

// named returns the name of the type of a generated package that t is, or points to, and the
// package; nil if t is another type.
func named(t types.Type) (*types.Package, string) {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !isGenerated(n.Obj().Pkg()) {
		return nil, ""
	}
	return n.Obj().Pkg(), n.Obj().Name()
}
