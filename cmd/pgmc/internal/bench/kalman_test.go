package bench

import "gonum.org/v1/gonum/mat"

// kalman is the filter of a linear system by gonum's matrices, as programs are written with them.
type kalman struct {
	a, q, h, r, start *mat.Dense
	z                 []*mat.VecDense
	mean              *mat.VecDense
	kept              *scratch // nil if each step makes its matrices
}

// scratch holds the matrices of a step.
type scratch struct {
	cov, ap, next, ph, hp, s, inverse, gain, part mat.Dense
	mean, off, move, seen                         mat.VecDense
}

// newKalman returns the filter of a linear system, by the numbers that peers read.
func newKalman(data []float64, reuse bool) *kalman {
	slices, n, m := int(data[0]), int(data[1]), int(data[2])
	rest := data[3:]
	next := func(rows, columns int) *mat.Dense {
		d := mat.NewDense(rows, columns, rest[:rows*columns])
		rest = rest[rows*columns:]
		return d
	}
	k := &kalman{a: next(n, n), q: next(n, n), h: next(m, n), r: next(m, m), start: next(n, n)}
	for t := range slices {
		k.z = append(k.z, mat.NewVecDense(m, rest[t*m:][:m]))
	}
	if reuse {
		k.kept = &scratch{}
	}
	return k
}

// run goes through the sequence once.
func (k *kalman) run() {
	var cov mat.Matrix = k.start
	var mean mat.Vector = mat.NewVecDense(k.a.RawMatrix().Rows, nil)
	w := k.kept
	for t, z := range k.z {
		if k.kept == nil {
			w = &scratch{}
		}
		if t > 0 {
			w.ap.Mul(k.a, cov)
			w.next.Mul(&w.ap, k.a.T())
			w.next.Add(&w.next, k.q)
			w.move.MulVec(k.a, mean)
		} else {
			w.next.CloneFrom(cov)
			w.move.CloneFromVec(mean)
		}
		w.ph.Mul(&w.next, k.h.T())
		w.s.Mul(k.h, &w.ph)
		w.s.Add(&w.s, k.r)
		if err := w.inverse.Inverse(&w.s); err != nil {
			panic(err) // the noise of measurements is positive
		}
		w.gain.Mul(&w.ph, &w.inverse)
		w.seen.MulVec(k.h, &w.move)
		w.off.SubVec(z, &w.seen)
		w.mean.MulVec(&w.gain, &w.off)
		w.mean.AddVec(&w.mean, &w.move)
		w.hp.Mul(k.h, &w.next)
		w.part.Mul(&w.gain, &w.hp)
		w.cov.Sub(&w.next, &w.part)
		cov, mean = &w.cov, &w.mean
	}
	k.mean = mat.VecDenseCopyOf(mean)
}
