package ir

import "fmt"

// StatsKind is what an UpdateStats does.
type StatsKind uint8

// The kinds of update: the methods of pgmrt.ChainStats. The last two are for real variables, in
// place of StatsHalf and StatsRun.
const (
	StatsClear StatsKind = iota
	StatsBatch
	StatsHalf
	StatsRun
	StatsHalfReal
	StatsRunReal
)

var statsNames = [...]string{"statsclear", "statsbatch", "statshalf", "statsrun", "statshalfreal", "statsrunreal"}

// String returns the name of the kind in dumps.
func (k StatsKind) String() string { return statsNames[k] }

// UpdateStats updates the statistics of one variable at the beginning of a run, or after a batch,
// half a chain or the run. Run is the ChainRun of the [Chain].
type UpdateStats struct {
	Kind  StatsKind
	Stats StatNumbers[SpanID]
	Run   ChainNumbers[SpanID]
}

// UpdateStatsOp is the operation of [UpdateStats].
type UpdateStatsOp struct {
	Kind  StatsKind
	Stats StatNumbers[TableID]
	Run   ChainNumbers[TableID]
}

// uses returns how a kind uses the statistics and the numbers of the run.
func (k StatsKind) uses() (stats StatNumbers[Use], run ChainNumbers[Use]) {
	ends := k == StatsRun || k == StatsRunReal
	for _, use := range stats.All() {
		*use = Change
		if ends {
			*use = Read
		}
	}
	for _, use := range run.All() {
		*use = Read
	}
	if ends {
		run.RHat, run.ESS, run.Error = Change, Change, Change
	}
	if k == StatsRunReal {
		stats.Total = Change // it becomes the mean and the variance
	}
	return stats, run
}

// Refs implements [Step].
func (s *UpdateStats) Refs(visit RefVisitor) {
	stats, run := s.Kind.uses()
	for i, id := range s.Stats.All() {
		visit.one(id, *stats.All()[i])
	}
	for i, id := range s.Run.All() {
		visit.one(id, *run.All()[i])
	}
}

// States implements [Step].
func (*UpdateStats) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*UpdateStats) Products() int { return 0 }

// String writes `statsrun s1 s2 s3 s4 s5 s6 run s7 s8 s9 s10 s11 s12`.
func (s *UpdateStats) String() string {
	return fmt.Sprintf("%s %s run %s", s.Kind, spanNames(values(s.Stats.All())), spanNames(values(s.Run.All())))
}

func parseUpdateStats(ps *parser, word int) Step {
	s := &UpdateStats{Kind: StatsKind(word)}
	ps.set(s.Stats.All())
	ps.expect("run")
	ps.set(s.Run.All())
	return s
}

func (s *UpdateStats) verify(v *verifier) {
	if int(s.Kind) >= len(statsNames) {
		v.errorf("no such update of statistics: %d", s.Kind)
	}
	v.runNumbers(values(s.Run.All()))
	for _, id := range s.Stats.All() {
		if v.numbers(*id, "statistic", true) {
			v.alike(s.Stats.Batch, *id, "statistic")
		}
	}
}

// Tables implements [Op].
func (op *UpdateStatsOp) Tables(visit TableVisitor) {
	visit.each(op.Stats.All(), Change)
	visit.each(op.Run.All(), Change)
}

// States implements [Op].
func (*UpdateStatsOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*UpdateStatsOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *UpdateStatsOp) Text(s *Schedule) string {
	return fmt.Sprintf("%s %s", op.Kind, s.tables(op.Stats.Batch))
}

func (op *UpdateStatsOp) verify(v *scheduleVerifier, _ *OpBlock) {
	if int(op.Kind) >= len(statsNames) {
		v.errorf("no such update of statistics: %d", op.Kind)
	}
	v.sameScope(op.Stats.Batch, values(op.Stats.All())...)
	v.scalars(values(op.Run.All())...)
}

// Lower implements [Op].
func (op *UpdateStatsOp) Lower(l *Lowering) Step {
	s := &UpdateStats{Kind: op.Kind}
	stats, run := s.Stats.All(), s.Run.All()
	for i := range stats { // each statistic gets its span before the corresponding number of the run
		l.numbers(op.Stats.All()[i:i+1], stats[i:i+1])
		l.numbers(op.Run.All()[i:i+1], run[i:i+1])
	}
	return s
}
