package lanes

// ErrSize is the error of an entry that is too large.
var ErrSize = errSize
