package bridge

import "syscall/js"

// Run sets the function pgmc of the global object, calls its function pgmcReady, and serves for
// ever. pgmc takes a request and a function that gets the reply. The caller must wait for the reply
// before the next request.
func Run(serve func([]byte) []byte) {
	global := js.Global()
	global.Set("pgmc", js.FuncOf(func(_ js.Value, args []js.Value) any {
		request, done := []byte(args[0].String()), args[1]
		go func() { done.Invoke(string(serve(request))) }()
		return nil
	}))
	global.Call("pgmcReady")
	select {}
}
