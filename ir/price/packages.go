package price

// Plan holds the prices of predictions before a package is made, fitted to what package codegen
// reports for 16 networks (TestPredictions of the command): nanoseconds of a product, of one in
// maxima by scalars, of one in a query of PlanScalars to PlanVectors products, which runs on
// vectors, and of an operation.
var Plan = struct {
	Scalars float64
	Vectors float64
	Sum     float64
	Max     float64
	Vector  float64
	Step    float64
}{
	Scalars: 500, Vectors: 60_000, Sum: .23, Max: .5, Vector: .14, Step: .6,
}

// Size of a package: bytes of machine code of a product that is written out, at most TextMost by
// the limits of package codegen.
const (
	TextProduct = 41
	TextMost    = 16 << 20
)

// Source holds the bytes of source of a package, a variable, a variable of a network of more than
// ManyVars, a byte of machine code and a product of lanes, up to Most.
var Source = struct {
	Fixed float64
	Var   float64
	Many  float64
	Text  float64
	Lane  float64
	Most  float64 // of lanes
}{
	Fixed: 36 << 10, Var: 3 << 10, Many: 1 << 10, Text: 1.1, Lane: 8, Most: 1 << 20,
}

// ManyVars is the most variables of a network whose package has a type for each by default.
const ManyVars = 200

// Peak holds the peak memory of making a package, in bytes: of the process itself, of a number of
// the program's data, which passes, back-ends and files hold at one time, and of a product that is
// written out. Fitted to the peaks in docs/measurements/generated-code.md, which are up to a third
// lower. The circuits that are tried before are within the limit by their number of nodes.
var Peak = struct {
	Process float64
	Data    float64
	Tile    float64
}{
	Process: 48 << 20, Data: 30, Tile: 1100,
}
