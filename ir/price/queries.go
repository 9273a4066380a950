package price

// Query holds the prices of what a query does beside its blocks, in nanoseconds.
var Query = struct {
	Fixed  float64 // its checks and the logarithm
	Load   float64 // loading one variable's evidence
	Answer float64 // copying one number of its answers
}{
	Fixed: 20, Load: 1.5, Answer: .3,
}

// Cache holds the waits for numbers. The prices of blocks were measured on programs whose numbers
// are in the first-level cache (code for vectors) or the second. Here are the waits of larger
// programs, by the sizes of those caches in bytes: the wait in nanoseconds for a byte of a program
// on vectors beyond the first level, for a byte of a table beyond the second, and for a term of a
// circuit with an operand that was written more than FarBytes before. Fitted to hepar2, win95pts
// and hailfinder; diabetes; and pigs, munin, munin2 and munin3, on an AMD EPYC guest (Zen 4) with
// 32 KiB, 1 MiB and 32 MiB. Waits do not depend on the back-end, and have no part in its choice.
// Lanes read whole lines of the cache one after the other and wait half as long for a byte, as
// fitted to batches of pigs and diabetes on an Intel Xeon guest with 2 MiB.
var Cache = struct {
	First          int
	Second         int
	Far            int
	WaitFirst      float64
	WaitSecond     float64
	WaitSecondLane float64
	WaitFar        float64
}{
	First: 32 << 10, Second: 1 << 20, Far: 2 << 20, WaitFirst: .012, WaitSecond: .055,
	WaitSecondLane: .0275, WaitFar: 2.5,
}

// Row holds the prices of what a batch does for each row, in nanoseconds: entering the observation
// of a variable, and copying one number of the answers from the lanes. LaneGain is how much faster
// than single queries lanes must be, as predicted: the predictions of both are not better than
// that. Still is the share of the time of a single query that evidence does not save, as measured
// on insurance. LaneAssembly is the time of assembly, as a share of lane code.
var Row = struct {
	Observe      float64
	Answer       float64
	LaneGain     float64
	Still        float64
	LaneAssembly float64
}{
	Observe: 1.7, Answer: 1.2, LaneGain: 1.12, Still: .2, LaneAssembly: .3,
}

// LaneCode holds the prices of lane code in nanoseconds for eight rows, fitted to batches of
// cancer, asia, sachs, child, alarm, hepar2, win95pts, hailfinder, insurance and water, on an AMD
// EPYC guest (Zen 4) with 32 KiB of L1I.
var LaneCode = struct {
	Op   float64 // an operation
	Step float64 // a step, which computes in Go
}{
	Op: .65, Step: 16,
}

// Lane holds the prices of contractions in lanes in nanoseconds, for eight rows at once, fitted on
// an AMD EPYC guest with AVX-512, 32 KiB of L1 and 1 MiB of L2.
var Lane = struct {
	Dispatch float64 // a contraction
	Tile     float64 // the set-up of a tile
	View     float64 // an operand of a tile
	Group    float64 // the set-up of a group of four results
	Block    float64 // the set-up of a block of sixteen results of a matrix product
	Factor   float64 // an operand that is constant along the sums of a group
	Term     float64 // a product of each sum of a group
	Load     float64 // a load beyond four, for such products
	Far      float64 // a load from lanes for such products, which often comes from the L2 cache
	Matrix   float64 // a product of each sum of a block
	Slot     float64 // a slot of a table that is rescaled
	Mix      float64 // a product for operands beyond two, which is stored
}{
	Dispatch: 30, Tile: 18, View: 1.5, Group: 6, Block: 14, Factor: 3, Term: 1.1, Load: .27,
	Far: .35, Matrix: 4.5, Slot: 1.5, Mix: 3,
}
