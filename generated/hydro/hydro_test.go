// The model has too many variables for enumeration. The tests compare the answers with each other
// by the laws of probability, and complete assignments with the numbers of the model file.
package hydro_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pgmc-go/pgmc/generated/hydro"
)

// vars is the number of variables of the model, and most the largest number of states.
const (
	vars = 39
	most = 4
)

// sizes holds the numbers of states, in the order of the fields of Evidence.
var sizes = [vars]int{4, 3, 3, 4, 3, 2, 2, 2, 3, 2, 2, 2, 3, 3, 3, 3, 3, 2, 2, 3, 2, 3, 3, 2, 3, 2, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2}

// states is evidence by numbers: for each variable its state from 1, or 0 if it is not observed.
type states [vars]uint8

// evidence converts s to the type of the package.
func (s states) evidence() hydro.Evidence {
	return hydro.Evidence{
		Season:         hydro.Season(s[0]),
		Rainfall:       hydro.Rainfall(s[1]),
		Snowmelt:       hydro.Snowmelt(s[2]),
		Inflow:         hydro.Inflow(s[3]),
		ReservoirLevel: hydro.ReservoirLevel(s[4]),
		SpillGate:      hydro.SpillGate(s[5]),
		Debris:         hydro.Debris(s[6]),
		RackCleaner:    hydro.RackCleaner(s[7]),
		RackClogging:   hydro.RackClogging(s[8]),
		HeadLoss:       hydro.HeadLoss(s[9]),
		RackSensor:     hydro.RackSensor(s[10]),
		RackAlarm:      hydro.RackAlarm(s[11]),
		GridDemand:     hydro.GridDemand(s[12]),
		LoadSetpoint:   hydro.LoadSetpoint(s[13]),
		Governor:       hydro.Governor(s[14]),
		GuideVane:      hydro.GuideVane(s[15]),
		Flow:           hydro.Flow(s[16]),
		CoolingPump:    hydro.CoolingPump(s[17]),
		CoolingFilter:  hydro.CoolingFilter(s[18]),
		CoolingFlow:    hydro.CoolingFlow(s[19]),
		OilLevel:       hydro.OilLevel(s[20]),
		BearingWear:    hydro.BearingWear(s[21]),
		BearingTemp:    hydro.BearingTemp(s[22]),
		TempSensor:     hydro.TempSensor(s[23]),
		TempReading:    hydro.TempReading(s[24]),
		Runner:         hydro.Runner(s[25]),
		Cavitation:     hydro.Cavitation(s[26]),
		Vibration:      hydro.Vibration(s[27]),
		VibrationAlarm: hydro.VibrationAlarm(s[28]),
		Insulation:     hydro.Insulation(s[29]),
		WindingTemp:    hydro.WindingTemp(s[30]),
		GroundFault:    hydro.GroundFault(s[31]),
		Excitation:     hydro.Excitation(s[32]),
		TempTrip:       hydro.TempTrip(s[33]),
		ElectricalTrip: hydro.ElectricalTrip(s[34]),
		UnitTrip:       hydro.UnitTrip(s[35]),
		Breaker:        hydro.Breaker(s[36]),
		PowerOutput:    hydro.PowerOutput(s[37]),
		OperatorCall:   hydro.OperatorCall(s[38]),
	}
}

// statesOf returns the numbers of the states of an assignment.
func statesOf(a *hydro.Assignment) states {
	return states{
		uint8(a.Season),
		uint8(a.Rainfall),
		uint8(a.Snowmelt),
		uint8(a.Inflow),
		uint8(a.ReservoirLevel),
		uint8(a.SpillGate),
		uint8(a.Debris),
		uint8(a.RackCleaner),
		uint8(a.RackClogging),
		uint8(a.HeadLoss),
		uint8(a.RackSensor),
		uint8(a.RackAlarm),
		uint8(a.GridDemand),
		uint8(a.LoadSetpoint),
		uint8(a.Governor),
		uint8(a.GuideVane),
		uint8(a.Flow),
		uint8(a.CoolingPump),
		uint8(a.CoolingFilter),
		uint8(a.CoolingFlow),
		uint8(a.OilLevel),
		uint8(a.BearingWear),
		uint8(a.BearingTemp),
		uint8(a.TempSensor),
		uint8(a.TempReading),
		uint8(a.Runner),
		uint8(a.Cavitation),
		uint8(a.Vibration),
		uint8(a.VibrationAlarm),
		uint8(a.Insulation),
		uint8(a.WindingTemp),
		uint8(a.GroundFault),
		uint8(a.Excitation),
		uint8(a.TempTrip),
		uint8(a.ElectricalTrip),
		uint8(a.UnitTrip),
		uint8(a.Breaker),
		uint8(a.PowerOutput),
		uint8(a.OperatorCall),
	}
}

