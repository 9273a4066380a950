package rows

import (
	"encoding/json"
	"fmt"
	"slices"
)

// jointJSON is a joint posterior in the JSON of a batch. P has one level for each variable, and so
// has Moments, in its place, for each discrete variable if others are real.
type jointJSON struct {
	Of      []string        `json:"of"`
	P       json.RawMessage `json:"p"`
	Moments json.RawMessage `json:"moments"`
}

// componentJSON is a component of a mixture in the JSON of a batch.
type componentJSON struct {
	P    float64 `json:"p"`
	Mean float64 `json:"mean"`
	Var  float64 `json:"var"`
}

// jointRow is a joint state and its numbers.
type jointRow struct {
	states  []string
	numbers []float64
}

// rows returns the joint states, the last variable fastest.
func (j *jointJSON) rows(vars []Variable) ([]jointRow, error) {
	rows := []jointRow{{}}
	levels := []json.RawMessage{j.P}
	if j.Moments != nil {
		levels[0] = j.Moments
	}
	for _, name := range j.Of {
		at := slices.IndexFunc(vars, func(v Variable) bool { return v.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("there is no variable %q", name)
		}
		if vars[at].Real {
			continue
		}
		var nextRows []jointRow
		var nextLevels []json.RawMessage
		for i, level := range levels {
			var byState map[string]json.RawMessage
			if err := json.Unmarshal(level, &byState); err != nil {
				return nil, err
			}
			for _, s := range vars[at].States {
				nextRows = append(nextRows, jointRow{states: append(slices.Clone(rows[i].states), s)})
				nextLevels = append(nextLevels, byState[s])
			}
		}
		rows, levels = nextRows, nextLevels
	}
	for i, level := range levels {
		if err := rows[i].read(level, j.Moments != nil); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// read reads the numbers of a joint state.
func (r *jointRow) read(level json.RawMessage, moments bool) error {
	if !moments {
		r.numbers = make([]float64, 1)
		return json.Unmarshal(level, &r.numbers[0])
	}
	var x struct {
		P    float64     `json:"p"`
		Mean []float64   `json:"mean"`
		Cov  [][]float64 `json:"cov"`
	}
	if err := json.Unmarshal(level, &x); err != nil {
		return err
	}
	r.numbers = append([]float64{x.P}, x.Mean...)
	for _, row := range x.Cov {
		r.numbers = append(r.numbers, row...)
	}
	return nil
}
