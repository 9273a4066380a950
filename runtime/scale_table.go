package pgmrt

// LeastTable is the least length from which RescaleTable, TopOfTable and ScaleTable are faster than
// Rescale, Top and ScaleBy.
const LeastTable = 32

// tablePart is the number of elements that assembly, which is not preempted, takes at a time. It is
// a multiple of tableStep, the number of elements of one step of the assembly.
const (
	tablePart = 1 << 15
	tableStep = 16
)

// RescaleTable is Rescale on vectors of numbers, if the processor has them.
func RescaleTable(x []float64) (k int) {
	k = Exponent(TopOfTable(x))
	ScaleTable(x, k)
	return k
}

// TopOfTable is Top on vectors of numbers, if the processor has them.
func TopOfTable(x []float64) (top int64) {
	for len(x) >= tableStep {
		n := min(len(x)/tableStep*tableStep, tablePart)
		top = max(top, topOfVectors(x[:n]))
		x = x[n:]
	}
	return max(top, Top(x))
}

// ScaleTable is ScaleBy on vectors of numbers, if the processor has them.
func ScaleTable(x []float64, k int) {
	f, g := scaleFactors(k)
	if f != 1 {
		multiplyTable(x, f)
	}
	if g != 1 {
		multiplyTable(x, g)
	}
}

func multiplyTable(x []float64, f float64) {
	for len(x) >= tableStep {
		n := min(len(x)/tableStep*tableStep, tablePart)
		multiplyVectors(x[:n], f)
		x = x[n:]
	}
	multiply(x, f)
}
