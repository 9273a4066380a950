package parquet

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Error is an error in a Parquet file, after which nothing more is read.
type Error struct {
	diag.Diagnostic
	cause error
}

// Unwrap returns the diagnostic and the cause.
func (e *Error) Unwrap() []error { return []error{e.Diagnostic, e.cause} }

// wrong returns err as an error about the file of that name, unless it is one or nil.
func wrong(name string, err error) error {
	var path *fs.PathError
	switch e := (*Error)(nil); {
	case err == nil, err == io.EOF, errors.As(err, &e):
		return err
	case errors.As(err, &path):
		err = path.Err
	}
	return &Error{diag.At(diag.Pos{File: name}, err), err}
}

// damaged returns the error for a file that is not as the format wants.
func damaged(format string, args ...any) error {
	return fmt.Errorf("the file is damaged: "+format, args...)
}

// inDamaged returns the error for a part that is not as the format wants, unless err is about
// memory.
func inDamaged(part string, err error) error {
	if _, memory := err.(*diag.Message); memory {
		return err
	}
	return damaged("%s: %v", part, noEOF(err))
}

// tooLarge returns the error for something that takes more memory than there may be.
func tooLarge(what string, need, limit int64) error {
	return diag.Errorf("%s would take %d bytes of memory, over the limit of %d; give more by %v", what, need, limit, diag.Option{Name: "max-mem"})
}

// recovered returns the error of a call that ended with a panic, or else its own error. Damage that
// no check finds can end in a panic of the library that decodes it.
func recovered(panicked any, err error) error {
	if panicked != nil {
		return damaged("%v", panicked)
	}
	return err
}

// noEOF keeps an end that comes too early from looking like the end of the rows.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
