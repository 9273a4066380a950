package pgmrt

// tapeRunSums computes nodes of a circuit, in runs of nodes with the same number of terms. A run is
// that number, negative if the terms are single elements, and the number of nodes; then for each
// node the element that it sets and the elements of its terms.
func tapeRunSums(ins []int32, s []float64) {
	for len(ins) > 0 {
		terms, nodes := int(ins[0]), int(ins[1])
		words := 1 + 2*terms
		if terms < 0 {
			words = 1 - terms
		}
		run := ins[2 : 2+nodes*words]
		ins = ins[2+len(run):]
		switch {
		case terms == 1:
			for ; len(run) >= 3; run = run[3:] {
				s[run[0]] = s[run[1]] * s[run[2]]
			}
		case terms == 2:
			for ; len(run) >= 5; run = run[5:] {
				s[run[0]] = float64(s[run[1]]*s[run[2]]) + float64(s[run[3]]*s[run[4]])
			}
		case terms == 3:
			for ; len(run) >= 7; run = run[7:] {
				s[run[0]] = float64(s[run[1]]*s[run[2]]) + float64(s[run[3]]*s[run[4]]) + float64(s[run[5]]*s[run[6]])
			}
		case terms == 4:
			for ; len(run) >= 9; run = run[9:] {
				s[run[0]] = float64(s[run[1]]*s[run[2]]) + float64(s[run[3]]*s[run[4]]) + float64(s[run[5]]*s[run[6]]) + float64(s[run[7]]*s[run[8]])
			}
		case terms == -2:
			for ; len(run) >= 3; run = run[3:] {
				s[run[0]] = s[run[1]] + s[run[2]]
			}
		case terms > 0:
			for ; len(run) >= words; run = run[words:] {
				sum := float64(s[run[1]] * s[run[2]])
				for t := run[3:words]; len(t) >= 2; t = t[2:] {
					sum += float64(s[t[0]] * s[t[1]])
				}
				s[run[0]] = sum
			}
		default:
			for ; len(run) >= words; run = run[words:] {
				sum := s[run[1]]
				for _, t := range run[2:words] {
					sum += s[t]
				}
				s[run[0]] = sum
			}
		}
	}
}

// tapeRunMaxima is tapeRunSums with the largest term instead of the sum.
func tapeRunMaxima(ins []int32, s []float64) {
	for len(ins) > 0 {
		terms, nodes := int(ins[0]), int(ins[1])
		words := 1 + 2*terms
		if terms < 0 {
			words = 1 - terms
		}
		run := ins[2 : 2+nodes*words]
		ins = ins[2+len(run):]
		switch terms {
		case 1:
			for ; len(run) >= 3; run = run[3:] {
				s[run[0]] = s[run[1]] * s[run[2]]
			}
		case 2:
			for ; len(run) >= 5; run = run[5:] {
				s[run[0]] = max(s[run[1]]*s[run[2]], s[run[3]]*s[run[4]])
			}
		}
		for ; len(run) >= words; run = run[words:] {
			top := 0.0
			if terms > 0 {
				for t := run[1:words]; len(t) >= 2; t = t[2:] {
					top = max(top, s[t[0]]*s[t[1]])
				}
			} else {
				for _, t := range run[1:words] {
					top = max(top, s[t])
				}
			}
			s[run[0]] = top
		}
	}
}
