package codegen

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/names"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// NamesFile holds the identifiers that a user chose, with the place of each in its file.
type NamesFile struct {
	Names map[string]string // by "variable" or "variable.state", as in Options.Names
	pos   map[string]diag.Pos
}

// ReadNames reads a file of identifiers for the variables and states of m. A line is `variable =
// Identifier` or `variable.state = Identifier`. The names of the variable and of the state may be
// quoted as in Go; # begins a comment. An empty path means no lines. Errors name the file, line and
// column.
func ReadNames(path string, m *model.Model) (*NamesFile, error) {
	out := &NamesFile{Names: map[string]string{}, pos: map[string]diag.Pos{}}
	if path == "" {
		return out, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &namesReader{known: namesOf(m), out: out}
	for i, text := range strings.Split(string(data), "\n") {
		r.pos = diag.Pos{File: path, Line: i + 1, Col: 1 + len(text) - len(strings.TrimLeft(text, " \t"))}
		r.read(strings.TrimSpace(text))
	}
	return out, r.list.Err()
}

// Locate adds the place in the file to an error of Emit about one of the names. It returns other
// errors unchanged.
func (f *NamesFile) Locate(err error) error {
	var about *NameError
	if !errors.As(err, &about) || f.pos[about.Key].Line == 0 {
		return err
	}
	var list diag.List
	list.Errorf(f.pos[about.Key], "%v", about)
	return list.Err()
}

// namesOf returns the set of keys that can have an identifier.
func namesOf(m *model.Model) map[string]bool {
	known := map[string]bool{}
	for _, v := range m.Vars {
		if v.Latent {
			continue
		}
		known[v.Name] = true
		for _, s := range m.States(v.ID) {
			known[v.Name+"."+s] = true
		}
	}
	return known
}

// namesReader is the state of ReadNames.
type namesReader struct {
	known map[string]bool
	out   *NamesFile
	pos   diag.Pos
	list  diag.List
}

// read reads one line.
func (r *namesReader) read(text string) {
	if text == "" || text[0] == '#' {
		return
	}
	key, rest, err := cutName(text)
	if err != nil {
		r.list.Errorf(r.pos, "%v", err)
		return
	}
	id, _, _ := strings.Cut(rest, "#")
	id = strings.TrimSpace(id)
	switch {
	case !r.known[key]:
		r.list.Errorf(r.pos, "%q is neither a variable nor a state of one, as in variable.state", key)
	case !names.IsExported(id):
		r.list.Errorf(r.pos, "%q can't be called %q; want an exported Go identifier in ASCII", key, id)
	case r.out.pos[key].Line > 0:
		r.list.Errorf(r.pos, "%q has a name already, in line %d", key, r.out.pos[key].Line)
	default:
		r.out.Names[key], r.out.pos[key] = id, r.pos
	}
}

// cutName splits a line at the first = outside of quotes, and removes the quotes from the part
// before it.
func cutName(text string) (key, rest string, err error) {
	for text != "" {
		switch text[0] {
		case '=':
			return strings.TrimSpace(key), text[1:], nil
		case '"':
			q, err := strconv.QuotedPrefix(text)
			if err != nil {
				return "", "", fmt.Errorf("a quoted name does not end: %s", text)
			}
			name, err := strconv.Unquote(q)
			if err != nil {
				return "", "", err
			}
			key, text = key+name, text[len(q):]
		default:
			key, text = key+text[:1], text[1:]
		}
	}
	return "", "", fmt.Errorf("found %q; want a name, = and an identifier", strings.TrimSpace(key))
}
