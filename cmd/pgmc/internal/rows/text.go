package rows

import (
	"fmt"
	"io"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// AnswerJSON is an answer as a batch writes it. Members that were not asked for are nil.
type AnswerJSON struct {
	LogP      *float64                      `json:"logp"`
	Marginals map[string]map[string]float64 `json:"marginals"`
	Joint     []jointJSON                   `json:"joint"`
	MPE       map[string]string             `json:"mpe"`
	MAP       *bestJSON                     `json:"map"`
	KMPE      []bestJSON                    `json:"kmpe"`
	MPELogP   *float64                      `json:"mpe_logp"`
	Report    *Report                       `json:"report"`
	Error     string                        `json:"error"`
}

// bestJSON is states of variables and their log-probability.
type bestJSON struct {
	States map[string]string `json:"states"`
	LogP   float64           `json:"logp"`
}

// bestText writes the states of some variables, and several completions side by side.
func (a *AnswerJSON) bestText(vars []Variable) []string {
	var parts []string
	if a.MAP != nil {
		t := &table.Table{}
		for _, v := range vars {
			if s, ok := a.MAP.States[v.Name]; ok {
				t.Add(v.Name, s)
			}
		}
		parts = append(parts, fmt.Sprintf("most probable states, of log-probability %.10g:\n", a.MAP.LogP)+t.String())
	}
	if a.KMPE != nil {
		t := &table.Table{}
		heads := []string{"log-probability"}
		for _, k := range a.KMPE {
			heads = append(heads, fmt.Sprintf("%.10g", k.LogP))
		}
		t.Add(heads...)
		for _, v := range vars {
			row := []string{v.Name}
			for _, k := range a.KMPE {
				row = append(row, k.States[v.Name])
			}
			t.Add(row...)
		}
		parts = append(parts, "most probable completions, best first:\n"+t.String())
	}
	return parts
}

// Print writes an answer for people: the log-probability, a table of marginals, and the most
// probable completion.
func (a *AnswerJSON) Print(w io.Writer, vars []Variable) error {
	var parts []string
	if a.LogP != nil {
		parts = append(parts, fmt.Sprintf("log-probability of the evidence: %.10g\n", *a.LogP))
	}
	if a.Report != nil {
		a.Report.decodes = a.MPE != nil || a.Report.Gap != nil
		parts = append(parts, a.Report.Text())
	}
	if a.Marginals != nil {
		t := &table.Table{}
		for _, v := range vars {
			p, ok := a.Marginals[v.Name]
			for k, s := range v.Parts() {
				if ok {
					t.Add(table.Once(k, v.Name), s, fmt.Sprintf("%.6f", p[s]))
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
		t := &table.Table{}
		for _, v := range vars {
			t.Add(v.Name, a.MPE[v.Name])
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
