package built

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/ir/folder"
)

// noInlining makes the engine a tenth smaller after compression, and answers no slower that we
// could measure; the first answer, which compiles the model, takes 7 % longer.
const noInlining = "-gcflags=all=-l"

// engines are the engines of the page, with their packages and the build tags that make them
// smaller: the page asks only for exact answers, by the method that is the default.
var engines = []struct{ file, pkg, tags, name string }{
	{"pgmc.wasm", "wasm", "minimal", "the engine"},
	{"pgmc-go.wasm", "wasmgo", "", "the engine that writes Go packages"},
}

// support is the file by which pages run programs of the Go version that builds the engines.
const support = "wasm_exec.js"

// target is the environment in which the go command builds engines.
var target = []string{"GOOS=js", "GOARCH=wasm", "GOWORK=off"}

// builder builds the engines.
type builder struct {
	tmp, dir string // a folder for temporary files, and the module's
	tell     func(step string, number, total int)
}

// run runs the go command in the module.
func (b *builder) run(ctx context.Context, args ...string) (string, error) {
	out, _, err := process.RunGo(ctx, b.tmp, b.dir, target, args...)
	return strings.TrimSpace(string(out)), err
}

// arguments returns how engine i is built, without the name of the result.
func arguments(i int) []string {
	return []string{"-trimpath", "-tags", engines[i].tags, noInlining, "-ldflags=-s -w", packageOf(i)}
}

// packageOf returns the import path of engine i.
func packageOf(i int) string { return module + "/cmd/pgmc/internal/playground/" + engines[i].pkg }

// key returns a hash of everything that the engines are made of: the version and the settings of
// Go, the arguments of the builds, and the names and contents of all files that the builds read
// outside the standard library. The folder of the module is not part of the key.
func (b *builder) key(ctx context.Context) (string, error) {
	sum := sha256.New()
	settings, err := b.run(ctx, "env", "GOVERSION", "GOEXPERIMENT", "GOFLAGS", "GOWASM")
	if err != nil {
		return "", err
	}
	fmt.Fprintf(sum, "%q\n", settings)
	for i, e := range engines {
		fmt.Fprintf(sum, "%q %q\n", e.file, arguments(i))
		if err := b.hashSources(ctx, sum, i); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// hashSources adds the files of engine i to a hash.
func (b *builder) hashSources(ctx context.Context, sum hash.Hash, i int) error {
	list, err := b.run(ctx, "list", "-deps", "-json=ImportPath,Dir,Standard,GoFiles,SFiles,HFiles,EmbedFiles", "-tags", engines[i].tags, packageOf(i))
	if err != nil {
		return err
	}
	for packages := json.NewDecoder(strings.NewReader(list)); packages.More(); {
		var p struct {
			ImportPath, Dir                     string
			Standard                            bool
			GoFiles, SFiles, HFiles, EmbedFiles []string
		}
		if err := packages.Decode(&p); err != nil {
			return err
		}
		if p.Standard { // the version of Go says what is in it
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.SFiles, p.HFiles, p.EmbedFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "%q %q %x\n", p.ImportPath, name, sha256.Sum256(text))
		}
	}
	return nil
}

// build builds the engines.
func (b *builder) build(ctx context.Context) ([]folder.File, error) {
	root, err := b.run(ctx, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "lib", "wasm", support))
	if err != nil {
		return nil, err
	}
	packed, err := Pack(text)
	if err != nil {
		return nil, err
	}
	files := []folder.File{{Name: support, Data: packed}}
	for i, e := range engines {
		b.tell(e.name, i+1, len(engines))
		out := filepath.Join(b.tmp, e.file)
		if _, err := b.run(ctx, append([]string{"build", "-o", out}, arguments(i)...)...); err != nil {
			return nil, err
		}
		if text, err = os.ReadFile(out); err != nil {
			return nil, err
		}
		if packed, err = Pack(text); err != nil {
			return nil, err
		}
		files = append(files, folder.File{Name: e.file, Data: packed})
	}
	return files, nil
}

// Pack compresses a file.
func Pack(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(text)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

// Unpack writes a compressed file to w and checks its checksum.
func Unpack(w io.Writer, packed []byte) error {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return err
}
