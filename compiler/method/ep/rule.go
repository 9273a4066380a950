package ep

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// mostPoints is the largest number of points of a rule.
const mostPoints = 1 << 12

// pointsOf returns the points of the rule in n dimensions, for code of some operations at each. A
// tangent, of an expression, needs none.
func (x *Options) pointsOf(n, ops int, expression bool) ([]gauss.Point, error) {
	rule := x.Rule
	if rule == taylor && expression {
		return nil, nil
	}
	if rule == automatic || rule == taylor {
		if x.Points == 0 {
			return gauss.AutomaticPoints(n, ops), nil
		}
		if rule = hermite; n > 3 {
			rule = precision5
		}
	}
	switch {
	case n == 0:
		return []gauss.Point{{Weight: 1}}, nil
	case rule == unscented:
		return gauss.UnscentedPoints(n, x.Spread), nil
	case rule == precision5:
		return gauss.Precision5Points(n), nil
	}
	m := x.Points
	if m == 0 {
		m = gauss.HermitePoints(n)
	}
	if math.Pow(float64(m), float64(n)) > mostPoints {
		return nil, diag.Errorf("rule hermite has %d points in each of %d dimensions; limit: %d in all; try rule %s", m, n, mostPoints, precision5)
	}
	return gauss.GridPoints(n, m), nil
}
