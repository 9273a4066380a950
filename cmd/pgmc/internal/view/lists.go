package view

import (
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// methodInfo, inferenceInfo, formatInfo and passInfo are the elements of the lists as JSON.
type methodInfo struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

type inferenceInfo struct {
	methodInfo
	Kinds     string `json:"kinds"`
	Guarantee string `json:"guarantee"`
	Cost      string `json:"cost"`
}

type formatInfo struct {
	Name       string   `json:"name"`
	Extensions []string `json:"extensions"`
	Doc        string   `json:"doc"`
}

type passInfo struct {
	Number   int            `json:"number"`
	Name     string         `json:"name"`
	In       compiler.Stage `json:"in"`
	Out      compiler.Stage `json:"out"`
	Required bool           `json:"required"`
	Why      string         `json:"why"`
}

// showLists prints one of Lists.
func showLists(a *cli.App, what string) error {
	switch what {
	case "methods":
		return showList(a, compiler.Methods, func(_ int, m method.Method) (any, []string) {
			return inferenceInfo{methodInfo{m.Name, m.Doc}, m.Kinds, m.Guarantee, m.Cost}, []string{m.Name, m.Kinds, m.Guarantee, m.Cost, m.Doc}
		})
	case "algos":
		return showList(a, learn.Learners, func(_ int, l learner.Learner) (any, []string) {
			return methodInfo{l.Name, l.Doc}, []string{l.Name, l.Doc}
		})
	case "formats":
		return showList(a, compiler.Formats, func(_ int, x format.Format) (any, []string) {
			return formatInfo{x.Name, x.Exts, x.Doc}, []string{x.Name, strings.Join(x.Exts, " "), x.Doc}
		})
	}
	return showList(a, compiler.Pipeline, func(i int, p compiler.Pass) (any, []string) {
		cells := []string{strconv.Itoa(i + 1), p.Name, string(p.In) + " to " + string(p.Out), need(p.Required), p.Why}
		return passInfo{i + 1, p.Name, p.In, p.Out, p.Required, p.Why}, cells
	})
}

// showList prints a list. show returns the JSON value and the cells of an element.
func showList[T any](a *cli.App, list []T, show func(i int, x T) (any, []string)) error {
	t := &table.Table{}
	var values []any
	for i, x := range list {
		value, cells := show(i, x)
		values = append(values, value)
		t.Add(cells...)
	}
	return a.Print(values, t.String)
}

func need(required bool) string {
	if required {
		return "required"
	}
	return "optional"
}
