package cli

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// port is how the flags of evidence are read for a variable of one domain: each method returns a
// value of [infer.Evidence]. The values of port are discretePort, which leaves names of states to
// package infer, and realPort.
type port interface {
	observation(f *finding) (any, error)  // of --evidence
	likelihood(f *finding) (any, error)   // of --soft
	distribution(f *finding) (any, error) // of --jeffrey
}

type discretePort struct{}

func (discretePort) observation(f *finding) (any, error) {
	if len(f.states) > 1 {
		return infer.States(f.states), nil
	}
	return f.states[0], nil
}

func (discretePort) likelihood(f *finding) (any, error) {
	if f.spread {
		return nil, f.noMeasurement()
	}
	return infer.Likelihood(f.numbers), nil
}

func (discretePort) distribution(f *finding) (any, error) {
	if f.spread {
		return nil, f.noMeasurement()
	}
	return infer.Jeffrey(f.numbers), nil
}

// noMeasurement returns the error of a measurement of a variable with states.
func (f *finding) noMeasurement() error {
	return fmt.Errorf("variable %q has states; want a number for each, with / between, and no measurement", f.name)
}

type realPort struct{ domain model.Domain }

func (p realPort) observation(f *finding) (any, error) {
	x, err := p.domain.Parse(f.states[0])
	if err != nil || len(f.states) > 1 {
		return nil, fmt.Errorf("the evidence on %q, which is real-valued, is %q; want a number of a size of at most %g", f.name, strings.Join(f.states, "|"), float64(model.MaxReal))
	}
	return x.Real, nil
}

func (realPort) likelihood(f *finding) (any, error) {
	if !f.spread || len(f.numbers) != 2 {
		return nil, fmt.Errorf("variable %q is real-valued; want a measurement and its standard deviation, as in %s=1.8±0.1", f.name, f.name)
	}
	return infer.Measurement{Mean: f.numbers[0], SD: f.numbers[1]}, nil
}

func (realPort) distribution(f *finding) (any, error) {
	return nil, fmt.Errorf("variable %q is real-valued; want the distribution of one that has states", f.name)
}
