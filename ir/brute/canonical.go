package brute

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// canonicals reports whether m is a Markov network with canonical potentials for its real
// variables.
func canonicals(m *model.Model) bool {
	return m.Kind == model.Markov && m.Traits()&model.Canonicals != 0
}

// potentials sets the prior moments of a component of a Markov network to the moments of the
// product of its canonical potentials, and its weight to the integral. It returns false if a
// potential is 0, and an error if there is no integral.
func (p *Part) potentials(m *model.Model) (possible bool, err error) {
	all := m.Reals()
	n := len(all)
	k, h := make([][]*big.Rat, n), make([]*big.Rat, n) // k has the identity beside it
	for i := range n {
		h[i] = new(big.Rat)
		for j := range 2 * n {
			k[i] = append(k[i], new(big.Rat))
			if j == n+i {
				k[i][j].SetInt64(1)
			}
		}
	}
	for _, f := range m.Factors {
		d, ok := f.Dist.(*model.Canonical)
		if !ok {
			continue
		}
		discrete, real := m.SplitParents(f)
		row := 0
		for _, u := range discrete {
			row = row*m.Card(u) + p.State[u]
		}
		upper, linear, g := d.Row(row)
		if math.IsInf(g, -1) {
			return false, nil
		}
		p.quad.Sub(p.quad, times(big.NewRat(2, 1), rat(g)))
		for i, v := range real {
			x := slices.Index(all, v)
			h[x].Add(h[x], rat(linear[i]))
			for j, w := range real[i:] {
				y := slices.Index(all, w)
				k[x][y].Add(k[x][y], rat(upper[j]))
				if j > 0 {
					k[y][x].Add(k[y][x], rat(upper[j]))
				}
			}
			upper = upper[len(real)-i:]
		}
	}
	if !p.invert(k) {
		return false, fmt.Errorf("the canonical potentials of %q have no finite integral", m.Name)
	}
	p.zero(len(m.Vars))
	p.seen -= n
	for i, v := range all {
		for j, w := range all {
			p.mean[v].Add(p.mean[v], times(k[i][n+j], h[j]))
			p.at(v, w).Set(k[i][n+j])
		}
		p.quad.Sub(p.quad, times(h[i], p.mean[v]))
	}
	return true, nil
}

// invert replaces the second half of the columns of k by the inverse of the first, and multiplies
// the determinant of p by k's. It returns false if k is not positive definite.
func (p *Part) invert(k [][]*big.Rat) bool {
	for i := range k {
		pivot := new(big.Rat).Set(k[i][i])
		if pivot.Sign() <= 0 {
			return false
		}
		p.det.Mul(p.det, pivot)
		for c := range k[i] {
			k[i][c].Quo(k[i][c], pivot)
		}
		for r := range k {
			by := new(big.Rat).Set(k[r][i])
			if r == i || by.Sign() == 0 {
				continue
			}
			for c := range k[r] {
				k[r][c].Sub(k[r][c], times(by, k[i][c]))
			}
		}
	}
	return true
}
