//go:build amd64 && !purego

#include "textflag.h"

// The kernels of lanes: see lanes_sums.go for what they do and for the words of an instruction. SI
// walks over the words, DI is their end, BX the memory, CX counts the nodes of a run. A place, in
// R8 to R11, is an index of 8-byte numbers. The sum of a node stays in Z0, or in Y0 and Y1, until
// it is stored.

// func laneSkip(l []float64) int
TEXT ·laneSkip(SB), NOSPLIT, $0-32
	MOVQ l_base+0(FP), AX
	NEGQ AX
	ANDQ $63, AX
	SHRQ $3, AX
	MOVQ AX, ret+24(FP)
	RET

// func laneSums8(ins []int32, l []float64)
TEXT ·laneSums8(SB), NOSPLIT, $0-48
	MOVQ ins_base+0(FP), SI
	MOVQ ins_len+8(FP), DI
	MOVQ l_base+24(FP), BX
	LEAQ (SI)(DI*4), DI

run:
	CMPQ SI, DI
	JAE  end
	MOVLQSX (SI), AX
	MOVL 4(SI), CX
	ADDQ $8, SI
	CMPQ AX, $2
	JEQ  two
	CMPQ AX, $1
	JEQ  one
	CMPQ AX, $3
	JEQ  three
	CMPQ AX, $4
	JEQ  four
	CMPQ AX, $-2
	JEQ  both
	TESTQ AX, AX
	JLT  single

	// any number of products
many:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Z0
	VMULPD (BX)(R9*8), Z0, Z0
	ADDQ $12, SI
	LEAQ -1(AX), DX

manyTerm:
	MOVL (SI), R8
	MOVL 4(SI), R9
	VMOVUPD (BX)(R8*8), Z1
	VMULPD (BX)(R9*8), Z1, Z1
	VADDPD Z1, Z0, Z0
	ADDQ $8, SI
	DECQ DX
	JNZ  manyTerm
	VMOVUPD Z0, (BX)(R12*8)
	DECL CX
	JNZ  many
	JMP  run

one:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Z0
	VMULPD (BX)(R9*8), Z0, Z0
	VMOVUPD Z0, (BX)(R12*8)
	ADDQ $12, SI
	DECL CX
	JNZ  one
	JMP  run

two:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Z0
	VMULPD (BX)(R9*8), Z0, Z0
	MOVL 12(SI), R10
	MOVL 16(SI), R11
	VMOVUPD (BX)(R10*8), Z1
	VMULPD (BX)(R11*8), Z1, Z1
	VADDPD Z1, Z0, Z0
	VMOVUPD Z0, (BX)(R12*8)
	ADDQ $20, SI
	DECL CX
	JNZ  two
	JMP  run

three:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Z0
	VMULPD (BX)(R9*8), Z0, Z0
	MOVL 12(SI), R10
	MOVL 16(SI), R11
	VMOVUPD (BX)(R10*8), Z1
	VMULPD (BX)(R11*8), Z1, Z1
	VADDPD Z1, Z0, Z0
	MOVL 20(SI), R8
	MOVL 24(SI), R9
	VMOVUPD (BX)(R8*8), Z1
	VMULPD (BX)(R9*8), Z1, Z1
	VADDPD Z1, Z0, Z0
	VMOVUPD Z0, (BX)(R12*8)
	ADDQ $28, SI
	DECL CX
	JNZ  three
	JMP  run

four:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Z0
	VMULPD (BX)(R9*8), Z0, Z0
	MOVL 12(SI), R10
	MOVL 16(SI), R11
	VMOVUPD (BX)(R10*8), Z1
	VMULPD (BX)(R11*8), Z1, Z1
	VADDPD Z1, Z0, Z0
	MOVL 20(SI), R8
	MOVL 24(SI), R9
	VMOVUPD (BX)(R8*8), Z1
	VMULPD (BX)(R9*8), Z1, Z1
	VADDPD Z1, Z0, Z0
	MOVL 28(SI), R10
	MOVL 32(SI), R11
	VMOVUPD (BX)(R10*8), Z1
	VMULPD (BX)(R11*8), Z1, Z1
	VADDPD Z1, Z0, Z0
	VMOVUPD Z0, (BX)(R12*8)
	ADDQ $36, SI
	DECL CX
	JNZ  four
	JMP  run

both:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Z0
	VADDPD (BX)(R9*8), Z0, Z0
	VMOVUPD Z0, (BX)(R12*8)
	ADDQ $12, SI
	DECL CX
	JNZ  both
	JMP  run

	// any number of single slots; AX is that number, negated
single:
	MOVL (SI), R12
	MOVL 4(SI), R8
	VMOVUPD (BX)(R8*8), Z0
	ADDQ $8, SI
	LEAQ 1(AX), DX
	TESTQ DX, DX
	JEQ  singleStore

singleTerm:
	MOVL (SI), R8
	VADDPD (BX)(R8*8), Z0, Z0
	ADDQ $4, SI
	INCQ DX
	JNZ  singleTerm

singleStore:
	VMOVUPD Z0, (BX)(R12*8)
	DECL CX
	JNZ  single
	JMP  run

end:
	VZEROUPPER
	RET

// func laneSums4(ins []int32, l []float64)
TEXT ·laneSums4(SB), NOSPLIT, $0-48
	MOVQ ins_base+0(FP), SI
	MOVQ ins_len+8(FP), DI
	MOVQ l_base+24(FP), BX
	LEAQ (SI)(DI*4), DI

run:
	CMPQ SI, DI
	JAE  end
	MOVLQSX (SI), AX
	MOVL 4(SI), CX
	ADDQ $8, SI
	CMPQ AX, $2
	JEQ  two
	CMPQ AX, $1
	JEQ  one
	CMPQ AX, $3
	JEQ  three
	CMPQ AX, $4
	JEQ  four
	CMPQ AX, $-2
	JEQ  both
	TESTQ AX, AX
	JLT  single

	// any number of products
many:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Y0
	VMOVUPD 32(BX)(R8*8), Y1
	VMULPD (BX)(R9*8), Y0, Y0
	VMULPD 32(BX)(R9*8), Y1, Y1
	ADDQ $12, SI
	LEAQ -1(AX), DX

manyTerm:
	MOVL (SI), R8
	MOVL 4(SI), R9
	VMOVUPD (BX)(R8*8), Y2
	VMOVUPD 32(BX)(R8*8), Y3
	VMULPD (BX)(R9*8), Y2, Y2
	VMULPD 32(BX)(R9*8), Y3, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	ADDQ $8, SI
	DECQ DX
	JNZ  manyTerm
	VMOVUPD Y0, (BX)(R12*8)
	VMOVUPD Y1, 32(BX)(R12*8)
	DECL CX
	JNZ  many
	JMP  run

one:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Y0
	VMOVUPD 32(BX)(R8*8), Y1
	VMULPD (BX)(R9*8), Y0, Y0
	VMULPD 32(BX)(R9*8), Y1, Y1
	VMOVUPD Y0, (BX)(R12*8)
	VMOVUPD Y1, 32(BX)(R12*8)
	ADDQ $12, SI
	DECL CX
	JNZ  one
	JMP  run

two:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Y0
	VMOVUPD 32(BX)(R8*8), Y1
	VMULPD (BX)(R9*8), Y0, Y0
	VMULPD 32(BX)(R9*8), Y1, Y1
	MOVL 12(SI), R10
	MOVL 16(SI), R11
	VMOVUPD (BX)(R10*8), Y2
	VMOVUPD 32(BX)(R10*8), Y3
	VMULPD (BX)(R11*8), Y2, Y2
	VMULPD 32(BX)(R11*8), Y3, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VMOVUPD Y0, (BX)(R12*8)
	VMOVUPD Y1, 32(BX)(R12*8)
	ADDQ $20, SI
	DECL CX
	JNZ  two
	JMP  run

three:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Y0
	VMOVUPD 32(BX)(R8*8), Y1
	VMULPD (BX)(R9*8), Y0, Y0
	VMULPD 32(BX)(R9*8), Y1, Y1
	MOVL 12(SI), R10
	MOVL 16(SI), R11
	VMOVUPD (BX)(R10*8), Y2
	VMOVUPD 32(BX)(R10*8), Y3
	VMULPD (BX)(R11*8), Y2, Y2
	VMULPD 32(BX)(R11*8), Y3, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	MOVL 20(SI), R8
	MOVL 24(SI), R9
	VMOVUPD (BX)(R8*8), Y2
	VMOVUPD 32(BX)(R8*8), Y3
	VMULPD (BX)(R9*8), Y2, Y2
	VMULPD 32(BX)(R9*8), Y3, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VMOVUPD Y0, (BX)(R12*8)
	VMOVUPD Y1, 32(BX)(R12*8)
	ADDQ $28, SI
	DECL CX
	JNZ  three
	JMP  run

four:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Y0
	VMOVUPD 32(BX)(R8*8), Y1
	VMULPD (BX)(R9*8), Y0, Y0
	VMULPD 32(BX)(R9*8), Y1, Y1
	MOVL 12(SI), R10
	MOVL 16(SI), R11
	VMOVUPD (BX)(R10*8), Y2
	VMOVUPD 32(BX)(R10*8), Y3
	VMULPD (BX)(R11*8), Y2, Y2
	VMULPD 32(BX)(R11*8), Y3, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	MOVL 20(SI), R8
	MOVL 24(SI), R9
	VMOVUPD (BX)(R8*8), Y2
	VMOVUPD 32(BX)(R8*8), Y3
	VMULPD (BX)(R9*8), Y2, Y2
	VMULPD 32(BX)(R9*8), Y3, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	MOVL 28(SI), R10
	MOVL 32(SI), R11
	VMOVUPD (BX)(R10*8), Y2
	VMOVUPD 32(BX)(R10*8), Y3
	VMULPD (BX)(R11*8), Y2, Y2
	VMULPD 32(BX)(R11*8), Y3, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VMOVUPD Y0, (BX)(R12*8)
	VMOVUPD Y1, 32(BX)(R12*8)
	ADDQ $36, SI
	DECL CX
	JNZ  four
	JMP  run

both:
	MOVL (SI), R12
	MOVL 4(SI), R8
	MOVL 8(SI), R9
	VMOVUPD (BX)(R8*8), Y0
	VMOVUPD 32(BX)(R8*8), Y1
	VADDPD (BX)(R9*8), Y0, Y0
	VADDPD 32(BX)(R9*8), Y1, Y1
	VMOVUPD Y0, (BX)(R12*8)
	VMOVUPD Y1, 32(BX)(R12*8)
	ADDQ $12, SI
	DECL CX
	JNZ  both
	JMP  run

	// any number of single slots; AX is that number, negated
single:
	MOVL (SI), R12
	MOVL 4(SI), R8
	VMOVUPD (BX)(R8*8), Y0
	VMOVUPD 32(BX)(R8*8), Y1
	ADDQ $8, SI
	LEAQ 1(AX), DX
	TESTQ DX, DX
	JEQ  singleStore

singleTerm:
	MOVL (SI), R8
	VADDPD (BX)(R8*8), Y0, Y0
	VADDPD 32(BX)(R8*8), Y1, Y1
	ADDQ $4, SI
	INCQ DX
	JNZ  singleTerm

singleStore:
	VMOVUPD Y0, (BX)(R12*8)
	VMOVUPD Y1, 32(BX)(R12*8)
	DECL CX
	JNZ  single
	JMP  run

end:
	VZEROUPPER
	RET

// func laneMaxima8(ins []int32, l []float64)
TEXT ·laneMaxima8(SB), NOSPLIT, $0-48
	MOVQ ins_base+0(FP), SI
	MOVQ ins_len+8(FP), DI
	MOVQ l_base+24(FP), BX
	LEAQ (SI)(DI*4), DI

