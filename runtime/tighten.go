package pgmrt

import "math"

// tighten moves energies between pairs of variables and triplets of pairs, so that the bound of a
// relaxation grows (Sontag, Meltzer, Globerson, Jaakkola and Weiss 2008, Tightening LP relaxations
// for MAP using message passing). The energy of a pair is its table's plus the messages of its
// variables. A triplet over three variables has three tables like its pairs'. No move changes the
// energy of a joint state.
//
// A cycle is one triplet, or two with a common pair, the chord, which makes four variables a cycle
// of four pairs. All cycles sleep until the bound stalls. Then those that promise the largest gains
// wake up, so that the evidence decides.
type tighten struct {
	s                 []float64
	pairs, triplets   int
	rows, columns     []int32 // by pair: the numbers of states of its variables
	sides             []int32 // by triplet: its pairs; with variables a < b < c those of ab, ac and bc
	cycles            []int32 // by cycle: its triplets, the second -1 if there is one, and the place of the chord in each
	table             []int32 // by pair: the offset of its table in s
	to                []int32 // by pair: the offsets of the messages of its two variables, or -1
	share             []int32 // by triplet and place: the offset of a table like that of the pair
	work              []float64
	awake             []int32 // by cycle: 1 if it has woken up; by triplet the same
	largest           int     // of the tables of pairs
	most              int     // cycles that may wake up
	residual, bound   *float64
	gain, gap, rounds float64
}

// The words of TightenBound after the place of the states, up to those for each pair.
const (
	tightenPairs = 1 + iota
	tightenTriplets
	tightenCycles
	tightenLargest
	tightenMost
	tightenHeader
)

// cycleWords is the number of words of a cycle.
const cycleWords = 4

// tightenOf reads the words of TightenBound: the place of the states; the numbers of pairs, of
// triplets and of cycles, the largest number of joint states of a pair, and of cycles that may wake
// up; by pair the numbers of states of its variables; by triplet its pairs; by cycle its triplets
// and the places of the chord; then the offsets of the messages of the variables of pairs, of the
// last gain of the bound, of the least energy so far, of the bound before and of the number of
// rounds; of work memory and of integers; of the residual, of the bound, of the tables of pairs and
// of triplets. A pair without messages is a chord that is no factor.
func tightenOf(k []int32, s []float64, t []int32) (c tighten) {
	pairs, triplets, cycles := int(k[tightenPairs]), int(k[tightenTriplets]), int(k[tightenCycles])
	words := k[tightenHeader:]
	take := func(n int) []int32 {
		part := words[:n]
		words = words[n:]
		return part
	}
	c = tighten{s: s, pairs: pairs, triplets: triplets, largest: int(k[tightenLargest]), most: int(k[tightenMost])}
	c.rows, c.columns = take(pairs), take(pairs)
	c.sides, c.cycles = take(3*triplets), take(cycleWords*cycles)
	c.to = take(2 * pairs)
	run := take(4)
	c.gain, c.gap, c.rounds = s[run[0]], s[run[1]]-s[run[2]], s[run[3]]
	c.work = s[take(1)[0]:][:cycles+4*c.largest]
	c.awake = t[take(1)[0]:][:cycles+triplets]
	c.residual, c.bound = &s[take(1)[0]], &s[take(1)[0]]
	c.table, c.share = take(pairs), take(3*triplets)
	return c
}

// The bound has stalled if it closed less than stallShare of the gap in a round. Then at least
// leastWake cycles wake up, or wakeShare of those that may, if each gains leastGain by itself.
const (
	stallShare = 1e-2
	leastWake  = 5
	wakeShare  = 20
	leastGain  = 1e-6
)

// TightenBound adds to the bound the contributions of chords, and if the bound has stalled wakes up
// cycles and raises the residual to their gain. Then it updates the triplets that are awake. For
// the words see tightenOf.
func TightenBound(k []int32, s, _ []float64, t []int32, _ *Rand) {
	c := tightenOf(k, s, t)
	if c.rounds == 0 {
		clear(c.awake)
	}
	for p := range int32(c.pairs) {
		if c.to[2*p] < 0 && c.to[2*p+1] < 0 {
			*c.bound += c.least(p)
		}
	}
	cycles := len(c.cycles) / cycleWords
	if c.rounds >= 2 && c.gap > proofGap && c.gain <= float64(stallShare*c.gap) {
		c.wake()
	}
	for t, on := range c.awake[cycles:] {
		if on != 0 {
			c.update(t)
		}
	}
}

// wake wakes up the cycles that promise the largest gains.
func (c *tighten) wake() {
	gains := c.work[:len(c.cycles)/cycleWords]
	asleep := c.most
	for i := range gains {
		gains[i] = -1
		if c.awake[i] == 0 {
			gains[i] = c.promise(i)
		} else {
			asleep--
		}
	}
	for range min(asleep, max(leastWake, c.most/wakeShare)) {
		best := 0
		for i, g := range gains {
			if g > gains[best] {
				best = i
			}
		}
		if len(gains) == 0 || gains[best] < leastGain {
			return
		}
		*c.residual = max(*c.residual, gains[best])
		gains[best] = -1
		c.awake[best] = 1
		for _, t := range c.cycles[cycleWords*best:][:2] {
			if t >= 0 {
				c.awake[len(gains)+int(t)] = 1
			}
		}
	}
}