// likelihoods is soft evidence by numbers. A variable of zeros has none.
type likelihoods [vars][most]float64

// soft converts l to the type of the package.
func (l *likelihoods) soft() *hydro.Soft {
	return &hydro.Soft{
		Season:         l[0],
		Rainfall:       hydro.RainfallDist(l[1][:3]),
		Snowmelt:       hydro.SnowmeltDist(l[2][:3]),
		Inflow:         l[3],
		ReservoirLevel: hydro.ReservoirLevelDist(l[4][:3]),
		SpillGate:      hydro.SpillGateDist(l[5][:2]),
		Debris:         hydro.DebrisDist(l[6][:2]),
		RackCleaner:    hydro.RackCleanerDist(l[7][:2]),
		RackClogging:   hydro.RackCloggingDist(l[8][:3]),
		HeadLoss:       hydro.HeadLossDist(l[9][:2]),
		RackSensor:     hydro.RackSensorDist(l[10][:2]),
		RackAlarm:      hydro.RackAlarmDist(l[11][:2]),
		GridDemand:     hydro.GridDemandDist(l[12][:3]),
		LoadSetpoint:   hydro.LoadSetpointDist(l[13][:3]),
		Governor:       hydro.GovernorDist(l[14][:3]),
		GuideVane:      hydro.GuideVaneDist(l[15][:3]),
		Flow:           hydro.FlowDist(l[16][:3]),
		CoolingPump:    hydro.CoolingPumpDist(l[17][:2]),
		CoolingFilter:  hydro.CoolingFilterDist(l[18][:2]),
		CoolingFlow:    hydro.CoolingFlowDist(l[19][:3]),
		OilLevel:       hydro.OilLevelDist(l[20][:2]),
		BearingWear:    hydro.BearingWearDist(l[21][:3]),
		BearingTemp:    hydro.BearingTempDist(l[22][:3]),
		TempSensor:     hydro.TempSensorDist(l[23][:2]),
		TempReading:    hydro.TempReadingDist(l[24][:3]),
		Runner:         hydro.RunnerDist(l[25][:2]),
		Cavitation:     hydro.CavitationDist(l[26][:3]),
		Vibration:      hydro.VibrationDist(l[27][:3]),
		VibrationAlarm: hydro.VibrationAlarmDist(l[28][:2]),
		Insulation:     hydro.InsulationDist(l[29][:2]),
		WindingTemp:    hydro.WindingTempDist(l[30][:2]),
		GroundFault:    hydro.GroundFaultDist(l[31][:2]),
		Excitation:     hydro.ExcitationDist(l[32][:2]),
		TempTrip:       hydro.TempTripDist(l[33][:2]),
		ElectricalTrip: hydro.ElectricalTripDist(l[34][:2]),
		UnitTrip:       hydro.UnitTripDist(l[35][:2]),
		Breaker:        hydro.BreakerDist(l[36][:2]),
		PowerOutput:    hydro.PowerOutputDist(l[37][:3]),
		OperatorCall:   hydro.OperatorCallDist(l[38][:2]),
	}
}

// numbers returns the distributions of m.
func numbers(m *hydro.Marginals) [vars][]float64 {
	return [vars][]float64{
		m.Season[:],
		m.Rainfall[:],
		m.Snowmelt[:],
		m.Inflow[:],
		m.ReservoirLevel[:],
		m.SpillGate[:],
		m.Debris[:],
		m.RackCleaner[:],
		m.RackClogging[:],
		m.HeadLoss[:],
		m.RackSensor[:],
		m.RackAlarm[:],
		m.GridDemand[:],
		m.LoadSetpoint[:],
		m.Governor[:],
		m.GuideVane[:],
		m.Flow[:],
		m.CoolingPump[:],
		m.CoolingFilter[:],
		m.CoolingFlow[:],
		m.OilLevel[:],
		m.BearingWear[:],
		m.BearingTemp[:],
		m.TempSensor[:],
		m.TempReading[:],
		m.Runner[:],
		m.Cavitation[:],
		m.Vibration[:],
		m.VibrationAlarm[:],
		m.Insulation[:],
		m.WindingTemp[:],
		m.GroundFault[:],
		m.Excitation[:],
		m.TempTrip[:],
		m.ElectricalTrip[:],
		m.UnitTrip[:],
		m.Breaker[:],
		m.PowerOutput[:],
		m.OperatorCall[:],
	}
}

// posterior returns the distribution of one variable.
type posterior func(e *hydro.Engine, ev *hydro.Evidence, soft *hydro.Soft, out *[most]float64) error

// dist is any distribution type of the package.
type dist interface {
	~[2]float64 | ~[3]float64 | ~[4]float64
}

