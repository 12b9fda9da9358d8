package parallel

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// A Panic is what For panics with after its function has: the first value that
// the function panicked with, and the stack of the goroutine where it did.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap returns the value, where it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

var errGoexit = errors.New("parallel: the function of a For ended its goroutine by runtime.Goexit")

// caught makes a Panic of what recover returned. A Panic of a nested For stays
// what it is.
func caught(value any) *Panic {
	if p, ok := value.(*Panic); ok {
		return p
	}
	if value == nil {
		value = errGoexit
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}
