package rowfile_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// blockFile is a file for TestEachBlock.
type blockFile struct {
	name, text string
	opt        rowfile.ReadOptions
}

// blockFiles returns random files in all formats, with wrong rows or without, some of several
// pieces.
func blockFiles(rng *rand.Rand) (list []blockFile) {
	wrong := rng.IntN(3) == 0
	rows := rng.IntN(40)
	if rng.IntN(12) == 0 {
		rows = 4000
	}
	of := func(texts ...string) string { return texts[rng.IntN(len(texts))] }
	cell := func(good ...string) string {
		if wrong && rng.IntN(4*rows+1) < 10 {
			return of("purple", `x"y`, `"open`, "1e999", "a,b", `"two`+"\n"+`lines"`)
		}
		return of(append(good, good...)...)
	}
	text := func(comma string, unnamed bool) string {
		var b strings.Builder
		if !unnamed {
			fmt.Fprintf(&b, "c%[1]sother%[1]sx%[1]syear\n", comma)
		}
		for range rows {
			fmt.Fprint(&b, cell("red", `"green"`, "NA", "blue"), comma, cell("u", "v"), comma, cell("1.5", "-2", `"3e4"`, "?"), comma, cell("2000", "2001.0", "2002"), of("\n", "\n", "\r\n"))
			if rng.IntN(20) == 0 {
				b.WriteString("\n")
			}
			if rng.IntN(50) == 0 {
				fmt.Fprintf(&b, "\"gr%see\"\"n\"%[2]su%[2]s1%[2]s2000\n", of("\n", ""), comma)
			}
		}
		if rng.IntN(2) == 0 {
			return strings.TrimSuffix(b.String(), "\n")
		}
		return b.String()
	}
	list = append(list, blockFile{"a.csv", text(",", false), rowfile.ReadOptions{}},
		blockFile{"a.csv", text(",", true), rowfile.ReadOptions{NoHeader: true}},
		blockFile{"a.tsv", text("\t", false), rowfile.ReadOptions{Drop: []string{"other"}}},
		blockFile{"a.csv", text(";", false), rowfile.ReadOptions{Columns: []string{"x", "c"}, Missing: []string{"?", "red"}}},
		blockFile{"a.csv", text(" ", false), rowfile.ReadOptions{Separator: ' '}},
		blockFile{"a.csv", text(",", false), rowfile.ReadOptions{Rows: func(row int) bool { return row%3 != 1 }}})
	var one, json, libra strings.Builder
	one.WriteString("c\n")
	for range rows {
		fmt.Fprintln(&one, cell("red", "", "green"))
		fmt.Fprintf(&json, "{\"c\": %q, \"x\": %s, \"year\": \"2000\"}\n", cell("red", "blue"), of("1", "null", "2.5"))
		fmt.Fprintf(&libra, "%s|%s,1,%s,0\n", of("1", "2.5", "1"), of("0", "*", "1", "2"), of("1", "0"))
	}
	return append(list, blockFile{"a.csv", one.String(), rowfile.ReadOptions{}}, blockFile{"a.jsonl", json.String(), rowfile.ReadOptions{}},
		blockFile{"a.data", libra.String(), rowfile.ReadOptions{}})
}

// TestEachBlock checks that blocks of hostile files have the rows, weights and positions that Each
// finds, and end with its errors, on any number of cores.
func TestEachBlock(t *testing.T) {
	defer rowfile.SetLeastPiece(1)()
	vars := []data.Var{{Name: "c", States: []string{"red", "green", "blue"}}, {Name: "none", States: []string{"0", "1"}},
		{Name: "x", Real: true}, {Name: "year", States: []string{"2000", "2001", "2002"}}}
	rng := rand.New(rand.NewPCG(38, 1))
	good, bad := 0, 0
	for range 30 {
		for _, f := range blockFiles(rng) {
			of := vars
			if f.name == "a.data" {
				of = append([]data.Var{vars[1]}, vars[0], vars[1], vars[1])
				for i := range of {
					of[i].Name = fmt.Sprint(i)
				}
			}
			for _, unseen := range []rowfile.Unseen{rowfile.UnseenError, rowfile.UnseenMissing} {
				want, err := readRows(t, f, of, unseen, 0)
				if err == nil {
					good++
				} else {
					bad++
				}
				for cores := 1; cores <= 3; cores++ {
					got, errBlock := readRows(t, f, of, unseen, cores)
					if fmt.Sprint(err) != fmt.Sprint(errBlock) {
						t.Fatalf("%s, %d cores: got %v; want %v\n%s", f.name, cores, errBlock, err, f.text)
					}
					if err == nil && !slices.Equal(got, want) {
						t.Fatalf("%s, %d cores: got %d rows, want %d, or other ones\n%s", f.name, cores, len(got), len(want), f.text)
					}
				}
			}
		}
	}
	if good < 100 || bad < 100 {
		t.Errorf("%d good files and %d others; too few to show anything", good, bad)
	}
}

