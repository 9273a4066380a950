package source

import (
	"embed"
	"strings"
)

// stdFiles declares the parts of the standard library that generated packages and the runtime use:
// a file for each package, with an underscore for each slash of its path. A test compares the
// declarations with the library's.
//
//go:embed _stdsources/*.go
var stdFiles embed.FS

// stdPaths lists the packages of stdFiles. Each comes after those that it imports.
var stdPaths = strings.Fields(`time context io compress/flate encoding/binary encoding/json errors fmt iter math math/bits net/url net/http strconv strings sync`)

// stdSource returns the declarations of a package of stdFiles.
func stdSource(path string) ([]byte, error) {
	return stdFiles.ReadFile("_stdsources/" + strings.ReplaceAll(path, "/", "_") + ".go")
}
