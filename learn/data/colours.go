package data

import (
	"cmp"
	"math"
	"slices"
)

// colouring tells columns apart by colours of rows and columns: the colour of a row is a hash of
// the colours and values of its columns, and the colour of a column a hash of the colours and
// values of its rows. If columns still share a colour when colours no longer change, each of them
// in turn gets a colour of its own. The choice with the least hash of the table wins, and the first
// name wins among choices with the same hash: they are exchangeable.
//
// Source: McKay and Piperno 2014, Practical graph isomorphism II, for refinement, colours of one's
// own and pruning by automorphisms.
type colouring struct {
	set *Set
	// groups holds groups of equal columns, which are exchangeable, in the order of names. Colours
	// are by group. A colour is the number of groups with lower ones.
	groups [][]int
	room   int // number of cells that may still be read
}

// A colouring reads 2^26 cells, or the data sixteen times if that is more: up to a second for a
// million rows of alarm. After that, names decide about columns that share a colour.
const (
	leastColouring = 1 << 26
	mostReadings   = 16
)

// separate returns columns in canonical order. order holds all columns; ties are next to each other
// in the order of names.
func (s *Set) separate(order []int, tie func(a, b int) bool) []int {
	c := &colouring{set: s, room: max(leastColouring, mostReadings*s.rows*len(s.Vars))}
	var colours []int
	for to := 0; to < len(order); {
		from := to
		for to++; to < len(order) && tie(order[from], order[to]); {
			to++
		}
		base := len(c.groups)
		c.groups = append(c.groups, s.equals(order[from:to])...)
		for i := range c.groups[base:] {
			first := slices.IndexFunc(c.groups[base:], func(g []int) bool { return len(g) == len(c.groups[base+i]) })
			colours = append(colours, base+first)
		}
	}
	sorted := make([][]int, len(c.groups))
	for i, colour := range c.search(colours) {
		sorted[colour] = c.groups[i]
	}
	return slices.Concat(sorted...)
}

// equals returns the groups of equal columns among some, the smallest groups first.
func (s *Set) equals(columns []int) (groups [][]int) {
	if len(columns) == 1 {
		return [][]int{columns}
	}
	rows, at := make([]uint64, s.rows), map[uint64]int{}
	for row := range rows {
		rows[row] = scatter(uint64(row))
	}
	for _, v := range columns {
		hash := s.colourColumn(v, rows)
		if i, ok := at[hash]; ok && s.equal(groups[i][0], v) {
			groups[i] = append(groups[i], v)
		} else {
			at[hash] = len(groups)
			groups = append(groups, []int{v})
		}
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return cmp.Compare(len(a), len(b)) })
	return groups
}

// equal reports whether two columns of one kind have the same values.
func (s *Set) equal(v, w int) bool {
	if !slices.Equal(s.columns[v].Bytes, s.columns[w].Bytes) || !slices.Equal(s.columns[v].Words, s.columns[w].Words) {
		return false
	}
	x, y := s.Real(v), s.Real(w)
	for row := range x {
		if s.columns[v].At(row) != Missing && math.Float64bits(x[row]) != math.Float64bits(y[row]) {
			return false
		}
	}
	return true
}

// search returns the canonical choice of different colours that refine given ones. It ends when the
// room is used up.
func (c *colouring) search(colours []int) []int {
	colours = c.refine(colours)
	var choices [][]int
	var ends []uint64 // by choice: the certificate of one way to go on
	for _, i := range shared(colours) {
		if c.room <= 0 {
			return c.refine(colours)
		}
		choice := alone(colours, i)
		end := c.refine(choice)
		for more := shared(end); more != nil; more = shared(end) {
			end = c.refine(alone(end, more[0]))
		}
		if hash := c.certificate(end); !slices.Contains(ends, hash) {
			choices, ends = append(choices, choice), append(ends, hash)
		}
	}
	switch len(choices) {
	case 0:
		return colours
	case 1:
		return c.search(choices[0])
	}
	var best []int
	var least uint64
	for _, choice := range choices {
		if c.room <= 0 {
			return c.refine(colours)
		}
		found := c.search(choice)
		if hash := c.certificate(found); best == nil || hash < least {
			best, least = found, hash
		}
	}
	return best
}

// shared returns the groups of the lowest colour that several have; nil if there is none.
func shared(colours []int) (list []int) {
	lowest := slices.IndexFunc(counts(colours), func(n int) bool { return n > 1 })
	for i, colour := range colours {
		if lowest >= 0 && colour == lowest {
			list = append(list, i)
		}
	}
	return list
}