// single converts the method of one variable to a posterior.
func single[D dist](ask func(*hydro.Engine, *hydro.Evidence, *hydro.Soft) (D, error)) posterior {
	return func(e *hydro.Engine, ev *hydro.Evidence, soft *hydro.Soft, out *[most]float64) error {
		d, err := ask(e, ev, soft)
		for i := range len(d) {
			out[i] = d[i]
		}
		return err
	}
}

// posteriors holds the methods for one variable, in the order of the fields of Evidence.
var posteriors = [vars]posterior{
	single((*hydro.Engine).Season),
	single((*hydro.Engine).Rainfall),
	single((*hydro.Engine).Snowmelt),
	single((*hydro.Engine).Inflow),
	single((*hydro.Engine).ReservoirLevel),
	single((*hydro.Engine).SpillGate),
	single((*hydro.Engine).Debris),
	single((*hydro.Engine).RackCleaner),
	single((*hydro.Engine).RackClogging),
	single((*hydro.Engine).HeadLoss),
	single((*hydro.Engine).RackSensor),
	single((*hydro.Engine).RackAlarm),
	single((*hydro.Engine).GridDemand),
	single((*hydro.Engine).LoadSetpoint),
	single((*hydro.Engine).Governor),
	single((*hydro.Engine).GuideVane),
	single((*hydro.Engine).Flow),
	single((*hydro.Engine).CoolingPump),
	single((*hydro.Engine).CoolingFilter),
	single((*hydro.Engine).CoolingFlow),
	single((*hydro.Engine).OilLevel),
	single((*hydro.Engine).BearingWear),
	single((*hydro.Engine).BearingTemp),
	single((*hydro.Engine).TempSensor),
	single((*hydro.Engine).TempReading),
	single((*hydro.Engine).Runner),
	single((*hydro.Engine).Cavitation),
	single((*hydro.Engine).Vibration),
	single((*hydro.Engine).VibrationAlarm),
	single((*hydro.Engine).Insulation),
	single((*hydro.Engine).WindingTemp),
	single((*hydro.Engine).GroundFault),
	single((*hydro.Engine).Excitation),
	single((*hydro.Engine).TempTrip),
	single((*hydro.Engine).ElectricalTrip),
	single((*hydro.Engine).UnitTrip),
	single((*hydro.Engine).Breaker),
	single((*hydro.Engine).PowerOutput),
	single((*hydro.Engine).OperatorCall),
}

// checkFailure checks that every query returns the error, and no number but 0 and -Inf.
func checkFailure(t *testing.T, e *hydro.Engine, hard *hydro.Evidence, soft *hydro.Soft, want error) {
	t.Helper()
	m := hydro.Marginals{LogP: 1}
	numbers(&m)[0][0] = 1
	if err := e.Marginals(hard, soft, &m); !errors.Is(err, want) || m != (hydro.Marginals{LogP: math.Inf(-1)}) {
		t.Errorf("%v: Marginals is %v, %v; want zeros and %v", *hard, m, err, want)
	}
	for v, ask := range posteriors {
		var d [most]float64
		if err := ask(e, hard, soft, &d); !errors.Is(err, want) || d != [most]float64{} {
			t.Errorf("%v: posterior of variable %d is %v, %v; want zeros and %v", *hard, v, d, err, want)
		}
	}
	if got, err := e.LogProb(hard, soft); !errors.Is(err, want) || !math.IsInf(got, -1) {
		t.Errorf("%v: LogProb is %v, %v; want -Inf and %v", *hard, got, err, want)
	}
	a := filled()
	if got, err := e.MPE(hard, soft, &a); !errors.Is(err, want) || !math.IsInf(got, -1) || a != (hydro.Assignment{}) {
		t.Errorf("%v: MPE is %v, %v, %v; want nothing, -Inf and %v", *hard, a, got, err, want)
	}
	a = filled()
	if err := e.Sample(hard, soft, hydro.NewRand(1), &a); !errors.Is(err, want) || a != (hydro.Assignment{}) {
		t.Errorf("%v: Sample is %v, %v; want nothing and %v", *hard, a, err, want)
	}
	if seq, err := e.Samples(hard, soft, hydro.NewRand(1)); !errors.Is(err, want) || seq != nil {
		t.Errorf("%v: Samples: %v; want %v", *hard, err, want)
	}
}

// filled is an assignment that a failing query must clear.
func filled() hydro.Assignment {
	var s states
	for v := range s {
		s[v] = 1
	}
	return s.evidence()
}

// randomEvidence observes a fifth of the variables as in some completion, so that the evidence is
// possible. Two fifths have likelihoods, some far from 1.
func randomEvidence(r *rand.Rand) (s states, l *likelihoods) {
	var a hydro.Assignment
	if err := hydro.New().Sample(nil, nil, hydro.NewRand(r.Uint64()), &a); err != nil {
		panic(err) // empty evidence is possible
	}
	l = new(likelihoods)
	for v, state := range statesOf(&a) {
		switch r.IntN(5) {
		case 0:
			s[v] = state
		case 1, 2:
			for i := range sizes[v] {
				l[v][i] = 100 * r.Float64()
			}
		}
	}
	return s, l
}

