package topdown

import (
	"errors"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bif"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// trials are the networks of the reference data on which the search is measured.
var trials = strings.Fields(`2bitadd_11.cnf 2bitcomp_5.cnf c1908.isc.cnf c432.isc.cnf c880.isc.cnf
	linkage_11 linkage_12 linkage_14 linkage_15 linkage_16 linkage_18 linkage_19 linkage_20 linkage_22
	linkage_23 linkage_24 linkage_26 linkage_27 log-2.cnf log-4.cnf logistics.a.cnf Pedigree_11 Pedigree_12
	Promedus_11 Promedus_12 Promedus_14 Promedus_15 Promedus_16 Promedus_18 Promedus_19 Promedus_20
	Promedus_22 Promedus_23 Promedus_24 Promedus_26 Promedus_27 Promedus_28 Promedus_30 Promedus_31
	Promedus_32 Promedus_34 Promedus_35 Promedus_36 Promedus_38 rb.cnf rc.cnf munin1 pigs`)

// BenchmarkTrial compiles networks that are hard for elimination, without evidence, with 400
// million steps and 8 GiB, and reports how far it came: a circuit of NaN nodes was not completed.
//
//	go test ./compiler/method/topdown -run xxx -bench Trial -benchtime 1x -timeout 3h
func BenchmarkTrial(b *testing.B) {
	for _, name := range trials {
		b.Run(name, func(b *testing.B) {
			file := filepath.Join(irtest.Shared(b), "data", "uai2014", "pr-mar", name+".uai.gz")
			if name == "munin1" || name == "pigs" {
				file = filepath.Join(irtest.Shared(b), "data", "bif", name+".bif.gz")
			}
			m, list := format.Read([]format.Format{uai.Format, bif.Format}, file, "", format.ReadOptions{})
			if list.HasErrors() {
				b.Fatal(list.Err())
			}
			for b.Loop() {
				trial(b, m, 400_000_000, 8<<30)
			}
		})
	}
}

// trial compiles m and reports counts of the last attempt, and the steps of all.
func trial(b *testing.B, m *model.Model, steps, memory int64) {
	ctx := &method.Context{Context: b.Context(), MaxTable: 1 << 24, MaxMem: memory}
	ctx.Orders = func(m *model.Model, n int) iter.Seq[[]int] {
		return slices.Values([][]int{order.Best(order.FromModel(m), order.Options{}).Order})
	}
	p := &planner{ctx: ctx, p: &ir.Problem{Model: m}, steps: steps}
	e, err := encode(ctx, m)
	if err != nil || !e.begin(steps) {
		b.Fatal("nothing to search", err)
	}
	c, err := p.search(e, m)
	b.ReportMetric(float64(c.steps)/1e6, "Msteps")
	b.ReportMetric(float64(c.branches), "branches")
	b.ReportMetric(float64(c.conflicts), "conflicts")
	b.ReportMetric(float64(c.hits), "hits")
	nodes, edges := math.NaN(), math.NaN()
	switch {
	case err == nil:
		d := c.out.circuit(c.root, e.numbers)
		nodes, edges = float64(len(d.Nodes)), 0
		for _, n := range d.Nodes {
			edges += float64(len(n.Args))
		}
	case errors.Is(err, errWork), errors.Is(err, errTooLarge):
		b.Log(err)
	default:
		b.Fatal(err)
	}
	b.ReportMetric(nodes, "nodes")
	b.ReportMetric(edges, "edges")
}
