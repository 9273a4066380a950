package parquet_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	peer "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// row has a column of each type that is read, required and optional, in each encoding that the
// other library writes.
type row struct {
	Dict     string   `parquet:"dict,dict"`
	DictNull *string  `parquet:"dictnull,dict,optional"`
	Text     string   `parquet:"text,plain"`
	TextNull *string  `parquet:"textnull,optional"`
	Lengths  string   `parquet:"lengths,delta"`
	Enum     string   `parquet:"enum,enum,dict"`
	Bool     bool     `parquet:"bool"`
	BoolNull *bool    `parquet:"boolnull,optional"`
	I32      int32    `parquet:"i32"`
	I32Delta int32    `parquet:"i32delta,delta"`
	I64      int64    `parquet:"i64,dict"`
	I64Delta *int64   `parquet:"i64delta,optional"`
	U32      uint32   `parquet:"u32"`
	U64      uint64   `parquet:"u64"`
	F32      float32  `parquet:"f32"`
	F64      float64  `parquet:"f64"`
	F64Null  *float64 `parquet:"f64null,optional"`
	F64Dict  float64  `parquet:"f64dict,dict"`
	I64Dif   int64    `parquet:"i64dif,delta"`
	F64Split float64  `parquet:"f64split,split"`
	Decimal  int64    `parquet:"decimal,decimal(2:18)"`
}

// texts returns the cells of a row; "\x00" stands for one that is missing.
func (x *row) texts() []string {
	null := func(missing bool, text func() string) string {
		if missing {
			return "\x00"
		}
		return text()
	}
	real := func(f float64) string {
		return null(math.IsNaN(f), func() string { return formatReal(f) })
	}
	sign := ""
	if x.Decimal < 0 {
		sign = "-"
	}
	d := x.Decimal
	if d < 0 {
		d = -d
	}
	return []string{
		x.Dict, null(x.DictNull == nil, func() string { return *x.DictNull }), x.Text, null(x.TextNull == nil, func() string { return *x.TextNull }),
		x.Lengths, x.Enum, fmt.Sprint(x.Bool), null(x.BoolNull == nil, func() string { return fmt.Sprint(*x.BoolNull) }),
		fmt.Sprint(x.I32), fmt.Sprint(x.I32Delta), fmt.Sprint(x.I64), null(x.I64Delta == nil, func() string { return fmt.Sprint(*x.I64Delta) }),
		fmt.Sprint(x.U32), fmt.Sprint(x.U64), real(float64(x.F32)), real(x.F64),
		null(x.F64Null == nil, func() string { return real(*x.F64Null) }), real(x.F64Dict), fmt.Sprint(x.I64Dif), real(x.F64Split),
		fmt.Sprintf("%s%d.%02d", sign, d/100, d%100),
	}
}

// rows returns n random rows.
func rows(n int, seed uint64) []row {
	rng := rand.New(rand.NewPCG(seed, 0))
	list := make([]row, n)
	maybe := func() bool { return rng.IntN(4) > 0 }
	names := []string{"yes", "no", "may\"be", "ö,;\n", "a much longer name of a state"}
	for i := range list {
		text := func() string { return names[rng.IntN(len(names))] }
		x := row{Dict: text(), Text: text(), Lengths: text(), Enum: text(), Bool: maybe(), I32: rng.Int32() - 1<<30, I32Delta: int32(rng.Uint32()), I64: rng.Int64N(300) - 150,
			U32: rng.Uint32(), U64: rng.Uint64(), F32: rng.Float32(), F64: rng.NormFloat64(), I64Dif: int64(rng.Uint64()), F64Dict: float64(rng.IntN(5)) / 8, F64Split: rng.ExpFloat64(), Decimal: rng.Int64N(20000) - 10000}
		if i/700%2 == 0 { // stretches of equal values, and of nulls
			x.Dict, x.Bool = "yes", true
		} else if maybe() {
			s, b, k, f := text(), maybe(), rng.Int64N(1000)-500, rng.NormFloat64()
			x.DictNull, x.TextNull, x.BoolNull, x.I64Delta, x.F64Null = &s, &s, &b, &k, &f
		}
		if !maybe() {
			x.F64 = math.NaN()
		}
		list[i] = x
	}
	return list
}

