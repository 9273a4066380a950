package ir_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
)

// kernels is sampled with its draws made by kernels of the runtime.
var kernels = strings.NewReplacer(
	"ints 2 state s0", "ints 6 state s0",
	"block \"begin\"", "span s21 i32 persistent 4 var -1 at 2 \"tree\"\nblock \"begin\"",
	"findstart s13 level s18 -1 [v0:2] = s15(1) s14(1) trees end level s19 0 [v1:2 v0:2@] = trees s16 child v1 { v0 -1 -3 } end",
	"kernel Start numbers 2 -7 reads s15 - s14 work s17 ints s21 writes s13 s1 sets v0 v1",
	"resample scaled s17 tallies s1 - row [v0:2 v1:2] = s15(1 0) s14(1 0) trees s16 child v1 { v0 -1 -3 } end",
	"kernel Sweep numbers reads s16 work s17 ints s21 writes s1 sets v0",
).Replace(sampled)

func TestKernelText(t *testing.T) {
	p := parse(t, kernels)
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	if got := print(t, p); got != kernels {
		t.Errorf("printed\n%s\nwant\n%s", got, kernels)
	}
	p.Renumber(func(id ir.SpanID) ir.SpanID { return id + 1 })
	p.Renumber(func(id ir.SpanID) ir.SpanID { return id - 1 })
	if !reflect.DeepEqual(p, parse(t, kernels)) {
		t.Error("renumbering there and back changed the program")
	}
	k := p.Blocks[1].Steps[0].(*ir.Kernel)
	if words := k.Words(90, func(id ir.SpanID) int { return 100 + int(id) }); !slices.Equal(words, []int32{90, 2, -7, 115, -1, 114, 117, 121, 113, 101}) {
		t.Errorf("words %v", words)
	}
}

func TestKernelVerify(t *testing.T) {
	for _, c := range []struct{ old, to, want string }{
		{"ints s21 writes s1 ", "ints s0 writes s1 ", "the memory of a kernel is s0; want a span of integers"},
		{"ints s21 writes s1 ", "ints s1 writes s1 ", "the memory of a kernel is s1; want a span of integers"},
		{"writes s1 sets v0\n", "writes s15 sets v0\n", "writes s15, which is const"},
		{"reads s16 work s17", "reads s16 work s16", "writes s16, which is const"},
		{"writes s1 sets v0\n", "writes s1 sets v7\n", "v7 is fixed, but there are states of only 2 variables"},
		{"reads s16 work", "reads s0 work", "operand is s0; want a span of numbers"},
	} {
		at := strings.LastIndex(kernels, c.old)
		p := parse(t, kernels[:at]+c.to+kernels[at+len(c.old):])
		if err := p.Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v; want %s", c.to, c.old, err, c.want)
		}
	}
}
