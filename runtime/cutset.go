package pgmrt

import "math"

// CutsetPlan holds the places of the numbers of a query that runs once for each joint state of its
// cutset: in work memory, except for states and the exponent, which are integers.
type CutsetPlan struct {
	Vars []CutsetVar // the cutset
	Outs []CutsetOut
	Root int
	Exp  int // -1 if the root has no exponent
}

// CutsetVar is a variable of a cutset.
type CutsetVar struct {
	State, Card int
	In          int // its likelihoods; -1 if the program reads none
}

// CutsetOut is an answer of N numbers at a place. Cut is the place of the posterior's variable in
// the cutset; -1 if it is not in the cutset.
type CutsetOut struct{ At, N, Cut int }

// Cutset adds up the answers of runs of a program, one for each joint state of a cutset that the
// evidence leaves possible. Between First and the end of Next the caller runs the program.
type Cutset struct {
	plan *CutsetPlan
	root float64
	exp  int       // all sums are relative to 2^exp
	sums []float64 // of the answers, one after the other
}

// The exponent before the first sum, and a power of two below which every sum is zero.
const (
	leastExp   = -1 << 30
	leastShift = -1 << 15
)

// NewCutset returns the sums of a plan.
func NewCutset(plan *CutsetPlan) *Cutset {
	n := 0
	for _, o := range plan.Outs {
		n += o.N
	}
	return &Cutset{plan: plan, sums: make([]float64, n)}
}

// First sets the states of the cutset to the first joint state. It returns false if there is none.
func (x *Cutset) First(s []float64, t []int32) bool {
	x.root, x.exp = 0, leastExp
	clear(x.sums)
	for i := range x.plan.Vars {
		v := &x.plan.Vars[i]
		if t[v.State] = -1; !v.next(s, t) {
			x.finish(s, t)
			return false
		}
	}
	return true
}

// next sets the state of v to the next one that is possible. It returns false if there is none.
func (v *CutsetVar) next(s []float64, t []int32) bool {
	for k := int(t[v.State]) + 1; k < v.Card; k++ {
		if v.In < 0 || s[v.In+k] != 0 {
			t[v.State] = int32(k)
			return true
		}
	}
	return false
}

// Next adds the answers of a run and sets the states to the next joint state. If there is none, it
// leaves the sums in place of the answers and returns false.
func (x *Cutset) Next(s []float64, t []int32) bool {
	x.add(s, t)
	for i := len(x.plan.Vars) - 1; i >= 0; i-- {
		v := &x.plan.Vars[i]
		if v.next(s, t) {
			return true
		}
		t[v.State] = -1
		v.next(s, t)
	}
	x.finish(s, t)
	return false
}

// add adds the answers of a run, posteriors weighed by its root.
func (x *Cutset) add(s []float64, t []int32) {
	root := s[x.plan.Root]
	if root == 0 {
		return
	}
	frac, exp := math.Frexp(root)
	if x.plan.Exp >= 0 {
		exp += int(t[x.plan.Exp])
	}
	if exp > x.exp {
		x.rescale(exp)
	}
	w := math.Ldexp(frac, exp-x.exp)
	x.root += w
	at := 0
	for i := range x.plan.Outs {
		o := &x.plan.Outs[i]
		if o.Cut >= 0 {
			x.sums[at+int(t[x.plan.Vars[o.Cut].State])] += w
		} else {
			for k, p := range s[o.At:][:o.N] {
				x.sums[at+k] += float64(w * p)
			}
		}
		at += o.N
	}
}

// rescale makes the sums relative to 2^exp.
func (x *Cutset) rescale(exp int) {
	by := max(x.exp-exp, leastShift)
	x.exp = exp
	x.root = math.Ldexp(x.root, by)
	for i := range x.sums {
		x.sums[i] = math.Ldexp(x.sums[i], by)
	}
}

// finish leaves the sums in place of the answers: a root of zero if all are zero.
func (x *Cutset) finish(s []float64, t []int32) {
	switch {
	case x.root == 0:
		s[x.plan.Root] = 0
		return
	case x.plan.Exp >= 0:
		s[x.plan.Root], t[x.plan.Exp] = x.root, int32(x.exp)
	default:
		s[x.plan.Root] = math.Ldexp(x.root, x.exp)
	}
	at := 0
	for i := range x.plan.Outs {
		o := &x.plan.Outs[i]
		for k := range o.N {
			s[o.At+k] = x.sums[at+k] / x.root
		}
		at += o.N
	}
}
