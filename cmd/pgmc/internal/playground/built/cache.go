package built

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/ir/folder"
)

// mostKept is the number of versions of the engines that stay in the cache.
const mostKept = 4

// sumName is the file with the checksum of the others. A crash of the system may damage files.
const sumName = "sha256"

// checksum returns the checksum of files, in whatever order.
func checksum(files []folder.File) []byte {
	sum := sha256.New()
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b folder.File) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range files {
		fmt.Fprintf(sum, "%q %x\n", f.Name, sha256.Sum256(f.Data))
	}
	return sum.Sum(nil)
}

// cache is the folder that keeps engines, in a folder for each key. It never fails: without a cache
// folder, or if the files are damaged or cannot be written, the engines are built again.
type cache struct{ dir string }

// newCache returns the cache of the user, which keeps nothing if the user has no cache folder.
func newCache() cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return cache{}
	}
	return cache{filepath.Join(dir, "pgmc", "playground")}
}

// load returns the files of a key, or nil if they are not there whole.
func (c cache) load(key string) []folder.File {
	if c.dir == "" {
		return nil
	}
	files, err := read(os.DirFS(c.dir), key)
	at := slices.IndexFunc(files, func(f folder.File) bool { return f.Name == sumName })
	if err != nil || at < 0 {
		return nil
	}
	sum := files[at].Data
	if files = slices.Delete(files, at, at+1); !bytes.Equal(sum, checksum(files)) {
		return nil
	}
	now := time.Now()
	os.Chtimes(filepath.Join(c.dir, key), now, now) // if this fails, a later store may forget the key
	return files
}

// store keeps the files of a key and removes those that were used the longest time ago.
func (c cache) store(key string, files []folder.File) {
	if c.dir == "" {
		return
	}
	all := append(slices.Clone(files), folder.File{Name: sumName, Data: checksum(files)})
	if (&folder.Writer{Dir: filepath.Join(c.dir, key), Files: all}).Write() != nil {
		return
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	used := func(e os.DirEntry) time.Time {
		info, err := e.Info()
		if err != nil { // another process has removed it
			return time.Time{}
		}
		return info.ModTime()
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return used(b).Compare(used(a)) })
	for _, e := range entries[min(mostKept, len(entries)):] {
		os.RemoveAll(filepath.Join(c.dir, e.Name()))
	}
}

// read returns the files of a folder.
func read(from fs.FS, dir string) ([]folder.File, error) {
	entries, err := fs.ReadDir(from, dir)
	if err != nil {
		return nil, err
	}
	var files []folder.File
	for _, x := range entries {
		text, err := fs.ReadFile(from, dir+"/"+x.Name())
		if err != nil {
			return nil, err
		}
		files = append(files, folder.File{Name: x.Name(), Data: text})
	}
	return files, nil
}
