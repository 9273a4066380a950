package counts

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/sqltext"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Query writes and reads SQL statements that count families in a table of a database.
type Query struct {
	Dialect *sqltext.Dialect
	Table   string
	Vars    []data.Var
	Coded   bool // columns hold numbers of states, from 0, and not their names
}

// Statement counts some families.
type Statement struct {
	Text     string
	Families []int // by number in the list that was asked for

	columns []string
	states  int // columns of states
	reals   int // real variables of the largest family; 0 for families without any
}

// maxText is the most bytes of a statement; one family may take more. BigQuery takes a million.
const maxText = 200_000

// Statements returns statements that count families, in order. A statement has families with real
// variables or without them. The last row of each counts all rows of the table.
func (q *Query) Statements(families []data.Family) (list []Statement, err error) {
	for _, real := range []bool{false, true} {
		var part []int
		bytes := 0
		flush := func() {
			if part != nil && err == nil {
				var s Statement
				s, err = q.statement(families, part)
				list = append(list, s)
			}
			part, bytes = nil, 0
		}
		for i := range families {
			f := &families[i]
			if (f.Real != nil) != real {
				continue
			}
			cost := 100
			for _, v := range f.Vars() {
				cost += 60 + 4*len(q.Vars[v].Name)
			}
			if bytes += cost * (1 + len(f.Real)*(len(f.Real)+1)); bytes > maxText {
				flush()
			}
			part = append(part, i)
		}
		flush()
	}
	return list, err
}

// statement returns the statement of some families.
func (q *Query) statement(families []data.Family, part []int) (Statement, error) {
	s := Statement{Families: part}
	for _, i := range part {
		s.states, s.reals = max(s.states, len(families[i].Discrete)), max(s.reals, len(families[i].Real))
	}
	s.columns = append(append([]string{"f"}, numbered("s", s.states)...), "n")
	s.columns = append(append(append(s.columns, numbered("a", s.reals)...), numbered("d", s.reals)...), numbered("c", s.reals*(s.reals+1)/2)...)
	if most := q.Dialect.Columns; most > 0 && len(s.columns) > most {
		return s, fmt.Errorf("the counts of a family with %d real variables take %d columns; %s takes %d", s.reals, len(s.columns), q.Dialect.Title(), most)
	}
	steps, from, err := q.steps(families, part)
	if err != nil {
		return s, err
	}
	var selects []string
	for k, i := range append(slices.Clone(part), -1) {
		f := &data.Family{}
		if i >= 0 {
			f = &families[i]
		}
		text, err := q.family(f, k, &s, from[i])
		if err != nil {
			return s, err
		}
		selects = append(selects, text)
	}
	s.Text = fmt.Sprintf("%s%sSELECT %s FROM (\n%s) AS u ORDER BY f;\n", q.Dialect.Before, steps, strings.Join(s.columns, ", "), sqltext.Union(selects))
	return s, nil
}

// numbered returns a letter with the numbers 1 to n.
func numbered(letter string, n int) (list []string) {
	for i := range n {
		list = append(list, letter+strconv.Itoa(i+1))
	}
	return list
}

// family returns the query of one family, with the columns of s. step is the step that it counts
// in; empty if it reads the rows.
func (q *Query) family(f *data.Family, number int, s *Statement, step string) (string, error) {
	from, err := q.rows(f, step)
	if err != nil {
		return "", err
	}
	d := q.Dialect
	list := []string{fmt.Sprintf("%d AS f", number)}
	var groups []string
	for i, name := range numbered("s", s.states) {
		if i < len(f.Discrete) {
			list, groups = append(list, "r."+name+" AS "+name), append(groups, strconv.Itoa(i+2))
		} else {
			list = append(list, fmt.Sprintf("CAST(NULL AS %s) AS %s", q.state(), name))
		}
	}
	n := "COUNT(*) AS n"
	if step != "" {
		n = "SUM(r.n) AS n"
	}
	list = append(list, n)
	pad := func(names []string) {
		for _, name := range names {
			list = append(list, fmt.Sprintf("CAST(NULL AS %s) AS %s", d.Real, name))
		}
	}
	k := len(f.Real)
	for _, name := range numbered("a", k) {
		list = append(list, "MIN(m."+name+") AS "+name)
	}
	pad(numbered("a", s.reals)[k:])
	for i, name := range numbered("d", k) {
		list = append(list, fmt.Sprintf("SUM(r.x%[1]d - m.a%[1]d) AS %[2]s", i+1, name))
	}
	pad(numbered("d", s.reals)[k:])
	for i := range k {
		for j := range i + 1 {
			list = append(list, fmt.Sprintf("SUM((r.x%[1]d - m.a%[1]d) * (r.x%[2]d - m.a%[2]d)) AS c%[3]d", i+1, j+1, data.Packed(i, j)+1))
		}
	}
	pad(numbered("c", s.reals*(s.reals+1)/2)[k*(k+1)/2:])
	text := "SELECT " + strings.Join(list, ", ") + " FROM " + from + " AS r"
	if k > 0 {
		text += q.means(f, from)
	}
	if groups != nil {
		text += " GROUP BY " + strings.Join(groups, ", ")
	}
	return text, nil
}

