package rowfile

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile/internal/plain"
)

// ReadSchema reads the numbers of states of columns from a file with one line such as "2,2,3".
func ReadSchema(path string) ([]int, error) {
	r, err := Open(path, Libra)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	rec, err := r.Next()
	if err != nil {
		return nil, err
	}
	cards := make([]int, len(rec.Cells))
	for i, c := range rec.Cells {
		n, err := strconv.Atoi(strings.TrimSpace(c.Text))
		if err != nil || n < 1 || n > data.MaxStates {
			return nil, diag.Diagnostic{Pos: r.CellPos(rec, i), Msg: fmt.Sprintf("the number of states is %s; want 1 to %d", plain.Quote(c.Text), data.MaxStates)}
		}
		cards[i] = n
	}
	if rec, err = r.Next(); err == nil {
		return nil, diag.Diagnostic{Pos: rec.Pos, Msg: "found a second line; want one line of numbers of states"}
	}
	if err != io.EOF {
		return nil, err
	}
	return cards, nil
}
