package rows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Parse parses a line as a question. The identifier is nil if there is none or the line is not an
// object.
func (r *Server) Parse(l *line) (q *Question, id json.RawMessage, err error) {
	if l.long {
		return nil, nil, fmt.Errorf("the line is longer than %d MiB", maxLine>>20)
	}
	list, err := members(l.text)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range list {
		if m.key == "id" {
			id = m.value
		}
	}
	empty := NewQuestion(len(r.vars))
	q = &empty
	seen := map[string]bool{}
	for _, m := range list {
		if seen[m.key] {
			return nil, id, fmt.Errorf("member %q occurs twice", m.key)
		}
		seen[m.key] = true
		switch m.key {
		case "id":
		case "evidence":
			err = r.each(m, func(v int, value json.RawMessage) error { return r.vars[v].port().observe(r, q, v, value) })
		case "soft":
			err = r.each(m, func(v int, value json.RawMessage) error { return r.vars[v].port().likelihood(r, q, v, value) })
		case "jeffrey":
			q.Jeffrey = make([][]float64, len(r.vars))
			err = r.each(m, func(v int, value json.RawMessage) error { return r.vars[v].port().distribution(r, q, v, value) })
		default:
			err = fmt.Errorf("unknown member %q; want id, evidence, soft, jeffrey", m.key)
		}
		if err != nil {
			return nil, id, err
		}
	}
	if q.Jeffrey != nil && r.want.Marginals == nil {
		return nil, id, errors.New("jeffrey is answered by marginals, which are not asked for")
	}
	return q, id, q.enterSets()
}

// each calls do for each member of an object whose keys are names of variables.
func (r *Server) each(m member, do func(v int, value json.RawMessage) error) error {
	list, err := members(m.value)
	if err != nil {
		return fmt.Errorf("member %q: %w", m.key, err)
	}
	for _, x := range list {
		v, ok := r.byName[x.key]
		if !ok {
			return fmt.Errorf("unknown variable %q", x.key)
		}
		if err := do(v, x.value); err != nil {
			return err
		}
	}
	return nil
}

// observe reads the name of a state, a number, or an array of names.
func (discretePort) observe(r *Server, q *Question, v int, value json.RawMessage) error {
	if bytes.HasPrefix(bytes.TrimSpace(value), []byte("[")) {
		return r.observeSet(q, v, value)
	}
	name := string(value) // of a number that a state is, or that an interval holds
	if _, err := strconv.ParseFloat(name, 64); (err != nil || r.vars[v].Cuts == nil && r.vars[v].Numbers == nil) && (name == "null" || json.Unmarshal(value, &name) != nil) {
		return fmt.Errorf("the evidence on %q is %s; want the name of a state, or an array of names", r.vars[v].Name, Shorten(value))
	}
	if q.Hard[v] > 0 || q.sets != nil && q.sets[v] != nil {
		return fmt.Errorf("variable %q is observed twice", r.vars[v].Name)
	}
	k, err := r.state(v, name)
	q.Hard[v] = k + 1
	return err
}

// state returns the number of a state of v, from 0, by its name, by a number in its interval, or by
// the number that it is: 1.0 for 1, but not 01.
func (r *Server) state(v int, name string) (int, error) {
	for k, s := range r.vars[v].States {
		if s == name {
			return k, nil
		}
	}
	if x, err := strconv.ParseFloat(name, 64); err == nil && x == x {
		if r.vars[v].Cuts != nil {
			return sort.SearchFloat64s(r.vars[v].Cuts, x), nil
		}
		if k := slices.Index(r.vars[v].Numbers, x); k >= 0 && json.Valid([]byte(name)) {
			return k, nil
		}
	}
	return -1, fmt.Errorf("variable %q has no state %q; want %s", r.vars[v].Name, name, r.vars[v].stateList())
}

// stateList lists the names of the states of v, at most ten.
func (v *Variable) stateList() string {
	const most = 10
	var parts []string
	for _, s := range v.States {
		if len(parts) == most {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, strconv.Quote(s))
	}
	if v.Cuts != nil {
		parts = append(parts, "or a number")
	}
	return strings.Join(parts, ", ")
}

// likelihood reads an array of one number for each state.
func (discretePort) likelihood(r *Server, q *Question, v int, value json.RawMessage) error {
	name, n := r.vars[v].Name, len(r.vars[v].States)
	var numbers []*float64
	if err := json.Unmarshal(value, &numbers); err != nil || numbers == nil {
		return fmt.Errorf("the likelihood of %q is %s; want an array of %d numbers", name, Shorten(value), n)
	}
	if len(numbers) != n {
		return fmt.Errorf("the likelihood of %q has length %d; want %d", name, len(numbers), n)
	}
	if q.Soft[v] != nil {
		return fmt.Errorf("variable %q has two likelihoods", name)
	}
	q.Soft[v] = make([]float64, n)
	positive := false
	for k, x := range numbers {
		if x == nil || *x < 0 {
			return fmt.Errorf("the likelihood of %q is %s; want numbers of at least 0", name, Shorten(value))
		}
		q.Soft[v][k] = *x
		positive = positive || *x > 0
	}
	if !positive {
		return fmt.Errorf("the likelihood of %q is all zeros", name)
	}
	return nil
}

// Shorten returns value as text of at most 60 bytes, for messages.
func Shorten(value []byte) string {
	const most = 60
	if len(value) > most {
		return strings.ToValidUTF8(string(value[:most]), "") + "..."
	}
	return string(value)
}

// member is one member of an object.
type member struct {
	key   string
	value json.RawMessage
}

// members returns the members of an object in order.
func members(text []byte) ([]member, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("found %s; want an object", Shorten(bytes.TrimSpace(text)))
	}
	var list []member
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("not JSON: %w", err)
		}
		m := member{}
		m.key, _ = key.(string) // keys of valid JSON are strings
		if err := dec.Decode(&m.value); err != nil {
			return nil, fmt.Errorf("not JSON: %w", err)
		}
		list = append(list, m)
	}
	return list, nil
}
