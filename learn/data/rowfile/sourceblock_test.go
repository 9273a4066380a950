package rowfile_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// memory is a Source of texts, with NULL for an empty one.
type memory struct {
	names  []string
	groups [][][]string // by group, row and column
	broken int          // the row of a group at which Block and Next fail; 0 for none
}

func (m *memory) Columns() (list []data.Column) {
	for _, name := range m.names {
		list = append(list, data.Column{Name: name})
	}
	return list
}

func (m *memory) Groups() (list []int64) {
	for _, g := range m.groups {
		list = append(list, int64(len(g)))
	}
	return list
}

func (m *memory) Open(group int, columns []int) (data.Cursor, error) {
	line := 1
	for _, g := range m.groups[:group] {
		line += len(g)
	}
	return &memoryCursor{m: m, rows: m.groups[group], line: line, columns: columns}, nil
}

func (m *memory) Close() error { return nil }

type memoryCursor struct {
	m        *memory
	rows     [][]string
	line, at int
	columns  []int
}

var errBroken = errors.New("broken")

func (c *memoryCursor) Next(rec *data.Record) error {
	if c.at == len(c.rows) {
		return io.EOF
	}
	if c.m.broken > 0 && c.at == c.m.broken {
		return errBroken
	}
	rec.Pos = diag.Pos{File: "m", Line: c.line + c.at}
	for i := range rec.Cells {
		rec.Cells[i] = data.Cell{Unknown: true, Line: rec.Pos.Line}
		if text := c.rows[c.at][i]; slices.Contains(c.columns, i) && text != "" {
			rec.Cells[i].Text, rec.Cells[i].Unknown = text, false
		}
	}
	c.at++
	return nil
}

func (c *memoryCursor) Block(columns []data.BlockColumn, most int) (int, error) {
	n := min(most, len(c.rows)-c.at)
	if n == 0 {
		return 0, io.EOF
	}
	if c.m.broken > 0 && c.at+n > c.m.broken {
		return 0, errBroken
	}
	for i := range columns {
		b := &columns[i]
		for row := range n {
			text, state, ok, x := c.rows[c.at+row][b.Column], 0, true, math.NaN()
			switch {
			case !slices.Contains(c.columns, b.Column):
				return 0, fmt.Errorf("column %d is not open", b.Column)
			case text == "":
			case b.Reals != nil:
				var v model.Value
				var err error
				if v, err = (model.Real{}).Parse(text); err == nil {
					x = v.Real
				}
				ok = err == nil
			default:
				state, ok = b.State(text)
			}
			if !ok {
				state = 0
				b.Bad(row, text)
			}
			switch {
			case b.Reals != nil:
				b.Reals[row] = x
			case b.Bytes != nil:
				b.Bytes[row] = uint8(state)
			default:
				b.Words[row] = uint16(state)
			}
		}
	}
	c.at += n
	return n, nil
}

func (c *memoryCursor) Close() error { return nil }

// TestSourceBlocks checks that blocks of a Source have the rows that Each finds, and its errors, on
// any number of cores.
func TestSourceBlocks(t *testing.T) {
	vars := []data.Var{{Name: "c", States: []string{"red", "green", "blue"}}, {Name: "none", States: []string{"0", "1"}},
		{Name: "x", Real: true}, {Name: "year", States: []string{"2000", "2001", "2002"}}}
	for i := range 300 {
		vars[1].States = append(vars[1].States, fmt.Sprint("s", i))
	}
	rng := rand.New(rand.NewPCG(38, 4))
	good, bad := 0, 0
	for round := range 30 {
		m := &memory{names: []string{"c", "other", "x", "year", "none"}}
		wrong := rng.IntN(2) == 0
		of := func(texts ...string) string {
			if wrong && rng.IntN(60) == 0 {
				return "purple"
			}
			return texts[rng.IntN(len(texts))]
		}
		for range rng.IntN(5) {
			group := make([][]string, rng.IntN(30)*(1+(round%5/4)*600)) // some of several blocks
			for i := range group {
				group[i] = []string{of("red", "green", "", "blue"), of("u"), of("1", "-2.5", ""), of("2000", "2001.0"), of("s299", "1", "")}
			}
			m.groups = append(m.groups, group)
		}
		if round%10 == 9 {
			m.broken = 8
		}
		opt := []rowfile.ReadOptions{{}, {Drop: []string{"other"}}, {Columns: []string{"year", "c"}}, {Missing: []string{"red"}}}[round%4]
		for _, unseen := range []rowfile.Unseen{rowfile.UnseenError, rowfile.UnseenMissing} {
			want, err := sourceRows(t, m, opt, vars, unseen, 0)
			if err == nil {
				good++
			} else {
				bad++
			}
			for cores := 1; cores <= 3; cores++ {
				got, errBlock := sourceRows(t, m, opt, vars, unseen, cores)
				if fmt.Sprint(err) != fmt.Sprint(errBlock) {
					t.Fatalf("round %d, %d cores: got %v; want %v", round, cores, errBlock, err)
				}
				if err == nil && !slices.Equal(got, want) {
					t.Fatalf("round %d, %d cores: got %d rows, want %d, or other ones", round, cores, len(got), len(want))
				}
			}
		}
	}
	if good < 15 || bad < 10 {
		t.Errorf("%d good sources and %d others; too few to show anything", good, bad)
	}
}

func sourceRows(t *testing.T, m *memory, opt rowfile.ReadOptions, vars []data.Var, unseen rowfile.Unseen, cores int) (rows []string, err error) {
	r, err := opt.NewSourceReader("m", m)
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Bind(vars, unseen)
	if err != nil {
		t.Fatal(err)
	}
	if cores == 0 {
		return rows, b.Each(t.Context(), func(rec *data.Record, states []int) error {
			rows = append(rows, fmt.Sprintln(rec.Pos, rec.Weight, states, b.Values))
			return nil
		})
	}
	states, values := make([]int, len(vars)), make([]float64, len(vars))
	err = b.EachBlock(t.Context(), rowfile.BlockOptions{Cores: cores, Then: func(k *rowfile.Block) error {
		for i := range k.Rows {
			k.Row(i, states, values)
			rows = append(rows, fmt.Sprintln(k.Pos(i), k.Weight(i), states, values))
		}
		return nil
	}})
	return rows, err
}
