package data

import (
	"errors"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// Softmax is a multinomial logistic regression of a discrete variable on real ones, fitted to a
// set: one for each joint state of its discrete parents.
type Softmax struct {
	model.Softmax
	LogLikelihood float64 // of the rows that miss no value of the family, without the penalty
	Missed        float64 // the weight of the other rows
}

// MaxSoftmax is the largest number of weights of a row of a softmax CPD. Newton's method factorises
// a matrix of that many rows.
const MaxSoftmax = 512

// FitSoftmax maximises the log-likelihood of child given its parents minus penalty/2 times the sum
// of the squares of all weights, which is the logarithm of a normal prior of this precision.
// Weights are for parents that are scaled to mean 0 and variance 1 over the rows, so that units do
// not matter; the weight of a constant is 0. The penalty must be positive: it decides between equal
// distributions, and keeps weights finite if the states are separated.
//
// The maximum is unique. Newton's method finds it in a few steps. Each step passes over the rows
// once.
func (s *Set) FitSoftmax(child int, discrete, real []int, penalty float64) (*Softmax, error) {
	card := s.Vars[child].card()
	if n := card * (len(real) + 1); n > MaxSoftmax {
		return nil, fmt.Errorf("a softmax CPD of %q has %d weights for a row; want at most %d", s.Vars[child].Name, n, MaxSoftmax)
	}
	if !(penalty > 0) || math.IsInf(penalty, 0) {
		return nil, fmt.Errorf("penalty %v of a softmax CPD; want a number above 0", penalty)
	}
	f := &softmaxFit{card: card, width: len(real) + 1, penalty: penalty}
	out := &Softmax{Missed: f.read(s, child, discrete, real)}
	scale := f.standardize()
	for r := range f.rows {
		f.examples = f.rows[r]
		w, err := f.newton()
		if err != nil {
			return nil, fmt.Errorf("softmax CPD of %q: %w", s.Vars[child].Name, err)
		}
		out.LogLikelihood -= f.loss(w, 0)
		for k := range card {
			bias := w[k*f.width]
			for i, x := range scale {
				c := w[k*f.width+1+i] * x.factor
				bias -= float64(c * x.mean)
				out.Coef = append(out.Coef, c)
			}
			out.Bias = append(out.Bias, bias)
		}
	}
	return out, nil
}

// softmaxFit is the state of FitSoftmax.
type softmaxFit struct {
	card, width int // states, and weights of a state: the bias and the coefficients
	penalty     float64
	rows        [][]example // by joint state of the discrete parents
	examples    []example   // of the row that is fitted
}

// example is a row of the data.
type example struct {
	state  int
	weight float64
	x      []float64 // 1 and the values of the real parents
}

// read collects the rows of the set that miss no value of the family and returns the weight of the
// others.
func (f *softmaxFit) read(s *Set, child int, discrete, real []int) (missed float64) {
	cells := 1
	for _, v := range discrete {
		cells *= s.Vars[v].card()
	}
	f.rows = make([][]example, cells)
	for row := range s.rows {
		cell, whole := 0, true
		for _, v := range discrete {
			state := s.columns[v].At(row)
			cell, whole = cell*s.Vars[v].card()+state, whole && state != Missing
		}
		e := example{s.columns[child].At(row), s.Weight(row), []float64{1}}
		for _, v := range real {
			whole = whole && s.columns[v].At(row) != Missing
			e.x = append(e.x, s.reals[v][row])
		}
		if !whole || e.state == Missing {
			missed += e.weight
		} else if e.weight > 0 {
			f.rows[cell] = append(f.rows[cell], e)
		}
	}
	return missed
}

// scaling turns x into (x - mean) factor.
type scaling struct{ mean, factor float64 }

// standardize scales the parents in all rows.
func (f *softmaxFit) standardize() []scaling {
	out := make([]scaling, f.width-1)
	for i := range out {
		var column, weights []float64
		total := 0.0
		for _, list := range f.rows {
			for _, e := range list {
				column, weights, total = append(column, e.x[1+i]), append(weights, e.weight), total+e.weight
			}
		}
		if total == 0 {
			continue
		}
		out[i].mean = centre(column, weights, total)
		squares := 0.0
		for k, x := range column {
			squares += float64(weights[k] * float64(x*x))
		}
		if sd := math.Sqrt(squares / total); sd > 1e-12*math.Abs(out[i].mean) {
			out[i].factor = 1 / sd
		}
		for _, list := range f.rows {
			for _, e := range list {
				e.x[1+i] = (e.x[1+i] - out[i].mean) * out[i].factor
			}
		}
	}
	return out
}

// newton returns the weights of the row, state after state.
func (f *softmaxFit) newton() ([]float64, error) {
	w := make([]float64, f.card*f.width)
	if len(f.examples) == 0 {
		return w, nil
	}
	total := f.penalty
	for _, e := range f.examples {
		total += e.weight
	}
	p := optimize.Problem{
		Func: func(w []float64) float64 { return f.loss(w, f.penalty) / total },
		Grad: func(out, w []float64) { f.derive(w, out, nil, total) },
		Hess: func(out *mat.SymDense, w []float64) { f.derive(w, make([]float64, len(w)), out, total) },
	}
	const tolerance, steps = 1e-10, 500
	settings := &optimize.Settings{GradientThreshold: tolerance, MajorIterations: steps, Converger: optimize.NeverTerminate{}}
	r, err := optimize.Minimize(p, w, settings, &optimize.Newton{})
	if r != nil && f.flat(r.X, total) {
		return r.X, nil
	}
	return nil, errors.Join(errors.New("newton's method did not converge"), err)
}

// flat reports whether the gradient is 0 up to the rounding that ends a line search.
func (f *softmaxFit) flat(w []float64, total float64) bool {
	g := make([]float64, len(w))
	f.derive(w, g, nil, total)
	for _, x := range g {
		if !(math.Abs(x) < 1e-6) {
			return false
		}
	}
	return true
}

// logs computes ln of the probabilities of the states.
func (f *softmaxFit) logs(w, x, out []float64) {
	d := model.Softmax{Bias: make([]float64, f.card), Coef: w}
	d.Logs(0, x, out)
}

// loss returns the penalised negative log-likelihood.
func (f *softmaxFit) loss(w []float64, penalty float64) float64 {
	logs, sum := make([]float64, f.card), 0.0
	for _, e := range f.examples {
		f.logs(w, e.x, logs)
		sum -= float64(e.weight * logs[e.state])
	}
	for _, x := range w {
		sum += penalty / 2 * float64(x*x)
	}
	return sum
}

// derive computes the gradient of the loss divided by total, and the second derivatives unless hess
// is nil.
func (f *softmaxFit) derive(w, grad []float64, hess *mat.SymDense, total float64) {
	if hess != nil {
		hess.Zero()
	}
	for i, x := range w {
		grad[i] = f.penalty / total * x
		if hess != nil {
			hess.SetSym(i, i, f.penalty/total)
		}
	}
	p := make([]float64, f.card)
	for _, e := range f.examples {
		f.logs(w, e.x, p)
		for k := range p {
			p[k] = math.Exp(p[k])
		}
		share := e.weight / total
		for k := range p {
			off := p[k]
			if k == e.state {
				off--
			}
			for i, x := range e.x {
				grad[k*f.width+i] += float64(share*off) * x
			}
		}
		if hess != nil {
			f.curve(hess, p, e.x, share)
		}
	}
}

// curve adds the second derivatives by a row of the data.
func (f *softmaxFit) curve(hess *mat.SymDense, p, x []float64, share float64) {
	raw := hess.RawSymmetric()
	for k := range p {
		for l := k; l < len(p); l++ {
			c := -float64(p[k] * p[l])
			if k == l {
				c += p[k]
			}
			c *= share
			for i, a := range x {
				row := raw.Data[(k*f.width+i)*raw.Stride+l*f.width:]
				for j, b := range x {
					if k < l || j >= i {
						row[j] += float64(c*a) * b
					}
				}
			}
		}
	}
}
