package pgmrt

// EnergyAxis is an axis of a least sum: its size, the place of the state at which it stands or -1, and the offset of its operand or -1.
type EnergyAxis struct{ Size, State, In int }

// EnergyEdge is what comes in from a factor, what goes out to it, and by what the sum is divided for that.
type EnergyEdge struct{ In, Out, Divide int }

// SpreadPlan is where a spread finds its numbers; -1 stands for nothing.
type SpreadPlan struct {
	States, Base, Belief, Alive, Bound, Residual, Rate int
	Share                                              [2]int32
	Edges                                              []EnergyEdge
}

// ChoosePlan is where a choice finds its numbers, and where it puts the state.
type ChoosePlan struct {
	States, State, Final, Value, Ties, Belief int
	Rows                                      []int
}

// AppendMinSum appends the instruction of a least sum onto axis to, which may be -1.
func AppendMinSum(code []int32, out, to int, table TapeSpan, axes []EnergyAxis) []int32 {
	start := len(code)
	code = append(code, tapeMinSum, 0, int32(out), int32(to), tapeBit(table.Data), int32(table.Offset))
	for _, a := range axes {
		code = append(code, int32(a.Size), int32(a.State), int32(a.In))
	}
	return closeTape(code, start)
}

// AppendSpread appends the instruction that hands out the energies of a variable.
func AppendSpread(code []int32, p *SpreadPlan) []int32 {
	start := len(code)
	code = append(code, tapeSpread, 0)
	for _, x := range [...]int{p.States, p.Base, p.Belief, p.Alive, p.Bound, p.Residual, p.Rate} {
		code = append(code, int32(x))
	}
	code = append(code, p.Share[0], p.Share[1])
	for _, e := range p.Edges {
		code = append(code, int32(e.In), int32(e.Out), int32(e.Divide))
	}
	return closeTape(code, start)
}

// AppendEnergy appends the instruction that takes the logarithms of a weight, whose offset may be -1, and adds operands.
func AppendEnergy(code []int32, states, out, weight int, in []TapeSpan) []int32 {
	start := len(code)
	code = append(code, tapeEnergy, 0, int32(states), int32(out), int32(weight))
	for _, x := range in {
		code = append(code, tapeBit(x.Data), int32(x.Offset))
	}
	return closeTape(code, start)
}

// AppendChoose appends the instruction that chooses a state.
func AppendChoose(code []int32, p *ChoosePlan) []int32 {
	start := len(code)
	code = append(code, tapeChoose, 0)
	for _, x := range [...]int{p.States, p.State, p.Final, p.Value, p.Ties, p.Belief} {
		code = append(code, int32(x))
	}
	for _, x := range p.Rows {
		code = append(code, int32(x))
	}
	return closeTape(code, start)
}

// AppendJudge appends the instruction that ends a round: places of the states and of the best states, of which there are n, and offsets of
// the numbers of the run.
func AppendJudge(code []int32, state, best, n int, run [8]int) []int32 {
	start := len(code)
	code = append(code, tapeJudge, 0, int32(state), int32(best), int32(n))
	for _, x := range run {
		code = append(code, int32(x))
	}
	return closeTape(code, start)
}
