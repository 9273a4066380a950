package bench

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cbench"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The programs of other libraries that filters are compared with.
var (
	//go:embed peereigen.cc.txt
	eigenSource string
	//go:embed peerghmm.c.txt
	ghmmSource string
)

// addOthers adds, to the peers of a system, filters by Eigen, GHMM and gonum. It returns the
// compilers of those that need one of their own, which are nil if they are not installed.
func addOthers(tb testing.TB, x *system) map[*peer]*cbench.Compiler {
	tb.Helper()
	by := map[*peer]*cbench.Compiler{}
	add := func(p *peer, language, variable string, c cbench.Compiler) {
		by[p] = nil
		if found, err := cbench.Find(tb.Context(), language, variable, c); err == nil {
			by[p] = found
		}
	}
	if states, ok := strings.CutPrefix(x.name, "hmm"); ok {
		n, err := strconv.Atoi(states)
		if err != nil {
			tb.Fatal(err)
		}
		ghmm := cbench.Compiler{Command: []string{"cc"}, Flags: []string{"-std=gnu11"}, Libs: []string{"-lghmm"}, Suffix: ".c"}
		add(x.addMarkov("GHMM", n, 0, ghmmSource), "C", "CC", ghmm)
		if slices.Contains(x.queries, "viterbi") {
			add(x.addMarkov("GHMM, Viterbi", n, 1, ghmmSource), "C", "CC", ghmm)
		}
		return by
	}
	if x.data == nil || x.method != "" {
		return by
	}
	for _, c := range []struct {
		subject       string
		rows, columns int
	}{{"Eigen, fixed sizes", int(x.data[1]), int(x.data[2])}, {"Eigen, dynamic sizes", -1, -1}} {
		p := &peer{subject: c.subject, data: x.data, want: x.means}
		p.text = "#include <Eigen/Dense>\n" + peerSource + fmt.Sprintf("static const int N = %d, M = %d;\n", c.rows, c.columns) + eigenSource
		x.peers = append(x.peers, p)
		add(p, "C++", "CXX", cbench.Compiler{Command: []string{"c++"}, Flags: []string{"-std=gnu++17", "-I/usr/include/eigen3"}, Suffix: ".cc"})
	}
	for i, subject := range []string{"gonum, temporaries", "gonum, preallocated"} {
		k := newKalman(x.data, i == 1)
		x.peers = append(x.peers, &peer{subject: subject, run: k.run, got: func() []float64 { return k.mean.RawVector().Data }, want: x.means})
	}
	return by
}

// begin starts a peer and compares its answers with those that are wanted. It reports false if the
// peer is not installed.
func begin(tb testing.TB, s *streams, x *system, p *peer, others map[*peer]*cbench.Compiler, want []float64) bool {
	tb.Helper()
	cc, other := others[p]
	if !other {
		cc = s.cc
	}
	got, err := s.start(tb.Context(), tb.TempDir(), x, p, cc)
	if other && err != nil || got == nil {
		return false // its library is missing
	}
	if err == nil {
		err = sameAnswers(p.subject, got, p.want(want))
	}
	if err != nil {
		tb.Fatalf("%s: %v", x.name, err)
	}
	return true
}

// TestPeers compares the answers of the programs that filters are compared with, those in C and Go,
// with those of the interpreter, about sequences that are so short that errors in the first slices
// show. In long runs it compares those by other libraries as well, and about sequences in which
// errors may grow.
func TestPeers(t *testing.T) {
	s := &streams{run: &run{Effort: &quick}}
	s.cc, _ = cbench.FindCompiler(t.Context())
	defer s.close()
	lengths := []int{3}
	if irtest.Long(t) {
		lengths = append(lengths, 60)
	}
	for _, length := range lengths {
		for _, x := range systems(length, rand.New(rand.NewPCG(1, uint64(length)))) {
			others := addOthers(t, x)
			want := interpreted(t, x)
			for _, p := range x.peers {
				if strings.HasPrefix(p.subject, "Eigen") && !irtest.Long(t) {
					continue // building takes seconds
				}
				begin(t, s, x, p, others, want)
			}
		}
	}
}

