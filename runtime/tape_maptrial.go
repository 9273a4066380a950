package pgmrt

// RunMapTrialTape is RunTrialTape for code that also has the instructions on numbers of either
// sign.
func RunMapTrialTape(code []int32, s, p []float64, t []int32, r *Rand) {
	for len(code) > 0 {
		ins := code[:code[1]]
		code = code[len(ins):]
		if ins[0] >= tapeMap {
			RunMapTape(ins, s, p, t, r)
		} else {
			RunTrialTape(ins, s, p, t, r)
		}
	}
}
