package diag

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// SplitNames splits the value of a flag, such as `A=yes,"B, C"="no"`, at each comma and = outside
// of quotes, and after an = at each | too. It unquotes the names.
func SplitNames(s string) ([][]string, error) {
	var parts [][]string
	for {
		var names []string
		for {
			name, rest, err := CutName(strings.TrimSpace(s))
			switch {
			case err != nil && len(names) > 0 && !strings.HasPrefix(strings.TrimSpace(s), `"`):
				return nil, fmt.Errorf("the value of %q is missing", names[0])
			case err != nil:
				return nil, err
			}
			names = append(names, name)
			s = strings.TrimSpace(rest)
			if sign := strings.HasPrefix(s, "=") && len(names) == 1 || strings.HasPrefix(s, "|") && len(names) > 1; !sign {
				break
			}
			s = s[1:]
		}
		parts = append(parts, names)
		if s == "" {
			return parts, nil
		}
		if s[0] != ',' {
			return nil, fmt.Errorf("found %q; want a comma", s)
		}
		s = s[1:]
	}
}

// Names splits a list of names at the commas.
func Names(s string) (names []string, err error) {
	list, err := SplitNames(s)
	if err != nil {
		return nil, err
	}
	for _, words := range list {
		if len(words) != 1 {
			return nil, errors.New("found an equals sign; want variables separated by commas")
		}
		names = append(names, words[0])
	}
	return names, nil
}

// CutName cuts a name, quoted as in Go or not, off the start of s.
func CutName(s string) (name, rest string, err error) {
	if strings.HasPrefix(s, `"`) {
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", "", fmt.Errorf("a quoted name does not end: %s", s)
		}
		name, err = strconv.Unquote(q)
		return name, s[len(q):], err
	}
	n := strings.IndexAny(s, ",=|\"")
	if n < 0 {
		n = len(s)
	}
	switch name = strings.TrimSpace(s[:n]); {
	case name == "" && s == "":
		return "", "", errors.New("a name is missing at the end")
	case name == "":
		return "", "", fmt.Errorf("a name is missing before %q", s)
	}
	return name, s[n:], nil
}
