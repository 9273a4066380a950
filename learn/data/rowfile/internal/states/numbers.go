package states

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Sorted orders states by value if all are numbers, and by bytes otherwise. State k has the index
// rank[k] in the result.
func Sorted(states []string) (ordered []string, rank []int) {
	values, numeric := Numbers(states)
	order := make([]int, len(states))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if numeric {
			return cmp.Or(cmp.Compare(values[a], values[b]), cmp.Compare(len(states[a]), len(states[b])), strings.Compare(states[a], states[b]))
		}
		return strings.Compare(states[a], states[b])
	})
	ordered, rank = make([]string, len(states)), make([]int, len(states))
	for place, k := range order {
		ordered[place], rank[k] = states[k], place
	}
	return ordered, rank
}

// Numbers returns the numbers that texts are; ok is false unless all are, and none is a code with
// leading zeros.
func Numbers(texts []string) (numbers []float64, ok bool) {
	numbers = make([]float64, len(texts))
	for k, text := range texts {
		if numbers[k], ok = model.Number(text); !ok {
			return nil, false
		}
	}
	return numbers, true
}

// exact returns one text for all texts of a decimal number, of which x is the nearest float64.
// Large whole numbers, such as identifiers of 64 bits, may have the same.
func exact(text string, x float64) string {
	short := strconv.FormatFloat(x, 'g', -1, 64)
	if len(text) <= 15 { // digits: no two such numbers have the same float64
		return short
	}
	number, ok := new(big.Rat).SetString(text)
	rounded, _ := new(big.Rat).SetString(short)
	if !ok || number.Cmp(rounded) == 0 {
		return short
	}
	return number.RatString()
}

// Merge makes one state of those that are the same number, such as 1 and 1.0. The shortest of their
// texts names it, or among equally long ones the first by bytes. The state is in the place of the
// first of them. State k becomes state rank[k]; rank is nil if all remain.
func (d *Dictionary) Merge() (rank []int) {
	numbers, ok := Numbers(d.States)
	if !ok {
		return nil
	}
	place := map[string]int{}
	rank = make([]int, len(d.States))
	var names []string
	for k, number := range numbers {
		decimal := exact(d.States[k], number)
		i, known := place[decimal]
		if !known {
			i = len(names)
			place[decimal], names = i, append(names, d.States[k])
		}
		if rank[k] = i; cmp.Or(cmp.Compare(len(d.States[k]), len(names[i])), cmp.Compare(d.States[k], names[i])) < 0 {
			names[i] = d.States[k]
		}
	}
	if len(names) == len(d.States) {
		return nil
	}
	d.States = names
	return rank
}
