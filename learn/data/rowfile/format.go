package rowfile

import (
	"bufio"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// Format is a file format of data.
type Format uint8

// The formats.
const (
	Auto      Format = iota // by the name of the file or, failing that, by its start
	CSV                     // separated values with a header
	Libra                   // numbers of states without a header
	ARFF                    // Weka's attribute-relation file format
	JSONLines               // an object a line
	Parquet                 // columns in binary; package parquet opens such a file as a [data.Source]
)

// String returns the name of the format for a message.
func (f Format) String() string {
	return []string{"of no known format", "CSV", "rows of state numbers", "ARFF", "JSON Lines", "Parquet"}[f]
}

// HasExtension reports whether the name of a file ends like the name of a data file, perhaps
// compressed.
func HasExtension(name string) bool {
	_, ok := byExtension(name)
	return ok
}

// IsJSONLines reports whether the name of a file ends like the name of a file of JSON Lines.
func IsJSONLines(name string) bool {
	f, _ := byExtension(name)
	return f == JSONLines
}

// byExtension returns the format that the name of a file tells.
func byExtension(name string) (Format, bool) {
	base := strings.ToLower(filepath.Base(name))
	switch filepath.Ext(strings.TrimSuffix(base, ".gz")) {
	case ".csv", ".tsv", ".tab":
		return CSV, true
	case ".data", ".ev", ".q":
		return Libra, true
	case ".arff":
		return ARFF, true
	case ".jsonl", ".ndjson":
		return JSONLines, true
	case ".parquet":
		return Parquet, true
	}
	return Auto, false
}

// detect returns the format by name or, failing that, by the start of the text.
func detect(name string, text *bufio.Reader) Format {
	if f, ok := byExtension(name); ok {
		return f
	}
	if plain.Starts(text, "{") {
		return JSONLines
	}
	word, _, _ := strings.Cut(plain.PeekLine(text, "%", 0), " ")
	if strings.EqualFold(word, "@relation") {
		return ARFF
	}
	return CSV
}