// state returns the type of a state.
func (q *Query) state() string {
	if q.Coded {
		return q.Dialect.Int
	}
	return q.Dialect.String
}

// castState returns a column as a state. SQLite casts texts to 0 and cuts fractions, and so keeps a
// value that is no whole number, which is then no state.
func (q *Query) castState(name string) string {
	cast := fmt.Sprintf("CAST(%s AS %s)", name, q.state())
	if q.Coded && q.Dialect.ID == "sqlite" {
		return fmt.Sprintf("CASE WHEN %s = %s THEN %s ELSE %s END", name, cast, cast, name)
	}
	return cast
}

// rows returns the query of the rows that miss no value of a family, with the columns s1, s2, ...
// of states and x1, x2, ... of real values; of a step, with the column n.
func (q *Query) rows(f *data.Family, step string) (string, error) {
	table, err := q.Dialect.Table(q.Table)
	if err != nil || len(f.Vars()) == 0 {
		return table, err
	}
	var list, where []string
	if step != "" {
		for i, v := range f.Discrete {
			list, where = append(list, fmt.Sprintf("v%d AS s%d", v+1, i+1)), append(where, fmt.Sprintf("v%d IS NOT NULL", v+1))
		}
		return "(SELECT " + strings.Join(list, ", ") + ", n FROM " + step + " WHERE " + strings.Join(where, " AND ") + ")", nil
	}
	for i, v := range f.Discrete {
		name, err := q.Dialect.Name(q.Vars[v].Name)
		if err != nil {
			return "", err
		}
		list, where = append(list, fmt.Sprintf("%s AS s%d", q.castState(name), i+1)), append(where, name+" IS NOT NULL")
	}
	for i, v := range f.Real {
		name, err := q.Dialect.Name(q.Vars[v].Name)
		if err != nil {
			return "", err
		}
		x := fmt.Sprintf("CAST(%s AS %s)", name, q.Dialect.Real)
		list = append(list, fmt.Sprintf("%s AS x%d", x, i+1))
		where = append(where, fmt.Sprintf("%s BETWEEN %s AND %s", x, q.Dialect.Number(-model.MaxReal), q.Dialect.Number(model.MaxReal)))
		if q.Dialect.ID == "sqlite" { // which casts other texts to 0
			where = append(where, fmt.Sprintf("typeof(%s) IN ('real', 'integer')", name))
		}
	}
	return "(SELECT " + strings.Join(list, ", ") + " FROM " + table + " WHERE " + strings.Join(where, " AND ") + ")", nil
}

// means joins the means of real variables in each joint state, from which the sums of cross
// products take their differences.
func (q *Query) means(f *data.Family, from string) string {
	states := numbered("s", len(f.Discrete))
	list := slices.Clone(states)
	for i, name := range numbered("a", len(f.Real)) {
		list = append(list, fmt.Sprintf("AVG(x%d) AS %s", i+1, name))
	}
	text := "(SELECT " + strings.Join(list, ", ") + " FROM " + from + " AS b"
	if states == nil {
		return " CROSS JOIN " + text + ") AS m"
	}
	var on []string
	for _, name := range states {
		on = append(on, "r."+name+" = m."+name)
	}
	return " JOIN " + text + " GROUP BY " + strings.Join(states, ", ") + ") AS m ON " + strings.Join(on, " AND ")
}

// Answer is what a client printed for a statement.
type Answer struct {
	Tables []data.Table // of the statement's families
	Rows   float64      // all rows of the table
}

// Read reads the CSV table that a client printed for a statement. A family must have a table of
// moderate size, see [Counts].
func (q *Query) Read(s *Statement, families []data.Family, in io.Reader) (*Answer, error) {
	c, out := New(q.Vars, 0), &Answer{Tables: make([]data.Table, len(s.Families))}
	for k, i := range s.Families {
		if err := c.fits(&families[i]); err != nil {
			return nil, err
		}
		out.Tables[k] = c.zero(&families[i])
	}
	last := false
	err := s.each(in, func(k int, line []string, n float64) error {
		if last = k == len(s.Families); last {
			out.Rows = n
			return nil
		}
		return q.put(s, &families[s.Families[k]], &out.Tables[k], line, n)
	})
	if err == nil && !last {
		err = fmt.Errorf("the output ends before its last row")
	}
	return out, err
}

