package cost

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The prices of the predictions, fitted to what codegen reports for the 16 networks of
// TestPredictions: nanoseconds of a product, of one in maxima by scalars, of one in a query of
// predictScalars to predictVectors products, which runs on vectors, and of an operation; bytes of
// machine code of a product that is written out; bytes of source of a package, a variable, a
// variable of a network of more than manyVars, a byte of machine code and a product of lanes, up to
// a limit; and seconds of building a byte of machine code.
const (
	predictScalars = 500
	predictVectors = 60_000

	predictSum    = .23
	predictMax    = .5
	predictVector = .14
	predictStep   = .6
	predictText   = 41
	predictSource = 36 << 10
	predictVar    = 3 << 10
	predictMany   = 1 << 10
	predictByte   = 1.1
	predictLane   = 8
	predictLanes  = 1 << 20
	predictBuild  = 2e-6
	predictMost   = 16 << 20 // most bytes of machine code, by the limits of codegen
)

// manyVars is the most variables of a network whose package has a type for each.
const manyVars = 200

// PredictNS returns the predicted time of a query in nanoseconds.
func PredictNS(kind ir.QueryKind, n *method.Size) float64 {
	price := predictSum
	switch {
	case n.Products >= predictScalars && n.Products <= predictVectors:
		price = predictVector
	case kind == ir.MPE && n.Products < predictScalars:
		price = predictMax
	}
	return float64(price*n.Products) + float64(predictStep*n.Steps)
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
	p := Prediction{Text: min(predictText*n.Tiles, predictMost)}
	perVar := predictVar
	if len(m.Vars) > manyVars {
		perVar = predictMany
	}
	p.Source = predictSource + float64(perVar*len(m.Vars)) + float64(predictByte*p.Text) + predictData(8*n.Data) + min(predictLane*n.Products, predictLanes)
	p.Build = predictBuild * p.Text
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
