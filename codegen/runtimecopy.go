package codegen

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

// runtimeCopy is a copy of parts of the runtime: those for all processors, the assembly with the Go
// functions that run it, and what other processors run in place.
type runtimeCopy struct {
	all, amd64, assembly, other copied
}

// copied holds the contents of files of the runtime that have the same build constraint.
type copied struct {
	imports []string // as in import declarations
	text    strings.Builder
}

// of returns the part to which a file of the runtime belongs.
func (r *runtimeCopy) of(name string) *copied {
	switch {
	case isAssembly(name):
		return &r.assembly
	case strings.HasSuffix(name, "_amd64.go"):
		return &r.amd64
	case strings.HasSuffix(name, "_other.go"):
		return &r.other
	}
	return &r.all
}

// add adds a file of the runtime, with other names.
func (c *copied) add(name string, src []byte, rename func(string) string) error {
	if isAssembly(name) {
		_, src, _ = bytes.Cut(src, []byte(includeFlags))
		c.text.WriteString("\n")
		c.text.Write(src)
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
	c.text.WriteString("\n")
	c.text.Write(src[end-f.FileStart:])
	return nil
}

// includeFlags is the line by which assembly gets the names of flags.
const includeFlags = "#include \"textflag.h\"\n"

// file returns the part for all processors as a file of the given package.
func (c *copied) file(pkg string) ([]byte, error) {
	head := header(runtimeSource) + "\n\npackage " + pkg + "\n\n"
	slices.Sort(c.imports)
	if list := slices.Compact(c.imports); len(list) > 0 {
		head += "import (\n" + strings.Join(list, "\n") + "\n)\n"
	}
	return format.Source([]byte(head + c.text.String()))
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
