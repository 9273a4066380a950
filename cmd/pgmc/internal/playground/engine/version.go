package engine

import (
	"fmt"
	"maps"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// mostVersions is the number of models that are kept for undo.
const mostVersions = 200

// open makes m the model, under a new version.
func (e *Engine) open(m *model.Model) *Loaded {
	e.version++
	if e.versions == nil {
		e.versions = map[int]*model.Model{}
	}
	maps.DeleteFunc(e.versions, func(v int, _ *model.Model) bool { return v <= e.version-mostVersions })
	e.versions[e.version] = m
	e.use(m)
	return e.describe()
}

// use makes m the model.
func (e *Engine) use(m *model.Model) {
	e.m, e.engines, e.recent, e.tree = m, map[string]*infer.Engine{}, nil, nil
}

// back makes the model of a version the model again.
func (e *Engine) back(version int) (bool, error) {
	m, err := e.modelOf(version)
	if err != nil {
		return false, err
	}
	e.use(m)
	return true, nil
}

// modelOf returns the model of a version.
func (e *Engine) modelOf(version int) (*model.Model, error) {
	if m := e.versions[version]; m != nil {
		return m, nil
	}
	return nil, fmt.Errorf("the model of that step is gone; the page keeps the last %d", mostVersions)
}
