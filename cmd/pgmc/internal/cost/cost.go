package cost

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/price"
)

// PredictNS returns the predicted time of a query in nanoseconds.
func PredictNS(kind ir.QueryKind, n *method.Size) float64 {
	ns := price.Plan.Sum
	switch {
	case n.Products >= price.Plan.Scalars && n.Products <= price.Plan.Vectors:
		ns = price.Plan.Vector
	case kind == ir.MPE && n.Products < price.Plan.Scalars:
		ns = price.Plan.Max
	}
	return float64(ns*n.Products) + float64(price.Plan.Step*n.Steps)
}

// Prediction holds the predicted size of a package: its machine code and its source in bytes, and
// the time to build it in seconds.
type Prediction struct{ Text, Source, Build float64 }

// predictData returns the predicted bytes of a data file. Large ones are packed, to a seventh.
func predictData(bytes float64) float64 {
	const packed, ratio = 256 << 10, .14
	if bytes > packed {
		return ratio * bytes
	}
	return bytes
}

// Predict returns the predicted size of a package for m, whose plan has size n.
func Predict(m *model.Model, n *method.Size) Prediction {
	p := Prediction{Text: min(price.TextProduct*n.Tiles, price.TextMost)}
	perVar := price.Source.Var
	if len(m.Vars) > price.ManyVars {
		perVar = price.Source.Many
	}
	p.Source = price.Source.Fixed + float64(perVar*float64(len(m.Vars))) + float64(price.Source.Text*p.Text) + predictData(8*n.Data) + min(price.Source.Lane*n.Products, price.Source.Most)
	p.Build = price.BuildByte * p.Text
	return p
}

// mostSource is the largest size of a package's source, without its data file, in bytes. A source
// of 36 MiB, for 10,000 variables, took a minute and 900 MB to write; go build would take longer.
const mostSource = 28 << 20

// SizeOfSource returns the part of the size of a program by which [FitsSource] decides.
func SizeOfSource(p *ir.Program) method.Size {
	n := method.Size{Data: float64(p.Data)}
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			if c, ok := step.(*ir.Contract); ok {
				n.Tiles += float64(min(c.Entries(), method.TileProducts))
			}
		}
	}
	return n
}

// FitsSource returns an error if a package for m, whose program has size n, would have more source
// than can be written and built.
func FitsSource(m *model.Model, n *method.Size) error {
	if p := Predict(m, &method.Size{Tiles: n.Tiles}); p.Source > mostSource {
		return fmt.Errorf("a package for %d variables and %s numbers would have about %s of source; at most %s are written. "+
			"What would work: pgmc query --engine interp, which makes no package", len(m.Vars), compiler.Count(n.Data), compiler.Bytes(p.Source), compiler.Bytes(mostSource))
	}
	return nil
}

// Affordable reports whether a package is so cheap to emit that stats emits it and reports its real
// numbers, not their prediction: it builds in some seconds, and small signatures and partition
// functions, which are computed while compiling, take no longer.
func Affordable(m *model.Model, n *method.Size) bool {
	const products, variables = 1e9, 5000
	return Predict(m, n).Build <= 5 && n.Products <= products && len(m.Vars) <= variables
}

// Finite rounds a count that was computed by logarithms, and bounds it by the largest float64,
// since JSON has no infinite numbers.
func Finite(x float64) float64 { return math.Min(math.Round(x), math.MaxFloat64) }
