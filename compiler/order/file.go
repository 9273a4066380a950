package order

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Read reads an elimination order of all of m's variables: one name a line, in order of
// elimination. A name may be quoted as in Go. Empty lines and lines that start with # are skipped.
// Errors name the given file.
func Read(r io.Reader, file string, m *model.Model) ([]int, error) {
	byName := map[string]int{}
	for i, v := range m.Vars {
		byName[v.Name] = i
	}
	var list diag.List
	var order []int
	seen := make([]int, len(m.Vars)) // the line of each variable
	lines := bufio.NewScanner(r)
	for line := 1; lines.Scan(); line++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		pos := diag.Pos{File: file, Line: line, Col: strings.Index(lines.Text(), text) + 1}
		name := text
		if q, err := strconv.Unquote(text); err == nil {
			name = q
		}
		v, ok := byName[name]
		switch {
		case !ok:
			list.Errorf(pos, "unknown variable %q in the elimination order", name)
		case seen[v] > 0:
			list.Errorf(pos, "variable %q occurs twice in the elimination order; first in line %d", name, seen[v])
		default:
			seen[v] = line
			order = append(order, v)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i, v := range m.Vars {
		if seen[i] == 0 && !list.HasErrors() {
			list.Errorf(diag.Pos{File: file}, "variable %q is missing from the elimination order", v.Name)
		}
	}
	return order, list.Err()
}
