package answer

import (
	"testing"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/query"
	"github.com/pgmc-go/pgmc/ir"
)

func TestRepeatable(t *testing.T) {
	spans := []ir.Span{{Len: 2, Offset: 0}, {Len: 2, Offset: 2}, {Len: 2, Offset: 3}}
	copyTo := func(out, in ir.SpanID) ir.Step {
		return &ir.Contract{Axes: []ir.Axis{{Size: 2}}, Out: ir.View{Span: out, Stride: []int{1}}, In: []ir.View{{Span: in, Stride: []int{1}}}}
	}
	tests := []struct {
		name  string
		steps []ir.Step
		want  bool
	}{
		{"reads before, writes elsewhere", []ir.Step{copyTo(1, 0)}, true},
		{"reads what it wrote", []ir.Step{copyTo(1, 0), copyTo(2, 1)}, true},
		{"overwrites what it read", []ir.Step{copyTo(0, 1), copyTo(2, 0)}, false},
		{"changes in place", []ir.Step{&ir.Normalize{Span: 0}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := &ir.Program{Spans: spans, Blocks: []ir.Block{{Steps: tt.steps}}}
			g := &Methods{Statements: &query.Statements{API: &api.API{Program: p}}}
			if got := g.Repeatable([]int{0}); got != tt.want {
				t.Errorf("got %v; want %v", got, tt.want)
			}
		})
	}
}
