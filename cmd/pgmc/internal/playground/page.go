package playground

import (
	"bytes"
	"context"
	"embed"
	"io/fs"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground/built"
	"github.com/pgmc-go/pgmc/ir/folder"
)

//go:embed page
var page embed.FS

// Page is the files of the page, each compressed by gzip.
type Page []folder.File

// New returns the page. [built.Files] says where its engines come from.
func New(ctx context.Context, source string, tell func(step string, number, total int)) (Page, error) {
	own, err := ownFiles()
	if err != nil {
		return nil, err
	}
	engines, err := built.Files(ctx, source, tell)
	return append(own, engines...), err
}

// ownFiles returns the files that are part of this program whether it is a release or not.
func ownFiles() (Page, error) {
	entries, err := fs.ReadDir(page, "page")
	if err != nil {
		return nil, err
	}
	var files Page
	for _, x := range entries {
		text, err := page.ReadFile("page/" + x.Name())
		if err != nil {
			return nil, err
		}
		packed, err := built.Pack(text)
		if err != nil {
			return nil, err
		}
		files = append(files, folder.File{Name: x.Name(), Data: packed})
	}
	return files, nil
}

// Files returns the files of the page as any web server can serve them, not compressed.
func (p Page) Files() ([]folder.File, error) {
	out := make([]folder.File, len(p))
	for i, f := range p {
		var plain bytes.Buffer
		if err := built.Unpack(&plain, f.Data); err != nil {
			return nil, err
		}
		out[i] = folder.File{Name: f.Name, Data: plain.Bytes()}
	}
	return out, nil
}
