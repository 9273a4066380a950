package growing

// Curve returns the derivatives of the slopes by parameter, and of the value itself, along a
// direction in which the logarithm of each parameter changes at the given speed. It is one upward
// and one downward pass over dual numbers. Eval and Derive must have run with the same parameters.
func (t *Tape) Curve(theta, speed []float64) (slopes []float64, value float64) {
	c := curve{t: t, value: make([]float64, len(t.flat.Ops)), slope: make([]float64, len(t.flat.Ops))}
	for i, n := range t.params {
		if n >= 0 {
			c.value[n] = theta[i] * speed[i]
		}
	}
	for i := range t.flat.Ops {
		switch args := t.flat.Operands(i); t.flat.Ops[i] {
		case sum:
			for _, a := range args {
				c.value[i] += c.value[a]
			}
		case prod:
			c.products(args)
			c.value[i] = c.left[len(args)].speed
		}
	}
	for i := len(t.flat.Ops) - 1; i >= 0; i-- {
		switch args := t.flat.Operands(i); t.flat.Ops[i] {
		case sum:
			for _, a := range args {
				c.slope[a] += c.slope[i]
			}
		case prod:
			c.products(args)
			right := dual{1, 0}
			for k := len(args) - 1; k >= 0; k-- {
				others := c.left[k].times(right)
				c.slope[args[k]] += c.slope[i]*others.at + t.slope[i]*others.speed
				right = right.times(c.of(args[k]))
			}
		}
	}
	slopes = make([]float64, len(t.params))
	for i, n := range t.params {
		if n >= 0 {
			slopes[i] = c.slope[n]
		}
	}
	return slopes, c.value[len(c.value)-1]
}

// dual is a dual number: a value and its derivative.
type dual struct{ at, speed float64 }

func (a dual) times(b dual) dual { return dual{a.at * b.at, a.at*b.speed + a.speed*b.at} }

// curve holds the derivatives of the values and of the slopes of nodes.
type curve struct {
	t            *Tape
	value, slope []float64
	left         []dual // scratch: the products of the first operands
}

func (c *curve) of(n int32) dual { return dual{c.t.value[n], c.value[n]} }

func (c *curve) products(args []int32) {
	c.left = append(c.left[:0], dual{1, 0})
	for k, a := range args {
		c.left = append(c.left, c.left[k].times(c.of(a)))
	}
}
