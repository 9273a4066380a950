package price

// Predictions before a package is made, fitted to what package codegen reports for 16 networks
// (TestPredictions of the command): nanoseconds of a product, of one in maxima by scalars, of one
// in a query of PlanScalars to PlanVectors products, which runs on vectors, and of an operation.
const (
	PlanScalars = 500
	PlanVectors = 60_000

	PlanSum    = .23
	PlanMax    = .5
	PlanVector = .14
	PlanStep   = .6
)

// Size of a package: bytes of machine code of a product that is written out, at most TextMost by
// the limits of package codegen; bytes of source of a package, a variable, a variable of a network
// of more than ManyVars, a byte of machine code and a product of lanes, up to a limit.
const (
	TextProduct = 41
	TextMost    = 16 << 20

	Source     = 36 << 10
	SourceVar  = 3 << 10
	SourceMany = 1 << 10
	SourceText = 1.1
	SourceLane = 8
	SourceMost = 1 << 20 // of lanes
)

// ManyVars is the most variables of a network whose package has a type for each by default.
const ManyVars = 200

// Peak memory of making a package, in bytes: of the process itself, of a number of the program's
// data, which passes, back-ends and files hold at one time, and of a product that is written out.
// Fitted to the peaks in docs/measurements/generated-code.md, which are up to a third lower. The
// circuits that are tried before are within the limit by their number of nodes.
const (
	PeakProcess = 48 << 20
	PeakData    = 30
	PeakTile    = 1100
)
