package ir

import "fmt"

// StatsKind says what an UpdateStats does.
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
// half a chain or the run. Stats is in the order of the fields of pgmrt.ChainStats. Run is the Run
// of the [Chain].
type UpdateStats struct {
	Kind  StatsKind
	Stats [6]SpanID
	Run   [6]SpanID
}

// UpdateStatsOp is the operation of [UpdateStats].
type UpdateStatsOp struct {
	Kind  StatsKind
	Stats [6]TableID
	Run   [6]TableID
}

// uses returns how a kind uses the statistics and the numbers of the run.
func (k StatsKind) uses() (stats, run [6]Use) {
	for i := range stats {
		stats[i], run[i] = Change, Read
	}
	if k == StatsRun || k == StatsRunReal {
		stats = [6]Use{Read, Read, Read, Read, Read, Read}
		run[3], run[4], run[5] = Change, Change, Change // R-hat, effective sample size and residual
	}
	if k == StatsRunReal {
		stats[2] = Change // becomes the mean and the variance
	}
	return stats, run
}

// Refs implements [Step].
func (s *UpdateStats) Refs(visit RefVisitor) {
	stats, run := s.Kind.uses()
	for i := range s.Stats {
		visit.one(&s.Stats[i], stats[i])
	}
	for i := range s.Run {
		visit.one(&s.Run[i], run[i])
	}
}

// States implements [Step].
func (*UpdateStats) States(*Program, StateVisitor) {}

// Products implements [Step].
func (*UpdateStats) Products() int { return 0 }

// String writes `statsrun s1 s2 s3 s4 s5 s6 run s7 s8 s9 s10 s11 s12`.
func (s *UpdateStats) String() string {
	return fmt.Sprintf("%s %s run %s", s.Kind, spanNames(s.Stats[:]), spanNames(s.Run[:]))
}

func parseUpdateStats(ps *parser, word int) Step {
	s := &UpdateStats{Kind: StatsKind(word)}
	for k := range s.Stats {
		s.Stats[k] = ps.spanID()
	}
	ps.expect("run")
	for k := range s.Run {
		s.Run[k] = ps.spanID()
	}
	return s
}

func (s *UpdateStats) verify(v *verifier) {
	if int(s.Kind) >= len(statsNames) {
		v.errorf("no such update of statistics: %d", s.Kind)
	}
	v.runNumbers(s.Run[:])
	for _, id := range s.Stats {
		if v.numbers(id, "statistic", true) {
			v.alike(s.Stats[0], id, "statistic")
		}
	}
}

// Tables implements [Op].
func (op *UpdateStatsOp) Tables(visit TableVisitor) {
	visit.all(op.Stats[:], Change)
	visit.all(op.Run[:], Change)
}

// States implements [Op].
func (*UpdateStatsOp) States(*Schedule, StateVisitor) {}

// Products implements [Op].
func (*UpdateStatsOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *UpdateStatsOp) Text(s *Schedule) string {
	return fmt.Sprintf("%s %s", op.Kind, s.tables(op.Stats[0]))
}

func (op *UpdateStatsOp) verify(v *scheduleVerifier, _ *OpBlock) {
	if int(op.Kind) >= len(statsNames) {
		v.errorf("no such update of statistics: %d", op.Kind)
	}
	v.sameScope(op.Stats[0], op.Stats[1:]...)
	v.scalars(op.Run[:]...)
}

// Lower implements [Op].
func (op *UpdateStatsOp) Lower(l *Lowering) Step {
	s := &UpdateStats{Kind: op.Kind}
	for i := range op.Stats {
		s.Stats[i], s.Run[i] = l.Span(op.Stats[i]), l.Span(op.Run[i])
	}
	return s
}
