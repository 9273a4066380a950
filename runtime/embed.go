package pgmrt

import "embed"

// Source holds the files of this package and of handler that generated packages copy, declaration
// by declaration as they need them, by their names.
//
//go:embed names.go names_json.go real.go rows.go columns.go columns_blanket.go conflict.go
//go:embed version.go errors.go log.go rand.go scale.go normalize.go evidence.go inputs.go support.go pick.go gradient.go
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
//go:embed decisions.go
//go:embed buckets.go bound_sums.go andor.go andor_run.go
//go:embed params.go samples.go maxflow.go cut.go cut_bound.go cut_flow.go polish.go tighten.go ascend.go ascend_round.go
//go:embed handler/handler.go handler/openapi.go handler/reply.go handler/request.go
var Source embed.FS
