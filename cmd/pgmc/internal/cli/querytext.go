package cli

import "github.com/pgmc-go/pgmc/ir"

// QueryLong is the help of pgmc query, as far as most people need it.
const QueryLong = "Query reads a model and answers questions about it, without writing a package: by default with the posterior " +
	"marginals of all variables. --targets names some, --logp asks for the log-probability of the evidence, --mpe for a " +
	"most probable completion, --joint for joint posteriors.\n\n" +
	"Evidence on a variable is a state, A=yes, or several of which one holds, A=yes|maybe, or a number for a real " +
	"variable or an interval, X=1.8. A name with , | = ( or blanks is written in double quotes.\n\n" +
	"Answers are exact if they fit in memory (--max-mem). If they do not, --mpe and --map come with bounds, and so do " +
	"marginals and --logp with --timeout; or choose a --method that approximates, such as belief."

// QueryBrief names the flags that most people need, and has the rest of the help.
func QueryBrief() *Brief {
	return &Brief{
		Core: []string{"evidence", "soft", "do", "targets", "logp", "mpe", "map", "joint", "batch", "sequence", "method", "output", "svg", "html",
			"exact", "help", "help-all", "json", "max-mem", "quiet", "timeout"},
		More: queryMore(),
		Examples: "\n  pgmc query asia.bif --evidence smoke=yes --method belief --damping 0.2\n" +
			"  pgmc query asia.bif --evidence dysp=yes --map lung,bronc --kmpe 3\n" +
			"  pgmc query asia.bif --jeffrey xray=0.7/0.3 --targets lung\n" +
			"  pgmc query asia.bif --batch rows.jsonl --engine compiled\n" +
			"  pgmc query alarm.bif --evidence HR=HIGH --logp --mpe --method bound --timeout 20s\n" +
			"  pgmc query asia.bif --evidence smoke=yes --targets lung --logp --certify",
	}
}

// queryMore returns the rest of the help.
func queryMore() string {
	return "With --soft, evidence is a likelihood: for each state, the probability of what was seen, and of a real variable " +
		"a measurement: a number and the standard deviation of its error, X=1.8±0.1 or X=1.8+-0.1. With --jeffrey it is the " +
		"posterior of the variable itself; the answer comes from the nearest distribution with that posterior (Jeffrey's " +
		"rule, fitted in turn for several variables). With --do a variable is set by an intervention, which says nothing " +
		"about its causes: to a state or a number, or with numbers as in --soft, to a distribution. The answer for a real variable is a mean and a variance, and standard errors are in units of its " +
		"standard deviation. With --joint it is the means and covariances of several, for each joint state of the discrete " +
		"variables named with them, and with --mixture the exact posterior: a mixture of normal distributions. --map asks " +
		"for a most probable joint state of some variables, the others summed out, and --kmpe for several completions. In a dependency network, " +
		"completions are probable by the product of its CPDs, the pseudo-likelihood.\n\n" +
		queryMethods() +
		"With --batch, query answers each line of a file. A line is a JSON object such as\n\n" +
		"  {\"id\": 1, \"evidence\": {\"smoke\": \"yes\", \"tub\": [\"yes\", \"no\"]}, \"soft\": {\"xray\": [0.2, 0.8]}}\n" +
		"  {\"id\": 2, \"jeffrey\": {\"xray\": [0.2, 0.8]}}\n\n" +
		"and its answer a JSON object with the members logp, marginals, joint, mixture,\n" +
		"map, kmpe, mpe and mpe_logp that were asked for, or an error. The answer to a\n" +
		"line with jeffrey has marginals, and logp for the evidence alone. A batch file\n" +
		"named .csv, .tsv, .data, .arff or .parquet holds data instead: each row is evidence,\n" +
		"and the id of its answer is the number of its line, or in Parquet of its row. See pgmc predict for such files.\n\n" +
		"Where no exact answer fits the limits, --mpe, --map and --kmpe are answered by branch and\n" +
		"bound: the best states that the search found, and whether they are proven to be the best,\n" +
		"or else a bound on all others. Of equally probable states it finds the first in the order\n" +
		"of the file. If one cut of a graph proves the best states of the network, --mpe is by method\n" +
		"cut in place of the search. With --timeout, --logp and marginals are answered with bounds\n" +
		"as well, also if the exact answer takes too long. With --exact, query refuses instead.\n\n" +
		"With --method bound, query answers networks of any width by bounds alone: an interval\n" +
		"of the log-probability, by weighted mini-buckets and a search that shrinks it until\n" +
		"--timeout, with a confidence interval by samples; for --mpe, --map and --kmpe the states of branch\n" +
		"and bound; and of each marginal an estimate and an interval that holds it, by bound propagation\n" +
		"and mini-buckets. With --json, such an answer has one more member, the certificate. In a Markov network, logarithms are those of the product of the potentials.\n\n" +
		"With --certify, query bounds the rounding errors of exact marginals and of the\n" +
		"log-probability: it runs the program once more in interval arithmetic, which\n" +
		"encloses what exact arithmetic would give for the parameters of the model and the\n" +
		"evidence. With --engine compiled it bounds the errors of the package's answer.\n\n" +
		"--svg draws the network with the posteriors as bars in its nodes, and those before\n" +
		"the evidence as thin grey bars below; a name of -o that ends in .png or .pdf makes it\n" +
		"PNG or PDF. --html writes the answer as a fragment of a page, for notebooks, and\n" +
		"--vega a chart in Vega-Lite.\n\n" +
		"With --sequence, the model is a template: it has a transition from slice to slice,\n" +
		"and the rows of a data file are the evidence on one slice after the other, with an\n" +
		"empty cell if a variable was not observed. With --filter, each slice is answered as\n" +
		"soon as its row has been read, so that the file may be a pipe. A row that\n" +
		"contradicts the model ends the run, after the answers before it."
}

// queryMethods returns the part of the help of pgmc query that describes methods.
func queryMethods() string {
	return "--method chooses how to answer. With " + ExactMethods() + ", every answer is exact. The other " +
		"methods take networks of any width and answer some of the queries. Each method has flags of its own: " +
		"see pgmc query --method NAME --help. pgmc show methods lists what each guarantees.\n\n" +
		"With " + MethodsOf(ir.Beliefs, "or") + ", marginals and ln P are approximate, and the answer says whether the method " +
		"converged. With " + MethodsOf(ir.Estimates, "or") + ", marginals are averages over Markov chains, with standard errors; " +
		"--logp estimates the probability of the observed states, one after the other. With " + MethodsOf(ir.Weighted, "or") + ", " +
		"marginals and ln P are estimated from weighted samples. With " + MethodsOf(ir.Decoding, "or") + ", --mpe is a probable " +
		"completion, with a bound that no completion exceeds if the method has one. With " + MethodsOf(ir.Climb, "or") + ", " +
		"a search finds a probable completion and proves nothing. For a Markov network, the logarithms of such completions " +
		"are those of the product of the potentials, which is not divided by the partition function.\n\n"
}
