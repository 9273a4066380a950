package vet

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
)

// Stale reports directives of go generate with a package that pgmc compile would now write
// otherwise: the model has changed since, or pgmc has.
var Stale = &analysis.Analyzer{
	Name: "pgmcstale",
	Doc: "report generated packages that are older than their models\n\n" +
		"It runs the commands pgmc compile of go:generate comments with --check. Those with\n" +
		"environment variables are left out.",
	Run: func(pass *analysis.Pass) (any, error) {
		for _, f := range pass.Files {
			stale(pass.Fset, f, func(c *ast.Comment, message string) { pass.Reportf(c.Pos(), "%s", message) })
		}
		return nil, nil
	},
}

// stale runs the commands of f's comments with --check, and reports those that fail.
func stale(fset *token.FileSet, f *ast.File, report func(c *ast.Comment, message string)) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if args := compileArgs(c.Text); args != nil {
				if reason := check(filepath.Dir(fset.Position(c.Pos()).Filename), args); reason != "" {
					report(c, "the package is not what this command writes now: "+reason+"; run go generate")
				}
			}
		}
	}
}

// staleBelow returns what Stale finds in the modules below dir. The go command leaves them out of
// dir/..., but that is where the recipe for go generate puts its comments.
func staleBelow(dir string) (list []Finding, err error) {
	fset := token.NewFileSet()
	nested := "" // the module that is being read
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && path != dir && (name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")):
			return filepath.SkipDir
		case d.IsDir():
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != dir && !below(path, nested) {
				nested = path
			}
			return nil
		case !below(path, nested) || filepath.Ext(path) != ".go":
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return fmt.Errorf("%w; vet needs packages that compile", err)
		}
		stale(fset, f, func(c *ast.Comment, message string) {
			list = append(list, Finding{fset.Position(c.Pos()).String(), Stale.Name, message})
		})
		return nil
	})
	return list, err
}

// below reports whether path is in folder dir.
func below(path, dir string) bool {
	return dir != "" && strings.HasPrefix(path, dir+string(filepath.Separator))
}

// compileArgs returns the arguments of pgmc compile in a go:generate comment, or nil.
func compileArgs(comment string) []string {
	text, ok := strings.CutPrefix(comment, "//go:generate ")
	if !ok || strings.Contains(text, "$") {
		return nil
	}
	words := process.Words(text)
	for i := range len(words) - 1 {
		if name, _, _ := strings.Cut(filepath.Base(words[i]), "@"); name == "pgmc" && words[i+1] == "compile" {
			return words[i+1:]
		}
	}
	return nil
}

// check runs a command with --check in a folder, and returns its message if it fails.
func check(dir string, args []string) string {
	pgmc, err := os.Executable()
	if err != nil {
		return ""
	}
	cmd := exec.Command(pgmc, append(args, "--check", "--quiet")...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}
