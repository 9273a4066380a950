package ir

// entries is the sizes of the axes that loop, multiplied.
func entries(axes []Axis) int {
	n := 1
	for _, a := range axes {
		if a.Kind != AxisFixed {
			n *= a.Size
		}
	}
	return n
}

// products is the number of joint states that a row weighs, times its operands.
func (r *Row) products() int { return entries(r.Axes) * max(1, len(r.In)+len(r.Trees)) }

// Products is how many products a step forms when it runs once, as a measure of its work: the entries of a contraction, the sums of a message of
// energies, the operations of a circuit, and the weights of rows that are drawn from, each operand for itself. Steps whose work is in the order of
// the spans that they touch have none.
func Products(step Step) int {
	switch s := step.(type) {
	case *Contract:
		return s.Entries()
	case *MinSum:
		return s.Entries()
	case *Sums:
		return s.Ops()
	case *Resample:
		return s.products()
	case *Seek:
		n := 0
		for i := range s.Levels {
			n += s.Levels[i].products()
		}
		return n
	case *Trial:
		n := 0
		for i := range s.Levels {
			n += s.Levels[i].Row.products()
		}
		return n
	}
	return 0
}
