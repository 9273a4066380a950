package source

import (
	"bytes"
	"go/ast"
	"go/format"
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

// of returns the part to which a Go file of the runtime belongs.
func (r *RuntimeCopy) of(name string) *Copied {
	switch {
	case strings.HasSuffix(name, "_amd64.go"):
		return &r.Amd64
	case strings.HasSuffix(name, "_other.go"):
		return &r.Other
	}
	return &r.All
}

// add adds a file of the runtime, as far as its declarations are kept, with other names.
func (r *RuntimeCopy) add(f *runtimeFile, kept map[*runtimeDecl]bool, rename func(string) string) {
	part, assembly := r.of(f.name), false
	for _, d := range f.decls {
		if !kept[d] {
			continue
		}
		part.imports = append(part.imports, d.imports()...)
		from, to := d.span()
		part.Text.WriteString("\n" + f.rewrite(from, to, rename) + "\n")
		assembly = assembly || d.bodiless()
	}
	if assembly {
		_, text, _ := bytes.Cut(f.assembly, []byte(IncludeFlags))
		r.Assembly.Text.WriteString("\n" + string(text))
	}
}

// IncludeFlags is the line by which assembly gets the names of flags.
const IncludeFlags = "#include \"textflag.h\"\n"

// File returns the part for all processors as a file of the given package.
func (c *Copied) File(pkg string) ([]byte, error) {
	head := Header(RuntimeSource) + "\n\n" + goBuild + "\n\npackage " + pkg + "\n\n"
	slices.Sort(c.imports)
	if list := slices.Compact(c.imports); len(list) > 0 {
		head += "import (\n" + strings.Join(list, "\n") + "\n)\n"
	}
	return format.Source([]byte(head + c.Text.String()))
}

// word matches text in a comment that could be an exported identifier.
var word = regexp.MustCompile(`\b[A-Z]\w*\b`)

// rewrite returns a part of the file. It renames the identifiers that neither follow a dot nor
// declare a method or a field, and whole words in comments, and drops the qualifier of the runtime.
func (f *runtimeFile) rewrite(from, to int, rename func(string) string) string {
	var s scanner.Scanner
	src := f.src[from:to]
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, scanner.ScanComments)
	out, end, before := &strings.Builder{}, 0, token.ILLEGAL
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		at := file.Offset(pos)
		switch {
		case tok == token.IDENT && before != token.PERIOD && !f.members[from+at]:
			out.Write(src[end:at])
			end = at + len(lit)
			if lit == qualifier {
				s.Scan()
				end, tok = end+len("."), token.ILLEGAL
			} else {
				out.WriteString(rename(lit))
			}
		case tok == token.COMMENT:
			out.Write(src[end:at])
			out.WriteString(word.ReplaceAllStringFunc(strings.ReplaceAll(lit, qualifier+".", ""), rename))
			end = at + len(lit)
		}
		before = tok
	}
	out.Write(src[end:])
	return out.String()
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
