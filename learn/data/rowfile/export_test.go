package rowfile

import "github.com/pgmc-go/pgmc/learn/data/rowfile/internal/format"

// SetLeastPiece sets the least number of bytes of a piece until the function that it returns is
// called.
func SetLeastPiece(n int) (restore func()) {
	was := format.LeastPiece
	format.LeastPiece = n
	return func() { format.LeastPiece = was }
}
