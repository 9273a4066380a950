package rowfile

// SetLeastPiece sets the least number of bytes of a piece until the function that it returns is
// called.
func SetLeastPiece(n int) (restore func()) {
	was := leastPiece
	leastPiece = n
	return func() { leastPiece = was }
}
