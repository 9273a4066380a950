package price

// Straight-line code: nanoseconds of steps that are not arithmetic. BuildOp is in seconds of go
// build, TextOp in bytes of machine code of an operation.
const (
	StraightMax    = .25 // in addition to the price of any operation
	StraightPick   = 6.0
	StraightVisit  = 9.0 // a node or an input that a walk visits, written out
	StraightLoop   = 30  // the same in the runtime's loop
	StraightDivide = 3.0
	StraightWindow = 1.0
	StraightStore  = .3 // a wait for an element that is stored by itself and loaded in a vector
	BuildOp        = 25e-6
	TextOp         = 12.9
)

// straight holds the time of one operation of straight-line code, by the number of such operations
// that a query runs in all, with linear interpolation. While they fit the first-level instruction
// cache, an operation costs its arithmetic. Beyond that, each is fetched again from the second
// level, and then from further away. Measured on packages of 1,300 to 29,000 operations, on
// machines with 32 and with 64 KiB of first-level cache.
var straight = []struct {
	ops int
	ns  float64
}{{0, .15}, {2500, .15}, {5500, .24}, {10_000, .26}, {28_000, .4}, {75_000, .5}}

// Straight returns the time in nanoseconds of one operation of straight-line code if a query runs
// total of them.
func Straight(total int) float64 {
	last := straight[0]
	for _, p := range straight {
		if total <= p.ops {
			if total <= last.ops {
				return last.ns
			}
			return last.ns + (p.ns-last.ns)*float64(total-last.ops)/float64(p.ops-last.ops)
		}
		last = p
	}
	return last.ns
}

// Code for vectors of four numbers, and scalar code in assembly: nanoseconds and bytes of an
// instruction, nanoseconds of a call, and bytes of an operation of the Go twin.
const (
	VectorInstruction = .125
	VectorCall        = 5.0
	VectorText        = 7.6
	VectorTextOp      = 10

	ScalarInstruction  = .094
	ScalarTextRegister = 4 // an instruction without an operand in memory
	ScalarTextMemory   = 8
	ScalarWorth        = 5 // the gain on a block that is worth the files of assembly
)

// Loop nests, measured on tables of 64 to 65,000 products, and vectors of them on insurance:
// nanoseconds of a product in a sum and in a maximum, of an instruction on vectors, and of entering
// a contraction or another step; bytes of machine code of a product in a tile, and of the rest of a
// contraction; seconds of go build of a byte.
const (
	NestSum      = .23
	NestMax      = .5
	NestVector   = .12
	NestStep     = 3.0
	NestOther    = 11.0
	NestTextSum  = 24
	NestTextMax  = 42
	NestTextStep = 200
	BuildByte    = 2e-6
)

// The tape: a call of its machine, and the dispatch of an instruction.
const (
	TapeCall     = 3
	TapeDispatch = 5
)

// Contractions of the tape, fitted to BenchmarkContract of package runtime.
const (
	TileNest    = 20  // an instruction
	TileSetUp   = 5   // the set-up of a tile
	TileView    = 1.6 // a view, a tile
	TileRow     = 1.2 // the set-up of a row
	TileStill   = 0.4 // an operand that steps with rows only, a row
	TileProduct = 0.1 // a product
	TileVarying = 0.2 // a view that moves along the product's loop
	TileGeneral = 1.2 // an operand that moves, if no kernel is made for their number
	TileFar     = 0.4 // a step beyond a cache line
	TileListed  = 0.1 // a product of a tile that lists its positions
	TileWait    = 1.0 // such a product that falls on the place of the one before
	TileMax     = 1.4 // a maximum, relative to a sum
	TilePlain   = 4   // a view and a loop of a contraction that computes every offset anew
)

// Other steps that a function of the runtime runs, fitted to the benchmarks of package runtime.
const (
	Term      = .8  // a term of a node of a circuit
	GroupTerm = .45 // a term of a node that is computed in a group
	Weight    = 3.5 // an operand of a weight of a pick, which computes each weight twice
	Visit     = 30  // a node or an input on the way of a walk
	Number    = 1   // a number that a step normalises, rescales or copies
	Call      = 5.0 // a call of a function of loops, trials, statistics or energies
	Move      = 1.0 // a number that is moved
	Add       = .7  // a number that is added
	Log       = 6.0 // a logarithm, an exponential or a power
	Normal    = 5.0 // a draw from a normal distribution
	Least     = 1.5 // an addition with a minimum
	Draw      = 12.0
	Multiply  = .7  // a number of a table that a draw multiplies
	Test      = 3.0 // a test of a decision tree
	Dispatch  = 2.5 // an instruction or a view of a map, for all lanes
	Lane      = .4  // an instruction of a map, for one joint state
	Element   = 2.0 // an element of a view of a map
	Kernel    = 1e5 // a kernel, whose time is the same for every back-end
)
