package pgmrt

// A tapeSums instruction computes nodes of a circuit, in runs of nodes with the same number of
// terms. A run is that number, negative if the terms are single elements, and the number of nodes;
// then for each node the element that it sets and the elements of its terms. If the number of nodes
// is negative, it counts groups of four nodes. A group has the first of the four consecutive
// elements that its nodes set, and for each operand of each term the four elements that they read.
// No node of a group reads what an earlier one sets. Terms are added from the first to the last,
// and never fused with products, so that all kernels compute the same bits.

// tapeSumsPlain is the kernel in Go.
func tapeSumsPlain(ins []int32, s []float64) {
	for len(ins) > 0 {
		terms, nodes := int(ins[0]), int(ins[1])
		if nodes < 0 {
			ins = ins[2+tapeGroups(terms, -nodes, ins[2:], s):]
			continue
		}
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

// tapeGroups computes groups of four nodes and returns the number of their words.
func tapeGroups(terms, groups int, ins []int32, s []float64) int {
	words := 1 + 8*terms
	if terms < 0 {
		words = 1 - 4*terms
	}
	run := ins[:groups*words]
	for ; len(run) >= words; run = run[words:] {
		to := (*[4]float64)(s[run[0]:])
		if terms < 0 {
			to[0], to[1], to[2], to[3] = tapeFourSums(run[1:words], s)
		} else {
			to[0], to[1], to[2], to[3] = tapeFourProducts(run[1:words], s)
		}
	}
	return groups * words
}

// tapeFourSums returns the sums of four nodes with single elements as terms.
func tapeFourSums(terms []int32, s []float64) (a, b, c, d float64) {
	t := (*[4]int32)(terms)
	a, b, c, d = s[t[0]], s[t[1]], s[t[2]], s[t[3]]
	for terms = terms[4:]; len(terms) >= 4; terms = terms[4:] {
		t := (*[4]int32)(terms)
		a += s[t[0]]
		b += s[t[1]]
		c += s[t[2]]
		d += s[t[3]]
	}
	return a, b, c, d
}

// tapeFourProducts returns the sums of products of four nodes.
func tapeFourProducts(terms []int32, s []float64) (a, b, c, d float64) {
	t := (*[8]int32)(terms)
	a, b, c, d = s[t[0]]*s[t[4]], s[t[1]]*s[t[5]], s[t[2]]*s[t[6]], s[t[3]]*s[t[7]]
	for terms = terms[8:]; len(terms) >= 8; terms = terms[8:] {
		t := (*[8]int32)(terms)
		a += float64(s[t[0]] * s[t[4]])
		b += float64(s[t[1]] * s[t[5]])
		c += float64(s[t[2]] * s[t[6]])
		d += float64(s[t[3]] * s[t[7]])
	}
	return a, b, c, d
}

// tapeRunMaxima is tapeSumsPlain with the largest term instead of the sum, and without groups.
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
