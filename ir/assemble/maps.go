package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/price"
)

// The operations on numbers of either sign, for RunMapTape.
const (
	tapeMap = 224 + iota
	tapeAntilog
	tapeNoise
)

// mapRows are the steps on numbers of either sign.
var mapRows = []row{
	newRow(mapTape, (*Assembler).mapping, mapPrice),
	newRow(mapTape, (*Assembler).antilog, antilogPrice),
	newRow(mapTape, (*Assembler).noise, noisePrice),
}

// mapOps are the operations of the code of a map, as the runtime numbers them.
var mapOps = map[circuit.Op]int{
	circuit.Sum: mapSum, circuit.Prod: mapProd, circuit.Max: mapMax, circuit.Min: mapMin, circuit.Sub: mapSub,
	circuit.Quot: mapQuot, circuit.Ratio: mapRatio, circuit.Sqrt: mapSqrt, circuit.Exp: mapExp, circuit.Log: mapLog,
	circuit.Pow: mapPow, circuit.Atan2: mapAtan2, circuit.Sin: mapSin, circuit.Cos: mapCos, circuit.Tanh: mapTanh,
}

const (
	mapSum = iota
	mapProd
	mapMax
	mapMin
	mapSub
	mapQuot
	mapRatio
	mapSqrt
	mapExp
	mapLog
	mapPow
	mapAtan2
	mapSin
	mapCos
	mapTanh
)

// mapping writes the header, axes, inputs, constants, code and results, as runtime/tape_map.go has
// them.
func (a *Assembler) mapping(s *ir.Map) {
	start := a.begin(tapeMap)
	of, _ := s.Registers()
	a.words(a.at(s.Scratch), min(ir.MapLanes, s.Entries()), len(s.Axes), len(s.In), len(s.Consts), len(s.Code), len(s.Out))
	for _, x := range s.Axes {
		switch x.Kind {
		case ir.AxisOut:
			a.words(x.Size, -1)
		case ir.AxisReduced:
			a.words(x.Size, -2)
		case ir.AxisFixed:
			a.words(x.Size, a.state(x.Var))
		}
	}
	for i, v := range s.In {
		a.words(int(of[i]), a.data(v.Span), a.at(v.Span)+v.At)
		a.words(v.Stride...)
	}
	for i, x := range s.Consts {
		a.words(int(of[len(s.In)+i]))
		a.bits(x)
	}
	first := len(s.In) + len(s.Consts)
	for i, c := range s.Code {
		a.words(mapOps[c.Op], int(of[first+i]), int(of[c.A]), int(of[c.B]))
	}
	for i, v := range s.Out {
		a.words(int(of[s.Set[i]]), a.at(v.Span)+v.At)
		a.words(v.Stride...)
	}
	a.end(start)
}

// mapPrice counts the dispatch of each instruction once for all lanes.
func mapPrice(_ *ir.Program, s *ir.Map) Price {
	n := s.Entries()
	runs := (n + ir.MapLanes - 1) / ir.MapLanes
	moves := len(s.In) + len(s.Out)
	ns := price.Step.Call + float64(price.Step.Dispatch*float64(runs*(len(s.Code)+moves+len(s.Consts)))) + float64(price.Step.Lane*float64(s.Products())) + float64(price.Step.Element*float64(n*moves))
	return Price{NS: ns, Ops: s.Products()}
}

// antilog writes the spans: the result, the largest logarithm, the logarithms, the weights.
func (a *Assembler) antilog(s *ir.Antilog) {
	start := a.begin(tapeAntilog)
	a.span(s.Out)
	a.span(s.Most)
	a.span(s.In)
	a.span(s.Weight)
	a.end(start)
}

func antilogPrice(p *ir.Program, s *ir.Antilog) Price {
	return Price{NS: price.Step.Call + float64((price.Step.Log+price.Step.Add)*float64(p.Spans[s.Out].Len))}
}

// noise writes the span of the result, and the spans that say which variables are known: -1 in
// place of one that is absent.
func (a *Assembler) noise(s *ir.Noise) {
	a.code.Draws = true
	start := a.begin(tapeNoise)
	a.span(s.Out)
	for _, id := range s.Known {
		if id == ir.NoSpan {
			a.words(0, -1, 0)
		} else {
			a.span(id)
		}
	}
	a.end(start)
}

func noisePrice(p *ir.Program, s *ir.Noise) Price {
	return Price{NS: price.Step.Call + float64(price.Step.Normal*float64(p.Spans[s.Out].Len))}
}
