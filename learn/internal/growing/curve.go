package growing

// Curve finds how the derivatives of what was evaluated last change where the logarithm of each parameter moves at a speed: by parameter,
// and that of the value itself. Eval and Derive come before it, with the same parameters.
func (t *Tape) Curve(theta, speed []float64) (slopes []float64, value float64) {
	c := curve{t: t, value: make([]float64, len(t.ops)), slope: make([]float64, len(t.ops))}
	for i, n := range t.params {
		if n >= 0 {
			c.value[n] = theta[i] * speed[i]
		}
	}
	for i := range t.ops {
		switch args := t.operands(i); t.ops[i] {
		case sum:
			for _, a := range args {
				c.value[i] += c.value[a]
			}
		case prod:
			c.products(args)
			c.value[i] = c.left[len(args)].speed
		}
	}
	for i := len(t.ops) - 1; i >= 0; i-- {
		switch args := t.operands(i); t.ops[i] {
		case sum:
			for _, a := range args {
				c.slope[a] += c.slope[i]
			}
		case prod:
			c.products(args)
			right := moving{1, 0}
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

// operands are those of a node, by their places.
func (t *Tape) operands(i int) []int32 {
	if i == 0 {
		return t.args[:t.ends[0]]
	}
	return t.args[t.ends[i-1]:t.ends[i]]
}

// moving is a number that moves at a speed.
type moving struct{ at, speed float64 }

func (a moving) times(b moving) moving { return moving{a.at * b.at, a.at*b.speed + a.speed*b.at} }

// curve holds the speeds of the values and of the derivatives of nodes.
type curve struct {
	t            *Tape
	value, slope []float64
	left         []moving // the products of the first operands
}

func (c *curve) of(n int32) moving { return moving{c.t.value[n], c.value[n]} }

func (c *curve) products(args []int32) {
	c.left = append(c.left[:0], moving{1, 0})
	for k, a := range args {
		c.left = append(c.left, c.left[k].times(c.of(a)))
	}
}
