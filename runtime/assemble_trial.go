package pgmrt

// TapeTrial is an instruction of trials. Kind numbers what it does as ir.TrialKind has it, and Run are the offsets of the numbers of the run.
type TapeTrial struct {
	Kind   int
	Run    []int
	Levels []TapeTrialLevel
	Lists  []TapeList
}

// TapeTrialLevel is some variables, where the weights of their row go, and the levels whose rows depend on them.
type TapeTrialLevel struct {
	Row     TapeRow
	Weights int
	Near    []int32
}

// TapeList is what is held of the variable whose state is at Place: so many numbers at two offsets, of which the second may be -1.
type TapeList struct{ Place, First, Second, Len int }

// AppendTrial appends the instruction.
func AppendTrial(code []int32, x *TapeTrial) []int32 {
	start := len(code)
	code = append(code, tapeTrial, 0, int32(x.Kind))
	for _, at := range x.Run {
		code = append(code, int32(at))
	}
	code = append(code, int32(len(x.Levels)), int32(len(x.Lists)))
	table := len(code)
	for range x.Levels {
		code = append(code, 0)
	}
	for _, l := range x.Lists {
		code = append(code, int32(l.Place), int32(l.First), int32(l.Second), int32(l.Len))
	}
	for i := range x.Levels {
		l := &x.Levels[i]
		code[table+i] = int32(len(code) - start)
		code = append(append(code, int32(l.Weights), int32(len(l.Near))), l.Near...)
		code = appendRow(code, &l.Row)
	}
	return closeTape(code, start)
}
