//go:build amd64 && !purego

#include "textflag.h"

// func copyVectors4(to, from *float64, n int)
TEXT ·copyVectors4(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ n+16(FP), CX
	SUBQ $4, CX
	JLT  few

four:
	VMOVUPD (SI), Y0
	VMOVUPD Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $4, CX
	JGE  four

few:
	ADDQ $4, CX
	JZ   end

one:
	VMOVSD (SI), X0
	VMOVSD X0, (DI)
	ADDQ $8, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  one

end:
	VZEROUPPER
	RET
