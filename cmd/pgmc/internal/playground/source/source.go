// Package source shows the Go package of a model to readers of the playground. It is apart from the
// engine of the page because package codegen is as large as all the rest.
package source

import (
	"context"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// mostSource is the most numbers of a model with a package that is shown: more make no source to
// read.
const mostSource = 20_000

// Of returns the main file of the package that pgmc compile writes for the model: it answers
// posteriors, and of a sequence filters.
func Of(ctx context.Context, m *model.Model) (string, error) {
	factors, query := m.Factors, ir.Marginals
	if m.Transition != nil {
		factors, query = slices.Concat(factors, m.Transition.Factors), ir.Filter
	}
	size := 0
	for _, f := range factors {
		size += f.Dist.Size()
	}
	if size > mostSource {
		return "", fmt.Errorf("the model has %d parameters; the page shows packages of at most %d; pgmc compile writes them all", size, mostSource)
	}
	r, err := compiler.Compile(ctx, m, compiler.Options{Queries: []string{query.String()}})
	if err != nil {
		return "", err
	}
	pkg, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: packageName(m.Name), Source: m.Name})
	if err != nil {
		return "", err
	}
	for _, f := range pkg.Files {
		if f.Name == pkg.Name+".go" {
			return string(f.Data), nil
		}
	}
	return string(pkg.Files[0].Data), nil
}

// packageName returns the letters and digits of a name in lower case, or "model" if it has no
// letter first or means something in Go.
func packageName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	if name == "" || name[0] <= '9' || token.IsKeyword(name) || name == "main" {
		return "model"
	}
	return name
}
