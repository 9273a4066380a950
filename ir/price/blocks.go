package price

// Straight holds the prices of straight-line code: nanoseconds of steps that are not arithmetic.
// Build is in seconds of go build, Text in bytes of machine code of an operation.
var Straight = struct {
	Max    float64 // in addition to the price of any operation
	Pick   float64
	Visit  float64 // a node or an input that a walk visits, written out
	Loop   float64 // the same in the runtime's loop
	Divide float64
	Window float64
	Store  float64 // a wait for an element that is stored by itself and loaded in a vector
	Build  float64
	Text   float64
}{
	Max: .25, Pick: 6.0, Visit: 9.0, Loop: 30, Divide: 3.0, Window: 1.0, Store: .3, Build: 25e-6,
	Text: 12.9,
}

// straight holds the time of one operation of straight-line code, by the number of such operations
// that a query runs in all, with linear interpolation. While they fit the first-level instruction
// cache, an operation costs its arithmetic. Beyond that, each is fetched again from the second
// level, and then from further away. Measured on packages of 1,300 to 29,000 operations, on
// machines with 32 and with 64 KiB of first-level cache.
var straight = []struct {
	ops int
	ns  float64
}{{0, .15}, {2500, .15}, {5500, .24}, {10_000, .26}, {28_000, .4}, {75_000, .5}}

// StraightOp returns the time in nanoseconds of one operation of straight-line code if a query runs
// total of them.
func StraightOp(total int) float64 {
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

// Vector holds the prices of code for vectors of four numbers: nanoseconds and bytes of an
// instruction, nanoseconds of a call, and bytes of an operation of the Go twin.
var Vector = struct {
	Instruction float64
	Call        float64
	Text        float64
	TextOp      int
}{
	Instruction: .125, Call: 5.0, Text: 7.6, TextOp: 10,
}

// Scalar holds the prices of scalar code in assembly: nanoseconds and bytes of an instruction, and
// the nanoseconds that a block must gain to be worth the files.
var Scalar = struct {
	Instruction  float64
	TextRegister int // an instruction without an operand in memory
	TextMemory   int
	Worth        float64 // the gain on a block that is worth the files of assembly
}{
	Instruction: .094, TextRegister: 4, TextMemory: 8, Worth: 5,
}

// Nest holds the prices of loop nests, measured on tables of 64 to 65,000 products, and vectors of
// them on insurance: nanoseconds of a product in a sum and in a maximum, of an instruction on
// vectors, and of entering a contraction or another step; bytes of machine code of a product in a
// tile, and of the rest of a contraction; seconds of go build of a byte.
var Nest = struct {
	Sum      float64
	Max      float64
	Vector   float64
	Step     float64
	Other    float64
	TextSum  int
	TextMax  int
	TextStep int
}{
	Sum: .23, Max: .5, Vector: .12, Step: 3.0, Other: 11.0, TextSum: 24, TextMax: 42,
	TextStep: 200,
}

// BuildByte is the time of go build for a byte of machine code, in seconds.
const BuildByte = 2e-6

// Tape holds the prices of the tape: a call of its machine, and the dispatch of an instruction.
var Tape = struct {
	Call     float64
	Dispatch float64
}{
	Call: 3, Dispatch: 5,
}

// Tile holds the prices of contractions of the tape, fitted to BenchmarkContract of package
// runtime.
var Tile = struct {
	Nest    float64 // an instruction
	SetUp   float64 // the set-up of a tile
	View    float64 // a view, a tile
	Row     float64 // the set-up of a row
	Still   float64 // an operand that steps with rows only, a row
	Product float64 // a product
	Varying float64 // a view that moves along the product's loop
	General float64 // an operand that moves, if no kernel is made for their number
	Far     float64 // a step beyond a cache line
	Listed  float64 // a product of a tile that lists its positions
	Wait    float64 // such a product that falls on the place of the one before
	Max     float64 // a maximum, relative to a sum
	Plain   float64 // a view and a loop of a contraction that computes every offset anew
}{
	Nest: 20, SetUp: 5, View: 1.6, Row: 1.2, Still: 0.4, Product: 0.1, Varying: 0.2, General: 1.2,
	Far: 0.4, Listed: 0.1, Wait: 1.0, Max: 1.4, Plain: 4,
}

// Step holds the prices of other steps that a function of the runtime runs, fitted to the
// benchmarks of package runtime.
var Step = struct {
	Term      float64 // a term of a node of a circuit
	GroupTerm float64 // a term of a node that is computed in a group
	Weight    float64 // an operand of a weight of a pick, which computes each weight twice
	Visit     float64 // a node or an input on the way of a walk
	Number    float64 // a number that a step normalises, rescales or copies
	Call      float64 // a call of a function of loops, trials, statistics or energies
	Move      float64 // a number that is moved
	Add       float64 // a number that is added
	Log       float64 // a logarithm, an exponential or a power
	Normal    float64 // a draw from a normal distribution
	Least     float64 // an addition with a minimum
	Draw      float64
	Multiply  float64 // a number of a table that a draw multiplies
	Test      float64 // a test of a decision tree
	Dispatch  float64 // an instruction or a view of a map, for all lanes
	Lane      float64 // an instruction of a map, for one joint state
	Element   float64 // an element of a view of a map
	Kernel    float64 // a kernel, whose time is the same for every back-end
}{
	Term: .8, GroupTerm: .45, Weight: 3.5, Visit: 30, Number: 1, Call: 5.0, Move: 1.0, Add: .7,
	Log: 6.0, Normal: 5.0, Least: 1.5, Draw: 12.0, Multiply: .7, Test: 3.0, Dispatch: 2.5,
	Lane: .4, Element: 2.0, Kernel: 1e5,
}