// file returns the bytes of a file of rows by the other library.
func file(t testing.TB, list []row, opt ...peer.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := peer.Write(&b, list, opt...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// reader opens the bytes of a file.
func reader(b []byte, opt rowfile.ReadOptions) (*rowfile.Reader, error) {
	f, err := parquet.NewFile("rows.parquet", bytes.NewReader(b), int64(len(b)), 0)
	if err != nil {
		return nil, err
	}
	return opt.NewSourceReader("rows.parquet", f)
}

// cells returns all cells of a file; "\x00" stands for one that is missing.
func cells(b []byte, opt rowfile.ReadOptions) (list [][]string, err error) {
	r, err := reader(b, opt)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		line := make([]string, len(rec.Cells))
		for i, c := range rec.Cells {
			if line[i] = c.Text; c.Unknown {
				line[i] = "\x00"
			}
			if c.Line != len(list)+1 {
				return nil, fmt.Errorf("row %d has line %d", len(list), c.Line)
			}
		}
		list = append(list, line)
	}
}

// formatReal returns a number as cells have it.
func formatReal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// number returns the text of a number as formatReal writes it.
func number(text string) string {
	x, _ := strconv.ParseFloat(text, 64)
	return formatReal(x)
}

// codecs are all that are read.
var codecs = []compress.Codec{&peer.Uncompressed, &peer.Snappy, &peer.Gzip, &peer.Zstd, &peer.Brotli, &peer.Lz4Raw}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		opt  []peer.WriterOption
	}{
		{"empty", 0, nil},
		{"one row", 1, nil},
		{"many", 2500, nil},
		{"version 1", 2500, []peer.WriterOption{peer.DataPageVersion(1)}},
		{"row groups", 2500, []peer.WriterOption{peer.MaxRowsPerRowGroup(300)}},
		{"small pages", 2500, []peer.WriterOption{peer.PageBufferSize(700)}},
		{"dictionary and plain", 2500, []peer.WriterOption{&peer.WriterConfig{DictionaryMaxBytes: 600}, peer.PageBufferSize(2000)}},
	} {
		for _, codec := range codecs {
			t.Run(c.name+" "+codec.String(), func(t *testing.T) {
				list := rows(c.n, 7)
				got, err := cells(file(t, list, append(c.opt, peer.Compression(codec))...), rowfile.ReadOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if len(got) != len(list) {
					t.Fatalf("%d rows; want %d", len(got), len(list))
				}
				for i := range list {
					if want := list[i].texts(); !slices.Equal(got[i], want) {
						t.Fatalf("row %d: %q; want %q", i, got[i], want)
					}
				}
			})
		}
	}
}

func TestNames(t *testing.T) {
	r, err := reader(file(t, rows(1, 1)), rowfile.ReadOptions{Columns: []string{"text", "f64"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Columns {
		got = append(got, c.Name+" "+c.Type)
	}
	if s := strings.Join(got, ", "); s != "text string, f64 double" {
		t.Errorf("got %s", s)
	}
}

// TestBlock compares blocks with rows.
func TestBlock(t *testing.T) {
	for _, opt := range [][]peer.WriterOption{nil, {peer.PageBufferSize(700)}, {peer.MaxRowsPerRowGroup(1500)}, {&peer.WriterConfig{DictionaryMaxBytes: 600}}} {
		b := file(t, rows(5000, 3), opt...)
		want, err := cells(b, rowfile.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := parquet.NewFile("rows.parquet", bytes.NewReader(b), int64(len(b)), 0)
		if err != nil {
			t.Fatal(err)
		}
		var all []int
		var states []map[string]int
		for i := range f.Columns() {
			all, states = append(all, i), append(states, map[string]int{})
		}
		row := 0
		for g := range f.Groups() {
			c, err := f.Open(g, all)
			if err != nil {
				t.Fatal(err)
			}
			for {
				n, err := checkBlock(t, c, f.Columns(), states, want[row:])
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				row += n
			}
			c.Close()
		}
		if row != len(want) {
			t.Errorf("%d rows; want %d", row, len(want))
		}
	}
}

// checkBlock reads a block of each column three times as wide and compares it with rows.
func checkBlock(t *testing.T, c data.Cursor, columns []data.Column, states []map[string]int, want [][]string) (int, error) {
	const most = 1300
	var list []data.BlockColumn
	bad := make([]map[int]string, len(columns))
	for i := range columns {
		bad[i] = map[int]string{}
		b := data.BlockColumn{Column: i, Bad: func(row int, text string) { bad[i][row] = text }}
		b.State = func(text string) (int, bool) {
			if text == "no" || text == "false" {
				return 0, false
			}
			if states[i][text] == 0 {
				states[i][text] = len(states[i]) + 1
			}
			return states[i][text], true
		}
		switch {
		case i%3 == 0 && strings.HasPrefix(columns[i].Type, "s"):
			b.Bytes = make([]uint8, most)
		case slices.Contains([]string{"string", "boolean"}, columns[i].Type):
			b.Words = make([]uint16, most)
		default:
			b.Reals = make([]float64, most)
		}
		list = append(list, b)
	}
	n, err := c.Block(list, most)
	for row := range n {
		for i, b := range list {
			text, ok := want[row][i], true
			if b.Reals != nil {
				if x := b.Reals[row]; math.IsNaN(x) != (text == "\x00" || bad[i][row] != "") || !math.IsNaN(x) && formatReal(x) != number(text) {
					ok = false
				}
			} else {
				got := 0
				if b.Bytes != nil {
					got = int(b.Bytes[row])
				} else {
					got = int(b.Words[row])
				}
				wrong := text == "no" || text == "false"
				ok = got == states[i][text] && (got != 0 || wrong || text == "\x00") && (bad[i][row] == text) == wrong
			}
			if !ok {
				t.Fatalf("row %d, column %q: want %q, bad %q", row, columns[i].Name, text, bad[i][row])
			}
		}
	}
	return n, err
}
