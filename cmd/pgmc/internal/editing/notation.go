package editing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// cut cuts text at the first sign outside of double quotes, or at the last one.
func cut(text string, sign byte, last bool) (before, after string, found bool) {
	at, quoted := -1, false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case text[i] == sign && !quoted && (last || at < 0):
			at = i
		}
	}
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}

// pairs reads names with an equals sign between the two of each: a=b, c=d.
func pairs(text, want string) (list [][]string, err error) {
	if list, err = diag.SplitNames(text); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(list, func(p []string) bool { return len(p) != 2 }) {
		return nil, fmt.Errorf("want %s", want)
	}
	return list, nil
}

// numbers reads numbers between blanks, commas or slashes.
func numbers(text string) (list []float64, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,/", r) }) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("found %q; want a number", word)
		}
		list = append(list, x+0) // 0 for -0
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("a number is missing at the end")
	}
	return list, nil
}

// word is a name of a list, with a second one after an equals sign.
type word struct {
	name, to string
	renamed  bool // there is a second name
}

// words reads names between blanks or commas, such as: low, mid=middle "very high".
func words(text string) (list []word, err error) {
	for {
		text = strings.TrimLeft(text, " \t,")
		if text == "" {
			return list, nil
		}
		var w word
		if w.name, text, err = oneWord(text); err != nil {
			return nil, err
		}
		if strings.HasPrefix(text, "=") {
			w.renamed = true
			if w.to, text, err = oneWord(text[1:]); err != nil {
				return nil, err
			}
		}
		list = append(list, w)
	}
}

// oneWord cuts a name, quoted or up to the next blank, comma or equals sign, off the start of text.
func oneWord(text string) (name, rest string, err error) {
	if strings.HasPrefix(text, `"`) {
		return diag.CutName(text)
	}
	n := strings.IndexAny(text, " \t,=\"")
	if n < 0 {
		n = len(text)
	}
	if n == 0 {
		return "", "", fmt.Errorf("a name is missing before %q", text)
	}
	return text[:n], text[n:], nil
}
