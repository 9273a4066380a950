// Package json reads and writes pgmc's own format. It is JSON that holds all of a [model.Model]
// except its positions: networks of every kind, latent variables, and every kind of distribution
// unconverted, so that a tree stays a tree.
//
//	{
//	  "pgmc": 1,
//	  "kind": "bayes",
//	  "name": "alarm",
//	  "variables": [
//	    {"name": "burglar", "states": ["yes", "no"]},
//	    {"name": "alarm", "states": ["rings", "silent"], "latent": true}
//	  ],
//	  "factors": [
//	    {
//	      "scope": ["burglar"],
//	      "child": "burglar",
//	      "table": [
//	        0.01, 0.99
//	      ]
//	    },
//	    {
//	      "scope": ["burglar", "alarm"],
//	      "child": "alarm",
//	      "tree": [
//	        {"test": "burglar", "next": [1, 2]},
//	        {"leaf": [0.9, 0.1]},
//	        {"leaf": [0.05, 0.95]}
//	      ]
//	    }
//	  ]
//	}
//
// "pgmc" is the version of the format: 1, or 2 in a file with anything that is marked as new below.
// "kind" is bayes, markov, dependency or forest. "name" and "latent" are optional, and a potential
// has no "child". All other fields are required, in any order, and no others are allowed. Variables
// and states are referred to by their names, nodes of trees and circuits by their indices in the
// list, from 0. Besides its scope a factor has one of
//
//	"table"          the numbers of all joint states of the scope, the last variable fastest
//	"deterministic"  the child's state for each joint state of the other variables of the scope,
//	                 the last fastest
//	"noisy-max"      {"leak": [...], "causes": [[...], ...]}: the leak's distribution; for each
//	                 parent in order of the scope the distributions of its contribution, one after
//	                 the other, by its states
//	"tree"           nodes: {"test": VARIABLE, "next": [NODE, ...]} with a later node for each
//	                 state, or {"leaf": [...]} with the child's distribution, or in a potential
//	                 with one number; node 0 is the root
//	"features"       {"weight": W, "if": [LITERAL, ...]}: W is a natural logarithm or "-inf", and
//	                 "if" is optional; a literal is {"var": VARIABLE, "is": STATE} or
//	                 {"var": VARIABLE, "not": STATE}
//	"circuit"        nodes: {"number": X}, {"var": VARIABLE, "is": STATE}, {"sum": [NODE, ...]} or
//	                 {"product": [NODE, ...]} with earlier nodes; the last node is the value
//	"ldfm"           {"weights": [...], "stop": [...], "normals": [...]}: a row for the root, then
//	                 one for each state of each variable, with a number for each state of each
//	                 variable, where a real variable counts as one state; "stop" has one number
//	                 for each row, and is absent in a plain LDFM; "normals" is present if there
//	                 are real variables, and has a mean, a slope and a variance for each row and
//	                 real variable, zeros for the variable below itself
//
//	"gaussian"       {"mean": [...], "coef": [...], "var": [...]}, new in version 2: the CPD of a
//	                 real child, whose scope lists the discrete parents, then the real parents, then
//	                 the child; a mean and a variance for each joint state of the discrete parents,
//	                 the last fastest, and as many coefficients as there are real parents, in the
//	                 order of the scope; "coef" is optional if there are none
//	"diffuse"        true, new in version 2: the prior of a real variable of which nothing is known,
//	                 of infinite variance, in slice 0 of a sequence; see [model.Diffuse]
//	"softmax"        {"bias": [...], "coef": [...]}, new in version 2: the CPD of a discrete child with
//	                 real parents, in a scope of the same order; for each joint state of the discrete
//	                 parents and each state of the child, which is fastest, a bias and a coefficient
//	                 for each real parent, which give ln of its weight
//	"func"           {"mean": EXPRESSION, "var": [...]}, new in version 2: the CPD of a real child
//	                 whose mean is an expression, with a variance as for "gaussian"
//	"canonical"      {"k": [...], "h": [...], "g": [...]}, new in version 2: a potential over
//	                 discrete and then real variables, exp(g + h·x - x'Kx/2); for each joint state of
//	                 the discrete ones the upper triangle of K row by row, h, and g, which may be
//	                 "-inf"
//	"pairwise"       {"metric": "potts", "weight": W, "cap": C}, new in version 2: a potential of two
//	                 variables with equally many states, exp(-W·d); d is 1 if their numbers i and j
//	                 differ, for the metric "linear" |i-j|, for "quadratic" (i-j)²; d is at most C,
//	                 which is optional
//
// An expression has numbers, names of real parents, + - * / ^, brackets, and the functions sqrt,
// exp, log (to base e), sin, cos, tan, tanh, abs, atan2, min and max. A name that is not an
// identifier stands in backquotes. The choice if(valve = "open", A, B) is A if a discrete parent
// has a state, and B otherwise. A map of the model is called like a function of two numbers.
//
// Maps stand before the factors, each as {"name": "hall", "origin": [x, y], "cell": 0.5, "rows":
// [[...], ...]}: the values at the points of a grid, from the least y on and in a row from the
// least x, with bilinear interpolation; see [model.Map].
//
// A real variable is {"name": "height", "real": true}. Models of the kind forest have some, and
// with version 2 those of the kinds bayes and markov. A variable of a network of kind bayes that is
// set from outside has "given": true and no CPD, which is new in version 2. A real variable with a
// "period", such as 360 or 6.283185307179586, is circular: values that differ by it are the same,
// which methods ekf, ukf, ghf and particle allow for.
//
//	{
//	  "pgmc": 2,
//	  "kind": "bayes",
//	  "name": "tank",
//	  "variables": [
//	    {"name": "valve", "states": ["open", "shut"]},
//	    {"name": "inflow", "real": true, "given": true},
//	    {"name": "level", "real": true}
//	  ],
//	  "factors": [
//	    {
//	      "scope": ["valve"],
//	      "child": "valve",
//	      "table": [
//	        0.25, 0.75
//	      ]
//	    },
//	    {
//	      "scope": ["valve", "inflow", "level"],
//	      "child": "level",
//	      "gaussian": {
//	        "mean": [-1.5, 0.5],
//	        "coef": [
//	          0.5,
//	          2
//	        ],
//	        "var": [0.25, 0]
//	      }
//	    }
//	  ]
//	}
//
// The network and each variable may have a "description", text for readers, which is new in version
// 2.
//
// The optional field "tied", new in version 2, lists groups of variables whose CPDs share their
// numbers when they are fitted. Here two sensors are equally good, and an alarm depends on one.
//
//	{
//	  "pgmc": 2,
//	  "kind": "bayes",
//	  "variables": [
//	    {"name": "speed", "real": true},
//	    {"name": "radar 1", "real": true},
//	    {"name": "radar 2", "real": true},
//	    {"name": "drag", "real": true},
//	    {"name": "alarm", "states": ["no", "yes"]}
//	  ],
//	  "factors": [
//	    {
//	      "scope": ["speed"],
//	      "child": "speed",
//	      "gaussian": {
//	        "mean": [3],
//	        "var": [4]
//	      }
//	    },
//	    {
//	      "scope": ["speed", "radar 1"],
//	      "child": "radar 1",
//	      "gaussian": {
//	        "mean": [0],
//	        "coef": [1],
//	        "var": [0.25]
//	      }
//	    },
//	    {
//	      "scope": ["speed", "radar 2"],
//	      "child": "radar 2",
//	      "gaussian": {
//	        "mean": [0],
//	        "coef": [1],
//	        "var": [0.25]
//	      }
//	    },
//	    {
//	      "scope": ["speed", "drag"],
//	      "child": "drag",
//	      "func": {
//	        "mean": "0.5*speed^2",
//	        "var": [1]
//	      }
//	    },
//	    {
//	      "scope": ["radar 1", "alarm"],
//	      "child": "alarm",
//	      "softmax": {
//	        "bias": [0, -9],
//	        "coef": [
//	          0,
//	          2
//	        ]
//	      }
//	    }
//	  ],
//	  "tied": [
//	    ["radar 1", "radar 2"]
//	  ]
//	}
//
// An influence diagram, new in version 2, has decisions, which are given variables, with what is
// known when each is chosen, and utilities, whose tables have a number for each joint state of
// their scopes, the last variable fastest; see [model.Diagram]. In place of scope and table, a
// utility may have a function of others, by name: {"name": "total", "function": "2*comfort -
// price"}, as in the mean of a [model.Func]; the others then are no terms of the sum that decisions
// maximise. A utility may name its criterion, which a list "criteria" has: {"name": "health",
// "unit": "QALY", "scale": 30000, "effect": 1}. "scale" is its factor in that sum, and "cost" and
// "effect" say how much a unit counts as a cost and as an effect, if these are compared.
//
// In a sequence, these are of slice 0, and "next" lists decisions and utilities of each later slice.
// A decision with "once": true is taken in slice 0 and holds in all slices. "horizon" is the number
// of slices, and "discount" the factor of a criterion from slice to slice, 1 if absent.
//
// A field "asymmetry" makes the diagram a decision analysis network, see [model.Asymmetry];
// "allowed" has 1 or 0 for each joint state of parent and child, and "knows" then lists what
// precedes a decision:
//
//	"asymmetry": {
//	  "observed": ["symptom"],
//	  "restrictions": [{"parent": "test", "child": "result", "allowed": [1, 1, 0, 0]}],
//	  "reveals": [{"by": "test", "states": ["yes"], "variable": "result"}]
//	}
//
//	{
//	  "pgmc": 2,
//	  "kind": "bayes",
//	  "variables": [
//	    {"name": "forecast", "states": ["rain", "dry"]},
//	    {"name": "umbrella", "states": ["take", "leave"], "given": true}
//	  ],
//	  "factors": [
//	    {
//	      "scope": ["forecast"],
//	      "child": "forecast",
//	      "table": [
//	        0.25, 0.75
//	      ]
//	    }
//	  ],
//	  "decisions": [
//	    {"variable": "umbrella", "knows": ["forecast"]}
//	  ],
//	  "utilities": [
//	    {
//	      "name": "comfort",
//	      "scope": ["forecast", "umbrella"],
//	      "table": [
//	        5, -10,
//	        -1, 3
//	      ]
//	    }
//	  ]
//	}
//
// A plate stands for many alike variables and factors. The optional field "plates", new in version
// 2, has the sizes of plates by name; "in" lists the plates of a variable or factor. The reader
// makes one for each joint index, from 1, and ties the CPDs. A factor must be in all plates of its
// variables, and what it has outside its plates is the same for all of them. "tied" in such a
// factor is false if each of its CPDs has parameters of its own, or lists the plates over which the
// CPDs are tied: ["student"], in a factor in student and course, gives parameters to each course.
// With a skeleton, tables say which objects plates have, which then give variables their names, and
// which joint indices there are; see [format.Table]. This is a network of difficulty, ability[1] to
// ability[30] and mark[1] to mark[30]:
//
//	{
//	  "pgmc": 2,
//	  "kind": "bayes",
//	  "plates": {"student": 30},
//	  "variables": [
//	    {"name": "difficulty", "real": true},
//	    {"name": "ability", "real": true, "in": ["student"]},
//	    {"name": "mark", "real": true, "in": ["student"]}
//	  ],
//	  "factors": [
//	    {"scope": ["difficulty"], "child": "difficulty", "gaussian": {"mean": [0], "var": [1]}},
//	    {"scope": ["ability"], "child": "ability", "in": ["student"], "gaussian": {"mean": [0], "var": [1]}},
//	    {"scope": ["ability", "difficulty", "mark"], "child": "mark", "in": ["student"],
//	      "gaussian": {"mean": [3], "coef": [1, -1], "var": [0.5]}}
//	  ]
//	}
//
// A Markov network may have real variables in canonical potentials.
//
//	{
//	  "pgmc": 2,
//	  "kind": "markov",
//	  "variables": [
//	    {"name": "left", "states": ["0", "1", "2"]},
//	    {"name": "right", "states": ["0", "1", "2"]},
//	    {"name": "depth", "real": true}
//	  ],
//	  "factors": [
//	    {
//	      "scope": ["left", "right"],
//	      "pairwise": {"metric": "linear", "weight": 0.5, "cap": 1}
//	    },
//	    {
//	      "scope": ["left", "depth"],
//	      "canonical": {
//	        "k": [
//	          1,
//	          1,
//	          2
//	        ],
//	        "h": [
//	          0,
//	          1,
//	          4
//	        ],
//	        "g": [0, -0.5, "-inf"]
//	      }
//	    }
//	  ]
//	}
//
// The optional field "next", new in version 2, makes a network of kind bayes a template of a
// sequence of slices. The network is slice 0; "next" says how each later slice follows from the one
// before, by a CPD for every variable that is not given. ["rain", 1] is the variable rain a slice
// ago. "next" may have "tied" groups of its own. "sequences" is the column that named the sequences
// of the rows that the network was learned from, "time" the column of their times, and "step" the
// time from one slice to the next, such as "1h" or "1mo"; commands read other files by them.
//
//	{
//	  "pgmc": 2,
//	  "kind": "bayes",
//	  "variables": [
//	    {"name": "rain", "states": ["yes", "no"]},
//	    {"name": "umbrella", "states": ["yes", "no"]}
//	  ],
//	  "factors": [
//	    {
//	      "scope": ["rain"],
//	      "child": "rain",
//	      "table": [
//	        0.5, 0.5
//	      ]
//	    },
//	    {
//	      "scope": ["rain", "umbrella"],
//	      "child": "umbrella",
//	      "table": [
//	        0.9, 0.1,
//	        0.2, 0.8
//	      ]
//	    }
//	  ],
//	  "next": {
//	    "factors": [
//	      {
//	        "scope": [["rain", 1], "rain"],
//	        "child": "rain",
//	        "table": [
//	          0.7, 0.3,
//	          0.3, 0.7
//	        ]
//	      },
//	      {
//	        "scope": ["rain", "umbrella"],
//	        "child": "umbrella",
//	        "table": [
//	          0.9, 0.1,
//	          0.2, 0.8
//	        ]
//	      }
//	    ]
//	  }
//	}
//
// ["rain", 2] is the variable rain two slices ago. The reader makes a latent variable "rain[-1]"
// that holds the rain of one slice earlier, and so on. The CPDs of slice 0 must say what it was
// before the first slice: those of ["rain", 1] up to one slice less than "next" goes back. An
// expression calls it rain@-2, in backquotes. This is an autoregression of order 2. The flow of the
// first two slices is diffuse, so that ln P is that of the later slices given the first two, up to
// a constant:
//
//	{
//	  "pgmc": 2,
//	  "kind": "bayes",
//	  "variables": [
//	    {"name": "flow", "real": true}
//	  ],
//	  "factors": [
//	    {"scope": [["flow", 1]], "child": ["flow", 1], "diffuse": true},
//	    {"scope": ["flow"], "child": "flow", "diffuse": true}
//	  ],
//	  "next": {"factors": [
//	    {"scope": [["flow", 1], ["flow", 2], "flow"], "child": "flow", "gaussian": {"mean": [1], "coef": [0.5, 0.25], "var": [0.1]}}
//	  ]}
//	}
//
// A CPD that was fitted to data may have "counts": the weight of the data rows with each joint
// state of the scope, the last variable fastest, or for a tree the weight for each number of its
// leaves, in order of nodes. A Gaussian CPD has for each row the weight of the data, the means of
// the real parents and the child, and the sums of the products of their differences from the means:
// the lower triangle, row by row. Fitting to more data continues from them.
//
// Package model defines the meaning of all this. The writer puts each variable, each node and each
// run of numbers along the last variable on a line of its own, so that versions of a model compare
// well line by line. Numbers read back exactly.
//
// The reader stops at the first error. It rejects unknown fields, duplicate fields, text that is
// not UTF-8 and versions later than its own. The package does not read the JSON of other tools.
//
// Sources: the format is pgmc's own; JSON is as in RFC 8259.
package json
