// Package backend is the contract between code generation and its back-ends. A back-end turns one
// block of an ir.Program into a method of the generated package's Engine, and predicts the cost of
// doing so.
//
// A back-end does not decide about the API, the memories or the choice between back-ends; codegen
// does. Each back-end is a package of its own, listed in codegen.Backends.
package backend

import (
	"fmt"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
)

// Limit bounds the additions of a back-end to a package. The zero Limit is no bound.
type Limit struct {
	Ops  int // operations, as Cost.Size counts them
	Text int // bytes of machine code
}

// Backend is one way to emit a block.
type Backend struct {
	Name, Doc string
	// Cost predicts the cost of running b once. OK is false if the back-end cannot or should not
	// emit b.
	Cost func(p *ir.Program, b *ir.Block) Cost
	// Emit writes the method out.Func that runs b, and its helpers.
	Emit func(out *Output, b *ir.Block) error
	// Narrows reports, by axis of c that may be narrowed, whether Emit's code reads and writes only
	// the remaining states along it; see ir.Ranges. It is nil if the back-end narrows no loop.
	Narrows func(p *ir.Program, c *ir.Contract, may []bool) (exact []bool)
	// For, if not nil, returns b with a Cost and an Emit for the blocks of p, so that facts about
	// all of p are computed once and not for each block. p must not change afterwards.
	For func(p *ir.Program, b Backend) Backend
	// Formula, if not nil, returns statements that do the work of b without work memory. Element i
	// has the expression names[i]. Ok is false if that needs more than about the given number of
	// operations.
	Formula func(out *Output, b *ir.Block, names map[int]string, most int) (body string, ok bool)
	// Auto bounds the back-end when it is chosen among others, and Forced when the user asked for
	// it.
	Auto, Forced Limit
	// Partial reports that the back-end is for some kinds of block only. If it is named, other
	// back-ends emit the other blocks.
	Partial bool
	// CopiesConstants reports that the code reads the constants of ir.Sums from work memory only,
	// so that an engine needs copies of them there.
	CopiesConstants bool
}

// Cost is the predicted cost of a block, on the machine on which the constants were measured. It
// only serves to rank back-ends and to warn of long builds.
type Cost struct {
	OK       bool
	NS       float64 // nanoseconds of a run, of the block alone
	Ops      int     // multiplications, additions and comparisons in a run
	Straight int     // those of Ops that are straight-line code, and copies of numbers there; see [StraightNS]
	Beside   int     // other straight-line code that shares the instruction cache with Straight, in operations of the same length
	Text     int     // bytes of machine code
	Build    float64 // CPU seconds of go build
}

// Size returns the operations that count against a Limit.
func (c Cost) Size() int { return max(c.Ops, c.Straight) }

// Memory is a set of the memories that a method uses.
type Memory uint8

// The memories, with the local variable by which the body of a method refers to each.
const (
	Work  Memory = 1 << iota // s, a *[n]float64
	Data                     // p, a *[n]float64, read only
	State                    // t, a *[n]int32
)

// Output receives the code that a back-end emits.
type Output struct {
	Program *ir.Program
	File    *File      // the Go file of the blocks
	Ranges  *ir.Ranges // which loops are narrowed, if Narrows is not nil; the ranges are at t[Program.Ints:]
	Func    string     // the method to emit: func (e *Engine) Func()
	Ints    *[]int32   // integers beside the code; grow it, and refer to element i as e.k[i]
	// Pool holds numbers in addition to the program's. Grow it, and refer to element i as
	// p[Program.Data+i]. Back-ends search it before they add to it, so that blocks share numbers.
	Pool *[]float64
	// Scratch is the number of elements at s[Program.Work:] that blocks use while they run. A
	// back-end raises it to the number that it needs. All blocks share them, so that their contents
	// do not outlive a block.
	Scratch *int
	// Assembly holds the functions in assembly. Add to it.
	Assembly *[]Assembly
	// Tiles holds the functions in assembly that blocks share. It is nil if there must be none.
	Tiles   *Tiles
	helpers int
}

// Assembly is a function in amd64 assembly for processors with AVX2. Its body finds the address of
// work memory in BX and of data memory in DX.
type Assembly struct {
	Func    string // its name
	Comment string // what it does
	Body    string // instructions, without the return
	// Method is the method that runs the function if the processor can, and reports whether it did.
	Method string
	// Extreme is the method that Method calls if the function returns false in ret+16(FP). If it is
	// empty, the function returns nothing.
	Extreme string
}

// Text returns the function as a part of an assembly file.
func (a *Assembly) Text() string {
	result, size := "", "$0-16"
	if a.Extreme != "" {
		result, size = " bool", "$0-17"
	}
	return fmt.Sprintf("\n%s\n// func %s(s, p *float64)%s\nTEXT ·%s(SB), NOSPLIT, %s\n\tMOVQ s+0(FP), BX\n\tMOVQ p+8(FP), DX\n%s\tVZEROUPPER\n\tRET\n",
		Comment(a.Func+" "+a.Comment), a.Func, result, a.Func, size, a.Body)
}

// Run returns the body of the method that runs the function. can is the expression that reports
// whether the processor can, and data the address of data memory.
func (a *Assembly) Run(can, data string) string {
	call := fmt.Sprintf("%s(&e.work()[0], %s)", a.Func, data)
	if a.Extreme != "" {
		call = fmt.Sprintf("if !%s {\ne.%s()\n}", call, a.Extreme)
	}
	return fmt.Sprintf("if !%s {\nreturn false\n}\n%s\nreturn true", can, call)
}

// Std returns the name by which the text of methods refers to a name of the standard library, as in
// Std("math.Log").
func (o *Output) Std(name string) string { return o.File.Std(name) }

// Runtime returns the name by which the text of methods refers to an exported name of the runtime.
func (o *Output) Runtime(name string) string { return o.File.Runtime(name) }

// Choice returns the expression that chooses an index of a row of weights: at random, or of the
// largest.
func (o *Output) Choice(mode ir.PickMode, row string) string {
	if mode == ir.PickDraw {
		return o.Runtime("Draw") + "(" + row + ", e.rng)"
	}
	return o.Runtime("Argmax") + "(" + row + ")"
}

// Method adds `func (e *Engine) name() { body }` with the comment above it. The body begins with
// declarations of the memories in uses. If the body draws, the random generator is e.rng.
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

// Helper returns a fresh method name for a further part of the block.
func (o *Output) Helper() string {
	o.helpers++
	return o.Func + "Part" + strconv.Itoa(o.helpers)
}
