package rows

import (
	"bufio"
	"bytes"
	"context"
	"io"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 16 << 20

// line is a line that is not blank, or the error that ended reading.
type line struct {
	Number int
	text   []byte
	long   bool  // the line exceeds maxLine, and text is its beginning
	Err    error // error of reading; no line follows

	question *Question // the parsed question; nil if text holds it
	id       []byte    // of that question
}

// readLines reads up to 64 lines ahead, until in ends or stop is closed.
func readLines(in io.Reader, stop <-chan struct{}) <-chan line {
	lines := make(chan line, 64)
	go func() {
		defer close(lines)
		b := bufio.NewReaderSize(in, 1<<16)
		for number := 1; ; number++ {
			l := readLine(b)
			l.Number = number
			end := l.Err == io.EOF
			if end {
				l.Err = nil
			}
			if len(bytes.TrimSpace(l.text)) > 0 || l.Err != nil {
				select {
				case lines <- l:
				case <-stop:
					return
				}
			}
			if end || l.Err != nil {
				return
			}
		}
	}()
	return lines
}

func readLine(b *bufio.Reader) (l line) {
	for {
		part, err := b.ReadSlice('\n')
		if len(l.text)+len(part) > maxLine {
			l.long = true
		} else {
			l.text = append(l.text, part...)
		}
		if err != bufio.ErrBufferFull {
			l.Err = err
			return l
		}
	}
}

// waitingLines returns the lines that are ready, at least one and at most the given number, or with
// whole as many as there are up to that number. It flushes w before it blocks. err reports what
// follows the lines: io.EOF at the end, or an error of reading or of ctx.
func waitingLines(ctx context.Context, lines <-chan line, most int, whole bool, w *bufio.Writer) (list []line, err error) {
	for len(list) < most {
		var l line
		var ok bool
		select {
		case l, ok = <-lines:
		default:
			if len(list) > 0 && !whole {
				return list, nil
			}
			if err := w.Flush(); err != nil {
				return nil, err
			}
			select {
			case l, ok = <-lines:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if !ok {
			return list, io.EOF
		}
		if l.Err != nil {
			return list, l.Err
		}
		list = append(list, l)
	}
	return list, nil
}