// energy returns the energy of states of the variables of a pair.
func (c *tighten) energy(p int32, x, y int) float64 {
	e := c.s[int(c.table[p])+x*int(c.columns[p])+y]
	if at := c.to[2*p]; at >= 0 {
		e += c.s[int(at)+x]
	}
	if at := c.to[2*p+1]; at >= 0 {
		e += c.s[int(at)+y]
	}
	return e
}

// least returns the least energy of a pair.
func (c *tighten) least(p int32) float64 {
	low := math.Inf(1)
	for x := range int(c.rows[p]) {
		for y := range int(c.columns[p]) {
			low = min(low, c.energy(p, x, y))
		}
	}
	return low
}

// promise returns by how much the bound would grow if only the pairs of cycle i were joined: the
// difference between the least energy of the cycle and the sum of the least energies of its pairs.
func (c *tighten) promise(i int) float64 {
	cycle := c.cycles[cycleWords*i:][:cycleWords]
	chord := c.sides[3*cycle[0]+cycle[2]]
	sum := c.work[len(c.cycles)/cycleWords:][:c.rows[chord]*c.columns[chord]]
	for x := range int(c.rows[chord]) {
		for y := range int(c.columns[chord]) {
			sum[x*int(c.columns[chord])+y] = c.energy(chord, x, y)
		}
	}
	alone := c.least(chord)
	for k, t := range cycle[:2] {
		if t >= 0 {
			alone += c.join(t, cycle[2+k], sum)
		}
	}
	low := math.Inf(1)
	for _, e := range sum {
		low = min(low, e)
	}
	if low >= impossible || alone >= impossible {
		return -1
	}
	return low - alone
}

// join adds to sum, for the states of the chord of a triplet, the least energy of its other pairs.
// It returns the sum of what these have by themselves.
func (c *tighten) join(t, chord int32, sum []float64) (alone float64) {
	side := c.sides[3*t:][:3]
	n := [...]int{int(c.rows[side[0]]), int(c.columns[side[0]]), int(c.columns[side[1]])}
	first, second, free := 0, 1, 2 // the variables of the chord, and the other one
	if chord > 0 {
		second, free = 2, 1
	}
	if chord == 2 {
		first, free = 1, 0
	}
	var at [3]int
	for at[first] = range n[first] {
		for at[second] = range n[second] {
			low := math.Inf(1)
			for at[free] = range n[free] {
				e := 0.0
				for place, p := range side {
					if int32(place) != chord {
						x, y := tripletStates(place, &at)
						e += c.energy(p, x, y)
					}
				}
				low = min(low, e)
			}
			sum[at[first]*n[second]+at[second]] += low
		}
	}
	for place, p := range side {
		if int32(place) != chord {
			alone += c.least(p)
		}
	}
	return alone
}

// tripletStates returns the states of the pair at a place of a triplet, given the states of its
// three variables.
func tripletStates(place int, at *[3]int) (x, y int) {
	switch place {
	case 0:
		return at[0], at[1]
	case 1:
		return at[0], at[2]
	}
	return at[1], at[2]
}

// update joins the energies of a triplet and its pairs, and gives each pair a third of the least
// energy of the triplet for its states. The rest, which is at least 0, stays with the triplet.
func (c *tighten) update(t int) {
	side := c.sides[3*t:][:3]
	var low [3][]float64 // by place: the least energy of all for the states of the pair
	for place := range low {
		low[place] = c.work[len(c.cycles)/cycleWords+place*c.largest:][:c.largest]
		for i := range low[place] {
			low[place][i] = math.Inf(1)
		}
	}
	var at [3]int
	for at[0] = range int(c.rows[side[0]]) {
		for at[1] = range int(c.columns[side[0]]) {
			for at[2] = range int(c.columns[side[1]]) {
				e := 0.0
				for place, p := range side {
					x, y := tripletStates(place, &at)
					e += c.energy(p, x, y) + c.s[int(c.share[3*t+place])+x*int(c.columns[p])+y]
				}
				for place, p := range side {
					x, y := tripletStates(place, &at)
					row := low[place]
					row[x*int(c.columns[p])+y] = min(row[x*int(c.columns[p])+y], e)
				}
			}
		}
	}
	for place, p := range side {
		c.move(p, c.s[c.share[3*t+place]:], low[place])
	}
}

// move gives pair p a third of the energies low for its states.
func (c *tighten) move(p int32, share, low []float64) {
	table := c.s[c.table[p]:]
	for x := range int(c.rows[p]) {
		for y := range int(c.columns[p]) {
			i := x*int(c.columns[p]) + y
			if low[i] >= impossible {
				table[i] = math.Inf(1)
				continue
			}
			change := low[i]/3 - c.energy(p, x, y)
			table[i] += change
			share[i] -= change
		}
	}
}
