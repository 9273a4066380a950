package backend_test

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
)

func TestComment(t *testing.T) {
	for _, text := range []string{
		"{A,B} → {A}", "a\nfunc init() {}", "go:embed secret", "line x.go:7", "\r\x00\u2028\u2029\x85\xff", "\u202eabc", "a\u200b\u00ad\U000e0041b", "math.Pi pgmrt.New", "*/", "", strings.Repeat("é", 5000),
	} {
		got := backend.Comment(text)
		if !strings.HasPrefix(got, "// ") || len(got) > 1000 || strings.ContainsAny(got, "\n\r\x00") || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("comment of %q: got %q", text, got)
		}
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n\n"+got+"\nvar A int\n", parser.ParseComments)
		if err != nil || len(file.Decls) != 1 {
			t.Errorf("comment of %q: does not parse as one: %v", text, err)
		}
	}
}

func TestCaption(t *testing.T) {
	p := &ir.Program{Spans: []ir.Span{{Name: "{A,B} → {A}"}}}
	if got := backend.Caption(p, 0); got != "// {A,B} → {A}\n" {
		t.Errorf("got %q", got)
	}
	p.Spans = append(p.Spans, make([]ir.Span, 5000)...)
	if got := backend.Caption(p, 0); got != "" {
		t.Errorf("in a large program: got %q", got)
	}
}

func TestCode(t *testing.T) {
	file := jen.NewFile("x")
	file.ImportName("example.org/rt", "rt")
	f := backend.NewFile(file, func(name string) *jen.Statement { return jen.Qual("example.org/rt", name) })
	out := &backend.Output{File: f}
	out.Method("run", "", backend.Work, backend.Code(fmt.Sprintf("s[0] = %s(%s(s[1]))\n%s(s[:])", out.Std("math.Float64frombits"), out.Std("math.Float64bits"), out.Runtime("Normalize"))))
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"math"`, `"example.org/rt"`, "math.Float64frombits(math.Float64bits(s[1]))", "rt.Normalize(s[:])"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got no %s in\n%s", want, b.String())
		}
	}
}
