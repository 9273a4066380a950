package rowfile

import "github.com/pgmc-go/pgmc/learn/data"

// column is a column of a set that is being loaded.
type column struct{ data.States }

// makeColumn returns an empty column with the given capacity. A wide one holds more than 255
// states.
func makeColumn(wide bool, room int) column {
	if wide {
		return column{data.States{Words: make([]uint16, 0, room)}}
	}
	return column{data.States{Bytes: make([]uint8, 0, room)}}
}

func (c *column) wide() bool { return c.Bytes == nil }

// put stores a state or Missing in a row, for which the column has room and is wide enough.
func (c *column) put(row, state int) {
	if c.wide() {
		c.Words[row] = uint16(state)
	} else {
		c.Bytes[row] = uint8(state)
	}
}

// trim sets the number of rows.
func (c *column) trim(rows int) {
	if c.wide() {
		c.Words = c.Words[:rows]
	} else {
		c.Bytes = c.Bytes[:rows]
	}
}

// grow copies the column to one with the given capacity. The new one must be wide if c is.
func (c *column) grow(rows int, wide bool, room int) {
	grown := makeColumn(wide, room)
	if wide && !c.wide() {
		for i := range rows {
			grown.Words = append(grown.Words, uint16(c.At(i))) // Missing is -1 and becomes MissingWord
		}
	} else {
		grown.Bytes, grown.Words = append(grown.Bytes, c.Bytes...), append(grown.Words, c.Words...)
	}
	*c = grown
}

// renumber replaces each state k by rank[k].
func (c *column) renumber(rank []int) {
	for i, x := range c.Bytes {
		if x != data.MissingByte {
			c.Bytes[i] = uint8(rank[x])
		}
	}
	for i, x := range c.Words {
		if x != data.MissingWord {
			c.Words[i] = uint16(rank[x])
		}
	}
}
