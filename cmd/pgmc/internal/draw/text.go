package draw

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Longer texts are cut: lines of labels, and notes.
const (
	maxLine = 60 // runes
	maxNote = 300
)

// visible gives a text that every format can hold: bytes and characters that do not print are shown
// as \x0a or \u200b, and of more than limit characters only the first, with an ellipsis.
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

// fontSize is that of labels, in pixels.
const fontSize = 13.0

// textWidth estimates the width of a line in pixels, from the advances of a wide sans-serif font
// (DejaVu Sans), so that narrower ones fit as well.
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
	case r < 0x2e80: // before the scripts of East Asia, whose signs are square
		return .8
	}
	return 1.1
}
