//go:build amd64 && !purego

#include "textflag.h"

// The kernel of sums with AVX2: see tape_sums.go for what it does and for the words of an
// instruction. SI walks over the words, DI is their end, BX the memory, AX the number of terms, CX
// counts the nodes or groups of a run. The sum of a node stays in X0, those of a group in Y0.

// FOUR loads the elements whose four places lie at off. Loads and inserts take half the time of a
// gather.
#define FOUR(off, low, high, all) \
	MOVQ off(SI), R8 \
	MOVQ (off+8)(SI), R10 \
	MOVL R8, R9 \
	SHRQ $32, R8 \
	MOVL R10, R11 \
	SHRQ $32, R10 \
	VMOVSD (BX)(R9*8), low \
	VMOVSD (BX)(R11*8), high \
	VMOVHPD (BX)(R8*8), low, low \
	VMOVHPD (BX)(R10*8), high, high \
	VINSERTF128 $1, high, all, all

// func tapeSums4(ins []int32, s []float64)
TEXT ·tapeSums4(SB), NOSPLIT, $0-48
	MOVQ ins_base+0(FP), SI
	MOVQ ins_len+8(FP), DI
	MOVQ s_base+24(FP), BX
	LEAQ (SI)(DI*4), DI

run:
	CMPQ SI, DI
	JAE  end
	MOVLQSX (SI), AX
	MOVL 4(SI), CX
	ADDQ $8, SI
	TESTL CX, CX
	JLT  groups
	CMPQ AX, $1
	JEQ  one
	CMPQ AX, $2
	JEQ  two
	CMPQ AX, $3
	JEQ  three
	TESTQ AX, AX
	JLT  single

	// nodes with any number of products
many:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVSD (BX)(R8*8), X0
	VMULSD (BX)(R9*8), X0, X0
	ADDQ $12, SI
	LEAQ -1(AX), DX

manyTerm:
	MOVL 0(SI), R8
	MOVL 4(SI), R9
	VMOVSD (BX)(R8*8), X1
	VMULSD (BX)(R9*8), X1, X1
	VADDSD X1, X0, X0
	ADDQ $8, SI
	DECQ DX
	JNZ  manyTerm
	VMOVSD X0, (BX)(R12*8)
	DECL CX
	JNZ  many
	JMP  run

one:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVSD (BX)(R8*8), X0
	VMULSD (BX)(R9*8), X0, X0
	VMOVSD X0, (BX)(R12*8)
	ADDQ $12, SI
	DECL CX
	JNZ  one
	JMP  run

two:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVSD (BX)(R8*8), X0
	VMULSD (BX)(R9*8), X0, X0
	MOVL 12(SI), R8
	MOVL 16(SI), R9
	VMOVSD (BX)(R8*8), X1
	VMULSD (BX)(R9*8), X1, X1
	VADDSD X1, X0, X0
	VMOVSD X0, (BX)(R12*8)
	ADDQ $20, SI
	DECL CX
	JNZ  two
	JMP  run

three:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVSD (BX)(R8*8), X0
	VMULSD (BX)(R9*8), X0, X0
	MOVL 12(SI), R8
	MOVL 16(SI), R9
	VMOVSD (BX)(R8*8), X1
	VMULSD (BX)(R9*8), X1, X1
	VADDSD X1, X0, X0
	MOVL 20(SI), R8
	MOVL 24(SI), R9
	VMOVSD (BX)(R8*8), X1
	VMULSD (BX)(R9*8), X1, X1
	VADDSD X1, X0, X0
	VMOVSD X0, (BX)(R12*8)
	ADDQ $28, SI
	DECL CX
	JNZ  three
	JMP  run

	// nodes with any number of single elements; AX is that number, negated
single:
	MOVL (SI), R12
	MOVL 4(SI), R8
	VMOVSD (BX)(R8*8), X0
	ADDQ $8, SI
	LEAQ 1(AX), DX
	TESTQ DX, DX
	JEQ  singleStore

singleTerm:
	MOVL (SI), R8
	VADDSD (BX)(R8*8), X0, X0
	ADDQ $4, SI
	INCQ DX
	JNZ  singleTerm

singleStore:
	VMOVSD X0, (BX)(R12*8)
	DECL CX
	JNZ  single
	JMP  run

groups:
	NEGL CX
	CMPQ AX, $1
	JEQ  groupOne
	CMPQ AX, $2
	JEQ  groupTwo
	CMPQ AX, $3
	JEQ  groupThree
	TESTQ AX, AX
	JLT  groupSingle

groupMany:
	MOVL (SI), R12
	FOUR(4, X0, X1, Y0)
	FOUR(20, X2, X3, Y2)
	VMULPD Y2, Y0, Y0
	ADDQ $36, SI
	LEAQ -1(AX), DX

groupManyTerm:
	FOUR(0, X1, X3, Y1)
	FOUR(16, X2, X4, Y2)
	VMULPD Y2, Y1, Y1
	VADDPD Y1, Y0, Y0
	ADDQ $32, SI
	DECQ DX
	JNZ  groupManyTerm
	VMOVUPD Y0, (BX)(R12*8)
	DECL CX
	JNZ  groupMany
	JMP  run

groupOne:
	MOVL (SI), R12
	FOUR(4, X0, X1, Y0)
	FOUR(20, X2, X3, Y2)
	VMULPD Y2, Y0, Y0
	VMOVUPD Y0, (BX)(R12*8)
	ADDQ $36, SI
	DECL CX
	JNZ  groupOne
	JMP  run

groupTwo:
	MOVL (SI), R12
	FOUR(4, X0, X1, Y0)
	FOUR(20, X2, X3, Y2)
	VMULPD Y2, Y0, Y0
	FOUR(36, X1, X3, Y1)
	FOUR(52, X2, X4, Y2)
	VMULPD Y2, Y1, Y1
	VADDPD Y1, Y0, Y0
	VMOVUPD Y0, (BX)(R12*8)
	ADDQ $68, SI
	DECL CX
	JNZ  groupTwo
	JMP  run

groupThree:
	MOVL (SI), R12
	FOUR(4, X0, X1, Y0)
	FOUR(20, X2, X3, Y2)
	VMULPD Y2, Y0, Y0
	FOUR(36, X1, X3, Y1)
	FOUR(52, X2, X4, Y2)
	VMULPD Y2, Y1, Y1
	VADDPD Y1, Y0, Y0
	FOUR(68, X1, X3, Y1)
	FOUR(84, X2, X4, Y2)
	VMULPD Y2, Y1, Y1
	VADDPD Y1, Y0, Y0
	VMOVUPD Y0, (BX)(R12*8)
	ADDQ $100, SI
	DECL CX
	JNZ  groupThree
	JMP  run

groupSingle:
	MOVL (SI), R12
	FOUR(4, X0, X1, Y0)
	ADDQ $20, SI
	LEAQ 1(AX), DX
	TESTQ DX, DX
	JEQ  groupSingleStore

groupSingleTerm:
	FOUR(0, X1, X3, Y1)
	VADDPD Y1, Y0, Y0
	ADDQ $16, SI
	INCQ DX
	JNZ  groupSingleTerm

groupSingleStore:
	VMOVUPD Y0, (BX)(R12*8)
	DECL CX
	JNZ  groupSingle
	JMP  run

end:
	VZEROUPPER
	RET