// BenchmarkPeers times a slice of each filter by the programs that it is compared with: in C, by
// Eigen (a C++ compiler, CXX or c++, and the headers of libeigen3-dev), by GHMM (libghmm-dev), by
// gonum and with logarithms. The metric is the least time of a sample; pgmc bench --sequences has
// those of packages.
func BenchmarkPeers(b *testing.B) {
	s := &streams{run: &run{Effort: &quick}}
	s.cc, _ = cbench.FindCompiler(b.Context())
	defer s.close()
	for _, x := range systems(streamSlices, rand.New(rand.NewPCG(0, 1))) {
		others := addOthers(b, x)
		want := interpreted(b, x)
		for _, p := range x.peers {
			b.Run(x.name+"/"+p.subject, func(b *testing.B) {
				if !begin(b, s, x, p, others, want) {
					b.Skip("not installed")
				}
				series := &p.series
				if p.program != nil {
					series = &p.program.series
				}
				for b.Loop() {
					if p.program == nil {
						p.series.Add(p.sampler.Sample())
					} else if err := p.program.sample(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(series.Min(), "ns/slice")
			})
		}
	}
}

// interpreted returns what a package answers: ln P of the sequence, the means of the last belief,
// and ln P of the most probable path.
func interpreted(t testing.TB, x *system) []float64 {
	t.Helper()
	opt := infer.Options{}
	if x.method != "" {
		opt.Method = compiler.Named(x.method)
	}
	e, err := infer.New(t.Context(), x.model, opt)
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Filter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var last *infer.Marginals
	var all []infer.Given
	for _, slice := range x.sequence {
		given := infer.Evidence{}
		for v, finding := range slice {
			if finding != nil && x.model.IsReal(model.VarID(v)) {
				given[x.model.Vars[v].Name] = *finding
			} else if finding != nil {
				given[x.model.Vars[v].Name] = x.model.States(model.VarID(v))[int(*finding)-1]
			}
		}
		all = append(all, given)
		if last, err = f.Step(t.Context(), given); err != nil {
			t.Fatal(err)
		}
	}
	list := []float64{f.LogProb()}
	for _, d := range last.List {
		if d.P == nil {
			list = append(list, d.Mean)
		}
	}
	if slices.Contains(x.queries, "viterbi") {
		path, err := e.Viterbi(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, path.LogProb)
	}
	return list
}

// TestWork counts a step by hand: a belief of two numbers, one of which is divided by the sum of
// both and then multiplied by the other, and a number of evidence that only the density needs.
func TestWork(t *testing.T) {
	span := func(role ir.Role, n int) ir.Span { return ir.Span{Role: role, Len: n, Var: -1} }
	at := func(s ir.SpanID, i int) ir.MapView { return ir.MapView{View: ir.View{Span: s}, At: i} }
	p := &ir.Program{Spans: []ir.Span{span(ir.RolePersistent, 2), span(ir.RoleIn, 2), span(ir.RoleOut, 2), span(ir.RoleTemp, 1), span(ir.RoleTemp, 4)}}
	step := &ir.Map{Scratch: 4, In: []ir.MapView{at(0, 0), at(0, 1), at(1, 1)}, Consts: []float64{1}, Out: []ir.MapView{at(2, 0), at(2, 1), at(3, 0)}, Set: []int32{6, 0, 8},
		Code: []ir.Instr{{Op: circuit.Sum, A: 0, B: 1}, {Op: circuit.Quot, A: 0, B: 4}, {Op: circuit.Prod, A: 5, B: 1}, {Op: circuit.Sqrt, A: 2, B: 3}, {Op: circuit.Quot, A: 6, B: 7}}}
	p.Blocks = []ir.Block{{Steps: []ir.Step{step}}}
	p.Entries = []ir.Entry{{Query: &ir.Query{Kind: ir.Filter, Name: ir.FilterNext}, Blocks: []int{0}, Stream: &ir.Stream{In: []ir.SpanID{0}, Out: []ir.SpanID{2}}}}
	want := StreamWork{Model: "m", Kept: 2, Operations: 5, Quotients: 3, Bytes: 56, Chain: 4 + 14 + 4}
	if got := workOf("m", p); got != want {
		t.Errorf("got %+v; want %+v", got, want)
	}
}
