package engine

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/testdata/models"
)

// builtIn returns the names of the models that are part of pgmc.
func builtIn() []string {
	names := make([]string, len(models.List))
	for i, x := range models.List {
		names[i] = x.Name
	}
	return names
}

// load opens a model: that of a file's content, or one that is part of pgmc.
func (e *Engine) load(name string, content []byte) (*Loaded, error) {
	if content == nil {
		m, text, ok := models.Find(name)
		if !ok {
			return nil, fmt.Errorf("no model that is part of pgmc has the name %q", name)
		}
		name, content = m.File, text
	}
	m, list := format.ReadFrom(compiler.Formats, name, bytes.NewReader(content), format.ReadOptions{})
	if list.HasErrors() {
		return nil, list.Err()
	}
	normal, more := m.NormalizeRows(model.RowsNormalize)
	if more.HasErrors() {
		return nil, more.Err()
	}
	if !normal.Named() {
		normal.Name, _, _ = strings.Cut(path.Base(name), ".")
	}
	out := e.open(normal)
	for _, d := range append(list.Warnings(), more.Warnings()...) {
		out.Warnings = append(out.Warnings, d.Error())
	}
	return out, nil
}
