package price

// What a query does beside its blocks, in nanoseconds.
const (
	Query  = 20  // its checks and the logarithm
	Load   = 1.5 // loading one variable's evidence
	Answer = .3  // copying one number of its answers
)

// The prices of blocks were measured on programs whose numbers are in the first-level cache (code
// for vectors) or the second. Here are the waits of larger programs, by the sizes of those caches
// in bytes: the wait in nanoseconds for a byte of a program on vectors beyond the first level, for
// a byte of a table beyond the second, and for a term of a circuit with an operand that was written
// more than FarBytes before. Fitted to hepar2, win95pts and hailfinder; diabetes; and pigs, munin,
// munin2 and munin3, on an AMD EPYC guest (Zen 4) with 32 KiB, 1 MiB and 32 MiB. Waits do not depend
// on the back-end, and have no part in its choice. Lanes read whole lines of the cache one after
// the other and wait half as long for a byte, as fitted to batches of pigs and diabetes on an Intel
// Xeon guest with 2 MiB.
const (
	FirstCache  = 32 << 10
	SecondCache = 1 << 20
	FarBytes    = 2 << 20

	WaitFirst      = .012
	WaitSecond     = .055
	WaitSecondLane = .0275
	WaitFar        = 2.5
)

// What a batch does for each row, in nanoseconds: entering the observation of a variable, and
// copying one number of the answers from the lanes. LaneGain is how much faster than single queries
// lanes must be, as predicted: the predictions of both are not better than that. LaneAssembly is
// the time of assembly, as a share of lane code.
const (
	RowObserve   = 1.7
	RowAnswer    = 1.2
	LaneGain     = 1.12
	LaneAssembly = .3
)

// Lane code in nanoseconds for eight rows, fitted to batches of cancer, asia, sachs, child, alarm,
// hepar2, win95pts, hailfinder, insurance and water, on an AMD EPYC guest (Zen 4) with 32 KiB of
// L1I.
const (
	LaneOp   = .65 // an operation
	LaneStep = 16  // a step, which computes in Go
)

// Contractions in lanes in nanoseconds, for eight rows at once, fitted on an AMD EPYC guest with
// AVX-512, 32 KiB of L1 and 1 MiB of L2.
const (
	LaneDispatch = 30  // a contraction
	LaneTile     = 18  // the set-up of a tile
	LaneView     = 1.5 // an operand of a tile
	LaneGroup    = 6   // the set-up of a group of four results
	LaneBlock    = 14  // the set-up of a block of sixteen results of a matrix product
	LaneFactor   = 3   // an operand that is constant along the sums of a group
	LaneTerm     = 1.1 // a product of each sum of a group
	LaneLoad     = .27 // a load beyond four, for such products
	LaneFar      = .35 // a load from lanes for such products, which often comes from the L2 cache
	LaneMatrix   = 4.5 // a product of each sum of a block
	LaneSlot     = 1.5 // a slot of a table that is rescaled
	LaneMix      = 3   // a product for operands beyond two, which is stored
)
