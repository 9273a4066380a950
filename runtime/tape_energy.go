package pgmrt

// RunEnergyTape is RunLoopTape for code with the instructions of energies.
func RunEnergyTape(code []int32, s, p []float64, t []int32, r *Rand) {
	for len(code) > 0 {
		ins := code[:code[1]]
		code = code[len(ins):]
		if !runEnergy(ins, s, p, t) {
			RunLoopTape(ins, s, p, t, r)
		}
	}
}
