package spn

// weighted returns the sum of w[j] x[j].
func weighted(w []float64, x []lane) (out lane) {
	var a, b, c, d, e, f, g, h float64
	x = x[:len(w)]
	for j, y := range w {
		p := &x[j]
		a += y * p[0]
		b += y * p[1]
		c += y * p[2]
		d += y * p[3]
		e += y * p[4]
		f += y * p[5]
		g += y * p[6]
		h += y * p[7]
	}
	return lane{a, b, c, d, e, f, g, h}
}

// column returns the sum of w[j*stride] x[j].
func column(w []float64, stride int, x []lane) (out lane) {
	var a, b, c, d, e, f, g, h float64
	at := 0
	for j := range x {
		y, p := w[at], &x[j]
		a += y * p[0]
		b += y * p[1]
		c += y * p[2]
		d += y * p[3]
		e += y * p[4]
		f += y * p[5]
		g += y * p[6]
		h += y * p[7]
		at += stride
	}
	return lane{a, b, c, d, e, f, g, h}
}

// dots adds the inner product of r and x[j] to out[j].
func dots(out []float64, r *lane, x []lane) {
	a, b, c, d, e, f, g, h := r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
	x = x[:len(out)]
	for j := range out {
		p := &x[j]
		out[j] += (a*p[0] + b*p[1]) + (c*p[2] + d*p[3]) + ((e*p[4] + f*p[5]) + (g*p[6] + h*p[7]))
	}
}

// multiply multiplies x by y.
func multiply(x, y []lane) {
	y = y[:len(x)]
	for j := range x {
		p, q := &x[j], &y[j]
		p[0] *= q[0]
		p[1] *= q[1]
		p[2] *= q[2]
		p[3] *= q[3]
		p[4] *= q[4]
		p[5] *= q[5]
		p[6] *= q[6]
		p[7] *= q[7]
	}
}

// add adds y to x.
func add(x, y []lane) {
	y = y[:len(x)]
	for j := range x {
		for k := range lanes {
			x[j][k] += y[j][k]
		}
	}
}
