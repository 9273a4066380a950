package times

import "strings"

// Recognizer tells whether all texts of a column are times, and in which form. The zero value has
// seen none.
type Recognizer struct {
	texts int
	not   bool // some text is no time
	forms form // of all texts so far
	two   string
	zoned string // a text with a zone
	bare  string // a text without one
}

// Add takes a text into account. It reports whether all texts so far are times in one form.
func (r *Recognizer) Add(text string) bool {
	if r.not {
		return false
	}
	p, ok := scan(text)
	if r.texts == 0 {
		r.forms = anyForm
	}
	r.texts++
	if !ok || r.forms&p.forms == 0 {
		r.not = true
		return false
	}
	r.forms &= p.forms
	switch {
	case p.zoned && r.zoned == "":
		r.zoned = strings.Clone(text)
	case !p.zoned && r.bare == "":
		r.bare = strings.Clone(text)
	}
	if r.two == "" && p.forms&(p.forms-1) != 0 {
		r.two = strings.Clone(text)
	}
	return true
}

// Times reports whether there are texts, and all are times in one form.
func (r *Recognizer) Times() bool { return r.texts > 0 && !r.not }

// Ambiguous returns a text of which the day or the month may come first, if no other text tells
// which. It is empty if there is none.
func (r *Recognizer) Ambiguous() string {
	if r.Times() && r.forms&(r.forms-1) != 0 {
		return r.two
	}
	return ""
}

// Mixed returns a text with a zone and one without, if there are both.
func (r *Recognizer) Mixed() (zoned, bare string) {
	if r.zoned == "" || r.bare == "" {
		return "", ""
	}
	return r.zoned, r.bare
}

// Format returns the format of the texts, which must be times and not ambiguous.
func (r *Recognizer) Format() *Format { return &Format{form: r.forms} }

// All reports whether there are texts, and all are times in one form.
func All(texts []string) bool {
	var r Recognizer
	for _, s := range texts {
		if !r.Add(s) {
			return false
		}
	}
	return r.Times()
}

// Formats returns the formats that a Recognizer knows: with the year first, the day and the month.
func Formats() []*Format {
	return []*Format{{form: yearFirst}, {form: dayFirst}, {form: monthFirst}}
}
