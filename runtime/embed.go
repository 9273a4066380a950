package pgmrt

import (
	"embed"
	"errors"
	"slices"
	"strconv"
)

// Source holds the files of this package that a generated package may copy, by their names.
//
//go:embed version.go errors.go log.go rand.go scale.go normalize.go evidence.go support.go pick.go gradient.go
//go:embed search.go search_best.go search_error.go search_map.go cutset.go
//go:embed contract.go contract_sum.go contract_max.go contract_gather_sum.go contract_gather_max.go
//go:embed contract_plain.go tape.go tape_pick.go tape_walk.go
//go:embed tape_sums.go tape_sums_amd64.go tape_sums_amd64.s tape_sums_other.go
//go:embed cpu_amd64.go cpu_amd64.s cpu_wide_amd64.go
//go:embed forward.go forward_amd64.go forward_amd64.s forward_other.go
//go:embed copy.go copy_amd64.go copy_amd64.s copy_other.go
//go:embed scale_table.go scale_table_amd64.go scale_table_amd64.s scale_table_other.go
//go:embed lanes.go lanes_apply.go lanes_sums.go lanes_amd64.go lanes_amd64.s lanes_other.go
//go:embed lanes_nest.go lanes_nest_amd64.go lanes_nest_amd64.s lanes_nest_other.go lanes_work.go
//go:embed fit.go report.go sets.go mixture.go measure.go
//go:embed exp.go map.go normal.go tape_map.go tape_maploop.go tape_maptrial.go
//go:embed loop.go priority.go tape_loop.go
//go:embed chain.go tape_chain.go
//go:embed forest.go forest_gibbs.go forest_real.go forest_schur.go
//go:embed decode.go energy.go envelope.go tape_energy.go
//go:embed trial.go tape_trial.go unpack.go filter.go innovation.go steady.go
//go:embed particles.go particles_ahead.go particles_back.go particles_binary.go resample.go
//go:embed histories.go histories_run.go histories_back.go histories_binary.go histories_table.go posteriors.go
//go:embed buckets.go bound_sums.go andor.go andor_run.go
//go:embed maxflow.go cut.go cut_flow.go polish.go tighten.go ascend.go ascend_round.go
var Source embed.FS

// sourceFile describes a file of Source: the exported names that it declares, and the other files
// that it needs.
type sourceFile struct {
	name  string
	names []string
	needs []string
}

