package folder

import (
	"errors"
	"fmt"
	"os"
)

// Move is the renaming of a file.
type Move struct{ From, To string }

// ErrHalfway is the error of moves that could be neither finished nor undone.
var ErrHalfway = errors.New("could not be undone")

// MoveAll does moves in their order, or none: if one fails, it undoes those before it, the last
// first. If even that fails, the error is ErrHalfway. A killed process does and undoes nothing
// more, so every prefix of moves should leave a folder that makes sense.
func MoveAll(moves []Move) error {
	for i, m := range moves {
		if err := os.Rename(m.From, m.To); err != nil {
			return errors.Join(err, undo(moves[:i]))
		}
	}
	return nil
}

func undo(moves []Move) error {
	var lost []error
	for i := len(moves) - 1; i >= 0; i-- {
		if err := os.Rename(moves[i].To, moves[i].From); err != nil {
			lost = append(lost, fmt.Errorf("the move of %s to %s %w: %w", moves[i].From, moves[i].To, ErrHalfway, err))
		}
	}
	return errors.Join(lost...)
}
