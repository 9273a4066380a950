package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// answerJSON is an answer as a batch writes it. Members that were not asked for are nil.
type answerJSON struct {
	LogP      *float64                      `json:"logp"`
	Marginals map[string]map[string]float64 `json:"marginals"`
	Joint     []jointJSON                   `json:"joint"`
	MPE       map[string]string             `json:"mpe"`
	MAP       *bestJSON                     `json:"map"`
	KMPE      []bestJSON                    `json:"kmpe"`
	MPELogP   *float64                      `json:"mpe_logp"`
	Report    *reportJSON                   `json:"report"`
	Error     string                        `json:"error"`
}

// bestJSON is states of variables and their log-probability.
type bestJSON struct {
	States map[string]string `json:"states"`
	LogP   float64           `json:"logp"`
}

// bestText writes the states of some variables, and several completions side by side.
func (a *answerJSON) bestText(vars []variable) []string {
	var parts []string
	if a.MAP != nil {
		t := &table{}
		for _, v := range vars {
			if s, ok := a.MAP.States[v.Name]; ok {
				t.add(v.Name, s)
			}
		}
		parts = append(parts, fmt.Sprintf("most probable states, of log-probability %.10g:\n", a.MAP.LogP)+t.String())
	}
	if a.KMPE != nil {
		t := &table{}
		heads := []string{"log-probability"}
		for _, k := range a.KMPE {
			heads = append(heads, fmt.Sprintf("%.10g", k.LogP))
		}
		t.add(heads...)
		for _, v := range vars {
			row := []string{v.Name}
			for _, k := range a.KMPE {
				row = append(row, k.States[v.Name])
			}
			t.add(row...)
		}
		parts = append(parts, "most probable completions, best first:\n"+t.String())
	}
	return parts
}

// print writes an answer for people: the log-probability, a table of marginals, and the most probable completion.
func (a *answerJSON) print(w io.Writer, vars []variable) error {
	var parts []string
	if a.LogP != nil {
		parts = append(parts, fmt.Sprintf("log-probability of the evidence: %.10g\n", *a.LogP))
	}
	if a.Report != nil {
		a.Report.decodes = a.MPE != nil || a.Report.Gap != nil
		parts = append(parts, a.Report.print())
	}
	if a.Marginals != nil {
		t := &table{}
		for _, v := range vars {
			p, ok := a.Marginals[v.Name]
			for k, s := range v.parts() {
				if ok {
					t.add(firstOnly(k, v.Name), s, fmt.Sprintf("%.6f", p[s]))
				}
			}
		}
		parts = append(parts, t.String())
	}
	for _, j := range a.Joint {
		t, err := j.table(vars)
		if err != nil {
			return err
		}
		parts = append(parts, t.String())
	}
	if a.MPE != nil {
		t := &table{}
		for _, v := range vars {
			t.add(v.Name, a.MPE[v.Name])
		}
		switch {
		case a.Report != nil && a.Report.Search:
			parts = append(parts, fmt.Sprintf("best completion found; logarithm of the product of all factors %.10g:\n", *a.MPELogP)+t.String())
		case a.MPELogP == nil:
			parts = append(parts, "no completion of positive probability was found; the last one looked at:\n"+t.String())
		case a.Report != nil && (a.Report.Gap == nil || *a.Report.Gap > 0):
			parts = append(parts, fmt.Sprintf("probable completion, of log-probability %.10g:\n", *a.MPELogP)+t.String())
		default:
			parts = append(parts, fmt.Sprintf("most probable completion, of log-probability %.10g:\n", *a.MPELogP)+t.String())
		}
	}
	parts = append(parts, a.bestText(vars)...)
	_, err := io.WriteString(w, strings.Join(parts, "\n"))
	return err
}

func firstOnly(k int, s string) string {
	if k > 0 {
		return ""
	}
	return s
}

// table lays out text in columns, and those of numbers, whose first cell may be a heading, to the right.
type table struct{ rows [][]string }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// String gives a line for each row. Signs that would break a line or move a cursor are escaped.
func (t *table) String() string {
	var width []int
	var text []int // by column: how many cells below the first are no numbers
	for r, row := range t.rows {
		for i, cell := range row {
			row[i] = printable(cell)
			if i == len(width) {
				width, text = append(width, 0), append(text, 0)
			}
			if r > 0 && !isNumber(row[i]) || len(t.rows) == 1 {
				text[i]++
			}
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if text[i] == 0 {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// printable escapes a name that would not print as it is.
func printable(s string) string {
	q := fmt.Sprintf("%q", s)
	if q == `"`+s+`"` || strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(q) == `"`+s+`"` {
		return s
	}
	return q
}

// isNumber reports whether a cell is a number.
func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