// tol is the tolerance between two ways to compute a quantity. It allows for the rounding of some
// thousand operations, and for logarithms up to 40.
const tol = 1e-11

// near reports whether two numbers differ by at most tol. NaN is near nothing.
func near(got, want float64) bool { return math.Abs(got-want) <= tol }

// The logarithm of a complete assignment's probability is the sum of the logarithms of numbers in
// the model file, which this test reads with code of its own.
func TestFullAssignments(t *testing.T) {
	cpts := readModel(t, "../../testdata/models/hydro.bif")
	e, rng := hydro.New(), hydro.NewRand(20)
	var a hydro.Assignment
	for range 1000 {
		if err := e.Sample(nil, nil, rng, &a); err != nil {
			t.Fatal(err)
		}
		want := 0.0
		names := namesOf(t, &a)
		for _, c := range cpts {
			want += math.Log(c.rows[c.key(names)][names[c.child]])
		}
		if got, err := e.LogProb(&a, nil); err != nil || !near(got, want) {
			t.Errorf("%v: LogProb is %v, %v; want %v", a, got, err, want)
		}
	}
}

// cpt is the table of one variable: distributions by the names of the parents' states, and in each
// the probabilities by the name of the child's state.
type cpt struct {
	child   string
	parents []string
	rows    map[string]map[string]float64
}

// key returns the key of the row for the states.
func (c *cpt) key(names map[string]string) string {
	var at []string
	for _, p := range c.parents {
		at = append(at, names[p])
	}
	return strings.Join(at, ", ")
}

// The lines of the model file: a variable, the head of a table, and a row.
var (
	variableLine = regexp.MustCompile(`^variable (\w+) .*\{ type discrete \[ \d+ \] \{ (.*) \}; \}`)
	headLine     = regexp.MustCompile(`^probability \( (\w+)(?: \| (.*))? \) \{`)
	rowLine      = regexp.MustCompile(`^  (?:table|\((.*)\)) ([^;]*);`)
)

// readModel returns the tables of a model file.
func readModel(t *testing.T, path string) (cpts []*cpt) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	domains := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if m := variableLine.FindStringSubmatch(line); m != nil {
			domains[m[1]] = strings.Split(m[2], ", ")
		} else if m := headLine.FindStringSubmatch(line); m != nil {
			c := &cpt{child: m[1], rows: map[string]map[string]float64{}}
			if m[2] != "" {
				c.parents = strings.Split(m[2], ", ")
			}
			cpts = append(cpts, c)
		} else if m := rowLine.FindStringSubmatch(line); m != nil {
			c := cpts[len(cpts)-1]
			c.rows[m[1]] = readRow(t, domains[c.child], strings.Split(m[2], ", "))
		}
	}
	if len(cpts) != vars {
		t.Fatalf("%s has %d tables; want %d", path, len(cpts), vars)
	}
	return cpts
}

// readRow assigns the numbers of a row to the states.
func readRow(t *testing.T, domain, numbers []string) map[string]float64 {
	if len(domain) != len(numbers) {
		t.Fatalf("a row has %v for the states %v", numbers, domain)
	}
	row := map[string]float64{}
	for i, s := range numbers {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		row[domain[i]] = x
	}
	return row
}

// namesOf returns the names of states by the names of variables, by way of JSON.
func namesOf(t *testing.T, a *hydro.Assignment) (names map[string]string) {
	text, err := json.Marshal(a)
	if err == nil {
		err = json.Unmarshal(text, &names)
	}
	if err != nil || len(names) != vars {
		t.Fatalf("%s: %v", text, err)
	}
	return names
}

// Every posterior is the quotient of probabilities of evidence, P(x, e)/P(e), which only need the
// upward pass. That these are right follows from complete assignments and TestTotalProbability.
func TestPosteriorsAreQuotients(t *testing.T) {
	r, e := rand.New(rand.NewPCG(21, 0)), hydro.New()
	for range 20 {
		ev, l := randomEvidence(r)
		hard, soft := ev.evidence(), l.soft()
		var m hydro.Marginals
		if err := e.Marginals(&hard, soft, &m); err != nil {
			t.Fatal(err)
		}
		if logp, err := e.LogProb(&hard, soft); err != nil || !near(logp, m.LogP) {
			t.Errorf("%v: LogProb is %v, %v; LogP %v", hard, logp, err, m.LogP)
		}
		for v, d := range numbers(&m) {
			var single [most]float64
			if err := posteriors[v](e, &hard, soft, &single); err != nil {
				t.Fatal(err)
			}
			for s, p := range d {
				want := extended(t, e, ev, soft, v, s, m.LogP)
				if !near(p, want) || !near(single[s], want) {
					t.Errorf("%v: variable %d, state %d: %v by Marginals, %v alone; want %v", hard, v, s+1, p, single[s], want)
				}
			}
		}
	}
}

