package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// linear is a linear Gaussian system: states x' = A x + w with w of covariance Q, and measurements
// z = H x + e with e of the variances R. The states of slice 0 are independent with variance Start.
type linear struct {
	A, Q, H [][]float64
	R       []float64
	Start   float64
}

// model returns the system as a template. Correlated noise becomes the regression of each state on
// those after it in the slice, so that velocities do without positions. Its coefficients are those
// of the inverse of L where Q, with its order reversed, is L D L'.
func (s *linear) model(name string) *model.Model {
	n := len(s.A)
	m := &model.Model{Name: name, Transition: &model.Transition{}}
	for i := range n {
		x := m.NewReal(fmt.Sprint("x", i)).ID
		m.Transition.Before = append(m.Transition.Before, x)
		m.Factors = append(m.Factors, normal(x, nil, nil, s.Start))
	}
	var sensors []*model.Factor
	for k := range s.H {
		sensors = append(sensors, normal(m.NewReal(fmt.Sprint("z", k)).ID, m.Transition.Before, s.H[k], s.R[k]))
	}
	reversed := make([][]float64, n)
	for i := range n {
		reversed[i] = slices.Clone(s.Q[n-1-i])
		slices.Reverse(reversed[i])
	}
	l, d := decompose(reversed)
	var on [][]float64 // by state, the last one first: its coefficients of those after it
	for i := range n {
		within := slices.Clone(l[i][:i])
		for j := range i {
			for k := range j {
				within[k] -= float64(l[i][j] * on[j][k])
			}
		}
		on = append(on, within)
		coef := slices.Clone(s.A[n-1-i])
		var parents []model.VarID
		for k := range n {
			parents = append(parents, model.VarID(len(m.Vars)+k))
		}
		for j := range i {
			for k := range n {
				coef[k] -= float64(within[j] * s.A[n-1-j][k])
			}
			parents = append(parents, m.Transition.Before[n-1-j])
		}
		m.Transition.Factors = append(m.Transition.Factors, normal(m.Transition.Before[n-1-i], parents, append(coef, within...), d[i]))
	}
	m.Factors, m.Transition.Factors = append(m.Factors, sensors...), append(m.Transition.Factors, sensors...)
	return m
}

// normal returns the CPD of x, of mean 0 where its parents are 0. Parents without effect are left
// out.
func normal(x model.VarID, on []model.VarID, coef []float64, variance float64) *model.Factor {
	f, d := &model.Factor{}, &model.Gaussian{Mean: []float64{0}, Var: []float64{variance}}
	for i, v := range on {
		if math.Abs(coef[i]) > 1e-14 {
			f.Scope, d.Coef = append(f.Scope, v), append(d.Coef, coef[i])
		}
	}
	f.Child, f.Dist = len(f.Scope), d
	f.Scope = append(f.Scope, x)
	return f
}

// decompose returns the unit lower triangle L and the diagonal D of a positive definite matrix
// L D L'.
func decompose(q [][]float64) (l [][]float64, d []float64) {
	for i := range q {
		row, left := make([]float64, i+1), q[i][i]
		for j := range i {
			x := q[i][j]
			for k := range j {
				x -= float64(row[k] * l[j][k] * d[k])
			}
			row[j] = x / d[j]
			left -= float64(row[j] * row[j] * d[j])
		}
		row[i] = 1
		l, d = append(l, row), append(d, left)
	}
	return l, d
}

// draw returns the measurements of n slices, one slice after another.
func (s *linear) draw(n int, r *rand.Rand) (z []float64) {
	x := make([]float64, len(s.A))
	l, d := decompose(s.Q)
	for i := range x {
		x[i] = r.NormFloat64() * math.Sqrt(s.Start)
	}
	for t := range n {
		if t > 0 {
			next, noise := make([]float64, len(x)), make([]float64, len(x))
			for i := range x {
				noise[i] = r.NormFloat64() * math.Sqrt(d[i])
				for j, y := range l[i] {
					next[i] += float64(y * noise[j])
				}
				next[i] += dot(s.A[i], x)
			}
			x = next
		}
		for k := range s.H {
			z = append(z, dot(s.H[k], x)+r.NormFloat64()*math.Sqrt(s.R[k]))
		}
	}
	return z
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// data returns the numbers that the peers read, with the measurements z.
func (s *linear) data(z []float64) []float64 {
	n, m := len(s.A), len(s.H)
	list := []float64{float64(len(z) / m), float64(n), float64(m)}
	diagonal := func(n int, of func(i int) float64) {
		for i := range n {
			for j := range n {
				x := 0.0
				if i == j {
					x = of(i)
				}
				list = append(list, x)
			}
		}
	}
	for _, rows := range [][][]float64{s.A, s.Q, s.H} {
		for _, row := range rows {
			list = append(list, row...)
		}
	}
	diagonal(m, func(i int) float64 { return s.R[i] })
	diagonal(n, func(int) float64 { return s.Start })
	return append(list, z...)
}

// velocity returns constant velocity along the given number of axes, of which positions are
// measured. With together, accelerations along the axes are correlated.
func velocity(axes int, together float64) *linear {
	const step, noise = 1.0, .1
	s := &linear{Start: 10}
	for i := range axes {
		for k := range 2 {
			a, q := make([]float64, 2*axes), make([]float64, 2*axes)
			a[2*i+k] = 1
			if k == 0 {
				a[2*i+1] = step
			}
			for j := range axes {
				share := noise
				if j != i {
					share *= together
				}
				block := [][]float64{{step * step * step / 3, step * step / 2}, {step * step / 2, step}}[k]
				q[2*j], q[2*j+1] = share*block[0], share*block[1]
			}
			s.A, s.Q = append(s.A, a), append(s.Q, q)
		}
		h := make([]float64, 2*axes)
		h[2*i] = 1
		s.H, s.R = append(s.H, h), append(s.R, 1)
	}
	return s
}

// dense returns a stable system of n states and m measurements without a zero.
func dense(n, m int, r *rand.Rand) *linear {
	s := &linear{Start: 10}
	row := func(scale float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = scale * (.2 + r.Float64())
		}
		return x
	}
	var root [][]float64
	for range n {
		s.A, root = append(s.A, row(.8/float64(n))), append(root, row(.3))
	}
	for i := range n {
		q := make([]float64, n)
		for j := range q {
			q[j] = dot(root[i], root[j])
		}
		q[i] += .1
		s.Q = append(s.Q, q)
	}
	for range m {
		s.H, s.R = append(s.H, row(1)), append(s.R, 1)
	}
	return s
}

// rotation returns the two-dimensional system that the authors of RxInfer measure: a rotation by
// pi/15 whose coordinates are measured with much noise.
func rotation() *linear {
	sin, cos := math.Sincos(math.Pi / 15)
	return &linear{A: [][]float64{{cos, -sin}, {sin, cos}}, Q: [][]float64{{.05, 0}, {0, .05}}, H: [][]float64{{1.3, 0}, {0, .7}}, R: []float64{10, 10}, Start: 100}
}
