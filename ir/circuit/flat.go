package circuit

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Flat is a circuit with sums and products of any number of operands, laid out for passes over
// arrays. Learners and circuit files use it. Operands precede their users, and the last node is the
// root. A pass works on arrays of one number per node, in which the caller has set the values of
// the leaves (Const and Input).
//
// A Flat holds no numbers, so several goroutines may run passes over it, each with its own arrays.
type Flat struct {
	Ops  []Op
	Ends []int32 // by node: the end of its operands in Args, which begin at the end of the previous node
	Args []int32
}

// Add appends a node and returns its place.
func (f *Flat) Add(op Op, args ...int32) int32 {
	f.Args = append(f.Args, args...)
	f.Ops, f.Ends = append(f.Ops, op), append(f.Ends, int32(len(f.Args)))
	return int32(len(f.Ops) - 1)
}

// Operands returns the operands of a node, as node numbers.
func (f *Flat) Operands(i int) []int32 {
	if i == 0 {
		return f.Args[:f.Ends[0]]
	}
	return f.Args[f.Ends[i-1]:f.Ends[i]]
}

// Up computes the values of all nodes except the leaves, and returns the root's.
func (f *Flat) Up(value []float64) float64 {
	start := int32(0)
	for i, end := range f.Ends {
		switch f.Ops[i] {
		case Sum:
			value[i] = SumOf(f.Args[start:end], value)
		case Prod:
			value[i] = ProdOf(f.Args[start:end], value)
		case Max:
			value[i] = maxOf(f.Args[start:end], value)
		}
		start = end
	}
	return value[len(value)-1]
}

// LogUp computes the logarithms of all values from the leaves', for values that would underflow,
// and returns the root's.
func (f *Flat) LogUp(value []float64) float64 {
	start := int32(0)
	for i, end := range f.Ends {
		switch f.Ops[i] {
		case Sum:
			value[i] = LogSumOf(f.Args[start:end], value)
		case Prod:
			value[i] = SumOf(f.Args[start:end], value)
		case Max:
			value[i] = maxOf(f.Args[start:end], value)
		}
		start = end
	}
	return value[len(value)-1]
}

// tiny is the least product that is divided by an operand: above it, the quotient has full
// precision.
const tiny = 1e-290

// Down computes the derivative of the root with respect to each node from the values that Up
// computed (Darwiche 2003, section 4). The circuit must have no maxima.
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

// LogDown computes the logarithms of the derivatives from the logarithms of the values, which LogUp
// computed. The circuit must have no maxima.
func (f *Flat) LogDown(value, slope []float64) {
	for i := range slope {
		slope[i] = math.Inf(-1)
	}
	slope[len(slope)-1] = 0
	for i := len(f.Ends) - 1; i >= 0; i-- {
		by := slope[i]
		if f.Ops[i] < Sum || math.IsInf(by, -1) {
			continue
		}
		args := f.Operands(i)
		if f.Ops[i] == Sum {
			for _, a := range args {
				slope[a] = LogAdd(slope[a], by)
			}
			continue
		}
		zeros, zero := 0, int32(0) // how many operands are 0, and the last of them
		for _, a := range args {
			if math.IsInf(value[a], -1) {
				zeros, zero = zeros+1, a
			} else {
				by += value[a]
			}
		}
		switch zeros {
		case 0:
			for _, a := range args {
				slope[a] = LogAdd(slope[a], by-value[a])
			}
		case 1:
			slope[zero] = LogAdd(slope[zero], by)
		}
	}
}

// SumOf returns the sum of the values at args, added in that order.
func SumOf(args []int32, value []float64) float64 {
	x := 0.0
	for _, a := range args {
		x += value[a]
	}
	return x
}

// ProdOf returns the product of the values at args, multiplied in that order.
func ProdOf(args []int32, value []float64) float64 {
	x := 1.0
	for _, a := range args {
		x *= value[a]
	}
	return x
}

// maxOf returns the largest of the values at args, or minus infinity if there are none.
func maxOf(args []int32, value []float64) float64 {
	x := math.Inf(-1)
	for _, a := range args {
		x = max(x, value[a])
	}
	return x
}

// LogSumOf returns the logarithm of the sum of the numbers with logarithms at args.
func LogSumOf(args []int32, value []float64) float64 {
	most := maxOf(args, value)
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.0
	for _, a := range args {
		sum += math.Exp(value[a] - most)
	}
	return most + pgmrt.Ln(sum)
}

// LogAdd returns the logarithm of the sum of the two numbers with logarithms a and b.
func LogAdd(a, b float64) float64 {
	a, b = max(a, b), min(a, b)
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
