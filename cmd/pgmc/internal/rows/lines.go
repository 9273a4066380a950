package rows

import (
	"bufio"
	"bytes"
	"context"
	"io"
)

// maxLine is the longest line of questions.
const maxLine = 16 << 20

// line is a line that is not blank.
type line struct {
	Number int
	text   []byte
	long   bool  // over maxLine, and text is only its beginning
	Err    error // of reading; the last

	question *Question // the question that was read already; nil if text holds it
	id       []byte    // of that question
}

// ReadLines reads lines ahead until stop is closed.
func ReadLines(in io.Reader, stop <-chan struct{}) <-chan line {
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

// waitingLines gives the lines that wait, at most so many and at least one, or else the error of
// reading; before it waits for one it flushes w. An error stands for what comes behind the lines
// that are given with it; io.EOF is the end.
func waitingLines(ctx context.Context, lines <-chan line, most int, w *bufio.Writer) (list []line, err error) {
	for len(list) < most {
		var l line
		var ok bool
		select {
		case l, ok = <-lines:
		default:
			if len(list) > 0 {
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
