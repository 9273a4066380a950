package engine

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
)

// Saving is a format in which the model can be saved.
type Saving struct {
	Name string `json:"name"`
	Ext  string `json:"ext"`
	Doc  string `json:"doc"`
}

// mostTried is the most parameters of a model that is written in every format to know which hold it.
const mostTried = 20_000

// formats returns the formats that hold the model. Of a large model it returns those that hold models
// of its kind.
func (e *Engine) formats() []Saving {
	out, needs, small := []Saving{}, e.m.Needs(), e.describe().Size <= mostTried
	for _, f := range compiler.Formats {
		if f.Write == nil || f.Folder || format.Refuse(nil, f, needs) != nil {
			continue
		}
		if small {
			if _, err := format.Encode(nil, f, "m"+f.Exts[0], e.m); err != nil {
				continue
			}
		}
		out = append(out, Saving{f.Name, f.Exts[0], f.Doc})
	}
	return out
}

// Saved is the reply to "save": files, and what they lack.
type Saved struct {
	Files []SavedFile `json:"files"`
	Lost  []string    `json:"lost"`
}

// SavedFile is a file of a model.
type SavedFile struct {
	Name string `json:"name"`
	Data []byte `json:"data"` // base64 in JSON
}

// save returns the files that hold the model of a version in a format, the main one under a name.
func (e *Engine) save(name, kind string, version int) (*Saved, error) {
	m := e.m
	if version != 0 {
		var err error
		if m, err = e.modelOf(version); err != nil {
			return nil, err
		}
	}
	at := slices.IndexFunc(compiler.Formats, func(f format.Format) bool { return f.Name == kind })
	if at < 0 {
		return nil, fmt.Errorf("unknown format %q", kind)
	}
	sink, err := format.Encode(compiler.Formats, compiler.Formats[at], name, m)
	if err != nil {
		return nil, err
	}
	out := &Saved{Files: []SavedFile{}, Lost: append([]string{}, sink.Lost...)}
	for _, f := range sink.Files {
		out.Files = append(out.Files, SavedFile{f.Name, f.Data.Bytes()})
	}
	return out, nil
}
