package bench

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestPeers compares the answers of the programs that filters are compared with, those in C and Go,
// with those of the interpreter, about sequences that are so short that errors in the first slices
// show. In long runs it compares those in C++ as well, and about sequences in which errors may
// grow.
func TestPeers(t *testing.T) {
	s := &streams{run: &run{Effort: &quick}, report: &StreamReport{}}
	for l, find := range finders {
		if library(l) == withEigen && !irtest.Long(t) {
			continue
		}
		s.compilers[l], _ = find(t.Context())
	}
	defer s.close()
	lengths := []int{3}
	if irtest.Long(t) {
		lengths = append(lengths, 60)
	}
	for _, length := range lengths {
		for _, x := range systems(length, rand.New(rand.NewPCG(1, uint64(length)))) {
			if len(x.peers) == 0 {
				continue
			}
			want := interpreted(t, x)
			for _, p := range x.peers {
				got, err := s.start(t.Context(), t.TempDir(), x, p)
				if err != nil {
					t.Fatal(err)
				}
				if got == nil {
					continue
				}
				if err := sameAnswers(p.subject, got, p.want(want)); err != nil {
					t.Errorf("%s, %d slices: %v", x.name, length, err)
				}
			}
		}
	}
}

// interpreted returns what a package answers: ln P of the sequence, the means of the last belief,
// and ln P of the most probable path.
func interpreted(t *testing.T, x *system) []float64 {
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
