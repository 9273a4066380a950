package fg_test

import "github.com/pgmc-go/pgmc/compiler/internal/format/formattest"

// texts holds small models.
var texts = []formattest.Model{
	{Name: "no factors", Text: "0\n"},
	{Name: "first variable fastest", Text: "# made by hand\n1\n\n2 # variables\n0 1\n2 3\n6\n0 0.1\n1 0.3\n2 0.05\n3 0.05\n4 0.2\n5 0.3",
		Posteriors: []formattest.Posterior{
			{Var: "x1", State: "2", Evidence: map[string]string{"x0": "1"}, Want: 0.3 / 0.65, From: "index 5 of 1, 3 and 5"},
			{Var: "x1", State: "0", Want: 0.4, From: "indices 0 and 1"},
		}},
	{Name: "sparse", Text: "1\n2\n0 1\n2 3\n2\n5 0.75\n2 0.25",
		Posteriors: []formattest.Posterior{
			{Var: "x1", State: "2", Want: 0.75, From: "index 5"},
			{Var: "x0", State: "0", Evidence: map[string]string{"x1": "1"}, Want: 1, From: "index 2"},
		}},
	{Name: "labels", Text: "2\n\n2\n70 3\n2 3\n6\n0 1 1 3\n2 0 3 0\n4 0 5 4\n\n1\n2147483647\n2\n2\n0 0.5\n1 0.5",
		Posteriors: []formattest.Posterior{
			{Var: "x3", State: "2", Want: 0.5, From: "70 is fastest: 4 of 8"},
			{Var: "x70", State: "0", Evidence: map[string]string{"x3": "0"}, Want: 0.25, From: "1 : 3"},
			{Var: "x2147483647", State: "0", Want: 0.5, From: "the text"},
		}},
	{Name: "three variables", Text: "1 3 2 0 1 2 3 2 12 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10 11 11 12",
		Posteriors: []formattest.Posterior{
			{Var: "x0", State: "2", Evidence: map[string]string{"x2": "1", "x1": "0"}, Want: 6.0 / 12, From: "indices 1, 3, 5"},
			{Var: "x1", State: "1", Evidence: map[string]string{"x2": "0", "x0": "1"}, Want: 9.0 / 12, From: "indices 2, 8"},
		}},
	{Name: "constant and single state", Text: "2 0 1 0 3 2 5 0 1 2 2 0 1 1 3",
		Posteriors: []formattest.Posterior{{Var: "x0", State: "1", Want: 0.75, From: "1 : 3, whatever the constant"}}},
}

// broken holds texts that must be rejected.
var broken = []formattest.Broken{
	{Name: "empty", Want: "empty:1:1: found end of file; want the number of factors"},
	{Name: "claim of factors", Text: "# x\n70000000000", Want: `claim of factors:2:1: found "70000000000"; want the number of factors, from 0 to 2147483647`},
	{Name: "claim of factors in reach", Text: "7000", Want: "claim of factors in reach:1:1: the file declares 7000 factors; the rest of it has room for at most 0"},
	{Name: "claim of variables", Text: "1\n99 0", Want: "claim of variables:2:1: the file declares 99 variables; the rest of it has room for at most 1"},
	{Name: "label", Text: "1\n1\n-1 2", Want: `label:3:1: found "-1"; want the label of a variable, from 0 to 2147483647`},
	{Name: "states", Text: "1\n1\n0\n0 0", Want: `states:4:1: found "0"; want the number of states of a variable, from 1 to 65535`},
	{Name: "other states", Text: "2\n1\n7\n2\n0\n1\n7\n3\n0", Want: `other states:8:1: found 3 states of variable 7; want 2, as at other states:3:1`},
	{Name: "variable twice", Text: "1\n2\n4 4\n2 2\n0", Want: `variable twice:3:3: found variable 4 for the second time in factor 0; want it once`},
	{Name: "many entries", Text: "1\n3\n0 1 2\n9999 9999 9999\n1 0 1", Want: `many entries:5:1: factor 0 would have 1e+12 entries; the limit is 67108864`},
	{Name: "many zeros", Text: "2 2 0 1 1700 1700 0 2 1 2 1700 1700 1 0 1", Want: `many zeros:1:37: the factors so far leave out too many entries; the limit is 4194304`},
	{Name: "too many", Text: "1\n1\n0\n2\n3\n0 1\n1 1\n2 1", Want: `too many:5:1: found "3"; want the number of entries that follow, from 0 to 2`},
	{Name: "claim of entries", Text: "1\n1\n0\n9\n9\n0 1", Want: `claim of entries:5:1: the file declares 18 indices and values; the rest of it has room for at most 2`},
	{Name: "index", Text: "1\n1\n0\n2\n1\n2 1", Want: `index:6:1: found "2"; want the index of an entry, from 0 to 1`},
	{Name: "entry twice", Text: "1\n1\n0\n2\n2\n1 1\n1 1", Want: `entry twice:7:1: found entry 1 of factor 0 for the second time; want it once`},
	{Name: "negative", Text: "1\n1\n0\n2\n1\n1 -1", Want: `negative:6:3: found "-1"; want a number of at least 0`},
	{Name: "no number", Text: "1\n1\n0\n2\n1\n1 x", Want: `no number:6:3: found "x"; want a number`},
	{Name: "cut", Text: "1\n1\n0\n2\n1\n1  \n", Want: `cut:7:1: found end of file; want a number`},
	{Name: "more behind", Text: "0\n1", Want: `more behind:2:1: found "1"; want end of file`},
}
