package built

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/folder"
)

// Folder is the folder of the engines in a release, relative to that of this package.
const Folder = "engines"

// Files returns the engines, compressed by gzip, under their names on the page: those of this
// program, if it has them and dir is empty, or else those of the module's source in dir. If dir is
// empty, Files looks for the source: see [findSource]. It calls tell before each step that takes
// long, with the step's number and the number of steps.
func Files(ctx context.Context, dir string, tell func(step string, number, total int)) ([]folder.File, error) {
	if dir == "" {
		files, err := read(embedded, Folder)
		if !errors.Is(err, fs.ErrNotExist) {
			return files, err
		}
	}
	files, err := newCache().files(ctx, dir, tell)
	if message := (*diag.Message)(nil); err != nil && !errors.As(err, &message) {
		err = fmt.Errorf("building the engine of the page: %w", err)
	}
	return files, err
}

// files returns the engines of the source in dir, from the cache or new.
func (c cache) files(ctx context.Context, dir string, tell func(step string, number, total int)) ([]folder.File, error) {
	if err := process.NeedGo(); err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "pgmc-playground-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	if dir, err = source(ctx, tmp, dir); err != nil {
		return nil, err
	}
	b := &builder{tmp, dir, tell}
	key, err := b.key(ctx)
	if err != nil {
		return nil, err
	}
	if files := c.load(key); files != nil {
		return files, nil
	}
	files, err := b.build(ctx)
	if err == nil {
		c.store(key, files)
	}
	return files, err
}
