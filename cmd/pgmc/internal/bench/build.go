package bench

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
	"github.com/pgmc-go/pgmc/codegen"
)

// mostBuilding bounds the time to measure the builds of a package: after it no further build
// starts.
const mostBuilding = 10 * time.Second

// buildCost measures up to the given number of builds of a package and keeps the minima. Each round
// takes three builds: of the package with a changed file, of the unchanged package (the cost of a
// build with nothing to do), and of the package with the bodies of its blocks left out. Seconds is
// the first less the second, and CodeSeconds the first less the third.
func (b *Module) buildCost(ctx context.Context, p *Package, times int, cost *BuildCost) error {
	var whole, empty, idle timing.Series
	begin := time.Now()
	for i := 0; i < times && time.Since(begin) < mostBuilding; i++ {
		peak, err := b.buildOnce(ctx, p, i, &whole)
		if err != nil {
			return err
		}
		if cost.Memory == 0 || peak < cost.Memory {
			cost.Memory = peak
		}
		if _, err := b.build(ctx, p, &idle); err != nil {
			return err
		}
		for _, f := range p.pkg.Files {
			if text, ok := hollow(f); ok {
				if err := b.Write(filepath.Join(p.Name, f.Name), text); err != nil {
					return err
				}
			}
		}
		if _, err := b.buildOnce(ctx, p, -1-i, &empty); err != nil {
			return err
		}
		for _, f := range p.pkg.Files {
			if err := b.Write(filepath.Join(p.Name, f.Name), f.Data); err != nil {
				return err
			}
		}
	}
	cost.Seconds, cost.CodeSeconds = max(0, whole.Min()-idle.Min()), max(0, whole.Min()-empty.Min())
	return nil
}

// buildOnce builds a package that is not in the build cache: it ends the package's first file with
// a comment that holds mark.
func (b *Module) buildOnce(ctx context.Context, p *Package, mark int, series *timing.Series) (peak int64, err error) {
	f := p.pkg.Files[0]
	if err := b.Write(filepath.Join(p.Name, f.Name), fmt.Appendf(bytes.Clone(f.Data), "\n// build %d\n", mark)); err != nil {
		return 0, err
	}
	return b.build(ctx, p, series)
}

// build adds the CPU seconds of building a package to a series and returns the peak memory of the
// largest process, in bytes.
func (b *Module) build(ctx context.Context, p *Package, series *timing.Series) (peak int64, err error) {
	_, state, err := b.Run(ctx, "build", "./"+p.Name)
	if err != nil {
		return 0, err
	}
	series.Add((state.UserTime() + state.SystemTime()).Seconds())
	return process.PeakMemory(state), nil
}

// hollow returns the text of f with empty function bodies if f declares nothing but methods of
// blocks, all without parameters and results. ok is false for other files.
func hollow(f codegen.File) (text []byte, ok bool) {
	if !strings.HasSuffix(f.Name, ".go") {
		return nil, false
	}
	file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.SkipObjectResolution)
	if err != nil {
		return nil, false
	}
	text = fmt.Appendf(nil, "package %s\n", file.Name.Name)
	for _, d := range file.Decls {
		if g, isGroup := d.(*ast.GenDecl); isGroup && g.Tok == token.IMPORT {
			continue
		}
		fn, isFunc := d.(*ast.FuncDecl)
		if !isFunc || fn.Recv == nil || !strings.HasPrefix(fn.Name.Name, "block") || fn.Type.Results != nil || fn.Type.Params.NumFields() > 0 {
			return nil, false
		}
		text, ok = fmt.Appendf(text, "\nfunc (*Engine) %s() {}\n", fn.Name.Name), true
	}
	return text, ok
}