// sourceFiles returns the table of Files. A test compares it with the files themselves.
func sourceFiles() []sourceFile {
	return append([]sourceFile{
		{"version.go", []string{"EnforceVersion", "MaxVersion", "MinVersion"}, nil},
		{"errors.go", []string{"ErrImpossible", "ErrLikelihood", "ErrParticles", "ErrState", "ErrUnderflow", "LikelihoodError", "StateError"}, nil},
		{"log.go", []string{"Ln"}, nil},
		{"rand.go", []string{"NewRand", "Rand"}, nil},
		{"scale.go", []string{"Exponent", "Rescale", "ScaleBy", "Top"}, nil},
		{"scale_table.go", []string{"LeastTable", "RescaleTable", "ScaleTable", "TopOfTable"}, []string{"scale.go", "scale_table_amd64.go", "scale_table_other.go"}},
		{"scale_table_amd64.go", nil, []string{"cpu_amd64.go", "scale.go", "scale_table_amd64.s"}},
		{"scale_table_amd64.s", nil, nil},
		{"scale_table_other.go", nil, []string{"scale.go"}},
		{"normalize.go", []string{"AtMostOne", "Normalize"}, []string{"scale.go"}},
		{"evidence.go", []string{"IsLikelihood", "Likelihood", "Observe", "Spread"}, []string{"log.go"}},
		{"support.go", []string{"Support"}, nil},
		{"gradient.go", []string{"Contrast", "Counts", "Gradient"}, nil},
		{"unpack.go", []string{"Unpack", "UnpackRow"}, nil},
		{"pick.go", []string{"Argmax", "Draw"}, []string{"rand.go"}},
		{"search.go", []string{"SearchPlan", "SearchVar"}, []string{"log.go"}},
		{"cutset.go", []string{"Cutset", "CutsetOut", "CutsetPlan", "CutsetVar", "NewCutset"}, nil},
		{"search_best.go", []string{"Completions", "NewCompletions"}, []string{"log.go", "search.go"}},
		{"search_error.go", []string{"SearchError"}, nil},
		{"search_map.go", []string{"MAPSearch", "NewMAPSearch"}, []string{"search.go"}},
		{"contract.go", nil, []string{"contract_max.go", "contract_sum.go"}},
		{"contract_sum.go", nil, []string{"contract.go", "contract_gather_sum.go"}},
		{"contract_gather_sum.go", nil, []string{"contract.go"}},
		{"contract_max.go", nil, []string{"contract.go", "contract_gather_max.go"}},
		{"contract_gather_max.go", nil, []string{"contract.go"}},
		{"contract_plain.go", nil, nil},
		{"tape.go", []string{"RunTape"}, []string{"contract.go", "contract_plain.go", "normalize.go", "rand.go", "scale.go", "tape_pick.go", "tape_sums.go", "tape_sums_amd64.go", "tape_sums_other.go", "tape_walk.go"}},
		{"tape_pick.go", nil, []string{"pick.go", "rand.go"}},
		{"tape_sums.go", nil, nil},
		{"tape_sums_amd64.go", nil, []string{"cpu_amd64.go", "tape_sums.go", "tape_sums_amd64.s"}},
		{"tape_sums_amd64.s", nil, nil},
		{"tape_sums_other.go", nil, []string{"tape_sums.go"}},
		{"cpu_amd64.go", []string{"HasAVX2"}, []string{"cpu_amd64.s"}},
		{"cpu_wide_amd64.go", []string{"HasAVX512"}, []string{"cpu_amd64.go"}},
		{"cpu_amd64.s", nil, nil},
		{"forward.go", []string{"Forward", "ForwardRow", "ForwardRows", "NewForward"}, []string{"forward_amd64.go", "forward_other.go"}},
		{"forward_amd64.go", nil, []string{"cpu_amd64.go", "cpu_wide_amd64.go", "forward.go", "forward_amd64.s"}},
		{"forward_amd64.s", nil, nil},
		{"forward_other.go", nil, []string{"forward.go"}},
		{"copy.go", []string{"CopyVectors"}, []string{"copy_amd64.go", "copy_other.go"}},
		{"copy_amd64.go", nil, []string{"copy_amd64.s", "cpu_amd64.go"}},
		{"copy_amd64.s", nil, nil},
		{"copy_other.go", nil, nil},
		{"lanes.go", []string{"FillLanes", "GetLane", "Lanes", "NewLanes", "RunLanes", "SetLane"}, []string{"lanes_amd64.go", "lanes_apply.go", "lanes_other.go"}},
		{"lanes_apply.go", nil, []string{"lanes.go", "log.go"}},
		{"lanes_sums.go", nil, []string{"lanes.go"}},
		{"lanes_amd64.go", []string{"WideLanes"}, []string{"cpu_amd64.go", "cpu_wide_amd64.go", "lanes.go", "lanes_amd64.s", "lanes_sums.go"}},
		{"lanes_amd64.s", nil, nil},
		{"lanes_other.go", nil, []string{"lanes_sums.go"}},
		{"lanes_work.go", []string{"LaneWork"}, nil},
		{"lanes_nest.go", []string{"RunLaneSteps"}, []string{"lanes.go", "lanes_nest_amd64.go", "lanes_nest_other.go", "lanes_sums.go"}},
		{"lanes_nest_amd64.go", nil, []string{"lanes.go", "lanes_amd64.go", "lanes_nest.go", "lanes_nest_amd64.s"}},
		{"lanes_nest_amd64.s", nil, nil},
		{"lanes_nest_other.go", nil, []string{"lanes.go", "lanes_nest.go"}},
		{"tape_walk.go", nil, []string{"pick.go", "rand.go"}},
	}, approximateFiles()...)
}

