package rows

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// IsTable reports whether a batch is a data file, by its name.
func IsTable(path string) bool {
	switch filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")) {
	case ".csv", ".tsv", ".tab", ".data", ".ev", ".q", ".arff":
		return true
	}
	return false
}

// TableRows gives the rows of a data file as lines of a batch, each with the number of its line for
// an identifier. Columns that are no variables of m don't count. Reading ends with an error at the
// first row that is wrong.
func TableRows(path string, m *model.Model) (io.ReadCloser, error) {
	r, err := data.Open(path, data.Auto)
	if err != nil {
		return nil, err
	}
	vars := data.VarsOf(m)
	b, err := r.Bind(vars, data.UnseenError)
	if err != nil {
		r.Close()
		return nil, err
	}
	out, in := io.Pipe()
	go func() {
		defer r.Close()
		in.CloseWithError(writeQuestions(in, r, b, vars))
	}()
	return out, nil
}

// writeQuestions writes the rows of r as lines of a batch. The end of the rows is no error.
func writeQuestions(w io.Writer, r *data.Reader, b *data.Binding, vars []data.Var) error {
	states := make([]int, len(vars))
	var line []byte
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = b.States(rec, states)
		}
		if err != nil {
			return err
		}
		line = fmt.Appendf(line[:0], `{"id":%d,"evidence":{`, rec.Pos.Line)
		for v, s := range states {
			if s != data.Missing {
				line = append(append(line, JsonString(vars[v].Name)...), ':')
				if vars[v].Real {
					line = append(AppendNumber(line, b.Values[v]), ',')
				} else {
					line = append(append(line, JsonString(vars[v].States[s])...), ',')
				}
			}
		}
		line = closeObject(line)
		line[len(line)-1] = '}' // for the comma
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
}
