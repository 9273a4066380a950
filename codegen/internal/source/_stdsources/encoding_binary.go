package binary

type littleEndian struct{}

func (littleEndian) Uint32([]byte) uint32
func (littleEndian) Uint64([]byte) uint64
func (littleEndian) AppendUint32([]byte, uint32) []byte
func (littleEndian) AppendUint64([]byte, uint64) []byte

var LittleEndian littleEndian
