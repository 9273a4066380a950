package draw

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The most characters of texts: lines of labels, and notes. Longer texts are cut.
const (
	maxLine = 60 // runes
	maxNote = 300
)

// visible returns s as text that every format can hold: bytes and characters that do not print
// become \x0a or \u200b, and characters beyond the first limit ones become an ellipsis.
func visible(s string, limit int) string {
	var b strings.Builder
	for n := 0; s != ""; n++ {
		if n == limit {
			return b.String() + "…"
		}
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1, r < utf8.RuneSelf && !strconv.IsPrint(r):
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case !strconv.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}

// fontSize is the size of labels, in pixels.
const fontSize = 13.0

// textWidth estimates the width of a line in pixels. The advances are those of a wide sans-serif
// font (DejaVu Sans), so that narrower fonts fit too.
func textWidth(s string) float64 {
	em := 0.0
	for _, r := range s {
		em += advance(r)
	}
	return em * fontSize
}

func advance(r rune) float64 {
	switch {
	case strings.ContainsRune("ijlI.,:;'|! ", r):
		return .33
	case strings.ContainsRune("ftr-()[]/\\\"*", r):
		return .44
	case strings.ContainsRune("mwMW%@+=<>~^…", r):
		return 1
	case r >= 'A' && r <= 'Z':
		return .74
	case r < utf8.RuneSelf:
		return .64
	case r < 0x2e80: // below the scripts of East Asia, whose characters are square
		return .8
	}
	return 1.1
}