run:
	CMPQ SI, DI
	JAE  end
	MOVLQSX (SI), AX
	MOVL 4(SI), CX
	ADDQ $8, SI

	// any number of single slots; AX is that number, negated
single:
	MOVL (SI), R12
	MOVL 4(SI), R8
	VMOVUPD (BX)(R8*8), Z0
	ADDQ $8, SI
	LEAQ 1(AX), DX
	TESTQ DX, DX
	JEQ  singleStore

singleTerm:
	MOVL (SI), R8
	VMAXPD (BX)(R8*8), Z0, Z0
	ADDQ $4, SI
	INCQ DX
	JNZ  singleTerm

singleStore:
	VMOVUPD Z0, (BX)(R12*8)
	DECL CX
	JNZ  single
	JMP  run

end:
	VZEROUPPER
	RET

// func laneMaxima4(ins []int32, l []float64)
TEXT ·laneMaxima4(SB), NOSPLIT, $0-48
	MOVQ ins_base+0(FP), SI
	MOVQ ins_len+8(FP), DI
	MOVQ l_base+24(FP), BX
	LEAQ (SI)(DI*4), DI

run:
	CMPQ SI, DI
	JAE  end
	MOVLQSX (SI), AX
	MOVL 4(SI), CX
	ADDQ $8, SI

	// any number of single slots; AX is that number, negated
single:
	MOVL (SI), R12
	MOVL 4(SI), R8
	VMOVUPD (BX)(R8*8), Y0
	VMOVUPD 32(BX)(R8*8), Y1
	ADDQ $8, SI
	LEAQ 1(AX), DX
	TESTQ DX, DX
	JEQ  singleStore

singleTerm:
	MOVL (SI), R8
	VMAXPD (BX)(R8*8), Y0, Y0
	VMAXPD 32(BX)(R8*8), Y1, Y1
	ADDQ $4, SI
	INCQ DX
	JNZ  singleTerm

singleStore:
	VMOVUPD Y0, (BX)(R12*8)
	VMOVUPD Y1, 32(BX)(R12*8)
	DECL CX
	JNZ  single
	JMP  run

end:
	VZEROUPPER
	RET

// laneOne is the number 1, four times.
DATA laneOne<>+0(SB)/8, $1.0
DATA laneOne<>+8(SB)/8, $1.0
DATA laneOne<>+16(SB)/8, $1.0
DATA laneOne<>+24(SB)/8, $1.0
GLOBL laneOne<>(SB), RODATA|NOPTR, $32

// func laneObservations4(ins []int32, l []float64) Y0 and Y1 are states, Y2 and Y3 masks of lanes
// without observation, Y4 the state whose likelihood is next, Y6 ones, Y7 zeros.
TEXT ·laneObservations4(SB), NOSPLIT, $0-48
	MOVQ ins_base+0(FP), SI
	MOVQ ins_len+8(FP), DI
	MOVQ l_base+24(FP), BX
	LEAQ (SI)(DI*4), DI
	VMOVUPD laneOne<>(SB), Y6
	VXORPD Y7, Y7, Y7

variable:
	CMPQ SI, DI
	JAE  end
	MOVL (SI), R8
	MOVL 4(SI), R9
	MOVL 8(SI), CX
	ADDQ $12, SI
	VMOVUPD (BX)(R8*8), Y0
	VMOVUPD 32(BX)(R8*8), Y1
	VCMPPD $0, Y7, Y0, Y2
	VCMPPD $0, Y7, Y1, Y3
	VMOVAPD Y6, Y4

state:
	VCMPPD $0, Y4, Y0, Y5
	VORPD Y2, Y5, Y5
	VANDPD Y6, Y5, Y5
	VMOVUPD Y5, (BX)(R9*8)
	VCMPPD $0, Y4, Y1, Y5
	VORPD Y3, Y5, Y5
	VANDPD Y6, Y5, Y5
	VMOVUPD Y5, 32(BX)(R9*8)
	VADDPD Y6, Y4, Y4
	ADDQ $8, R9
	DECL CX
	JNZ  state
	JMP  variable

end:
	VZEROUPPER
	RET
