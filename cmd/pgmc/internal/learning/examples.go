package learning

// Examples holds the arguments of examples in help, for learners with examples of more than a data
// file.
var Examples = map[string]string{
	"naivebayes": "patients.csv -o patients.bif --class lung",
	"tan":        "patients.csv -o patients.bif --class lung",
	"k2":         "patients.csv -o patients.bif --order smoke,lung,bronc,dysp",
	"knownorder": "patients.csv -o patients.bif --order @order.txt --max-parents 2",
	"hillclimb":  "patients.csv -o patients.bif --score bic --tabu 10 --forbid 'lung->smoke'",
	"pc":         "patients.csv -o patients.bif --alpha 0.01",
	"average":    "patients.csv -o patients.bif --over orders --chains 4",
	"treebn":     "patients.csv -o patients.bn --valid more.csv --kappa 0.1,0.01,0.001",
	"module":     "patients.csv -o patients.json --modules 5",
	"depnet":     "patients.csv -o patients.dn --cpd boosted --valid more.csv",
	"dn2mn":      "patients.csv -o patients.mn --init patients.dn",
	"mnweights":  "patients.csv -o patients.mn --init structure.mn --l1 1",
	"l1mn":       "patients.csv -o patients.mn --l1 2",
	"gssl":       "patients.csv -o patients.mn --features 1000",
	"em":         "patients.csv -o patients.bif --init structure.bif",
	"acbn":       "patients.csv -o patients.ac --quick --shrink --max-edges 200000",
	"acmn":       "patients.csv -o patients.ac --quick --shrink --max-edges 200000 --l1 1",
	"acopt":      "patients.csv -o fitted.ac --init patients.ac",
	"mt":         "patients.csv -o patients.ac --components 10",
	"hclt":       "patients.csv -o patients.bif --states 8",
	"cnet":       "patients.csv -o patients.ac --bags 40",
	"learnspn":   "patients.csv -o patients.spn --valid more.csv",
	"idspn":      "patients.csv -o patients.ac --valid more.csv",
	"lda":        "words.csv -o topics.json --topics 20 --document page --count n",
	"ldfm":       "patients.csv -o patients.json --real height,weight",
	"ldfm-s":     "patients.csv -o patients.json",
}

// Example returns the arguments of a learner's example.
func Example(name string) string {
	if text, ok := Examples[name]; ok {
		return text
	}
	return "patients.csv -o patients.bif"
}
