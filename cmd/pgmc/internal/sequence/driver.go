package sequence

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/program"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/verify"
	"github.com/pgmc-go/pgmc/ir/model"
)

// DriverSource is the main file of the program that answers about sequences by a package.
//
//go:embed driver.go.txt
var DriverSource []byte

// driverAnswer is an answer of that program.
type driverAnswer struct {
	Err                string
	LogProb            []number
	Filtered, Smoothed [][][]number
	Path               [][]number
	PathLogProb        number
}

// number is a number in the form of a text.
type number float64

// UnmarshalJSON reads the text of a number, and an empty text as 0.
func (x *number) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil || text == "" {
		return err
	}
	value, err := strconv.ParseFloat(text, 64)
	*x = number(value)
	return err
}

// Answers asks a program of [DriverSource] about sequences of m.
func Answers(ctx context.Context, p *program.Program, m *model.Model, sequences [][]*infer.Findings) ([]verify.SequenceAnswer, error) {
	server, err := p.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	list := make([]verify.SequenceAnswer, 0, len(sequences))
	for _, s := range sequences {
		question, err := json.Marshal(texts(m, s))
		if err != nil {
			return nil, err
		}
		line, err := server.Ask(string(question))
		if err != nil {
			return nil, fmt.Errorf("the compiled program: %w", err)
		}
		var a driverAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			return nil, fmt.Errorf("an answer of the compiled program: %w", err)
		}
		list = append(list, a.answer())
	}
	return list, nil
}

// answer returns a as package verify has it.
func (a *driverAnswer) answer() verify.SequenceAnswer {
	out := verify.SequenceAnswer{LogProb: floats(a.LogProb), Path: manyFloats(a.Path), PathLogProb: float64(a.PathLogProb)}
	for _, slice := range a.Filtered {
		out.Filtered = append(out.Filtered, manyFloats(slice))
	}
	for _, slice := range a.Smoothed {
		out.Smoothed = append(out.Smoothed, manyFloats(slice))
	}
	if a.Err != "" {
		out.Err = errors.New(a.Err)
	}
	return out
}

func floats(list []number) (out []float64) {
	for _, x := range list {
		out = append(out, float64(x))
	}
	return out
}

func manyFloats(lists [][]number) (out [][]float64) {
	for _, list := range lists {
		out = append(out, floats(list))
	}
	return out
}

// texts returns the evidence on a sequence, as text by slice and name.
func texts(m *model.Model, sequence []*infer.Findings) []map[string]string {
	list := make([]map[string]string, len(sequence))
	for t, f := range sequence {
		list[t] = map[string]string{}
		for _, v := range m.Vars {
			if x := Cell(m, f, v.ID); x != "" {
				list[t][v.Name] = x
			}
		}
	}
	return list
}

// Cell returns the text of the state or the value of a variable, or "" if it was not observed.
func Cell(m *model.Model, f *infer.Findings, v model.VarID) string {
	switch {
	case m.IsReal(v) && !math.IsNaN(f.Value[v]):
		return strconv.FormatFloat(f.Value[v], 'g', -1, 64)
	case !m.IsReal(v) && f.State[v] != infer.Missing:
		return m.States(v)[f.State[v]]
	}
	return ""
}

// Reproduce returns a shell command that prints the right answers about a sequence of the model at
// path. The words are further flags.
func Reproduce(path string, m *model.Model, sequence []*infer.Findings, flags []string) string {
	var header, list []string
	for _, v := range m.Vars {
		if !v.Latent {
			header = append(header, csvCell(v.Name))
		}
	}
	list = append(list, strings.Join(header, ","))
	for _, f := range sequence {
		var cells []string
		for _, v := range m.Vars {
			if !v.Latent {
				cells = append(cells, csvCell(Cell(m, f, v.ID)))
			}
		}
		list = append(list, strings.Join(cells, ","))
	}
	words := append([]string{"pgmc", "query", path, "--sequence", "-"}, flags...)
	return cli.ShellQuoteAll(append([]string{"printf", `%s\n`}, list...)) + " | " + cli.ShellQuoteAll(words)
}

// csvCell returns a text as a cell of a CSV file. An empty one is quoted, since a line must not be
// empty.
func csvCell(text string) string {
	if text != "" && !strings.ContainsAny(text, ",\"\r\n ") {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
