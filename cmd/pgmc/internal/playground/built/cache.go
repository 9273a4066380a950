package built

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pgmc-go/pgmc/ir/folder"
)

// mostKept is the number of versions of the engines that stay in the cache.
const mostKept = 4

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
	if err != nil || len(files) != len(engines)+1 {
		return nil
	}
	for _, f := range files {
		if Unpack(io.Discard, f.Data) != nil {
			return nil
		}
	}
	now := time.Now()
	os.Chtimes(filepath.Join(c.dir, key), now, now) // if this fails, a later store may forget the key
	return files
}

// store keeps the files of a key and removes those that were used the longest time ago.
func (c cache) store(key string, files []folder.File) {
	if c.dir == "" || (&folder.Writer{Dir: filepath.Join(c.dir, key), Files: files}).Write() != nil {
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
