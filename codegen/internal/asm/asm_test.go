package asm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/internal/asm"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/lanes"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// processor executes the output of Write and WriteMap, for one lane.
type processor struct {
	l, p []float64 // one number for each slot
	z    [32]float64
	k1   bool // mask register 1
}

// run executes a function.
func (c *processor) run(text string) error {
	for _, line := range strings.Split(text, "\n") {
		op, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		args := strings.Split(rest, ", ")
		switch op, suffix, _ := strings.Cut(op, "."); op {
		case "", "MOVQ", "VZEROUPPER", "RET":
		case "VMOVUPD", "VMOVAPD", "VBROADCASTSD":
			*c.at(args[1]) = *c.at(args[0])
		case "VMULPD":
			*c.at(args[2]) = *c.at(args[0]) * *c.at(args[1])
		case "VADDPD":
			*c.at(args[2]) = *c.at(args[0]) + *c.at(args[1])
		case "VSUBPD":
			*c.at(args[2]) = *c.at(args[1]) - *c.at(args[0])
		case "VSQRTPD":
			*c.at(args[1]) = math.Sqrt(*c.at(args[0]))
		case "VPXORQ":
			*c.at(args[2]) = math.Float64frombits(math.Float64bits(*c.at(args[0])) ^ math.Float64bits(*c.at(args[1])))
		case "VCMPPD": // 4: not equal, or not a number
			c.k1 = !(*c.at(args[1]) == *c.at(args[2]))
		case "VDIVPD":
			to := c.at(args[len(args)-1])
			if *to = *c.at(args[1]) / *c.at(args[0]); suffix == "Z" && !c.k1 {
				*to = 0
			}
		default:
			return fmt.Errorf("unknown instruction %q", line)
		}
	}
	return nil
}

// at returns an operand: a register, a slot relative to BX, or a number relative to DX.
func (c *processor) at(arg string) *float64 {
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			panic(err)
		}
		return n
	}
	if offset, ok := strings.CutSuffix(arg, "(BX)"); ok {
		return &c.l[number(offset)/64]
	}
	if offset, ok := strings.CutSuffix(arg, "(DX)"); ok {
		return &c.p[number(offset)/8]
	}
	return &c.z[number(strings.TrimPrefix(arg, "Z"))]
}

// randomProgram returns a program of two parts, with nodes that read any slot that is set. The
// first slots are inputs, then answers, numbers and temporaries.
func randomProgram(r *rand.Rand) *lanes.Program {
	const inputs, answers, numbers = 10, 5, 8
	temps := 1 + r.IntN(120)
	p := &lanes.Program{Slots: inputs + answers + numbers + temps, Exp: -1, Marks: -1, First: inputs + answers,
		In: []lanes.Move{{Slot: 0, Len: inputs}}, Out: []lanes.Move{{Slot: inputs, Len: answers}}}
	for i := range numbers {
		p.Numbers = append(p.Numbers, lanes.Number{At: -1, Value: float64(i+1) / 4}) // including the number 1
	}
	set := slices.Repeat([]bool{true}, inputs)
	set = append(set, make([]bool, answers)...)
	set = append(append(set, slices.Repeat([]bool{true}, numbers)...), make([]bool, temps)...)
	read := func() int {
		for {
			if s := r.IntN(p.Slots); set[s] {
				return s
			}
		}
	}
	for range 2 {
		var part lanes.Part
		for range 1 + r.IntN(300) {
			n := assemble.Node{Set: p.First + numbers + r.IntN(temps)}
			pairs := r.IntN(3) > 0
			for range 1 + r.IntN(5) {
				term := [2]int32{int32(read()), -1}
				if pairs {
					term[1] = int32(read())
				}
				n.Terms = append(n.Terms, term)
			}
			part.Sums = append(part.Sums, n)
			set[n.Set] = true
		}
		p.Parts = append(p.Parts, part)
	}
	last := &p.Parts[1]
	for i := range answers {
		last.Sums = append(last.Sums, assemble.Node{Set: inputs + i, Terms: [][2]int32{{int32(read()), int32(read())}, {int32(read()), int32(read())}}})
	}
	return p
}

// TestWrite checks that the assembly computes the bits of the lane code, whatever must leave its
// register.
func TestWrite(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	spilled := 0
	for round := range 300 {
		p := randomProgram(r)
		l := pgmrt.NewLanes(p.Slots)
		p.Fill(l, nil)
		for i := range p.In[0].Len * pgmrt.Lanes {
			l[i] = math.Exp(r.NormFloat64())
		}
		var place []int
		numbers := make([]float64, 2*len(p.Numbers))
		for i, n := range p.Numbers { // in reverse order, with gaps
			place = append(place, 2*(len(p.Numbers)-1-i))
			numbers[place[i]] = n.Value
		}
		code := asm.Write(p, "f", place)
		c := processor{l: make([]float64, code.Slots), p: numbers}
		for s := range p.In[0].Len {
			c.l[s] = l[pgmrt.Lanes*s]
		}
		for i, f := range strings.Split(code.Text, "TEXT ")[1:] {
			head, body, _ := strings.Cut(f, "\n")
			if want := fmt.Sprintf("·fPart%d(SB), NOSPLIT, $0-16", i+1); head != want || code.Funcs[i] != fmt.Sprint("fPart", i+1) {
				t.Fatalf("function %q, named %q; want %q", head, code.Funcs[i], want)
			}
			body, _, _ = strings.Cut(body, "\n\n")
			if err := c.run(body); err != nil {
				t.Fatal(err)
			}
		}
		pgmrt.RunLanes(p.Code(nil), l)
		for i := range p.Out[0].Len {
			s := p.Out[0].Slot + i
			if got, want := c.l[s], l[pgmrt.Lanes*s]; math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("round %d: answer %d is %v; want %v", round, i, got, want)
			}
		}
		spilled += code.Slots - p.Slots
	}
	if spilled == 0 {
		t.Error("no program needed more than the registers; the test is too easy")
	}
}

// TestByHand writes (a·b + c·0.75)·a, which reads its constant by broadcast and is stored in the
// slot of the answer.
func TestByHand(t *testing.T) {
	p := &lanes.Program{Slots: 7, Exp: -1, Marks: -1, First: 4, In: []lanes.Move{{Slot: 0, Len: 3}}, Out: []lanes.Move{{Slot: 3, Len: 1}},
		Numbers: []lanes.Number{{At: 9}}, Parts: []lanes.Part{{Sums: []assemble.Node{
			{Set: 5, Terms: [][2]int32{{0, 1}, {2, 4}}},
			{Set: 6, Terms: [][2]int32{{5, 0}}},
			{Set: 3, Terms: [][2]int32{{6, -1}}},
		}}}}
	got := asm.Write(p, "f", []int{9}).Text
	for _, line := range []string{"TEXT ·fPart1(SB), NOSPLIT, $0-16", "VMULPD.BCST 72(DX), Z", "VMOVUPD Z", ", 192(BX)\n\tVZEROUPPER\n\tRET\n"} {
		if !strings.Contains(got, line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
}
