// Package generated holds packages that pgmc wrote for small models, committed so that they can be
// read, tested and measured as users get them. Each folder is a package. This package holds only
// the commands that make them and the test that they are up to date.
//
// The models are in testdata/models, except the Markov network, which misconception/gen.go builds
// in Go.
package generated

//go:generate go run github.com/pgmc-go/pgmc/cmd/pgmc compile --quiet -o asia --query marginals,posteriors,logprob,mpe,sample,batch --query "lung | smoke, xray" --query "dysp | do(bronc)" --query "joint(lung, bronc),jeffrey" ../testdata/models/asia.bif
//go:generate go run github.com/pgmc-go/pgmc/cmd/pgmc compile --quiet -o student --query marginals,posteriors,logprob,mpe,sample,batch,sets --query "kmpe=3,map(difficulty, intelligence)" ../testdata/models/student.bif
//go:generate go run github.com/pgmc-go/pgmc/cmd/pgmc compile --quiet -o sprinkler --params var --query marginals,posteriors,logprob,mpe,sample,batch,gradient,sensitivity,session ../testdata/models/sprinkler.bif
//go:generate go run github.com/pgmc-go/pgmc/cmd/pgmc compile --quiet -o hydro ../testdata/models/hydro.bif
//go:generate go run misconception/gen.go -o misconception
