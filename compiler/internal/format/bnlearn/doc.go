// Package bnlearn reads Bayesian networks of R's bnlearn, discrete, Gaussian and conditional
// Gaussian, as pgmpy and bnRep export them to JSON.
//
//	{
//	  "name": "tank",
//	  "nodes": ["valve", "inflow", "level"],
//	  "arcs": [["valve", "level"], ["inflow", "level"]],
//	  "cpds": {
//	    "valve": {"type": "discrete", "parents": [], "levels": ["open", "shut"], "rows": [[0.25, 0.75]]},
//	    "inflow": {"type": "gaussian", "parents": [], "coefficients": {"(Intercept)": 1}, "sd": 0.5},
//	    "level": {"type": "cgnode", "parents": ["valve", "inflow"], "dparents": [1], "gparents": [2],
//	      "coefficients": {"(Intercept)": [-1.5, 0.5], "inflow": [0.5, 2]}, "sd": [0.5, 0]}
//	  }
//	}
//
// Three dialects are read. In all of them the rows of a CPD go through the joint states of the
// discrete parents with the first one fastest, as in R.
//
//   - A Gaussian CPD of pgmpy has no type, lists of one number, and "variance" instead of "sd", a
//     standard deviation.
//   - The discrete parents of a conditional Gaussian CPD, and the continuous ones, are names, or
//     positions among the parents from 1. Coefficients and deviations are lists, or objects with the
//     number of the row, from 0, as the name of each field.
//   - A discrete CPD has "rows", a list for each joint state of the parents, or "cpt", an object with
//     the probability of each level; if there are parents, such an object for each of their joint
//     states, called as in "A=young,B=none".
//
// A list of one value may be just the value. The order of the variables is that of "nodes". Levels
// that a CPD repeats for its parents must be those of the parents. The reader skips arcs and all
// fields that it does not know.
//
// Sources: files of pgmpy and of the R package bnRep; the manual of bnlearn on bn.fit.
package bnlearn

import (
	"bytes"

	"github.com/pgmc-go/pgmc/compiler/format"
)

// Format is the JSON of bnlearn's networks.
var Format = format.Format{
	Name: "bnlearn",
	Doc:  "networks of R's bnlearn as JSON, with real variables",
	Exts: []string{".bnlearn.json", ".json"},
	Claims: func(data []byte) bool {
		return bytes.Contains(data, []byte(`"cpds"`)) && !bytes.Contains(data, []byte(`"pgmc"`))
	},
	Read: read,
}
