package codegen

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// runtimePath is the import path of the runtime.
const runtimePath = "github.com/pgmc-go/pgmc/runtime"

// keptNames holds the names of the runtime that are part of the API of every generated package.
// SearchError is part of it only if a query searches.
var keptNames = []string{"ErrImpossible", "ErrLikelihood", "ErrState", "NewRand", "Rand", "SearchError"}

// Names of the runtime that are part of the API if queries are answered in one of these ways: by
// fitting, by a loop, by Markov chains, by decoding states from messages, by weighted samples, and
// by local search.
var (
	fitNames    = []string{"Converged", "ErrInconsistent", "NotConverged", "Report", "Status"}
	loopNames   = []string{"Converged", "ErrOptions", "NotConverged", "Report", "Status"}
	chainNames  = []string{"Converged", "ErrChain", "ErrStart", "NotConverged", "Report", "SampleReport", "Status"}
	decodeNames = []string{"DecodeAmbiguous", "DecodeConverged", "DecodeInfeasible", "DecodeNotConverged", "DecodeNotDecodable",
		"DecodeReport", "DecodeStatus", "ErrOptions"}
	weightNames = []string{"Converged", "ErrStart", "ErrTrials", "ErrWeights", "NotConverged", "Report", "Status", "TrialReport"}
	climbNames  = []string{"Converged", "ErrStart", "ErrTrials", "NotConverged", "Report", "Status"}
)

// runtimeUse records how a package refers to the runtime, and the names that it uses. A copy of the
// runtime keeps the names of the API. Its other exported names become unexported by the prefix rt.
type runtimeUse struct {
	imported bool
	used     []string
}

func newRuntimeUse(imported bool) *runtimeUse { return &runtimeUse{imported: imported} }

// use returns an exported name of the runtime as the package's own files write it, and records that
// they need it.
func (u *runtimeUse) use(name string) *jen.Statement {
	if u.imported {
		return jen.Qual(runtimePath, name)
	}
	u.keep(name)
	return jen.Id(copiedName(name))
}

// keep records names that a copy must declare, whether or not other files use them.
func (u *runtimeUse) keep(names ...string) {
	for _, name := range names {
		if !slices.Contains(u.used, name) {
			u.used = append(u.used, name)
		}
	}
}

// copiedName returns the name that an exported name of the runtime has in a copy.
func copiedName(name string) string {
	if slices.Contains(keptNames, name) || slices.ContainsFunc(answerKinds, func(a answerKind) bool { return slices.Contains(a.shown, name) }) {
		return name
	}
	return "rt" + name
}

// files returns copies of the runtime's files that the package needs.
func (u *runtimeUse) files(pkg string) ([]File, error) {
	if u.imported {
		return nil, nil
	}
	list, err := pgmrt.Files(u.used...)
	if err != nil {
		return nil, err
	}
	isName, err := exportedNames()
	if err != nil {
		return nil, err
	}
	var out []File
	for _, name := range list {
		src, err := pgmrt.Source.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if !isAssembly(name) {
			src, err = rewrite(src, func(id string) string {
				switch {
				case id == "pgmrt":
					return pkg
				case isName[id]:
					return copiedName(id)
				}
				return id
			})
		}
		if err != nil {
			return nil, fmt.Errorf("runtime file %s: %w", name, err)
		}
		out = append(out, File{"pgmrt_" + name, slices.Concat([]byte(header("the runtime of pgmc")+"\n\n"), src)})
	}
	return out, nil
}

// isAssembly reports whether a file of the runtime is written in assembly. Such files contain no
// exported names.
func isAssembly(name string) bool { return strings.HasSuffix(name, ".s") }

// exportedNames returns the set of exported names that the runtime's files declare.
func exportedNames() (map[string]bool, error) {
	entries, err := pgmrt.Source.ReadDir(".")
	if err != nil {
		return nil, err
	}
	set := map[string]bool{}
	for _, entry := range entries {
		if isAssembly(entry.Name()) {
			continue
		}
		src, err := pgmrt.Source.ReadFile(entry.Name())
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), entry.Name(), src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range f.Decls {
			for _, id := range declared(decl) {
				if id.IsExported() {
					set[id.Name] = true
				}
			}
		}
	}
	return set, nil
}

// declared returns the names that a declaration adds to its package.
func declared(decl ast.Decl) (ids []*ast.Ident) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			ids = append(ids, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				ids = append(ids, s.Name)
			case *ast.ValueSpec:
				ids = append(ids, s.Names...)
			}
		}
	}
	return ids
}

// word matches text in a comment that could be an exported identifier.
var word = regexp.MustCompile(`\b[A-Z]\w*\b`)

// rewrite renames the identifiers of a file of the runtime that do not follow a dot, and whole
// words in its comments.
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
	return format.Source([]byte(out.String()))
}
