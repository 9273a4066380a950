package growing

import "math/rand/v2"

// spare is the probability with which a restart omits a split, and with it all splits that depend
// on it. At 1/100 some 5 % are omitted; on plants 1/200 is as good and 1/30 is worse.
const spare = 0.01

// Regrow repeats the splits of a search without a random few, the splits that depend on those, and
// splits that now exceed maxEdges. Before the first split, things can be split; each split adds two
// more. Regrow returns the new number of each thing, or -1 if it is gone.
func (p *Planner) Regrow(b *Best, seed uint64, search, things, maxEdges int, split func(Step) Split, apply func(Step)) []int32 {
	rng := rand.New(rand.NewPCG(seed, uint64(search)))
	number := make([]int32, 0, things+2*len(b.Steps))
	for i := range things {
		number = append(number, int32(i))
	}
	next := int32(things)
	for _, x := range b.Steps {
		out := rng.Float64() < spare
		if x.Of = number[x.Of]; !out && x.Of >= 0 {
			room := maxEdges - p.c.edges
			cost, _ := p.Cost(split(x), room)
			out = cost > room
		}
		if out || x.Of < 0 {
			number = append(number, -1, -1)
			continue
		}
		apply(x)
		number = append(number, next, next+1)
		next += 2
	}
	return number
}