// extended returns the probability of state s of variable v given evidence with the logarithm of
// its probability logp.
func extended(t *testing.T, e *hydro.Engine, ev states, soft *hydro.Soft, v, s int, logp float64) float64 {
	if ev[v] != 0 && ev[v] != uint8(s+1) {
		return 0
	}
	ev[v] = uint8(s + 1)
	hard := ev.evidence()
	got, err := e.LogProb(&hard, soft)
	if err != nil && !errors.Is(err, hydro.ErrImpossible) {
		t.Fatal(err)
	}
	return math.Exp(got - logp)
}

// P(x) is the sum of P(e)·P(x|e) over the states e of any variable, for every x, and the P(e) sum
// to one.
func TestTotalProbability(t *testing.T) {
	e := hydro.New()
	var prior hydro.Marginals
	if err := e.Marginals(nil, nil, &prior); err != nil || !near(prior.LogP, 0) {
		t.Fatalf("ln P of no evidence is %v, %v; want 0", prior.LogP, err)
	}
	for v, n := range sizes {
		var sums [vars][most]float64
		total := 0.0
		for s := range n {
			var m hydro.Marginals
			var at states
			at[v] = uint8(s + 1)
			ev := at.evidence()
			if err := e.Marginals(&ev, nil, &m); err != nil {
				t.Fatal(err)
			}
			total += math.Exp(m.LogP)
			for w, d := range numbers(&m) {
				for x, p := range d {
					sums[w][x] += math.Exp(m.LogP) * p
				}
			}
		}
		if !near(total, 1) {
			t.Errorf("variable %d: the probabilities of its states sum to %v", v, total)
		}
		for w, d := range numbers(&prior) {
			for x, p := range d {
				if !near(sums[w][x], p) {
					t.Errorf("by variable %d: variable %d, state %d: %v; want %v", v, w, x+1, sums[w][x], p)
				}
			}
		}
	}
}

// A most probable completion agrees with the evidence and has the returned probability, and no
// sample has a larger one.
func TestMPE(t *testing.T) {
	r, e := rand.New(rand.NewPCG(22, 0)), hydro.New()
	for range 10 {
		ev, l := randomEvidence(r)
		hard, soft := ev.evidence(), l.soft()
		var best, a hydro.Assignment
		logp, err := e.MPE(&hard, soft, &best)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.LogProb(&best, soft); err != nil || !near(got, logp) {
			t.Errorf("%v: ln P of the completion is %v, %v; MPE says %v", hard, got, err, logp)
		}
		rng := hydro.NewRand(r.Uint64())
		for range 1000 {
			if err := e.Sample(&hard, soft, rng, &a); err != nil {
				t.Fatal(err)
			}
			checkCompletes(t, ev, &a)
			if p, err := e.LogProb(&a, soft); err != nil || p > logp+tol {
				t.Errorf("%v: sample %v has ln P %v, %v; MPE %v", hard, a, p, err, logp)
			}
		}
		checkCompletes(t, ev, &best)
		checkNeighbours(t, e, ev, &best, soft, logp)
	}
}

// checkCompletes checks that all variables have states, and the observed ones those of the
// evidence.
func checkCompletes(t *testing.T, ev states, a *hydro.Assignment) {
	t.Helper()
	for v, s := range statesOf(a) {
		if s == 0 || int(s) > sizes[v] || ev[v] != 0 && ev[v] != s {
			t.Errorf("%v: variable %d has state %d; want %d", ev, v, s, ev[v])
		}
	}
}

// checkNeighbours checks that no assignment with another state of one or two variables has a larger
// probability.
func checkNeighbours(t *testing.T, e *hydro.Engine, ev states, best *hydro.Assignment, soft *hydro.Soft, logp float64) {
	t.Helper()
	for v := range vars {
		for w := range v {
			if ev[v] != 0 || ev[w] != 0 {
				continue
			}
			for i := range sizes[v] * sizes[w] {
				near := statesOf(best)
				near[v], near[w] = uint8(1+i%sizes[v]), uint8(1+i/sizes[v])
				a := near.evidence()
				if p, err := e.LogProb(&a, soft); err == nil && p > logp+tol {
					t.Errorf("%v has ln P %v; MPE %v", a, p, logp)
				}
			}
		}
	}
}

