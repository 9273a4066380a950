package codegen_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// BenchmarkIterating times packages of iterative methods: all marginals, to a tolerance of 1e-9 and
// with at most 100 rounds, for twenty sets of evidence in turn, each with a tenth of the variables
// as drawn from the model; and sweeps of Gibbs sampling. The timed code runs in a program of its
// own: read ns/query and updates/s and ignore ns/op. Use -benchtime=1x.
func BenchmarkIterating(b *testing.B) {
	shared := irtest.Shared(b)
	for _, network := range []string{"alarm", "insurance", "hailfinder"} {
		m, list := format.Read(compiler.Formats, filepath.Join(shared, "data/bif", network+".bif.gz"), "", format.ReadOptions{})
		if err := list.Err(); err != nil {
			b.Fatal(err)
		}
		for _, method := range []string{"belief", "meanfield", "gibbs"} {
			b.Run(network+"/"+method, func(b *testing.B) { benchIterating(b, m, method) })
		}
	}
}

func benchIterating(b *testing.B, m *model.Model, method string) {
	opt := compiler.Options{Method: compiler.Named(method, "iterations=100", "tolerance=1e-9")}
	call, updates := map[string]string{"belief": "BP", "meanfield": "MeanField"}[method], 0
	if method == "gibbs" {
		const sweeps = 1000
		opt.Method = compiler.Named(method, "chains=1", "burn-in=0", "iterations="+strconv.Itoa(sweeps))
		call, updates = "Gibbs", sweeps*len(m.Vars)
	}
	r, err := compiler.Compile(context.Background(), m, opt)
	if err != nil {
		b.Fatal(err)
	}
	mod := newModule(b, "")
	mod.emit(r.Model, r.Program, codegen.Options{Package: "try"})
	sets := ""
	for _, set := range drawTenths(m, 20) {
		sets += "{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(set), " ", ", "), "[]") + "},\n"
	}
	mod.write("try/bench_test.go", strings.NewReplacer("CALL", call, "SETS", sets).Replace(benchIteratingText))
	for b.Loop() {
		out := mod.run(nil, "test", "-bench", ".", "-benchmem", "./try")
		found := regexp.MustCompile(`\s([0-9.]+) ns/op\s.*\s([0-9]+) allocs/op`).FindStringSubmatch(out)
		if found == nil {
			b.Fatal(out)
		}
		ns, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(ns, "ns/query")
		if updates > 0 {
			b.ReportMetric(float64(updates)/ns*1e9, "updates/s")
		}
	}
}

// drawTenths returns n rows drawn from a Bayesian network, with states counted from 1. Only every
// tenth variable is observed; the others are 0. The first observed variable differs from row to
// row.
func drawTenths(m *model.Model, n int) [][]int {
	rng := rand.New(rand.NewPCG(1, 1))
	sets := make([][]int, n)
	for i := range sets {
		state := make([]int, len(m.Vars))
		for _, v := range m.Topological() {
			u := rng.Float64()
			for s := range m.Card(v) {
				state[v] = s
				if u -= m.Value(m.CPD(v), state); u < 0 {
					break
				}
			}
		}
		sets[i] = make([]int, len(state))
		for v := i % 10; v < len(state); v += 10 {
			sets[i][v] = state[v] + 1
		}
	}
	return sets
}

const benchIteratingText = `package try

import (
	"context"
	"reflect"
	"testing"
)

var sets = [][]uint64{
	SETS}

func BenchmarkCALL(b *testing.B) {
	e, ctx := New(), context.Background()
	evs := make([]Evidence, len(sets))
	for i, set := range sets {
		for v, s := range set {
			reflect.ValueOf(&evs[i]).Elem().Field(v).SetUint(s)
		}
	}
	var out Marginals
	i := 0
	for b.Loop() {
		if _, err := e.CALL(ctx, &evs[i%len(evs)], nil, CALLOptions{}, &out); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
`
