package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// The operations on energies, for RunEnergyTape.
const (
	tapeMinSum = 128 + iota
	tapeSendMessages
	tapeEnergy
	tapeChoose
	tapeUpdateIncumbent
	tapeEnvelope
)

// energyRows are the steps on energies.
var energyRows = []row{
	newRow(energyTape, (*Assembler).minSum, minSumPrice),
	newRow(energyTape, (*Assembler).sendMessages, sendMessagesPrice),
	newRow(energyTape, (*Assembler).energy, energyPrice),
	newRow(energyTape, (*Assembler).choose, choosePrice),
	newRow(energyTape, (*Assembler).updateIncumbent, updateIncumbentPrice),
}

// minSum writes: offset of the result, its axis or -1, memory and offset of the table; for each
// axis its size, the place of the state at which it stands or -1, and the offset of its operand or
// -1.
func (a *Assembler) minSum(s *ir.MinSum) {
	if s.Form != ir.FormTable {
		a.envelope(s)
		return
	}
	start := a.begin(tapeMinSum)
	a.words(a.at(s.Out), s.To)
	a.operand(s.Table)
	for i, axis := range s.Axes {
		state := -1
		if axis.Kind == ir.AxisFixed {
			state = a.state(axis.Var)
		}
		a.words(axis.Size, state, a.at(s.In[i]))
	}
	a.code.State = true // even if no axis is fixed
	a.end(start)
}

// envelope writes a minimal sum of energies that are no table: offset of the result, its axis or
// -1, the form, the number of states, memory and offset of the energies; for each axis the place of
// the state at which it stands or -1, and the offset of its operand or -1.
func (a *Assembler) envelope(s *ir.MinSum) {
	start := a.begin(tapeEnvelope)
	a.words(a.at(s.Out), s.To, int(s.Form), s.Axes[0].Size)
	a.operand(s.Table)
	for i, axis := range s.Axes {
		state := -1
		if axis.Kind == ir.AxisFixed {
			state = a.state(axis.Var)
		}
		a.words(state, a.at(s.In[i]))
	}
	a.code.State = true // even if no axis is fixed
	a.end(start)
}

func minSumPrice(_ *ir.Program, s *ir.MinSum) Price {
	return Price{NS: 4*price.Step.Call + float64(price.Step.Least*float64(s.Entries()))}
}

// sendMessages writes: number of states, the offsets of the base, the belief, the mark of possible
// evidence, the bound, the residual and the damping, each or -1, the two numbers of the share; for
// each factor the offsets of the incoming and the outgoing message, and the divisor.
func (a *Assembler) sendMessages(s *ir.SendMessages) {
	start := a.begin(tapeSendMessages)
	a.words(a.len(s.Base), a.at(s.Base), a.at(s.Belief), a.at(s.Alive), a.at(s.Bound), a.at(s.Residual), a.at(s.Rate))
	a.words(int(s.Share[0]), int(s.Share[1]))
	for i := range s.Out {
		a.words(a.at(s.In[i]), a.at(s.Out[i]), int(s.Divide[i]))
	}
	a.end(start)
}

func sendMessagesPrice(p *ir.Program, s *ir.SendMessages) Price {
	move := price.Step.Move
	if s.Residual != ir.NoSpan {
		move += 2 * price.Step.Log
	}
	return Price{NS: price.Step.Call + float64((price.Step.Add+move)*float64(p.Spans[s.Base].Len*(1+len(s.In))))}
}

// energy writes: number of states, offset of the result, of the weight or -1; memory and offset of
// each operand.
func (a *Assembler) energy(s *ir.Energy) {
	start := a.begin(tapeEnergy)
	a.words(a.len(s.Out), a.at(s.Out), a.at(s.Weight))
	for _, id := range s.In {
		a.operand(id)
	}
	a.end(start)
}

func energyPrice(p *ir.Program, s *ir.Energy) Price {
	return Price{NS: price.Step.Call + float64((price.Step.Log+float64(price.Step.Add*float64(len(s.In))))*float64(p.Spans[s.Out].Len))}
}

// choose writes: number of states, place of the state, number of final operands, the offsets of the
// value, of the mark of ties and of the belief, the offsets of the operands.
func (a *Assembler) choose(s *ir.Choose) {
	start := a.begin(tapeChoose)
	a.words(s.Axis.Size, a.state(s.Axis.Var), s.Final, a.at(s.Value), a.at(s.Ties), a.at(s.Belief))
	for _, id := range s.In {
		a.words(a.at(id))
	}
	a.end(start)
}

func choosePrice(_ *ir.Program, s *ir.Choose) Price {
	return Price{NS: price.Step.Call + float64(2*price.Step.Add*float64(s.Axis.Size*(1+len(s.In))))}
}

// updateIncumbent writes: places of the states and of the best states, their number, the offsets of
// the numbers of the run.
func (a *Assembler) updateIncumbent(s *ir.UpdateIncumbent) {
	start := a.begin(tapeUpdateIncumbent)
	a.words(a.state(0), a.at(s.Best), a.len(s.Best))
	for _, id := range s.Run.All() {
		a.words(a.at(*id))
	}
	a.end(start)
}

func updateIncumbentPrice(p *ir.Program, s *ir.UpdateIncumbent) Price {
	return Price{NS: price.Step.Call + float64(price.Step.Move*float64(p.Spans[s.Best].Len))}
}