// counts returns how many groups have each colour.
func counts(colours []int) []int {
	n := make([]int, len(colours))
	for _, colour := range colours {
		n[colour]++
	}
	return n
}

// alone returns the colours with group i before the others of its colour.
func alone(colours []int, i int) []int {
	out := slices.Clone(colours)
	for k, colour := range colours {
		if k != i && colour == colours[i] {
			out[k]++
		}
	}
	return out
}

// refine splits colours until they are stable. When the room is used up, the order of groups, which
// is by name, splits them.
func (c *colouring) refine(colours []int) []int {
	for shared(colours) != nil {
		order, hashes := make([]int, len(colours)), make([]uint64, len(colours))
		for i := range order {
			order[i] = i
		}
		if c.room > 0 {
			rows, n := c.rows(colours), counts(colours)
			for i, colour := range colours {
				if n[colour] > 1 {
					hashes[i] = c.set.colourColumn(c.groups[i][0], rows)
					c.room -= c.set.rows
				}
			}
		}
		slices.SortStableFunc(order, func(i, k int) int {
			return cmp.Or(cmp.Compare(colours[i], colours[k]), cmp.Compare(hashes[i], hashes[k]))
		})
		next := make([]int, len(colours))
		for at, i := range order {
			next[i] = at
			if at > 0 && c.room > 0 {
				if last := order[at-1]; colours[last] == colours[i] && hashes[last] == hashes[i] {
					next[i] = next[last]
				}
			}
		}
		if slices.Equal(next, colours) {
			break
		}
		colours = next
	}
	return colours
}

// rows returns the colours of rows.
func (c *colouring) rows(colours []int) []uint64 {
	rows := make([]uint64, c.set.rows)
	for i, g := range c.groups {
		c.set.colourRows(rows, g[0], uint64(colours[i]))
	}
	c.set.weigh(rows)
	c.room -= c.set.rows * len(c.groups)
	return rows
}

// certificate returns a hash of the table with colours for columns, of which the order of rows is
// no part.
func (c *colouring) certificate(colours []int) (hash uint64) {
	for _, x := range c.rows(colours) {
		hash += x
	}
	return hash
}

// weigh turns the sums of hashes of rows into their colours. A whole weight counts like as many
// rows.
func (s *Set) weigh(rows []uint64) {
	whole := s.wholeWeights()
	for row, x := range rows {
		switch {
		case s.weights == nil:
			rows[row] = scatter(x)
		case whole:
			rows[row] = scatter(x) * uint64(s.weights[row])
		default:
			rows[row] = scatter(x ^ scatter(math.Float64bits(s.weights[row])))
		}
	}
}

// colourRows adds hashes of a colour and the value of a column to the colours of rows.
func (s *Set) colourRows(rows []uint64, v int, colour uint64) {
	c, real := s.columns[v], s.Real(v)
	colour = scatter(colour)
	switch {
	case real != nil:
		for row, x := range real {
			if c.At(row) != Missing {
				rows[row] += scatter(colour ^ math.Float64bits(x))
			}
		}
	case c.wide():
		for row, state := range c.Words {
			rows[row] += scatter(colour + uint64(state))
		}
	default:
		of := [MissingByte + 1]uint64{MissingByte: scatter(colour + MissingByte)}
		for state := range s.Vars[v].card() {
			of[state] = scatter(colour + uint64(state))
		}
		for row, state := range c.Bytes {
			rows[row] += of[state]
		}
	}
}

// colourColumn returns a hash of the values of a column with the colours of their rows.
func (s *Set) colourColumn(v int, rows []uint64) (hash uint64) {
	c, real := s.columns[v], s.Real(v)
	switch {
	case real != nil:
		for row, x := range real {
			if c.At(row) != Missing {
				hash += rows[row] * (scatter(math.Float64bits(x)) | 1)
			}
		}
	case c.wide():
		for row, state := range c.Words {
			hash += rows[row] * (scatter(uint64(state)) | 1)
		}
	default:
		var sums [MissingByte + 1]uint64
		for row, state := range c.Bytes {
			sums[state] += rows[row]
		}
		for state := range s.Vars[v].card() {
			hash += scatter(sums[state] + uint64(state))
		}
		hash += scatter(sums[MissingByte])
	}
	return hash
}

// scatter mixes the bits of x, as the finaliser of SplitMix64 does (Steele, Lea and Flood 2014).
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
