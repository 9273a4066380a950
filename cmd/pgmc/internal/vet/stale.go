package vet

import (
	"bytes"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Stale reports directives of go generate whose package is not what pgmc compile would write now:
// the model has changed since, or pgmc has.
var Stale = &analysis.Analyzer{
	Name: "pgmcstale",
	Doc: "report generated packages that are older than their models\n\n" +
		"It runs the commands pgmc compile of go:generate comments with --check. Those with\n" +
		"environment variables are left out.",
	Run: func(pass *analysis.Pass) (any, error) {
		for _, f := range pass.Files {
			for _, group := range f.Comments {
				for _, c := range group.List {
					if args := compileArgs(c.Text); args != nil {
						check(pass, c, args)
					}
				}
			}
		}
		return nil, nil
	},
}

// compileArgs returns the arguments of pgmc compile in a go:generate comment, or nil.
func compileArgs(comment string) []string {
	text, ok := strings.CutPrefix(comment, "//go:generate ")
	if !ok || strings.Contains(text, "$") {
		return nil
	}
	var words []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		word, rest, _ := strings.Cut(text, " ")
		if q, err := strconv.QuotedPrefix(text); err == nil && text[0] == '"' {
			word, rest = q[1:len(q)-1], text[len(q):]
			if u, err := strconv.Unquote(q); err == nil {
				word = u
			}
		}
		words, text = append(words, word), rest
	}
	for i := range len(words) - 1 {
		if name, _, _ := strings.Cut(filepath.Base(words[i]), "@"); name == "pgmc" && words[i+1] == "compile" {
			return words[i+1:]
		}
	}
	return nil
}

// check runs a command with --check, in the folder of the comment, and reports what it says.
func check(pass *analysis.Pass, c *ast.Comment, args []string) {
	pgmc, err := os.Executable()
	if err != nil {
		return
	}
	cmd := exec.Command(pgmc, append(args, "--check", "--quiet")...)
	cmd.Dir = filepath.Dir(pass.Fset.Position(c.Pos()).Filename)
	if out, err := cmd.CombinedOutput(); err != nil {
		line, _, _ := bytes.Cut(bytes.TrimSpace(out), []byte("\n"))
		pass.Reportf(c.Pos(), "the package is not what this command writes now: %s; run go generate", line)
	}
}
