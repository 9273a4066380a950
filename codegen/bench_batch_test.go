package codegen_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestBatchesPay checks how batches of networks are answered: row by row if eight rows at once
// would wait for the cache, and in lanes with a test for rows that are faster one by one.
func TestBatchesPay(t *testing.T) {
	for name, want := range map[string]struct{ by, test string }{
		"pigs":      {codegen.Rows, "It makes a single query a row"},
		"insurance": {codegen.Lanes, "return e.lightBatch(evs[at:end]) }"},
		"sachs":     {codegen.Lanes, "return end-at < "},
	} {
		r := compiled(t, readNetwork(t, name), "marginals")
		pkg, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: name})
		if err != nil {
			t.Fatal(err)
		}
		if by := pkg.Report.Batches[0].By; by != want.by || !strings.Contains(string(pkg.Files[0].Data), want.test) {
			t.Errorf("%s is answered by %s; want %s and %q", name, by, want.by, want.test)
		}
	}
}

// BenchmarkBatches times 1,024 rows with half of the variables observed, by LogProbs and Batch and
// in loops of single queries ("rows" and "batchrows"), which must not be faster. The timed code
// runs in a program of generated packages: read ns/row and ignore ns/op. Use -benchtime=1x.
func BenchmarkBatches(b *testing.B) {
	shared := irtest.Shared(b)
	for _, network := range []string{"asia", "cancer", "child", "alarm", "insurance", "hailfinder", "hepar2", "win95pts", "water"} {
		m, list := format.Read(compiler.Formats, filepath.Join(shared, "data/bif", network+".bif.gz"), "", format.ReadOptions{})
		if err := list.Err(); err != nil {
			b.Fatal(err)
		}
		for _, backend := range []string{"auto", codegen.Assembly} {
			b.Run(network+"/"+backend, func(b *testing.B) {
				opt := compiler.Options{Queries: append(benchQueries, "sample")}
				if network == "water" { // sparse
					opt.Method = compiler.Named("circuit")
				}
				r, err := compiler.Compile(context.Background(), m, opt)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "try", Backend: backend}); err != nil {
					b.Skip(err)
				}
				h := newHarness(b)
				h.emit(m, r, codegen.Options{Backend: backend, Runtime: codegen.RuntimeImport, Types: codegen.TypesShared})
				h.build()
				for _, query := range []string{"rows", "logprobs", "batchrows", "batch"} {
					b.Run(query, func(b *testing.B) {
						var r reply
						for b.Loop() {
							r = h.ask(question{Hard: make([]int, len(m.Vars)), Bench: query})
						}
						b.ReportMetric(r.NS/1024, "ns/row")
						b.ReportMetric(r.Allocs, "allocs/batch")
					})
				}
			})
		}
	}
}
