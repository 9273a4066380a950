package circuit

import "math"

// Flat is a circuit whose sums and products have any number of operands, laid out for passes over
// arrays: what learners grow and what files hold. Operands stand before what uses them, and the last
// node is the root. A pass works on arrays of one number a node, in which the caller has set those of
// the leaves (Const and Input).
//
// A Flat holds no numbers, so that several goroutines may pass over it, each with arrays of its own.
type Flat struct {
	Ops  []Op
	Ends []int32 // by node: the end of its operands in Args, which begin at the end of the node before
	Args []int32
}

// Add appends a node and returns its place.
func (f *Flat) Add(op Op, args ...int32) int32 {
	f.Args = append(f.Args, args...)
	f.Ops, f.Ends = append(f.Ops, op), append(f.Ends, int32(len(f.Args)))
	return int32(len(f.Ops) - 1)
}

// Operands returns the operands of a node, by their places.
func (f *Flat) Operands(i int) []int32 {
	if i == 0 {
		return f.Args[:f.Ends[0]]
	}
	return f.Args[f.Ends[i-1]:f.Ends[i]]
}

// Up computes the values of all nodes but the leaves, and returns that of the root.
func (f *Flat) Up(value []float64) float64 {
	start := int32(0)
	for i, end := range f.Ends {
		switch f.Ops[i] {
		case Sum:
			value[i] = SumOf(f.Args[start:end], value)
		case Prod:
			value[i] = ProdOf(f.Args[start:end], value)
		case Max:
			value[i] = MaxOf(f.Args[start:end], value)
		}
		start = end
	}
	return value[len(value)-1]
}

// LogUp computes the logarithms of the values from those of the leaves, where the values themselves
// would underflow, and returns that of the root.
func (f *Flat) LogUp(value []float64) float64 {
	start := int32(0)
	for i, end := range f.Ends {
		switch f.Ops[i] {
		case Sum:
			value[i] = LogSumOf(f.Args[start:end], value)
		case Prod:
			value[i] = SumOf(f.Args[start:end], value)
		case Max:
			value[i] = MaxOf(f.Args[start:end], value)
		}
		start = end
	}
	return value[len(value)-1]
}

// tiny is the least product by which operands are divided: above it, the quotient has full precision.
const tiny = 1e-290

// Down computes the derivative of the root by each node from the values that Up computed (Darwiche
// 2003, section 4). The circuit has no maxima.
func (f *Flat) Down(value, slope []float64) {
	clear(slope)
	slope[len(slope)-1] = 1
	for i := len(f.Ends) - 1; i >= 0; i-- {
		by := slope[i]
		if f.Ops[i] < Sum || by == 0 {
			continue
		}
		args := f.Operands(i)
		if f.Ops[i] == Sum {
			for _, a := range args {
				slope[a] += by
			}
			continue
		}
		if x := by * value[i]; value[i] >= tiny {
			for _, a := range args {
				slope[a] += x / value[a]
			}
			continue
		}
		for k, a := range args {
			for j, b := range args {
				if j != k {
					by *= value[b]
				}
			}
			slope[a] += by
			by = slope[i]
		}
	}
}

// SumOf adds up the values at some places, in their order.
func SumOf(args []int32, value []float64) float64 {
	x := 0.0
	for _, a := range args {
		x += value[a]
	}
	return x
}

// ProdOf multiplies the values at some places, in their order.
func ProdOf(args []int32, value []float64) float64 {
	x := 1.0
	for _, a := range args {
		x *= value[a]
	}
	return x
}

// MaxOf is the largest of the values at some places; minus infinity if there are none.
func MaxOf(args []int32, value []float64) float64 {
	x := math.Inf(-1)
	for _, a := range args {
		x = max(x, value[a])
	}
	return x
}

// LogSumOf is the logarithm of the sum of the numbers whose logarithms are at some places.
func LogSumOf(args []int32, value []float64) float64 {
	most := MaxOf(args, value)
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.0
	for _, a := range args {
		sum += math.Exp(value[a] - most)
	}
	return most + math.Log(sum)
}
