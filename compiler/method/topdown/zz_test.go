package topdown

import (
	"context"
	"fmt"
	"iter"
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/bif"
	"github.com/pgmc-go/pgmc/compiler/format/ergo"
	"github.com/pgmc-go/pgmc/compiler/format/uai"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestZZ(t *testing.T) {
	file := os.Getenv("ZZ")
	if file == "" {
		t.Skip()
	}
	m, list := format.Read([]format.Format{bif.Format, uai.Format, ergo.Format}, file, "", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	mm := m
	start := time.Now()
	orders := func(m *model.Model, n int) iter.Seq[[]int] {
		r := order.Best(order.FromModel(m), order.Options{Steps: 20000})
		fmt.Printf("order: width %d of %d left, %.1f s\n", r.Cost.Width, len(m.Factors), time.Since(start).Seconds())
		return func(y func([]int) bool) { y(r.Order) }
	}
	steps := DefaultSteps
	if s := os.Getenv("STEPS"); s != "" {
		steps, _ = strconv.Atoi(s)
	}
	ctx := &method.Context{Context: context.Background(), Orders: orders, MaxTable: 1 << 27, MaxMem: 12 << 30}
	x := &Options{Steps: steps}
	p := &ir.Problem{Model: m}
	d, note, err := x.compile(ctx, p, factors.Decompose(p))
	fmt.Println(note, err, time.Since(start))
	if err != nil {
		return
	}
	start = time.Now()
	buf := make([]float64, len(d.Nodes))
	l := d.EvalLog(func(int, int32) float64 { return 1 }, buf)
	fmt.Println("ln", l, "log10", l/math.Ln10, len(mm.Vars), time.Since(start))
	start = time.Now()
	node, why := d.Structure()
	fmt.Println(node, why, time.Since(start))
}
