package source

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// RuntimeCopy is a copy of parts of the runtime: those for all processors, the assembly with the Go
// functions that run it, and what other processors run in place.
type RuntimeCopy struct {
	All, Amd64, Assembly, Other Copied
}

// Copied holds the contents of files of the runtime that have the same build constraint.
type Copied struct {
	imports []string // as in import declarations
	Text    strings.Builder
}

// of returns the part to which a file of the runtime belongs.
func (r *RuntimeCopy) of(name string) *Copied {
	switch {
	case isAssembly(name):
		return &r.Assembly
	case strings.HasSuffix(name, "_amd64.go"):
		return &r.Amd64
	case strings.HasSuffix(name, "_other.go"):
		return &r.Other
	}
	return &r.All
}

// add adds a file of the runtime, with other names.
func (c *Copied) add(name string, src []byte, rename func(string) string) error {
	if isAssembly(name) {
		_, src, _ = bytes.Cut(src, []byte(IncludeFlags))
		c.Text.WriteString("\n")
		c.Text.Write(src)
		return nil
	}
	if bytes.HasPrefix(src, []byte("//go:build ")) {
		_, src, _ = bytes.Cut(src, []byte("\n"))
	}
	src, err := rewrite(src, rename)
	if err != nil {
		return err
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
	c.Text.WriteString("\n")
	c.Text.Write(src[end-f.FileStart:])
	return nil
}

// IncludeFlags is the line by which assembly gets the names of flags.
const IncludeFlags = "#include \"textflag.h\"\n"

// File returns the part for all processors as a file of the given package.
func (c *Copied) File(pkg string) ([]byte, error) {
	head := Header(RuntimeSource) + "\n\npackage " + pkg + "\n\n"
	slices.Sort(c.imports)
	if list := slices.Compact(c.imports); len(list) > 0 {
		head += "import (\n" + strings.Join(list, "\n") + "\n)\n"
	}
	return format.Source([]byte(head + c.Text.String()))
}

// word matches text in a comment that could be an exported identifier.
var word = regexp.MustCompile(`\b[A-Z]\w*\b`)

// rewrite renames the identifiers of a file of the runtime that neither follow a dot nor declare a
// method or a field, and whole words in its comments.
func rewrite(src []byte, rename func(string) string) ([]byte, error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	member := map[int]bool{}
	for _, id := range members(parsed) {
		member[files.Position(id.Pos()).Offset] = true
	}
	var s scanner.Scanner
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
		case tok == token.IDENT && before != token.PERIOD && !member[at]:
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

// members returns the names that a file gives to methods and fields.
func members(f *ast.File) (ids []*ast.Ident) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				ids = append(ids, n.Name)
			}
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				ids = append(ids, method.Names...)
			}
		case *ast.StructType:
			for _, field := range n.Fields.List {
				ids = append(ids, field.Names...)
			}
		}
		return true
	})
	return ids
}
