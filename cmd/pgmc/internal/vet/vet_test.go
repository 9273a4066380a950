package vet_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/vet"
)

func TestAnalyzers(t *testing.T) {
	for _, a := range []*analysis.Analyzer{vet.Converted, vet.Dropped, vet.Shared} {
		analysistest.Run(t, analysistest.TestData(), a, a.Name)
	}
}

func TestCompileArgs(t *testing.T) {
	for _, c := range []struct {
		comment string
		want    []string
	}{
		{"//go:generate pgmc compile asia.bif -o asia", []string{"compile", "asia.bif", "-o", "asia"}},
		{"//go:generate go tool -modfile=tools.mod pgmc compile asia.bif", []string{"compile", "asia.bif"}},
		{"//go:generate go run github.com/pgmc-go/pgmc/cmd/pgmc@v1.2.3 compile asia.bif", []string{"compile", "asia.bif"}},
		{`//go:generate pgmc compile asia.bif --query "lung | smoke"`, []string{"compile", "asia.bif", "--query", "lung | smoke"}},
		{"//go:generate pgmc compile $GOFILE.bif", nil},
		{"//go:generate stringer -type=T", nil},
		{"// pgmc compile asia.bif", nil},
	} {
		if got := vet.CompileArgs(c.comment); !slices.Equal(got, c.want) {
			t.Errorf("%s gives %q; want %q", c.comment, got, c.want)
		}
	}
}

func TestIsTool(t *testing.T) {
	for _, args := range [][]string{{"-V=full"}, {"-flags"}, {"-json", "/tmp/vet.cfg"}} {
		if !vet.IsTool(args) {
			t.Errorf("%q is not taken for a call of go vet", args)
		}
	}
	for _, args := range [][]string{nil, {"vet", "./..."}, {"-v"}, {"--flags"}} {
		if vet.IsTool(args) {
			t.Errorf("%q is taken for a call of go vet", args)
		}
	}
}