// each calls do with the lines of the output: the number of the family, the line, and its count.
func (s *Statement) each(in io.Reader, do func(k int, line []string, n float64) error) error {
	r := csv.NewReader(in)
	r.ReuseRecord = true
	head, err := r.Read()
	switch {
	case err == io.EOF:
		return fmt.Errorf("the client printed no CSV; want the columns %s", strings.Join(s.columns, ","))
	case err != nil:
		return err
	case !slices.Equal(head, s.columns):
		return fmt.Errorf("the client printed the columns %q; want %q, in a CSV table with a header", head, s.columns)
	}
	for {
		line, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		k, err := strconv.Atoi(line[0])
		if err != nil || k < 0 || k > len(s.Families) {
			return fmt.Errorf("the client printed the row %q; want the number of a family in its first column", line)
		}
		n, err := strconv.ParseFloat(line[1+s.states], 64)
		if err != nil || !(n >= 0 && n < 1<<53) {
			return fmt.Errorf("the client printed the count %q; want a number", line[1+s.states])
		}
		if err := do(k, line, n); err != nil {
			return err
		}
	}
}

// put stores a line in the table of a family.
func (q *Query) put(s *Statement, f *data.Family, t *data.Table, line []string, n float64) error {
	at := 0
	for i, v := range f.Discrete {
		state, err := q.find(v, line[1+i])
		if err != nil {
			return err
		}
		at = at*len(q.Vars[v].States) + state
	}
	switch {
	case f.Real == nil && t.N[at] == 0:
		t.N[at] = n
		return nil
	case f.Real == nil || t.Moments[at].Weight > 0:
		return fmt.Errorf("the client printed the row %q after another with these states; want one", line)
	case n == 0: // of a family without discrete variables
		return nil
	}
	k, x := len(f.Real), &t.Moments[at]
	numbers := make([]float64, len(line))
	for i := 2 + s.states; i < len(line); i++ {
		var err error
		if numbers[i], err = strconv.ParseFloat(line[i], 64); line[i] != "" && (err != nil || math.IsInf(numbers[i], 0) || math.IsNaN(numbers[i])) {
			return fmt.Errorf("the client printed %q in the column %q; want a number", line[i], s.columns[i])
		}
	}
	means := numbers[2+s.states:]
	rest, cross := means[s.reals:], means[2*s.reals:]
	x.Weight = n
	for i := range k {
		x.Mean[i] = means[i] + rest[i]/n // the rounding error of the mean
		for j := range i + 1 {
			x.Cross[data.Packed(i, j)] = cross[data.Packed(i, j)] - rest[i]*rest[j]/n
		}
	}
	return nil
}

// find returns the state of a text.
func (q *Query) find(v int, text string) (int, error) {
	x := &q.Vars[v]
	if q.Coded {
		if s, err := strconv.Atoi(text); err == nil && s >= 0 && s < len(x.States) {
			return s, nil
		}
		return 0, fmt.Errorf("column %q has the value %q; want a number of a state from 0 to %d", x.Name, text, len(x.States)-1)
	}
	if s := slices.Index(x.States, text); s >= 0 {
		return s, nil
	}
	return 0, fmt.Errorf("column %q has the value %q, which is no state of the variable", x.Name, text)
}

// States returns the variables with the states of those that a statement counts one by one, ordered
// as the data loader orders them.
func (q *Query) States(s *Statement, families []data.Family, in io.Reader) ([]data.Var, error) {
	vars := slices.Clone(q.Vars)
	err := s.each(in, func(k int, line []string, _ float64) error {
		if k == len(s.Families) {
			return nil
		}
		x := &vars[families[s.Families[k]].Discrete[0]]
		if line[1] == "" {
			return fmt.Errorf("column %q has an empty text; want NULL for a missing value", x.Name)
		}
		if x.States = append(x.States, strings.Clone(line[1])); len(x.States) > data.MaxStates {
			return fmt.Errorf("column %q has more than %d different values; leave it out", x.Name, data.MaxStates)
		}
		return nil
	})
	for _, i := range s.Families {
		x := &vars[families[i].Discrete[0]]
		if err == nil && x.States == nil {
			err = fmt.Errorf("column %q has no values; leave it out", x.Name)
		}
		x.States = rowfile.SortStates(x.States)
	}
	return vars, err
}
