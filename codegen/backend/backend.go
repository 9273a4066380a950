// Package backend is the contract between code generation and its back-ends: a back-end turns one
// block of an ir.Program into a method of the generated package's Engine, and says beforehand what
// that would cost.
//
// A back-end decides nothing about the API, the memories or the choice between back-ends: codegen
// does. It lives in a folder of its own and is listed in codegen's suite.
package backend

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
)

// Limit bounds what a back-end may add to a package. The zero Limit bounds nothing.
type Limit struct {
	Ops  int // operations, as Cost counts them
	Text int // bytes of machine code
}

// Backend is one way to emit a block.
type Backend struct {
	Name, Doc string
	// Cost estimates running b once; OK is false where the back-end can't or shouldn't do b at all.
	Cost func(p *ir.Program, b *ir.Block) Cost
	// Emit writes the method out.Func, and helpers of it, that run b.
	Emit func(out *Output, b *ir.Block) error
	// Narrows says along which axes of c, of those that may be narrowed, Emit's code looks at
	// nothing beyond the states that evidence leaves; see ir.Ranges. Nil is for a back-end that
	// narrows no loop.
	Narrows func(p *ir.Program, c *ir.Contract, may []bool) (exact []bool)
	// For, where it is not nil, gives b with a Cost and an Emit for the blocks of p, which does not
	// change meanwhile: what the back-end has to know of all of p it then looks for once, not for
	// each block.
	For func(p *ir.Program, b Backend) Backend
	// Auto and Forced bound the back-end among others, and if it is the one that was asked for.
	Auto, Forced Limit
	// CopiesConstants says that the code reaches the constants of ir.Sums in work memory alone, so
	// that an engine needs copies of them there.
	CopiesConstants bool
}

// Cost is the predicted price of a block, after the cost model of the machine the constants were
// measured on; they rank back-ends and warn of long builds, no more.
type Cost struct {
	OK       bool
	NS       float64 // a run, in nanoseconds, of the block alone
	Ops      int     // multiplications, additions and comparisons a run
	Straight int     // those of them that stand in the text once for each time they run; see [StraightNS]
	Text     int     // bytes of machine code
	Build    float64 // CPU seconds of go build
}

// Memory is a set of the memories that a method uses.
type Memory uint8

// The memories, and the local variable by which the body of a method reaches each.
const (
	Work  Memory = 1 << iota // s, a *[n]float64
	Data                     // p, a *[n]float64, read only
	State                    // t, a *[n]int32
)

// Output receives what a back-end emits.
type Output struct {
	Program *ir.Program
	File    *File      // the Go file of the blocks
	Ranges  *ir.Ranges // which loops are narrowed, where Narrows is not nil; the ranges are at t[Program.Ints:]
	Func    string     // the method to emit: func (e *Engine) Func()
	Ints    *[]int32   // integers embedded beside the code; grow it, and reach element i as e.k[i]
	// Pool holds numbers beside those of the program: grow it, and reach element i as
	// p[Program.Data+i]. Back-ends search it before they add to it, so that blocks share.
	Pool *[]float64
	// Scratch is the number of elements at s[Program.Work:] that blocks use while they run; a
	// back-end raises it to what it needs. All blocks share them, so that nothing in them outlives
	// a block.
	Scratch *int
	helpers int
}

// Std gives the name by which the text of methods reaches a name of the standard library, as in
// Std("math.Log").
func (o *Output) Std(name string) string { return o.File.Std(name) }

// Runtime gives the name by which the text of methods reaches an exported name of the runtime.
func (o *Output) Runtime(name string) string { return o.File.Runtime(name) }

// Choice is the expression that chooses an index of a row of weights.
func (o *Output) Choice(mode ir.PickMode, row string) string {
	if mode == ir.PickDraw {
		return o.Runtime("Draw") + "(" + row + ", e.rng)"
	}
	return o.Runtime("Argmax") + "(" + row + ")"
}

// Method adds `func (e *Engine) name() { body }` with the comment above it and the memories
// declared that uses names. The random generator, where the body draws, is e.rng.
func (o *Output) Method(name, comment string, uses Memory, body ...jen.Code) {
	var stmts []jen.Code
	for _, m := range []struct {
		bit        Memory
		local, fld string
	}{{Work, "s", "work"}, {Data, "p", "data"}, {State, "t", "state"}} {
		if uses&m.bit != 0 {
			stmts = append(stmts, jen.Id(m.local).Op(":=").Id("e").Dot(m.fld).Call())
		}
	}
	if comment != "" {
		o.File.Comment(comment)
	}
	o.File.Func().Params(jen.Id("e").Op("*").Id("Engine")).Id(name).Params().Block(append(stmts, body...)...)
	o.File.Line()
}

// Helper gives a fresh method name for a further part of the block.
func (o *Output) Helper() string {
	o.helpers++
	return o.Func + "Part" + strconv.Itoa(o.helpers)
}
