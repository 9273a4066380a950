package pgmrt

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
)

// NamedNumbers returns a JSON object with a number for each state of a type.
func NamedNumbers(n *Names, enum int, d []float64) ([]byte, error) {
	text := []byte{'{'}
	for i, s := range n.Enums[enum].States {
		if i > 0 {
			text = append(text, ',')
		}
		name, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		text = append(append(text, name...), ':')
		text = strconv.AppendFloat(text, d[i], 'g', -1, 64)
	}
	return append(text, '}'), nil
}

// ParseNumbers reads len(out) numbers, not all of them 0, into out: from a JSON array, or from an
// object with a number for each state. The text null, or an error, leaves out unchanged.
func ParseNumbers(n *Names, enum int, data []byte, out []float64) error {
	text, e := strings.TrimSpace(string(data)), &n.Enums[enum]
	if text == "null" {
		return nil
	}
	read := parseArray
	if strings.HasPrefix(text, "{") {
		read = parseObject
	}
	numbers := make([]float64, len(out))
	if message := read(e, text, numbers); message != "" {
		return n.Fail(e.What+": "+message, ErrLikelihood)
	}
	for _, x := range numbers {
		if x != 0 {
			copy(out, numbers)
			return nil
		}
	}
	return n.Fail(e.What+": want a likelihood that is not 0 for every state", ErrLikelihood)
}

// parseObject reads a JSON object with a number for each state. It returns the message of an error.
func parseObject(e *Enum, text string, out []float64) string {
	named, err := JSONMembers([]byte(text))
	if err != nil {
		return "the likelihood: " + err.Error()
	}
	for i, s := range e.States {
		field, ok := named[s]
		if !ok || len(named) != len(out) {
			return "want a likelihood of exactly the states [" + strings.Join(e.States, " ") + "]; got " + Short(text)
		}
		if out[i], ok = parseLikelihood(string(field)); !ok {
			return badNumber(string(field))
		}
	}
	return ""
}

// parseArray reads a JSON array of len(out) numbers. It returns the message of an error.
func parseArray(_ *Enum, text string, out []float64) string {
	inside, ok := strings.CutSuffix(strings.TrimPrefix(text, "["), "]")
	fields := strings.Split(inside, ",")
	if !ok || !strings.HasPrefix(text, "[") || len(fields) != len(out) {
		return "want a likelihood of " + strconv.Itoa(len(out)) + " numbers"
	}
	for i, field := range fields {
		if out[i], ok = parseLikelihood(field); !ok {
			return badNumber(field)
		}
	}
	return ""
}

// parseLikelihood reads a finite number of at least 0.
func parseLikelihood(text string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return x, err == nil && x >= 0 && x <= math.MaxFloat64
}

// badNumber returns the message about a number that is no likelihood.
func badNumber(text string) string {
	return "want a likelihood of finite numbers of at least 0; got " + strconv.Quote(Short(text))
}

// UnmarshalTextOrNumber passes the text of a JSON string, or of a number, to unmarshal. The text
// null has no effect.
func UnmarshalTextOrNumber(data []byte, unmarshal func(text []byte) error) error {
	if string(data) == "null" {
		return nil
	}
	if len(data) == 0 || data[0] != '"' {
		return unmarshal(data)
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	return unmarshal([]byte(text))
}

// JSONMembers returns the members of a JSON object. A name that occurs twice is an error.
func JSONMembers(data []byte) (map[string]json.RawMessage, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(strings.NewReader(string(data)))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("want a JSON object; got " + Short(string(data)))
	}
	members := map[string]json.RawMessage{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string)
		if members[name] != nil {
			return nil, errors.New("the member " + strconv.Quote(Short(name)) + " occurs twice")
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		members[name] = value
	}
	return members, nil
}
