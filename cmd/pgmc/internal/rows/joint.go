package rows

import (
	"encoding/json"
	"fmt"
	"slices"
)

// jointJSON is a joint posterior in the JSON of a batch. P has one level for each variable.
type jointJSON struct {
	Of []string        `json:"of"`
	P  json.RawMessage `json:"p"`
}

// jointRow is a joint state and its probability.
type jointRow struct {
	states []string
	p      float64
}

// rows returns the joint states, the last variable fastest.
func (j *jointJSON) rows(vars []Variable) ([]jointRow, error) {
	rows := []jointRow{{}}
	levels := []json.RawMessage{j.P}
	for _, name := range j.Of {
		at := slices.IndexFunc(vars, func(v Variable) bool { return v.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("there is no variable %q", name)
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
		if err := json.Unmarshal(level, &rows[i].p); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
