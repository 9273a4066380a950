package parquet_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	peer "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// mixed has columns that are read and others.
type mixed struct {
	State string            `parquet:"state,dict"`
	Day   int32             `parquet:"day,date"`
	At    time.Time         `parquet:"at,timestamp"`
	Tags  []string          `parquet:"tags,list"`
	Inner struct{ A int64 } `parquet:"inner"`
	ID    [16]byte          `parquet:"id,uuid"`
	Last  int64             `parquet:"last"`
}

// edited returns a file with another footer.
func edited(t *testing.T, b []byte, edit func(*format.FileMetaData)) []byte {
	t.Helper()
	n := int(binary.LittleEndian.Uint32(b[len(b)-8:]))
	start := len(b) - 8 - n
	var meta format.FileMetaData
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), b[start:start+n], &meta); err != nil {
		t.Fatal(err)
	}
	edit(&meta)
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &meta)
	if err != nil {
		t.Fatal(err)
	}
	out := append(bytes.Clone(b[:start]), footer...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(footer)))
	return append(out, "PAR1"...)
}

// TestRefused reads columns of types that are not read, which matter only if they are needed, and
// files whose footers are wrong.
func TestRefused(t *testing.T) {
	var b bytes.Buffer
	if err := peer.Write(&b, []mixed{{State: "yes", Tags: []string{"a", "b"}, Last: 7}, {State: "no", Last: 8}}); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	got, err := cells(whole, rowfile.ReadOptions{Columns: []string{"state", "last"}})
	if err != nil || len(got) != 2 || strings.Join(got[0], " ")+" "+strings.Join(got[1], " ") != "yes 7 no 8" {
		t.Errorf("got %q: %v", got, err)
	}
	const want = "; want texts, enumerations, booleans, integers, floats, decimals, dates or timestamps, or leave it out by drop "
	group := func(edit func(*format.ColumnChunk)) func(*format.FileMetaData) {
		return func(m *format.FileMetaData) { edit(&m.RowGroups[0].Columns[0]) }
	}
	for _, c := range []struct {
		name, column, want string
		edit               func(*format.FileMetaData)
	}{
		{"list", "tags", `column "tags" is of type list` + want + "tags", nil},
		{"group", "inner", `column "inner" is of type group` + want + "inner", nil},
		{"uuid", "id", `column "id" is of type uuid` + want + "id", nil},
		{"framed LZ4", "state", `column "state" is compressed by LZ4; want snappy, gzip, brotli, zstd, LZ4_RAW or none`, group(func(c *format.ColumnChunk) { c.MetaData.Codec = format.Lz4 })},
		{"LZO", "state", `column "state" is compressed by LZO; want snappy, gzip, brotli, zstd, LZ4_RAW or none`, group(func(c *format.ColumnChunk) { c.MetaData.Codec = format.LZO })},
		{"encrypted", "state", `column "state" is encrypted; want one that is not`, group(func(c *format.ColumnChunk) { c.CryptoMetadata.Value = &format.EncryptionWithFooterKey{} })},
		{"other file", "state", `column "state" is in another file, "x"; want all in one`, group(func(c *format.ColumnChunk) { c.FilePath = "x" })},
		{"place", "state", `the file is damaged: column "state" is at bytes `, group(func(c *format.ColumnChunk) { c.MetaData.TotalCompressedSize = 1 << 40 })},
		{"values", "state", `the file is damaged: column "state" has 3 values in row group 0; want 2, one for each row`, group(func(c *format.ColumnChunk) { c.MetaData.NumValues = 3 })},
		{"rows", "state", `the file is damaged: row group 0 has -1 rows`, func(m *format.FileMetaData) { m.RowGroups[0].NumRows = -1 }},
		{"more rows", "state", `column "state": the file is damaged: its pages end 98 rows before the row group`, func(m *format.FileMetaData) {
			m.RowGroups[0].NumRows, m.RowGroups[0].Columns[0].MetaData.NumValues = 100, 100
		}},
		{"columns", "state", `the file is damaged: row group 0 has 1 columns; want 7, as in the schema`, func(m *format.FileMetaData) { m.RowGroups[0].Columns = m.RowGroups[0].Columns[:1] }},
		{"schema", "state", `the file is damaged: its schema ends within a group`, func(m *format.FileMetaData) { m.Schema = m.Schema[:5] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := whole
			if c.edit != nil {
				b = edited(t, b, c.edit)
			}
			_, err := cells(b, rowfile.ReadOptions{Columns: []string{c.column}})
			if err == nil || !strings.HasPrefix(diag.Text(err, diag.Option.String), "rows.parquet: "+c.want) {
				t.Errorf("got  %v\nwant rows.parquet: %s", err, c.want)
			}
		})
	}
}

// TestFooter opens what is no Parquet file.
func TestFooter(t *testing.T) {
	b, _ := written(t, 10, 1)
	for _, c := range []struct {
		name, want string
		b          []byte
		maxMem     int64
	}{
		{"short", `the file has 4 bytes; want a Parquet file`, b[:4], 0},
		{"cut", `want "PAR1": it is no Parquet file, or a part of one`, b[:len(b)-3], 0},
		{"start", `the file starts with "XAR1"; want "PAR1", as Parquet files do`, append([]byte("X"), b[1:]...), 0},
		{"encrypted", `the file is encrypted; want one that is not`, append(bytes.Clone(b[:len(b)-1]), 'E'), 0},
		{"size", `the file is damaged: its footer has `, append(bytes.Clone(b[:len(b)-8]), "\xff\xff\xff\x00PAR1"...), 0},
		{"memory", `bytes of memory, over the limit of 100; give more by max-mem`, b, 100},
		{"memory of lists", `the lists of the file would take `, b, 2000},
	} {
		_, err := parquet.NewFile("rows.parquet", bytes.NewReader(c.b), int64(len(c.b)), c.maxMem)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v; want %s", c.name, err, c.want)
		}
	}
}

// TestOnly reads the column of a variable of a file with columns that are not read.
func TestOnly(t *testing.T) {
	var b bytes.Buffer
	if err := peer.Write(&b, []mixed{{State: "yes"}, {State: "no"}}); err != nil {
		t.Fatal(err)
	}
	vars := []data.Var{{Name: "state", States: []string{"no", "yes"}}}
	for _, only := range []bool{false, true} {
		r, err := reader(b.Bytes(), rowfile.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		binding, err := r.Bind(vars, rowfile.UnseenError)
		if err != nil {
			t.Fatal(err)
		}
		if only {
			binding.Only("last")
		}
		var got []string
		err = binding.Each(t.Context(), func(rec *data.Record, states []int) error {
			got = append(got, fmt.Sprint(states[0], rec.Cells[0].Text, rec.Cells[6].Text))
			return nil
		})
		if only && (err != nil || strings.Join(got, ", ") != "1yes0, 0no0") || !only && err == nil {
			t.Errorf("only %v: got %q: %v", only, got, err)
		}
	}
	r, err := reader(b.Bytes(), rowfile.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r.SkipAlien()
	if rec, err := r.Next(); err != nil || rec.Cells[0].Text != "yes" || rec.Cells[1].Unknown || !rec.Cells[3].Unknown {
		t.Error(err)
	}
}
