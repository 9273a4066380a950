package price

// Methods are compared by the time of a product of table operations and of an operation of a
// circuit. The first price of a scale holds while code runs from the first-level cache of
// instructions, and the next while it runs from the second level. Then come loop nests and tapes,
// whose data outgrow the caches. Fitted to ln P and marginals of alarm, win95pts, hailfinder,
// insurance, water, pigs and munin2.
var (
	Tables   = Scale{{2000, .17}, {100_000, .21}, {inf, .36}}
	Circuits = Scale{{4000, .14}, {100_000, .45}, {1e6, .6}, {inf, .85}}
)

// A step is an operation on tables whose code has left the cache before it runs again. This begins
// at ColdProducts products of a program.
const (
	ColdStep     = 100
	ColdProducts = 100_000
)

// VectorProduct is the price of a product in a query of at most VectorProducts products, whose
// table operations run on vectors of four numbers (measured: .10 to .11 on alarm, child and
// hailfinder). Tables of two states take BinaryProduct more: a vector has states of two variables,
// and tables that have only one of them take more instructions to load (measured: .01, win95pts).
// The prices include a tenth in favour of circuits, which are as fast on processors without such
// vectors.
const (
	VectorProduct  = .12
	BinaryProduct  = .01
	VectorProducts = 60_000
)

// A query chooses between its two plans by the price of an operation of the circuit and of a
// product of tables, with the share of a step in it. Fitted to the fastest of some 200 runs of all
// marginals and ln P of pigs, and of all marginals of munin3, with evidence on none to a third of
// the variables (Intel Xeon guest, 32 KiB of L1I). Tables take .27 to .5 ns a product where they
// are nearly as fast as the circuit, up to .8 on munin3; circuits take .37 (ln P of pigs), .41 (its
// marginals) and .55 (marginals of munin3).
var SecondCircuit = Scale{{500_000, .34}, {inf, .44}}

// SecondTables is the price of a product of the second plan.
const SecondTables = .31
