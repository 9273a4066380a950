package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// splitFlag splits a value such as `A=yes,"B, C"="no"` at the signs , and = outside of quotes. Names are cut out of
// their quotes.
func splitFlag(s string) ([][]string, error) {
	var parts [][]string
	for {
		var names []string
		for {
			name, rest, err := cutWord(strings.TrimSpace(s))
			if err != nil {
				return nil, err
			}
			names = append(names, name)
			if s = strings.TrimSpace(rest); !strings.HasPrefix(s, "=") {
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

// cutWord cuts a name, quoted as in Go or not, off the start of s.
func cutWord(s string) (name, rest string, err error) {
	if strings.HasPrefix(s, `"`) {
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", "", fmt.Errorf("a quoted name does not end: %s", s)
		}
		name, err = strconv.Unquote(q)
		return name, s[len(q):], err
	}
	n := strings.IndexAny(s, ",=\"")
	if n < 0 {
		n = len(s)
	}
	if name = strings.TrimSpace(s[:n]); name == "" {
		return "", "", fmt.Errorf("a name is missing before %q", s)
	}
	return name, s[n:], nil
}

// evidenceRow makes the row of a question from the values of --evidence and --soft.
func evidenceRow(hard, soft []string) ([]byte, error) {
	b := []byte(`{"id":0,"evidence":{`)
	for _, value := range hard {
		pairs, err := splitPairs("--evidence", value)
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			b = append(append(append(b, jsonString(p[0])...), ':'), jsonString(p[1])...)
			b = append(b, ',')
		}
	}
	b = append(closeObject(b), `"soft":{`...)
	for _, value := range soft {
		pairs, err := splitPairs("--soft", value)
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			numbers, err := likelihood(p[1])
			if err != nil {
				return nil, usagef("--soft %q: %w", value, err)
			}
			b = append(append(append(b, jsonString(p[0])...), ':'), numbers...)
			b = append(b, ',')
		}
	}
	return append(bytes.TrimSuffix(closeObject(b), []byte(",")), "}\n"...), nil
}

func splitPairs(flag, value string) ([][]string, error) {
	pairs, err := splitFlag(value)
	if err != nil {
		return nil, usagef("%s %q: %w", flag, value, err)
	}
	for _, p := range pairs {
		if len(p) != 2 {
			return nil, usagef("%s %q: want a variable, = and a value", flag, value)
		}
	}
	return pairs, nil
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
		b = appendNumber(b, x)
	}
	return append(b, ']'), nil
}

// targetNames are the variables that --targets names.
func targetNames(values []string) ([]string, error) {
	var names []string
	for _, value := range values {
		list, err := splitFlag(value)
		if err != nil {
			return nil, usagef("--targets %q: %w", value, err)
		}
		for _, words := range list {
			if len(words) != 1 {
				return nil, usagef("--targets %q: found an equals sign; want variables separated by commas", value)
			}
			names = append(names, words[0])
		}
	}
	return names, nil
}
