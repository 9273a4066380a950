package independence

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
)

// MaxTables is the most tables, and the most sums of their statistics, that an exact p-value looks
// at. The tables have at most maxTableCells cells.
const (
	MaxTables     = 1 << 13
	maxTableCells = 1 << 20
)

// atLeast is how much smaller than the statistic of the counts a statistic may be and still count
// as large: rounding.
const atLeast = 1e-9

// share is a value of the statistic and the probability of it, or of all tables that have it.
type share struct{ statistic, p float64 }

// ExactPValue returns the probability that the statistic of counts with the same sums of rows and
// columns, in each state of the others, is as large as for the counts n; see [Statistic] for the
// layout. Under independence, counts with these sums have the multivariate hypergeometric
// distribution. ok is false if there are more than MaxTables tables, or if counts are no integers.
//
// Source: Koller and Friedman, section 18.2.2.3, with the sums given, as Fisher 1922 has them, so
// that no parameters are unknown.
func ExactPValue(kind string, n []float64, cardX, cardY int) (p float64, ok bool) {
	observed, _, rows := Statistic(kind, n, cardX, cardY)
	sums := []share{{0, 1}}
	for table := range slices.Chunk(n, cardX*cardY) {
		e := &enumeration{kind: kind, cardY: cardY, table: make([]float64, len(table)), left: min(MaxTables, maxTableCells/len(table))}
		byX, byY := make([]float64, cardX), make([]float64, cardY)
		all := margins(table, byX, byY)
		if slices.ContainsFunc(table, func(x float64) bool { return x != math.Trunc(x) }) || all > MaxTables {
			return 0, false
		}
		e.fill(0, byX, byY, lnFactorials(byX)+lnFactorials(byY)-lnFactorial(all))
		if e.left < 0 {
			return 0, false
		}
		if sums, ok = convolve(sums, e.list); !ok {
			return 0, false
		}
	}
	if kind == "mi" && rows > 0 {
		observed *= 2 * rows
	}
	for _, s := range sums {
		if s.statistic >= observed-atLeast*max(1, observed) {
			p += s.p
		}
	}
	return min(1, p), true
}

// enumeration lists the tables with given sums of rows and columns.
type enumeration struct {
	kind  string
	cardY int
	table []float64
	left  int // tables that may still be listed; negative after too many
	list  []share
}

// fill fills the cells from at on. byX and byY hold what is left of the sums; logP is the logarithm
// of the probability of the table without the factorials of the cells from at on.
func (e *enumeration) fill(at int, byX, byY []float64, logP float64) {
	if e.left < 0 {
		return
	}
	if at == len(e.table) {
		e.left--
		kind := e.kind
		if kind == "mi" {
			kind = "g"
		}
		statistic, _, _ := Statistic(kind, e.table, len(e.table)/e.cardY, e.cardY)
		e.list = append(e.list, share{statistic, math.Exp(logP)})
		return
	}
	x, y := at/e.cardY, at%e.cardY
	low, high := 0., min(byX[x], byY[y])
	if y == e.cardY-1 {
		low = byX[x] // the row ends
	}
	if x == len(byX)-1 {
		low = max(low, byY[y]) // the column ends
	}
	for k := low; k <= high; k++ {
		e.table[at] = k
		byX[x] -= k
		byY[y] -= k
		e.fill(at+1, byX, byY, logP-lnFactorial(k))
		byX[x] += k
		byY[y] += k
	}
}

// convolve returns the distribution of the sum of two independent statistics. ok is false if it has
// too many values.
func convolve(a, b []share) (list []share, ok bool) {
	if len(a)*len(b) > 16*MaxTables {
		return nil, false
	}
	for _, x := range a {
		for _, y := range b {
			list = append(list, share{x.statistic + y.statistic, x.p * y.p})
		}
	}
	slices.SortFunc(list, func(x, y share) int {
		if x.statistic < y.statistic {
			return -1
		}
		return 1
	})
	kept := list[:0]
	for _, s := range list {
		if k := len(kept); k > 0 && s.statistic-kept[k-1].statistic <= atLeast/16*max(1, s.statistic) {
			kept[k-1].p += s.p
		} else {
			kept = append(kept, s)
		}
	}
	return kept, len(kept) <= MaxTables
}

// PermutedPValue estimates the probability of [ExactPValue] by random tables: the share of those
// with as large a statistic, the counts themselves among them. The same counts have the same
// p-value.
func PermutedPValue(kind string, n []float64, cardX, cardY, permutations int) float64 {
	if kind == "mi" {
		kind = "g"
	}
	observed, _, _ := Statistic(kind, n, cardX, cardY)
	hash := fnv.New64a()
	for _, x := range n {
		hash.Write([]byte{byte(int64(x)), byte(int64(x) >> 8), byte(int64(x) >> 16), byte(int64(x) >> 24)})
	}
	rng := rand.New(rand.NewPCG(hash.Sum64(), uint64(len(n))))
	table, large := make([]float64, len(n)), 1
	byX, byY := make([]float64, cardX), make([]float64, cardY)
	for range permutations {
		for i := 0; i < len(n); i += cardX * cardY {
			margins(n[i:i+cardX*cardY], byX, byY)
			draw(rng, table[i:i+cardX*cardY], byX, byY)
		}
		if s, _, _ := Statistic(kind, table, cardX, cardY); s >= observed-atLeast*max(1, observed) {
			large++
		}
	}
	return float64(large) / float64(permutations+1)
}

// draw draws a table with given sums, which it changes, cell by cell.
func draw(rng *rand.Rand, table, byX, byY []float64) {
	cardY := len(byY)
	for x := range byX {
		rest := 0. // of the columns from y on
		for _, k := range byY {
			rest += k
		}
		for y := range byY {
			k := hypergeometric(rng, byX[x], byY[y], rest)
			rest -= byY[y]
			byX[x] -= k
			byY[y] -= k
			table[x*cardY+y] = k
		}
	}
}

// hypergeometric draws the number of marked ones among drawn ones of all, by inversion outwards
// from the mode.
func hypergeometric(rng *rand.Rand, drawn, marked, all float64) float64 {
	low, high := max(0, drawn+marked-all), min(drawn, marked)
	if low == high {
		return low
	}
	mode := min(high, max(low, math.Floor((drawn+1)*(marked+1)/(all+2))))
	p := math.Exp(lnFactorial(marked) - lnFactorial(mode) - lnFactorial(marked-mode) +
		lnFactorial(all-marked) - lnFactorial(drawn-mode) - lnFactorial(all-marked-drawn+mode) -
		lnFactorial(all) + lnFactorial(drawn) + lnFactorial(all-drawn))
	u := rng.Float64() - p
	up, down, pUp, pDown := mode, mode, p, p
	for u > 0 && (up < high && pUp > 0 || down > low && pDown > 0) {
		if up < high {
			pUp *= (marked - up) * (drawn - up) / ((up + 1) * (all - marked - drawn + up + 1))
			up++
			if u -= pUp; u <= 0 {
				return up
			}
		}
		if down > low {
			pDown *= down * (all - marked - drawn + down) / ((marked - down + 1) * (drawn - down + 1))
			down--
			if u -= pDown; u <= 0 {
				return down
			}
		}
	}
	return mode
}

func lnFactorials(list []float64) (sum float64) {
	for _, n := range list {
		sum += lnFactorial(n)
	}
	return sum
}

func lnFactorial(n float64) float64 {
	x, _ := math.Lgamma(n + 1)
	return x
}
