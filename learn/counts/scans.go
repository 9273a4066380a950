package counts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/learn/data"
)

// scan is a step of a statement: the numbers of rows with the joint values of some columns, NULL
// among them. The counts of several families follow from it, so that an engine reads the table once
// for all of them.
type scan struct {
	vars     []int
	families []int // by number in the list that was asked for
}

// maxJoint is the most joint values, as far as states tell, of the columns of a scan that holds
// several families. Hill climbing on alarm with 100,000 rows in SQLite took 143 s of CPU with
// 1 << 14 and 111 s with 1 << 17. But the columns of a scan may be independent: it then has as many
// groups, and counting families in it takes as long as in the rows.
const maxJoint = 1 << 16

// scans divides families of discrete variables into scans. Each begins with the first family that
// no scan has, and grows by the variables that let it hold the most further families.
func (q *Query) scans(families []data.Family, part []int) (list []scan) {
	open := slices.Clone(part)
	for len(open) > 0 {
		var s scan
		in, gain := make([]bool, len(q.Vars)), make([]int, len(q.Vars))
		size := 1
		grow := func(v int) { s.vars, in[v], size = append(s.vars, v), true, q.sizeWith(size, v) }
		for _, v := range families[open[0]].Discrete {
			grow(v)
		}
		for {
			clear(gain)
			open = slices.DeleteFunc(open, func(i int) bool {
				lack, last := 0, 0
				for _, v := range families[i].Discrete {
					if !in[v] {
						lack, last = lack+1, v
					}
				}
				switch lack {
				case 0:
					s.families = append(s.families, i)
				case 1:
					gain[last]++
				}
				return lack == 0
			})
			best := -1
			for v, n := range gain {
				if n > 0 && q.sizeWith(size, v) <= maxJoint && (best < 0 || n > gain[best] || n == gain[best] && len(q.Vars[v].States) < len(q.Vars[best].States)) {
					best = v
				}
			}
			if best < 0 {
				break
			}
			grow(best)
		}
		slices.Sort(s.vars)
		list = append(list, s)
	}
	return list
}

// sizeWith returns the number of joint values of a scan with a further variable. It is large if the
// states are not known yet.
func (q *Query) sizeWith(size, v int) int {
	n := len(q.Vars[v].States)
	if n == 0 || size > maxJoint {
		return math.MaxInt32
	}
	return size * (n + 1)
}

// step returns the query of a scan, with a column for each variable and n for the rows.
func (q *Query) step(s *scan, table string) (string, error) {
	var list, groups []string
	for i, v := range s.vars {
		name, err := q.Dialect.Name(q.Vars[v].Name)
		if err != nil {
			return "", err
		}
		list, groups = append(list, fmt.Sprintf("%s AS v%d", q.castState(name), v+1)), append(groups, fmt.Sprint(i+1))
	}
	return fmt.Sprintf("SELECT %s, COUNT(*) AS n FROM %s GROUP BY %s", strings.Join(list, ", "), table, strings.Join(groups, ", ")), nil
}

// steps returns the WITH steps of a statement, and by family the name of its step: none if it has
// real variables or no variables.
func (q *Query) steps(families []data.Family, part []int) (text string, from map[int]string, err error) {
	table, err := q.Dialect.Table(q.Table)
	if err != nil {
		return "", nil, err
	}
	part = slices.DeleteFunc(slices.Clone(part), func(i int) bool { return families[i].Real != nil || len(families[i].Discrete) == 0 })
	prefix := "g"
	for strings.HasPrefix(strings.ToLower(strings.Trim(q.Table, `"`)), prefix) {
		prefix += "_" // a step would hide the table
	}
	from = map[int]string{}
	for k, s := range q.scans(families, part) {
		query, err := q.step(&s, table)
		if err != nil {
			return "", nil, err
		}
		name, lead := fmt.Sprintf("%s%d", prefix, k+1), ",\n"
		if k == 0 {
			lead = "WITH "
		}
		text += fmt.Sprintf("%s%s %s (%s)", lead, name, q.Dialect.Step, query)
		for _, i := range s.families {
			from[i] = name
		}
	}
	if text != "" {
		text += "\n"
	}
	return text, from, nil
}
