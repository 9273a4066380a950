package codegen

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
)

// stampMark begins the line after the header of a package's main file that holds Options.Flags.
const stampMark = "//pgmc:compile "

// Stamp is the information on its making that the files of a package hold.
type Stamp struct {
	Package string   // the name in the package clause
	Version int      // the newest Version that made one of the files; 0 if none says
	Source  string   // the name of the model's file in the headers; empty if none has it
	Flags   []string // Options.Flags; nil if the main file is missing or has none
}

// ReadStamp reads the stamp of the package in dir. It returns an error if dir holds no package of
// pgmc.
func ReadStamp(dir string) (*Stamp, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	s := &Stamp{}
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		if !strings.HasSuffix(e.Name(), ".go") || !e.Type().IsRegular() || !hasMark(file) {
			continue
		}
		if err := s.read(file); err != nil {
			return nil, err
		}
	}
	if s.Package == "" {
		return nil, fmt.Errorf("%s holds no package that pgmc made", dir)
	}
	return s, nil
}

// read adds the information in one Go file.
func (s *Stamp) read(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text = unixLines(text)
	if p, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly); err == nil {
		s.Package = p.Name.Name
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	s.Version = max(s.Version, versionOf(first))
	s.Source = cmp.Or(sourceOf(first), s.Source)
	line, _, _ := strings.Cut(rest, "\n")
	flags, ok := strings.CutPrefix(line, stampMark)
	if !ok {
		return nil
	}
	if s.Flags, err = parseStamp(flags); err != nil {
		return fmt.Errorf("%s:2: %w", file, err)
	}
	return nil
}

// versionOf returns the version in the header of a file, or 0.
func versionOf(header string) (version int) {
	text, ok := strings.CutPrefix(header, source.Mark+" codegen/")
	if !ok {
		return 0
	}
	text, _, _ = strings.Cut(text, " ")
	version, _ = strconv.Atoi(text) // 0 if it is no number
	return version
}

// sourceOf returns the name of the model's file in the header of a file, or an empty name.
func sourceOf(header string) string {
	_, name, _ := strings.Cut(header, " from ")
	if name = strings.TrimSuffix(name, ". DO NOT EDIT."); name == source.RuntimeSource {
		return ""
	}
	return name
}

// stamp returns the line that holds flags. Words with special characters are quoted as in Go, in
// ASCII.
func stamp(flags []string) string {
	out := make([]string, len(flags))
	for i, w := range flags {
		if out[i] = w; w == "" || strings.ContainsFunc(w, notPlain) {
			out[i] = strconv.QuoteToASCII(w)
		}
	}
	return stampMark + strings.Join(out, " ")
}

// notPlain reports whether a word that contains r must be quoted.
func notPlain(r rune) bool {
	return r <= ' ' || r == '"' || r == '\\' || r == '`' || r == '\'' || r > '~'
}

// parseStamp returns the flags in the text after stampMark.
func parseStamp(s string) ([]string, error) {
	var flags []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if s[0] != '"' {
			w, rest, _ := strings.Cut(s, " ")
			flags, s = append(flags, w), rest
			continue
		}
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return nil, fmt.Errorf("a quoted word of the flags does not end: %s", s)
		}
		w, err := strconv.Unquote(q)
		if err != nil {
			return nil, err
		}
		flags, s = append(flags, w), s[len(q):]
	}
	return flags, nil
}