// approximateFiles lists the files of approximate queries, and of those that search and fit.
func approximateFiles() []sourceFile {
	return []sourceFile{
		{"report.go", []string{"Converged", "Incomplete", "NotConverged", "Report", "Status"}, nil},
		{"fit.go", []string{"ErrInconsistent", "Fit", "FitError", "FitGoal", "FitRounds", "FitTolerance", "Fitter", "IsDistribution"}, []string{"errors.go", "evidence.go", "report.go"}},
		{"filter.go", []string{"AppendFilter", "ErrFilter", "ReadFilter"}, nil},
		{"innovation.go", []string{"ChiSquaredTail", "Innovation"}, nil},
		{"steady.go", []string{"NewSteady", "Phase", "Steady", "SteadySteps"}, nil},
		{"particles.go", []string{"Cloud", "CloudOptions", "DrawParticle", "EffectiveSize", "MaxParticles", "NewCloud"}, []string{"errors.go", "exp.go", "log.go", "map.go", "normalize.go", "particles_ahead.go", "rand.go", "resample.go"}},
		{"particles_ahead.go", nil, []string{"log.go", "particles.go", "rand.go", "resample.go"}},
		{"particles_back.go", []string{"BackDraws", "NewBackDraws", "ParticleFrame"}, []string{"exp.go", "log.go", "particles.go", "rand.go"}},
		{"particles_binary.go", []string{"AppendCloud", "ReadCloud"}, []string{"filter.go", "particles.go", "rand.go"}},
		{"histories.go", []string{"ErrHistories", "Growth", "HistoriesBeyond", "HistoriesDraw", "HistoriesDrop", "HistoriesRefuse", "HistoryOptions", "HistoryState", "NewGrowth"}, []string{"histories_table.go", "log.go", "posteriors.go", "rand.go", "resample.go"}},
		{"histories_run.go", []string{"EffectiveHistories", "HistoryProgram"}, []string{"errors.go", "histories.go", "log.go", "map.go", "posteriors.go"}},
		{"histories_table.go", []string{"HistoryEdge"}, nil},
		{"histories_back.go", []string{"BackHistories", "HistoryFrame", "NewBackHistories"}, []string{"histories.go", "histories_run.go", "histories_table.go", "posteriors.go"}},
		{"histories_binary.go", []string{"AppendHistories", "ReadHistories"}, []string{"filter.go", "histories.go", "rand.go"}},
		{"posteriors.go", nil, nil},
		{"resample.go", []string{"Resample", "ResampleResidual", "ResampleStratified", "ResampleSystematic", "Scheme"}, []string{"rand.go"}},
		{"sets.go", []string{"ObserveSet"}, nil},
		{"measure.go", []string{"Measure"}, []string{"log.go"}},
		{"mixture.go", []string{"Component", "Mixture"}, nil},
		{"loop.go", []string{"Boltzmann", "Damp", "ErrOptions", "LoopBound", "LoopOptions", "NewWorklist", "Powers", "TallyEntropy", "TallyLog", "TallySum", "Worklist"}, []string{"log.go", "normalize.go", "report.go"}},
		{"map.go", []string{"Antilog", "CheckLog", "Ratio", "RootError"}, []string{"errors.go", "exp.go"}},
		{"exp.go", nil, nil},
		{"normal.go", []string{"Noise"}, []string{"exp.go", "log.go", "rand.go"}},
		{"tape_maploop.go", []string{"RunMapLoopTape"}, []string{"rand.go", "tape_loop.go", "tape_map.go"}},
		{"tape_maptrial.go", []string{"RunMapTrialTape"}, []string{"rand.go", "tape_map.go", "tape_trial.go"}},
		{"tape_map.go", []string{"RunMapTape"}, []string{"log.go", "map.go", "normal.go", "rand.go", "tape.go"}},
		{"priority.go", []string{"NewPriorities", "Priorities"}, []string{"loop.go", "report.go"}},
		{"tape_loop.go", []string{"RunLoopTape"}, []string{"loop.go", "rand.go", "tape.go"}},
		{"decode.go", []string{"DecodeAmbiguous", "DecodeConverged", "DecodeInfeasible", "DecodeNotConverged", "DecodeNotDecodable", "DecodeReport", "DecodeStatus", "Decoding"}, []string{"report.go"}},
		{"energy.go", []string{"RunEnergies"}, []string{"decode.go", "envelope.go", "log.go"}},
		{"envelope.go", nil, []string{"energy.go"}},
		{"tape_energy.go", []string{"RunEnergyTape"}, []string{"energy.go", "rand.go", "tape_loop.go"}},
		{"maxflow.go", nil, nil},
		{"cut.go", []string{"CutMoves"}, []string{"cut_flow.go", "decode.go", "energy.go", "maxflow.go", "rand.go"}},
		{"cut_flow.go", nil, []string{"cut.go", "maxflow.go"}},
		{"buckets.go", []string{"Buckets", "PowerSum"}, []string{"log.go"}},
		{"bound_sums.go", []string{"BoundSums", "Complement", "LogAdd", "LogSum", "NarrowPosterior", "Outward"}, []string{"buckets.go", "log.go", "rand.go"}},
		{"andor.go", nil, []string{"buckets.go"}},
		{"andor_run.go", []string{"SearchStates"}, []string{"andor.go", "buckets.go", "rand.go"}},
		{"polish.go", []string{"PolishStates"}, []string{"energy.go", "rand.go"}},
		{"tighten.go", []string{"TightenBound"}, []string{"decode.go", "energy.go", "rand.go"}},
		{"ascend.go", []string{"AscendDual"}, []string{"ascend_round.go", "decode.go", "energy.go", "rand.go", "tighten.go"}},
		{"ascend_round.go", nil, []string{"ascend.go", "energy.go"}},
		{"chain.go", []string{"ChainBatches", "ChainOptions", "ChainRun", "ChainStats", "ErrChain", "ErrStart", "NewChainRun", "Redraw", "SampleReport", "StartError"}, []string{"errors.go", "rand.go", "report.go"}},
		{"tape_chain.go", []string{"RunChainTape"}, []string{"chain.go", "pick.go", "rand.go", "scale.go", "tape.go"}},
		{"trial.go", []string{"ErrTrials", "ErrWeights", "NewTrialRun", "TrialBridge", "TrialClimb", "TrialCool", "TrialEnough", "TrialMode", "TrialMove", "TrialNumbers", "TrialOptions", "TrialReport", "TrialRun", "TrialSample", "TrialZero"}, []string{"chain.go", "errors.go", "log.go", "rand.go", "report.go"}},
		{"tape_trial.go", []string{"RunTrialTape"}, []string{"chain.go", "log.go", "pick.go", "rand.go", "tape_chain.go", "trial.go"}},
		{"forest.go", []string{"ForestStart", "ForestTree"}, []string{"chain.go", "forest_real.go", "rand.go", "scale.go"}},
		{"forest_real.go", []string{"ForestReals"}, []string{"chain.go", "forest.go", "log.go", "rand.go"}},
		{"forest_gibbs.go", []string{"ForestDeterminant"}, []string{"forest.go", "log.go", "rand.go"}},
		{"forest_schur.go", []string{"ForestSchur"}, []string{"forest.go", "forest_gibbs.go", "rand.go"}},
	}
}

// Files gives the files of Source that declare the given exported names, and all that these need,
// sorted. It fails for a name that no file declares.
func Files(names ...string) ([]string, error) {
	table := sourceFiles()
	var files []string
	for _, name := range names {
		i := slices.IndexFunc(table, func(f sourceFile) bool { return slices.Contains(f.names, name) })
		if i < 0 {
			return nil, errors.New("pgmrt: no file to copy declares " + strconv.Quote(name))
		}
		files = append(files, table[i].name)
	}
	for i := 0; i < len(files); i++ { // the loop appends to files
		at := slices.IndexFunc(table, func(f sourceFile) bool { return f.name == files[i] })
		for _, need := range table[at].needs {
			if !slices.Contains(files, need) {
				files = append(files, need)
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}
