package growing

import "math/rand/v2"

// spare is how probable it is that a restart leaves a split out, and with it those that follow from it. With one in a hundred it leaves some
// five in a hundred out; on plants one in two hundred is as good, and one in thirty worse.
const spare = 0.01

// Regrow makes the splits of a search again but for a random few, those that follow from them, and those that are too large now that others
// are missing. There are so many things to split at first, and two more after each split. It gives what the number of each thing is now, -1
// where it is gone.
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
