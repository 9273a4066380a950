package beam

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
)

// aside begins the names of files that are not complete, and of no part. Readers of data sets leave
// out names that begin with a point.
const aside = ".aside-"

// name returns the name of the part of an element.
func (w *Work) name() string {
	hash := sha256.Sum256([]byte(w.File))
	return fmt.Sprintf("part-%x-%05d.parquet", hash[:8], w.Group)
}

// writeAside writes a file by write under another name, and renames it once it is complete. What
// is there under its name is replaced: a repeated element writes the same bytes.
func writeAside(path string, write func(w io.Writer) error) error {
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%016x", aside, rand.Uint64()))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() { // after a panic too
		if name != "" {
			file.Close()
			os.Remove(name)
		}
	}()
	out := bufio.NewWriterSize(file, 1<<16)
	if err := write(out); err != nil {
		return err
	}
	if err := errors.Join(out.Flush(), file.Sync(), file.Close()); err != nil {
		return err
	}
	err = os.Rename(name, path)
	if err == nil {
		name = ""
	}
	return err
}

// sink writes the rows of a part: their numbers in the file, the columns to keep and the answers.
type sink struct {
	data.Sink
	number []byte
}

// newSink returns a sink.
func newSink(w io.Writer, in *input, answers []data.Output) (*sink, error) {
	columns := []data.Output{{Name: "row", Kind: data.Integers}}
	for _, c := range in.keep {
		columns = append(columns, data.Output{Name: in.reader.Columns[c].Name, Kind: kindOf(in.reader.Columns[c].Type)})
	}
	out, err := parquet.NewWriter(w, append(columns, answers...))
	return &sink{Sink: out}, err
}

// kindOf returns what a column of a type holds.
func kindOf(column string) data.Kind {
	switch column {
	case "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32":
		return data.Integers
	case "float", "double":
		return data.Reals
	}
	return data.Texts
}

// begin writes what comes before the answers to a row.
func (s *sink) begin(b *block, row int) {
	s.number = strconv.AppendInt(s.number[:0], b.first+int64(row), 10)
	s.Text(string(s.number))
	width := len(b.kept) / b.rows
	for _, c := range b.kept[row*width:][:width] {
		if c.Unknown {
			s.Missing()
		} else {
			s.Text(c.Text)
		}
	}
}
