package nest_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/codegen/backendtest"
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/nest"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

func TestBackend(t *testing.T) { backendtest.Run(t, nest.Backend) }

func TestSharing(t *testing.T) { backendtest.Run(t, nest.Sharing()) }

func TestMessages(t *testing.T) { backendtest.Check(t, nest.Backend, backendtest.Messages()) }

func TestNarrowed(t *testing.T) { backendtest.Check(t, nest.Backend, backendtest.Narrowed()) }

// TestBoundsChecks checks that the Go compiler can prove all indices of kernels to be in range.
func TestBoundsChecks(t *testing.T) {
	for _, line := range backendtest.BoundsChecks(t, nest.Backend, append(backendtest.Messages(), backendtest.Narrowed()...)) {
		t.Error(line)
	}
}

func BenchmarkMessages(b *testing.B) { benchmark(b, nest.Backend) }

func BenchmarkSharing(b *testing.B) { benchmark(b, nest.Sharing()) }

func benchmark(b *testing.B, backend backend.Backend) {
	cases := backendtest.Messages()
	for i, ns := range backendtest.Time(b, backend, cases) {
		n := cases[i].Program.Blocks[0].Steps[0].(*ir.Contract).Entries()
		b.ReportMetric(ns/float64(n), "ns/product:"+cases[i].Name)
	}
}

// TestTiles checks the assembly of tiles, and that the Go code beside it gives the same bits.
func TestTiles(t *testing.T) {
	backendtest.CheckTwin(t, nest.Sharing(), append(backendtest.Messages(), backendtest.Narrowed()...))
}

// TestSmallTiles is TestTiles for random programs, in which contractions are small and of all
// shapes.
func TestSmallTiles(t *testing.T) {
	nest.WithSmallTiles(func() {
		cases := append(backendtest.Vectors(irtest.Count(t, 16, 500), 1), backendtest.Random(irtest.Count(t, 8, 80), 1)...)
		backendtest.CheckTwin(t, nest.Backend, backendtest.Possible(nest.Backend, cases))
	})
}