// Two facts exclude each other in the model: heavy snowmelt and autumn, and an open gate and a low
// level.
func TestImpossible(t *testing.T) {
	for _, ev := range []hydro.Evidence{
		{Season: hydro.SeasonAutumn, Snowmelt: hydro.SnowmeltHeavy},
		{ReservoirLevel: hydro.ReservoirLevelLow, SpillGate: hydro.SpillGateOpen},
	} {
		checkFailure(t, hydro.New(), &ev, nil, hydro.ErrImpossible)
		checkFailure(t, hydro.New(), &ev, &hydro.Soft{Runner: hydro.RunnerDist{2, 1}}, hydro.ErrImpossible)
	}
	soft := hydro.Soft{Season: hydro.SeasonDist{0, 0, 0, 1}, Snowmelt: hydro.SnowmeltDist{0, 0, 1}}
	checkFailure(t, hydro.New(), new(hydro.Evidence), &soft, hydro.ErrImpossible)
}

// Distributions do not depend on a common factor of a likelihood. The probability of the evidence
// contains it.
func TestSoftScale(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	e := hydro.New()
	for range 100 {
		_, l := randomEvidence(r)
		scaled, shift := *l, 0.0
		for v, d := range l {
			if d == [most]float64{} {
				continue
			}
			shift += math.Log(1e-3)
			for s := range d {
				scaled[v][s] *= 1e-3
			}
		}
		var a, b hydro.Marginals
		errA, errB := e.Marginals(nil, l.soft(), &a), e.Marginals(nil, scaled.soft(), &b)
		if errA != errB || errA == nil && !near(a.LogP+shift, b.LogP) {
			t.Errorf("%v: ln P is %v, %v; scaled %v, %v; want %v more", l, a.LogP, errA, b.LogP, errB, shift)
		}
		for v, d := range numbers(&a) {
			for s, p := range d {
				if !near(p, numbers(&b)[v][s]) {
					t.Errorf("%v: variable %d: %v; scaled %v", l, v, d, numbers(&b)[v])
				}
			}
		}
	}
}

// Every query refuses states that no variable has and numbers that are not likelihoods, in any
// field.
func TestRefused(t *testing.T) {
	e := hydro.New()
	for v, n := range sizes {
		var s states
		for _, bad := range []int{n + 1, 255} {
			s[v] = uint8(bad)
			hard := s.evidence()
			checkFailure(t, e, &hard, nil, hydro.ErrState)
		}
		for _, bad := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
			var l likelihoods
			l[v][0], l[v][n-1] = 1, bad
			checkFailure(t, e, new(hydro.Evidence), l.soft(), hydro.ErrLikelihood)
		}
	}
}

// A row that fails does not affect the others.
func TestBatchRows(t *testing.T) {
	good := hydro.Evidence{TempReading: hydro.TempReadingHot, VibrationAlarm: hydro.VibrationAlarmOn}
	bad := states{255}.evidence()
	e := hydro.New()
	var want hydro.Marginals
	if err := e.Marginals(&good, nil, &want); err != nil {
		t.Fatal(err)
	}
	evs, out := []hydro.Evidence{good, bad, good}, make([]hydro.Marginals, 3)
	if err := e.Batch(evs, nil, out); !errors.Is(err, hydro.ErrState) {
		t.Errorf("Batch: %v; want %v", err, hydro.ErrState)
	}
	if none := (hydro.Marginals{LogP: math.Inf(-1)}); !near(out[0].LogP, want.LogP) || out[1] != none || out[2] != out[0] {
		t.Errorf("Batch: %v; want %v, zeros, and %v", out, want, want)
	}
	got, single := numbers(&out[0]), numbers(&want)
	for v := range got {
		for i, p := range got[v] {
			if !near(p, single[v][i]) {
				t.Errorf("Batch: variable %d: %v; want %v", v, got[v], single[v])
			}
		}
	}
	logps := make([]float64, 3)
	if err := e.LogProbs(evs, logps); !errors.Is(err, hydro.ErrState) {
		t.Errorf("LogProbs: %v; want %v", err, hydro.ErrState)
	}
	if !near(logps[0], want.LogP) || !math.IsInf(logps[1], -1) || !near(logps[2], want.LogP) {
		t.Errorf("LogProbs: %v; want %v, -Inf, %v", logps, want.LogP, want.LogP)
	}
	short := e.Batch(evs, make([]hydro.Soft, 2), out)
	if short == nil || e.Batch(evs, nil, out[:2]) == nil || e.LogProbs(evs, logps[:2]) == nil {
		t.Error("slices of different lengths are accepted")
	}
}