// readRows returns a text for each row of a file: by blocks on a number of cores, or if it is 0 by
// rows.
func readRows(t *testing.T, f blockFile, vars []data.Var, unseen rowfile.Unseen, cores int) (rows []string, err error) {
	r, err := f.opt.NewReader(f.name, strings.NewReader(f.text))
	if err != nil {
		return nil, err
	}
	b, err := r.Bind(vars, unseen)
	if err != nil {
		return nil, err
	}
	if cores == 0 {
		return rows, b.Each(t.Context(), func(rec *data.Record, states []int) error {
			rows = append(rows, fmt.Sprintln(rec.Pos, rec.Weight, rec.Cells, states, b.Values))
			return nil
		})
	}
	states, values := make([]int, len(vars)), make([]float64, len(vars))
	err = b.EachBlock(t.Context(), rowfile.BlockOptions{Cores: cores, Cells: true, Then: func(k *rowfile.Block) error {
		for i := range k.Rows {
			k.Row(i, states, values)
			rows = append(rows, fmt.Sprintln(k.Pos(i), k.Weight(i), k.Cells(i), states, values))
		}
		return nil
	}})
	return rows, err
}

// TestEachBlockErrors checks that the first error in the order of the file ends the blocks, and
// that a panic reaches the caller.
func TestEachBlockErrors(t *testing.T) {
	text := "c\n" + strings.Repeat("0\n", 100_000)
	first := errors.New("of the first")
	run := func(work, then func(k *rowfile.Block) error) error {
		r, err := rowfile.NewReader("a.csv", strings.NewReader(text), rowfile.CSV)
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Bind([]data.Var{{Name: "c", States: []string{"0"}}}, rowfile.UnseenError)
		if err != nil {
			t.Fatal(err)
		}
		return b.EachBlock(t.Context(), rowfile.BlockOptions{Cores: 3, Work: func(_ int, k *rowfile.Block) error { return work(k) }, Then: then})
	}
	nothing := func(*rowfile.Block) error { return nil }
	after := func(k *rowfile.Block) error {
		if k.Pos(0).Line > 50_000 {
			return fmt.Errorf("line %d: %w", k.Pos(0).Line, first)
		}
		return nil
	}
	for range 20 {
		if one, two := run(after, nothing), run(nothing, after); !errors.Is(one, first) || one.Error() != two.Error() {
			t.Fatalf("got %v and %v", one, two)
		}
	}
	defer func() {
		if p := recover(); fmt.Sprint(p) != "as wanted" {
			t.Errorf("got %v", p)
		}
	}()
	run(func(*rowfile.Block) error { panic("as wanted") }, nothing)
	t.Error("no panic")
}

// TestBlockWords checks a variable of more than 255 states.
func TestBlockWords(t *testing.T) {
	v := data.Var{Name: "c"}
	text := "c,d\n"
	for i := range 300 {
		v.States = append(v.States, fmt.Sprint("s", i))
		text += fmt.Sprintf("s%d,0\n", i)
	}
	r, err := rowfile.NewReader("a.csv", strings.NewReader(text), rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Bind([]data.Var{v, {Name: "x", Real: true}}, rowfile.UnseenError)
	if err != nil {
		t.Fatal(err)
	}
	row := 0
	err = b.EachBlock(t.Context(), rowfile.BlockOptions{Cores: 1, Then: func(k *rowfile.Block) error {
		for i, x := range k.Columns[0].Words {
			if row++; int(x) != row || k.Columns[1].Reals != nil {
				t.Errorf("row %d has %d", i, x)
			}
		}
		return nil
	}})
	if err != nil || row != 300 {
		t.Errorf("%d rows and %v", row, err)
	}

}
