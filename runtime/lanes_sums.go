package pgmrt

// A laneSum instruction computes nodes of a circuit, in order, in runs of nodes with the same
// number of terms. A run is that number, negative if the terms are single slots, and the number of
// nodes; then for each node the slot that it sets, and the slots of its terms. A laneMax
// instruction has maxima of single slots instead of sums. Terms are added from the first to the
// last, and never fused with products, so that all kernels compute the same bits.

// laneSumsPlain is the kernel in Go. A node may set a slot that it reads.
func laneSumsPlain(ins []int32, l []float64) {
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
				laneProduct(laneSlot(l, run[0]), laneSlot(l, run[1]), laneSlot(l, run[2]))
			}
		case terms == 2:
			for ; len(run) >= 5; run = run[5:] {
				lanePair(laneSlot(l, run[0]), laneSlot(l, run[1]), laneSlot(l, run[2]), laneSlot(l, run[3]), laneSlot(l, run[4]))
			}
		case terms > 0:
			for ; len(run) >= words; run = run[words:] {
				var sum [Lanes]float64
				laneProduct(&sum, laneSlot(l, run[1]), laneSlot(l, run[2]))
				for t := run[3:words]; len(t) >= 2; t = t[2:] {
					laneAddProduct(&sum, laneSlot(l, t[0]), laneSlot(l, t[1]))
				}
				*laneSlot(l, run[0]) = sum
			}
		default:
			for ; len(run) >= words; run = run[words:] {
				sum := *laneSlot(l, run[1])
				for _, t := range run[2:words] {
					laneAdd(&sum, laneSlot(l, t))
				}
				*laneSlot(l, run[0]) = sum
			}
		}
	}
}

// laneMaximaPlain is laneSumsPlain for maxima.
func laneMaximaPlain(ins []int32, l []float64) {
	for len(ins) > 0 {
		words := 1 - int(ins[0])
		run := ins[2 : 2+int(ins[1])*words]
		ins = ins[2+len(run):]
		for ; len(run) >= words; run = run[words:] {
			top := *laneSlot(l, run[1])
			for _, t := range run[2:words] {
				for j, x := range laneSlot(l, t) {
					top[j] = max(top[j], x)
				}
			}
			*laneSlot(l, run[0]) = top
		}
	}
}

// laneObservationsPlain sets the likelihoods of variables from observations, as Observe does. Each
// lane of a slot of states holds the number of the state from 1, or 0 for "not observed".
func laneObservationsPlain(ins []int32, l []float64) {
	for ; len(ins) >= 3; ins = ins[3:] {
		states := laneSlot(l, ins[0])
		for k := range ins[2] {
			to := laneSlot(l, ins[1]+k*Lanes)
			for j, state := range states {
				to[j] = 0
				if state == 0 || state == float64(k+1) {
					to[j] = 1
				}
			}
		}
	}
}

func laneProduct(to, a, b *[Lanes]float64) {
	to[0], to[1], to[2], to[3] = a[0]*b[0], a[1]*b[1], a[2]*b[2], a[3]*b[3]
	to[4], to[5], to[6], to[7] = a[4]*b[4], a[5]*b[5], a[6]*b[6], a[7]*b[7]
}

func lanePair(to, a, b, c, d *[Lanes]float64) {
	for j := range to {
		to[j] = float64(a[j]*b[j]) + float64(c[j]*d[j])
	}
}

func laneAddProduct(sum, a, b *[Lanes]float64) {
	for j := range sum {
		sum[j] += float64(a[j] * b[j])
	}
}

func laneAdd(sum, a *[Lanes]float64) {
	for j := range sum {
		sum[j] += a[j]
	}
}