// No query allocates, whether it succeeds or finds that the evidence is impossible.
func TestNoAllocation(t *testing.T) {
	e, rng := hydro.New(), hydro.NewRand(5)
	hard := hydro.Evidence{TempReading: hydro.TempReadingHot, VibrationAlarm: hydro.VibrationAlarmOn}
	soft := hydro.Soft{Runner: hydro.RunnerDist{3, 1}, RackAlarm: hydro.RackAlarmDist{0.2, 0.9}}
	for _, c := range []struct {
		name string
		ev   *hydro.Evidence
		soft *hydro.Soft
	}{
		{"nothing", nil, nil},
		{"hard", &hard, nil},
		{"soft", nil, &soft},
		{"both", &hard, &soft},
		{"impossible", &hydro.Evidence{Season: hydro.SeasonAutumn, Snowmelt: hydro.SnowmeltHeavy}, nil},
	} {
		for name, ask := range queries(e, c.ev, c.soft, rng) {
			if n := testing.AllocsPerRun(20, ask); n != 0 {
				t.Errorf("%s evidence: %s allocates %v times", c.name, name, n)
			}
		}
	}
	evs, softs := []hydro.Evidence{hard, {}, hard}, []hydro.Soft{soft, soft, {}}
	out, logps := make([]hydro.Marginals, 3), make([]float64, 3)
	for name, ask := range map[string]func(){
		"LogProbs":   func() { e.LogProbs(evs, logps) },
		"Batch":      func() { e.Batch(evs, nil, out) },
		"Batch soft": func() { e.Batch(evs, softs, out) },
	} {
		if n := testing.AllocsPerRun(20, ask); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// queries returns the queries for one piece of evidence.
func queries(e *hydro.Engine, ev *hydro.Evidence, soft *hydro.Soft, rng *hydro.Rand) map[string]func() {
	var m hydro.Marginals
	var a hydro.Assignment
	var d [most]float64
	all := map[string]func(){
		"Marginals": func() { e.Marginals(ev, soft, &m) },
		"LogProb":   func() { e.LogProb(ev, soft) },
		"MPE":       func() { e.MPE(ev, soft, &a) },
		"Sample":    func() { e.Sample(ev, soft, rng, &a) },
	}
	for v, ask := range posteriors {
		all["posterior "+strconv.Itoa(v)] = func() { ask(e, ev, soft, &d) }
	}
	return all
}

// Samples allocates at the start only.
func TestSamplesAllocation(t *testing.T) {
	e, rng := hydro.New(), hydro.NewRand(6)
	hard := hydro.Evidence{TempReading: hydro.TempReadingHot, VibrationAlarm: hydro.VibrationAlarmOn}
	take := func(n int) func() {
		return func() {
			seq, err := e.Samples(&hard, nil, rng)
			if err != nil {
				t.Fatal(err)
			}
			for range seq {
				if n--; n <= 0 {
					return
				}
			}
		}
	}
	if few, many := testing.AllocsPerRun(1, take(2)), testing.AllocsPerRun(1, take(1000)); few != many {
		t.Errorf("few samples allocate %v times, many %v times", few, many)
	}
}

// sameBits reports whether two answers are the same to the last bit.
func sameBits(a, b *hydro.Marginals) bool {
	for v, d := range numbers(a) {
		for s, p := range d {
			if math.Float64bits(p) != math.Float64bits(numbers(b)[v][s]) {
				return false
			}
		}
	}
	return math.Float64bits(a.LogP) == math.Float64bits(b.LogP)
}

// Engines that one pool lends to several goroutines answer as a single engine does.
func TestPool(t *testing.T) {
	const goroutines, each = 8, 200
	r, single := rand.New(rand.NewPCG(7, 0)), hydro.New()
	var hard [goroutines * each]states
	var soft [goroutines * each]*likelihoods
	var want [goroutines * each]hydro.Marginals
	var wantErr [goroutines * each]error
	for i := range want {
		hard[i], soft[i] = randomEvidence(r)
		ev := hard[i].evidence()
		wantErr[i] = single.Marginals(&ev, soft[i].soft(), &want[i])
	}
	var pool hydro.Pool
	var done sync.WaitGroup
	for g := range goroutines {
		done.Go(func() {
			for i := g; i < len(want); i += goroutines {
				e := pool.Get()
				ev := hard[i].evidence()
				var got hydro.Marginals
				if err := e.Marginals(&ev, soft[i].soft(), &got); err != wantErr[i] || !sameBits(&got, &want[i]) {
					t.Errorf("%v: got %v, %v; want %v, %v", ev, got, err, want[i], wantErr[i])
				}
				pool.Put(e)
			}
		})
	}
	done.Wait()
	pool.Put(nil)
}

// No query changes the answer of another: an engine gives the same answer at first, after many
// other queries, and as a new engine does.
func TestQueriesLeaveNoTrace(t *testing.T) {
	r, e := rand.New(rand.NewPCG(8, 0)), hydro.New()
	hard := hydro.Evidence{TempReading: hydro.TempReadingHot, VibrationAlarm: hydro.VibrationAlarmOn}
	soft := hydro.Soft{Runner: hydro.RunnerDist{3, 1}, RackAlarm: hydro.RackAlarmDist{0.2, 0.9}}
	var first, again, fresh hydro.Marginals
	var best, bestAgain hydro.Assignment
	if err := e.Marginals(&hard, &soft, &first); err != nil {
		t.Fatal(err)
	}
	logp, err := e.MPE(&hard, &soft, &best)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		s, l := randomEvidence(r)
		ev := s.evidence()
		for _, ask := range queries(e, &ev, l.soft(), hydro.NewRand(9)) {
			ask() // its error must leave no trace either
		}
		if r.IntN(2) == 0 {
			bad := states{255}.evidence()
			e.LogProb(&bad, nil)
		}
	}
	errAgain, errFresh := e.Marginals(&hard, &soft, &again), hydro.New().Marginals(&hard, &soft, &fresh)
	if errAgain != nil || errFresh != nil || !sameBits(&first, &again) || !sameBits(&first, &fresh) {
		t.Errorf("first %v, again %v, %v, by a new engine %v, %v", first, again, errAgain, fresh, errFresh)
	}
	if p, err := e.MPE(&hard, &soft, &bestAgain); err != nil || p != logp || bestAgain != best {
		t.Errorf("first %v with %v, again %v with %v, %v", best, logp, bestAgain, p, err)
	}
}

// The shares of states among samples are the marginals, within 5 standard errors of a share. The
// seed is fixed.
func TestSampleShares(t *testing.T) {
	const n = 20000
	hard := hydro.Evidence{TempReading: hydro.TempReadingHot, VibrationAlarm: hydro.VibrationAlarmOn}
	soft := hydro.Soft{Runner: hydro.RunnerDist{3, 1}, RackAlarm: hydro.RackAlarmDist{0.2, 0.9}}
	for _, c := range []struct {
		ev   *hydro.Evidence
		soft *hydro.Soft
	}{{nil, nil}, {&hard, nil}, {&hard, &soft}} {
		e := hydro.New()
		var m hydro.Marginals
		if err := e.Marginals(c.ev, c.soft, &m); err != nil {
			t.Fatal(err)
		}
		for v, d := range shares(t, e, c.ev, c.soft, n) {
			for s, p := range numbers(&m)[v] {
				if math.Abs(d[s]-p) > 5*math.Sqrt(p*(1-p)/n)+1e-9 {
					t.Errorf("variable %d, state %d: share %v; want %v", v, s+1, d[s], p)
				}
			}
		}
	}
}

// shares counts states among n samples, half of them by Sample and half by Samples.
func shares(t *testing.T, e *hydro.Engine, ev *hydro.Evidence, soft *hydro.Soft, n int) (counts [vars][most]float64) {
	count := func(a *hydro.Assignment) {
		for v, s := range statesOf(a) {
			counts[v][s-1] += 1 / float64(n)
		}
	}
	rng := hydro.NewRand(10)
	var a hydro.Assignment
	for range n / 2 {
		if err := e.Sample(ev, soft, rng, &a); err != nil {
			t.Fatal(err)
		}
		count(&a)
	}
	seq, err := e.Samples(ev, soft, rng)
	if err != nil {
		t.Fatal(err)
	}
	left := n / 2
	for a := range seq {
		count(a)
		if left--; left == 0 {
			break
		}
	}
	return counts
}

// ring holds a few pieces of evidence that a benchmark takes in turn, so that the processor cannot
// predict all branches.
func ring() (evs [8]hydro.Evidence) {
	r := rand.New(rand.NewPCG(11, 0))
	e := hydro.New()
	for i := 0; i < len(evs); {
		s, _ := randomEvidence(r)
		evs[i] = s.evidence()
		if _, err := e.LogProb(&evs[i], nil); err == nil {
			i++
		}
	}
	return evs
}

func BenchmarkMarginals(b *testing.B) {
	evs, e := ring(), hydro.New()
	var out hydro.Marginals
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := e.Marginals(&evs[i%len(evs)], nil, &out); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBearingWear(b *testing.B) {
	evs, e := ring(), hydro.New()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := e.BearingWear(&evs[i%len(evs)], nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLogProb(b *testing.B) {
	evs, e := ring(), hydro.New()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := e.LogProb(&evs[i%len(evs)], nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMPE(b *testing.B) {
	evs, e := ring(), hydro.New()
	var out hydro.Assignment
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := e.MPE(&evs[i%len(evs)], nil, &out); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSample(b *testing.B) {
	evs, e, rng := ring(), hydro.New(), hydro.NewRand(12)
	var out hydro.Assignment
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := e.Sample(&evs[i%len(evs)], nil, rng, &out); err != nil {
			b.Fatal(err)
		}
	}
}
