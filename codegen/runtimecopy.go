package codegen

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// copied is a file of a package with the contents of one or more files of the runtime, which have
// the same build constraint.
type copied struct {
	name    string
	build   string   // the line of the constraint; empty for none
	imports []string // as in import declarations
	text    strings.Builder
}

// add adds a file of the runtime, with other names.
func (c *copied) add(name string, src []byte, rename func(string) string) error {
	if bytes.HasPrefix(src, []byte("//go:build ")) {
		line, rest, _ := bytes.Cut(src, []byte("\n"))
		c.build, src = string(line), rest
	}
	if isAssembly(name) {
		c.text.Write(bytes.Replace(src, []byte(includeFlags), nil, 1))
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
	if err != nil {
		return err
	}
	end := f.Name.End()
	for _, d := range f.Decls {
		end = d.End()
	}
	for _, i := range f.Imports {
		c.imports = append(c.imports, i.Path.Value)
	}
	text, err := rewrite(src[end-f.FileStart:], rename)
	c.text.WriteString("\n")
	c.text.Write(text)
	return err
}

// includeFlags is the line by which assembly gets the names of flags.
const includeFlags = "#include \"textflag.h\"\n"

// file returns the file in the given package.
func (c *copied) file(pkg string) ([]byte, error) {
	head := header("the runtime of pgmc") + "\n\n"
	if c.build != "" {
		head += c.build + "\n\n"
	}
	if isAssembly(c.name) {
		return []byte(head + includeFlags + c.text.String()), nil
	}
	head += "package " + pkg + "\n\n"
	slices.Sort(c.imports)
	if list := slices.Compact(c.imports); len(list) > 0 {
		head += "import (\n" + strings.Join(list, "\n") + "\n)\n"
	}
	return format.Source([]byte(head + c.text.String()))
}

// word matches text in a comment that could be an exported identifier.
var word = regexp.MustCompile(`\b[A-Z]\w*\b`)

// rewrite renames the identifiers of text of the runtime that do not follow a dot, and whole words
// in its comments.
func rewrite(src []byte, rename func(string) string) ([]byte, error) {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(src))
	s.Init(file, src, nil, scanner.ScanComments)
	out, end, before := &strings.Builder{}, 0, token.ILLEGAL
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		at := file.Offset(pos)
		switch {
		case tok == token.IDENT && before != token.PERIOD:
			out.Write(src[end:at])
			out.WriteString(rename(lit))
			end = at + len(lit)
		case tok == token.COMMENT:
			out.Write(src[end:at])
			out.WriteString(word.ReplaceAllStringFunc(lit, rename))
			end = at + len(lit)
		}
		before = tok
	}
	out.Write(src[end:])
	return []byte(out.String()), nil
}
