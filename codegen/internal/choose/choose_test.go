package choose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/choose"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// fake returns a back-end with the given costs of blocks by name, and the limits of the back-end of
// the same name.
func fake(name string, costs map[string]backend.Cost) backend.Backend {
	b := backend.Backend{Name: name, Cost: func(_ *ir.Program, b *ir.Block) backend.Cost { return costs[b.Name] }}
	for _, real := range codegen.Backends {
		if real.Name == name {
			b.Auto, b.Forced = real.Auto, real.Forced
		}
	}
	return b
}

func TestChoose(t *testing.T) {
	p := &ir.Program{Blocks: []ir.Block{{Name: "small"}, {Name: "big"}, {Name: "medium"}}}
	backends := []backend.Backend{
		fake("unroll", map[string]backend.Cost{"small": {OK: true, NS: 10, Ops: 100}, "medium": {OK: true, NS: 1000, Ops: 20_000}, "big": {OK: true, NS: 5000, Ops: 24_990}}),
		fake("nest", map[string]backend.Cost{"small": {OK: true, NS: 50, Ops: 100, Text: 3 << 20}, "medium": {OK: true, NS: 3000, Ops: 40_000, Text: 3 << 20}, "big": {OK: true, NS: 5500, Ops: 90_000, Text: 3 << 20}}),
		fake("tape", map[string]backend.Cost{"small": {OK: true, NS: 90}, "medium": {OK: true, NS: 4000}, "big": {OK: true, NS: 6000}}),
	}
	tests := []struct{ name, want string }{
		{"auto", "small:unroll big:nest medium:unroll"},
		{"unroll", "small:unroll big:unroll medium:unroll"},
		{"tape", "small:tape big:tape medium:tape"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan, err := choose.Plan(p, backends, tt.name)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, c := range plan {
				got = append(got, fmt.Sprint(p.Blocks[i].Name, ":", c.Backend.Name))
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %s; want %s", s, tt.want)
			}
		})
	}
	huge := &ir.Program{Blocks: []ir.Block{{Name: "huge"}}}
	unroll := []backend.Backend{fake("unroll", map[string]backend.Cost{"huge": {OK: true, Ops: 75_001}})}
	if _, err := choose.Plan(huge, unroll, "unroll"); err == nil || !strings.Contains(err.Error(), "75000 operations") {
		t.Errorf("a block beyond the limit gives %v", err)
	}
}

// TestThin has blocks that are each faster as straight-line code alone, but slower together.
func TestThin(t *testing.T) {
	costs := func(ns float64, straight int) map[string]backend.Cost {
		m := map[string]backend.Cost{}
		for _, name := range []string{"a", "b", "c", "d"} {
			m[name] = backend.Cost{OK: true, NS: ns, Ops: max(straight, 1), Straight: straight}
		}
		return m
	}
	straight := costs(price.StraightOp(2000)*2000, 2000)
	better := straight["c"]
	better.NS /= 2 // loses most in loops
	straight["c"] = better
	backends := []backend.Backend{fake("unroll", straight), fake("nest", costs(400, 0))}
	blocks := []ir.Block{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}
	tests := []struct {
		name    string
		queries [][]int
		want    string
	}{
		{"each alone", [][]int{{0}, {1}, {2}, {3}}, "unroll unroll unroll unroll"},
		{"all together", [][]int{{0, 1, 2, 3}}, "nest nest unroll nest"},
		{"the same twice", [][]int{{0, 1, 2, 3}, {0, 1, 2, 3}}, "nest nest unroll nest"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := &ir.Program{Blocks: blocks}
			for _, q := range tt.queries {
				p.Entries = append(p.Entries, ir.Entry{Blocks: q})
			}
			plan, err := choose.Plan(p, backends, "auto")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range plan {
				got = append(got, c.Backend.Name)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %s; want %s", s, tt.want)
			}
		})
	}
}
