package pgmrt

import "math"

// The instructions on numbers of either sign, which extend the tape's.
const (
	tapeMap     = 224 + iota // see mapHeader
	tapeAntilog              // spans: the result, the largest logarithm, the logarithms, the weights
	tapeNoise                // spans: the result, and for each number what says that it is known, if any
)

// The header of a tapeMap instruction. After it come: size and place of the state of each axis, -1
// if it loops and -2 if it is reduced; the inputs, each a register, 1 if it is in data memory, the
// offset, and a stride for each axis; the constants, each a register and the bits, low and high;
// the code, each an operation and three registers, of the result and of the operands; the results,
// each a register, the offset, and a stride for each axis. Register i is the numbers of a scratch
// memory from i times the lanes on.
const (
	mapScratch = 2 + iota // offset of the scratch memory
	mapLanes              // the joint states for which an instruction runs at a time
	mapAxes
	mapIns
	mapConsts
	mapCodes
	mapOuts
	mapHeader // number of words of the header
)

// The operations of the code of a tapeMap instruction.
const (
	mapSum = iota
	mapProd
	mapMax
	mapMin
	mapSub
	mapQuot
	mapRatio
	mapSqrt
	mapExp
	mapLog
	mapPow
	mapAtan2
	mapSin
	mapCos
	mapTanh
)

// RunMapTape is RunTape for code with the instructions on numbers of either sign.
func RunMapTape(code []int32, s, p []float64, t []int32, r *Rand) {
	for len(code) > 0 {
		ins := code[:code[1]]
		code = code[len(ins):]
		switch ins[0] {
		case tapeMap:
			m := tapeMapping{ins: ins, s: s, p: p, t: t}
			m.run()
		case tapeAntilog:
			Antilog(tapeMapSpan(ins, 0, s, p), &tapeMapSpan(ins, 1, s, p)[0], tapeMapSpan(ins, 2, s, p), tapeMapSpan(ins, 3, s, p))
		case tapeNoise:
			tapeNormals(ins, s, p, r)
		default:
			RunTape(ins, s, p, t, r)
		}
	}
}

// tapeNormals runs a tapeNoise instruction.
func tapeNormals(ins []int32, s, p []float64, r *Rand) {
	out := tapeMapSpan(ins, 0, s, p)
	for i := range out {
		if 2+3*(i+1) < len(ins) && ins[2+3*(i+1)+1] >= 0 && tapeMapSpan(ins, i+1, s, p)[0] != 0 {
			out[i] = 0
		} else {
			out[i] = r.Normal()
		}
	}
}

// tapeMapSpan returns span i of an instruction: 1 if it is in data memory, offset, length.
func tapeMapSpan(ins []int32, i int, s, p []float64) []float64 {
	w := ins[2+3*i:]
	if w[0] != 0 {
		s = p
	}
	return s[w[1] : w[1]+w[2]]
}

// tapeMapping runs a tapeMap instruction.
type tapeMapping struct {
	ins    []int32
	s, p   []float64
	t      []int32
	axes   []int32
	from   int // the joint state of the first lane
	active int // lanes in use
}

// run runs the code for as many joint states at a time as there are lanes.
func (m *tapeMapping) run() {
	ins := m.ins
	n := int(ins[mapAxes])
	m.axes = ins[mapHeader : mapHeader+2*n]
	total := 1
	for a := m.axes; len(a) > 0; a = a[2:] {
		if a[1] < 0 {
			total *= int(a[0])
		}
	}
	in := ins[mapHeader+2*n:]
	consts := in[(3+n)*int(ins[mapIns]):]
	code := consts[3*int(ins[mapConsts]):]
	out := code[4*int(ins[mapCodes]):]
	lanes := int(ins[mapLanes])
	for m.from = 0; m.from < total; m.from += lanes {
		m.active = min(lanes, total-m.from)
		for v := in[:len(in)-len(consts)]; len(v) > 0; v = v[3+n:] {
			m.load(v[:3+n])
		}
		for c := consts[:len(consts)-len(code)]; len(c) > 0; c = c[3:] {
			x := math.Float64frombits(uint64(uint32(c[1])) | uint64(uint32(c[2]))<<32)
			for i := range m.register(c[0]) {
				m.register(c[0])[i] = x
			}
		}
		for c := code[:len(code)-len(out)]; len(c) > 0; c = c[4:] {
			m.instruction(c[0], m.register(c[1]), m.register(c[2]), m.register(c[3]))
		}
		for v := out; len(v) > 0; v = v[2+n:] {
			m.store(v[:2+n])
		}
	}
}

// register returns the numbers of a register.
func (m *tapeMapping) register(i int32) []float64 {
	lanes := int(m.ins[mapLanes])
	at := int(m.ins[mapScratch]) + int(i)*lanes
	return m.s[at : at+m.active]
}

// place returns the offset of a view at a joint state, and whether it is the first along the
// reduced axes.
func (m *tapeMapping) place(at int, stride []int32, joint int) (offset int, first bool) {
	first = true
	for a := len(stride) - 1; a >= 0; a-- {
		size, kind := int(m.axes[2*a]), m.axes[2*a+1]
		if kind >= 0 {
			at += int(m.t[kind]) * int(stride[a])
			continue
		}
		state := joint % size
		joint /= size
		at += state * int(stride[a])
		first = first && (kind == -1 || state == 0)
	}
	return at, first
}

// load copies an input to its register.
func (m *tapeMapping) load(v []int32) {
	from, to := m.s, m.register(v[0])
	if v[1] != 0 {
		from = m.p
	}
	for i := range to {
		at, _ := m.place(int(v[2]), v[3:], m.from+i)
		to[i] = from[at]
	}
}

// store copies a register to a result, or adds it.
func (m *tapeMapping) store(v []int32) {
	for i, x := range m.register(v[0]) {
		at, first := m.place(int(v[1]), v[2:], m.from+i)
		if first {
			m.s[at] = x
		} else {
			m.s[at] += x
		}
	}
}

// instruction sets z to an operation on x and y. The results of earlier lanes are not operands of
// later ones.
func (m *tapeMapping) instruction(op int32, z, x, y []float64) {
	x, y = x[:len(z)], y[:len(z)]
	switch op {
	case mapSum:
		for i := range z {
			z[i] = x[i] + y[i]
		}
	case mapProd:
		for i := range z {
			z[i] = x[i] * y[i]
		}
	case mapMax:
		for i := range z {
			z[i] = max(x[i], y[i])
		}
	case mapMin:
		for i := range z {
			z[i] = min(x[i], y[i])
		}
	case mapSub:
		for i := range z {
			z[i] = x[i] - y[i]
		}
	case mapQuot:
		for i := range z {
			z[i] = x[i] / y[i]
		}
	case mapRatio:
		for i := range z {
			z[i] = Ratio(x[i], y[i])
		}
	case mapPow:
		for i := range z {
			z[i] = math.Pow(x[i], y[i])
		}
	case mapAtan2:
		for i := range z {
			z[i] = math.Atan2(x[i], y[i])
		}
	default:
		for i := range z {
			z[i] = mapUnary(op, x[i])
		}
	}
}

// mapUnary returns an operation on one number.
func mapUnary(op int32, x float64) float64 {
	switch op {
	case mapSqrt:
		return math.Sqrt(x)
	case mapExp:
		return math.Exp(x)
	case mapSin:
		return math.Sin(x)
	case mapCos:
		return math.Cos(x)
	case mapTanh:
		return math.Tanh(x)
	}
	return Ln(x)
}
