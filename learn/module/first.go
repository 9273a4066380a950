package module

import (
	"math"

	"github.com/pgmc-go/pgmc/learn/score"
)

// first returns the modules to start from, without parents: it merges the two groups of variables
// whose states agree most, on average and beyond chance, until there are few enough.
func first(s *score.Scorer, kinds []int, most int) []module {
	n := len(kinds)
	list, alike := make([]module, n), make([][]float64, n)
	for x := range n {
		list[x].members, alike[x] = []int{x}, make([]float64, n)
		for y := range x {
			alike[x][y] = agreement(s, kinds, y, x)
			alike[y][x] = alike[x][y]
		}
	}
	for len(list) > most {
		a, b := nearest(list, alike, kinds)
		for _, v := range list[b].members {
			list[a].members = toggled(list[a].members, v)
		}
		list = append(list[:b], list[b+1:]...)
	}
	for len(list) < most {
		list = append(list, module{})
	}
	return list
}

// agreement returns the share of rows in which two variables have the same state, less the share
// that independent ones would have.
func agreement(s *score.Scorer, kinds []int, x, y int) float64 {
	if kinds[x] != kinds[y] {
		return math.Inf(-1)
	}
	card, n := s.Counter.Card(x), s.Counter.Counts(x, y)
	a, b, all, same := make([]float64, card), make([]float64, card), 0.0, 0.0
	for i := range card {
		for j := range card {
			a[i] += n[i*card+j]
			b[j] += n[i*card+j]
			all += n[i*card+j]
		}
		same += n[i*card+i]
	}
	if all == 0 {
		return 0
	}
	for i := range card {
		same -= a[i] * b[i] / all
	}
	return same / all
}

// nearest returns the two groups of one kind, a before b, of the highest mean agreement.
func nearest(list []module, alike [][]float64, kinds []int) (a, b int) {
	best := score.Best[[2]int]{Over: math.Inf(-1), Tie: 1e-12}
	for j, m := range list {
		for i, k := range list[:j] {
			if kinds[m.members[0]] != kinds[k.members[0]] {
				continue
			}
			sum := 0.0
			for _, x := range k.members {
				for _, y := range m.members {
					sum += alike[x][y]
				}
			}
			best.Add([2]int{i, j}, sum/float64(len(k.members)*len(m.members)))
		}
	}
	pair, _, _ := best.First()
	return pair[0], pair[1]
}
