package states

import "strings"

// DefaultMissing returns the texts that mark a missing value unless options name others.
func DefaultMissing() []string {
	return []string{"NA", "NaN", "NULL", "N/A", "#N/A", "<NA>", "-nan", "?", "*"}
}

// Marks is the set of the texts that mark a missing value.
type Marks struct {
	texts   map[string]bool
	anyCase bool // texts are DefaultMissing in lower case, none of them a number, and stand for others
}

// NewMarks returns the set of an empty text and those given; nil: DefaultMissing.
func NewMarks(given []string) *Marks {
	m := &Marks{map[string]bool{"": true}, given == nil}
	if given == nil {
		given = DefaultMissing()
	}
	for _, s := range given {
		if s = strings.TrimSpace(s); m.anyCase {
			s = strings.ToLower(s)
		}
		m.texts[s] = true
	}
	return m
}

// Has reports whether a text without surrounding blanks marks a missing value.
func (m *Marks) Has(text string) bool {
	if m.anyCase {
		return len(text) <= len("#N/A") && m.texts[strings.ToLower(text)]
	}
	return m.texts[text]
}
