package codegen_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

var benchQueries = []string{"marginals", "logprob", "mpe"}

// BenchmarkQueries times queries without evidence by each back-end and by the interpreter. The
// timed code runs in a program of generated packages, by testing.Benchmark: read ns/query and
// allocs/query and ignore ns/op. A back-end that refuses a network, as unroll does for large ones,
// is left out. Use -benchtime=1x.
func BenchmarkQueries(b *testing.B) {
	shared := irtest.Shared(b)
	for _, network := range []string{"alarm", "hailfinder", "munin2"} {
		m, list := format.Read(compiler.Formats, filepath.Join(shared, "data/bif", network+".bif.gz"), "", format.ReadOptions{})
		if err := list.Err(); err != nil {
			b.Fatal(err)
		}
		for _, backend := range []string{"auto", "unroll", "nest", "tape"} {
			b.Run(network+"/"+backend, func(b *testing.B) { benchPackage(b, m, backend) })
		}
		b.Run(network+"/interpreter", func(b *testing.B) { benchInterpreter(b, m) })
	}
}

func benchPackage(b *testing.B, m *model.Model, backend string) {
	opt := compiler.Options{Queries: benchQueries}
	emit := codegen.Options{Backend: backend, Runtime: codegen.RuntimeImport, Types: codegen.TypesShared}
	r, err := compiler.Compile(context.Background(), m, opt)
	if err != nil {
		b.Fatal(err)
	}
	emit.Package = "try"
	if _, err := codegen.Emit(r.Model, r.Program, emit); err != nil {
		b.Skip(err)
	}
	opt.Queries = append(opt.Queries, "sample") // the harness needs it
	h := newHarness(b)
	h.add(m, opt, emit)
	h.build()
	for _, q := range benchQueries {
		b.Run(q, func(b *testing.B) {
			var r reply
			for b.Loop() {
				r = h.ask(question{Hard: make([]int, len(m.Vars)), Bench: q})
			}
			b.ReportMetric(r.NS, "ns/query")
			b.ReportMetric(r.Allocs, "allocs/query")
		})
	}
}

func benchInterpreter(b *testing.B, m *model.Model) {
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: benchQueries})
	if err != nil {
		b.Fatal(err)
	}
	machine := eval.New(r.Program, r.Model)
	for _, q := range benchQueries {
		b.Run(q, func(b *testing.B) {
			entry, runs := r.Program.Entry(q), 0
			b.ReportAllocs()
			for b.Loop() {
				for start := time.Now(); time.Since(start) < time.Second; runs++ { // about as long as testing.Benchmark
					if err := machine.Run(entry); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(runs), "ns/query")
		})
	}
}
