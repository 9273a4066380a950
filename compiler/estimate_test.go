package compiler_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// bytesFactor is the factor by which a program's memories may differ from their estimate, in either
// direction: constants are multiplied, and temporaries leave gaps. Of the 17 networks below,
// insurance has 1.045 times the estimate and asia 0.960 times. The products agree exactly, since
// both come from one schedule.
const bytesFactor = 1.05

// TestEstimate compares estimates with the programs that are compiled.
func TestEstimate(t *testing.T) {
	shared := irtest.Shared(t)
	networks := []string{"asia", "cancer", "sachs", "child", "alarm", "insurance", "hailfinder", "hepar2", "win95pts", "water",
		"barley", "diabetes", "pigs", "munin", "munin2", "munin3", "munin4"}
	for _, name := range networks {
		t.Run(name, func(t *testing.T) {
			m, list := format.Read(compiler.Formats, filepath.Join(shared, "data", "bif", name+".bif.gz"), "", format.ReadOptions{})
			if err := list.Err(); err != nil {
				t.Fatal(err)
			}
			opt := compiler.Options{Steps: -1}.Trial(trial.Options{Lay: math.MaxInt}) // the estimate leaves out the padding for vectors
			est, err := compiler.Estimate(context.Background(), m, opt)
			if err != nil {
				t.Fatal(err)
			}
			r, err := compiler.Compile(context.Background(), m, opt)
			if err != nil {
				t.Fatal(err)
			}
			p := r.Program
			if products := float64(productsOf(p)); products != est.Products {
				t.Errorf("%.0f products; the estimate is %.0f", products, est.Products)
			}
			bytes := float64(8*p.Work + 8*p.Data + 4*p.Ints)
			if ratio := bytes / est.Bytes(); ratio > bytesFactor || ratio < 1/bytesFactor {
				t.Errorf("%.0f bytes, %.3f of the estimate", bytes, ratio)
			}
			if err := est.Refused(); err != nil {
				t.Error(err)
			}
		})
	}
}

// productsOf counts the entries of p's contractions.
func productsOf(p *ir.Program) int {
	n := 0
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			if c, ok := step.(*ir.Contract); ok {
				n += c.Entries()
			}
		}
	}
	return n
}
