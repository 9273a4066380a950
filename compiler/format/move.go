package format

import (
	"errors"
	"fmt"
	"os"
)

// Move is the renaming of a file.
type Move struct{ From, To string }

// ErrHalfway is the error of moves that could be neither finished nor undone.
var ErrHalfway = errors.New("could not be undone")

// MoveAll does moves in their order or, where one fails, none: those before it are undone, the last first. Where even that
// fails, the error is ErrHalfway. A process that is killed does and undoes nothing more, so that moves should come in an
// order in which every part of them from the start makes sense.
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
