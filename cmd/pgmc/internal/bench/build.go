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

// mostBuilding is the time after which a package is not built another time.
const mostBuilding = 10 * time.Second

// buildCost measures building a package some times, of which the least counts, beside a build that
// has nothing to do; and beside one of the same package without the code of its blocks. Each time,
// a file of the package changes.
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

// buildOnce builds a package that was not built before: its first file ends with a mark of this
// time.
func (b *Module) buildOnce(ctx context.Context, p *Package, mark int, series *timing.Series) (peak int64, err error) {
	f := p.pkg.Files[0]
	if err := b.Write(filepath.Join(p.Name, f.Name), fmt.Appendf(bytes.Clone(f.Data), "\n// build %d\n", mark)); err != nil {
		return 0, err
	}
	return b.build(ctx, p, series)
}

// build adds the CPU seconds of building a package to a series, and gives the most memory of a
// process.
func (b *Module) build(ctx context.Context, p *Package, series *timing.Series) (peak int64, err error) {
	_, state, err := b.Run(ctx, "build", "./"+p.Name)
	if err != nil {
		return 0, err
	}
	series.Add((state.UserTime() + state.SystemTime()).Seconds())
	return process.PeakMemory(state), nil
}

// hollow empties the functions of a file that holds nothing but methods of blocks, all without
// results; ok is false for other files.
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
