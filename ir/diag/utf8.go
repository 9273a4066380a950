package diag

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// ValidUTF8 returns the length of the longest start of text that is UTF-8.
func ValidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return len(text)
	}
	n := 0
	for {
		r, size := utf8.DecodeRune(text[n:])
		if r == utf8.RuneError && size <= 1 {
			return n
		}
		n += size
	}
}

// CheckUTF8 returns an error about the first bytes of a file that are not UTF-8, or nil.
func CheckUTF8(file string, text []byte) *Diagnostic {
	n := ValidUTF8(text)
	if n == len(text) {
		return nil
	}
	control := bytes.IndexFunc(text[:n], func(r rune) bool { return r < '\t' || '\r' < r && r < ' ' })
	if control >= 0 {
		return &Diagnostic{Pos: posOf(file, text, control), Msg: "the file is binary; want text in UTF-8"}
	}
	d := NotUTF8(posOf(file, text, n), text[n:])
	return &d
}

// posOf returns the position of byte n of a text.
func posOf(file string, text []byte, n int) Pos {
	return Pos{File: file, Line: 1 + bytes.Count(text[:n], []byte("\n")), Col: n - bytes.LastIndexByte(text[:n], '\n')}
}

// NotUTF8 returns the error for bytes at p that are not UTF-8.
func NotUTF8(p Pos, found []byte) Diagnostic {
	if p.Line == 1 && p.Col == 1 && (bytes.HasPrefix(found, []byte("\xff\xfe")) || bytes.HasPrefix(found, []byte("\xfe\xff"))) {
		return Diagnostic{Pos: p, Msg: "the text is UTF-16; want UTF-8, as iconv -f UTF-16 -t UTF-8 converts it"}
	}
	return Diagnostic{Pos: p, Msg: fmt.Sprintf("the byte %#x is not UTF-8; want UTF-8, as iconv -f LATIN1 -t UTF-8 converts a text of Western Europe, and -f GBK one in Chinese", found[0])}
}
