package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// QuoteName quotes a name if a flag such as --evidence needs it quoted.
func QuoteName(s string) string {
	return diag.QuoteName(s)
}

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

// UnknownVariable returns the error for a name in the value of a flag that is no variable of m,
// with the nearest one.
func UnknownVariable(flag, name string, m *model.Model) error {
	var known []string
	for _, v := range m.Vars {
		if !v.Latent {
			known = append(known, v.Name)
		}
	}
	return fmt.Errorf("%s: unknown variable %q%s", flag, name, diag.DidYouMean(name, known))
}

// NamedVars returns the variables that the value of a flag names, each once. None may be latent.
func NamedVars(m *model.Model, flag string, names []string) ([]model.VarID, error) {
	var list []model.VarID
	for _, name := range names {
		v, ok := m.VarByName(name)
		switch {
		case !ok:
			return nil, UnknownVariable(flag, name, m)
		case v.Latent:
			return nil, fmt.Errorf("%s: variable %q is latent", flag, name)
		case !slices.Contains(list, v.ID):
			list = append(list, v.ID)
		}
	}
	return list, nil
}
