package rows

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
)

// EvidenceRow makes the row of a question from the values of --evidence, --soft and --jeffrey.
func EvidenceRow(hard, soft, jeffrey []string) ([]byte, error) {
	b := []byte(`{"id":0,"evidence":{`)
	for _, value := range hard {
		parts, err := splitEvidence(value)
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			b = append(append(b, JsonString(p[0])...), ':')
			b = append(appendStates(b, p[1:]), ',')
		}
	}
	b = closeObject(b)
	for _, member := range []struct {
		key    string
		values []string
	}{{"soft", soft}, {"jeffrey", jeffrey}} {
		if member.values == nil {
			continue
		}
		b = append(append(append(b, '"'), member.key...), `":{`...)
		for _, value := range member.values {
			var err error
			if b, err = appendNumbersOf(b, "--"+member.key, value); err != nil {
				return nil, err
			}
		}
		b = closeObject(b)
	}
	return append(bytes.TrimSuffix(b, []byte(",")), "}\n"...), nil
}

// appendStates writes a state, or an array of several.
func appendStates(b []byte, names []string) []byte {
	if len(names) == 1 {
		return append(b, JsonString(names[0])...)
	}
	b = append(b, '[')
	for _, name := range names {
		b = append(append(b, JsonString(name)...), ',')
	}
	b[len(b)-1] = ']'
	return b
}

// appendNumbersOf writes the members that a value such as A=0.2/0.8,B=1/0 stands for.
func appendNumbersOf(b []byte, flag, value string) ([]byte, error) {
	pairs, err := cli.SplitPairs(flag, value, "numbers with / between, as in A=0.2/0.8")
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		numbers, err := likelihood(p[1])
		if err != nil {
			return nil, cli.Usagef("%s %q: %w", flag, value, err)
		}
		b = append(append(append(b, JsonString(p[0])...), ':'), numbers...)
		b = append(b, ',')
	}
	return b, nil
}

// splitEvidence splits a value of --evidence into variables, each with one state or several.
func splitEvidence(value string) ([][]string, error) {
	parts, err := cli.SplitNames(value)
	if err != nil {
		return nil, cli.Usagef("--evidence %q: %w", value, err)
	}
	for _, p := range parts {
		if len(p) < 2 {
			return nil, cli.Usagef("--evidence %q: want a variable, = and a state, or several with | between", value)
		}
	}
	return parts, nil
}

// likelihood makes an array of the numbers in a text such as 0.2/0.8.
func likelihood(s string) ([]byte, error) {
	b := []byte{'['}
	for i, text := range strings.Split(s, "/") {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || x-x != 0 { // infinite or NaN
			return nil, fmt.Errorf("found %q; want a number", text)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendNumber(b, x)
	}
	return append(b, ']'), nil
}
