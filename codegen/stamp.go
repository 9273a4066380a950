package codegen

import (
	"fmt"
	"strconv"
	"strings"
)

// StampMark begins the line below the header of a package's main file that holds the flags it was made with.
const StampMark = "//pgmc:compile "

// stamp writes flags on a line; words that are not plain are quoted as in Go, in ASCII.
func stamp(flags []string) string {
	out := make([]string, len(flags))
	for i, w := range flags {
		if out[i] = w; w == "" || strings.ContainsFunc(w, notPlain) {
			out[i] = strconv.QuoteToASCII(w)
		}
	}
	return StampMark + strings.Join(out, " ")
}

// notPlain reports whether a word that holds r is quoted.
func notPlain(r rune) bool {
	return r <= ' ' || r == '"' || r == '\\' || r == '`' || r == '\'' || r > '~'
}

// ParseStamp reads what follows StampMark.
func ParseStamp(s string) ([]string, error) {
	var flags []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if s[0] != '"' {
			w, rest, _ := strings.Cut(s, " ")
			flags, s = append(flags, w), rest
			continue
		}
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return nil, fmt.Errorf("a quoted word of the flags does not end: %s", s)
		}
		w, err := strconv.Unquote(q)
		if err != nil {
			return nil, err
		}
		flags, s = append(flags, w), s[len(q):]
	}
	return flags, nil
}
