package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/search"
)

// failure is an error that is told to the client.
type failure struct {
	status      int
	Code        string   `json:"code"`
	Message     string   `json:"message"`
	Suggestions []string `json:"suggestions,omitempty"`
}

func (f *failure) Error() string { return f.Message }

func fail(status int, code, format string, args ...any) *failure {
	return &failure{status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

func badRequest(format string, args ...any) *failure {
	return fail(http.StatusBadRequest, "bad_request", format, args...)
}

func tooLarge(format string, args ...any) *failure {
	return fail(http.StatusRequestEntityTooLarge, "too_large", format, args...)
}

// clientGone is the status, in metrics and logs only, of a request whose client
// did not wait for the answer.
const clientGone = 499

// told returns what the client is told about err.
func told(err error) *failure {
	var f *failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.Canceled):
		return fail(clientGone, "unavailable", "the client went away")
	case errors.Is(err, context.DeadlineExceeded):
		return fail(http.StatusServiceUnavailable, "timeout", "this took too long; ask for less at once, or try again")
	case errors.Is(err, kdcode.ErrClosed):
		return fail(http.StatusServiceUnavailable, "unavailable", "the server is shutting down; try again")
	case errors.Is(err, search.ErrQuery):
		return badRequest("%v", err)
	case errors.Is(err, kdcode.ErrDamaged):
		return fail(http.StatusInternalServerError, "internal", "the table's file is damaged; run kd check on it")
	}
	return fail(http.StatusInternalServerError, "internal", "the server failed; its log says why")
}

// writeFailure answers with a failure.
func writeFailure(w http.ResponseWriter, f *failure) {
	if f.status == clientGone {
		return // nobody listens
	}
	if f.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	if f.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="kd"`)
	}
	text, err := json.Marshal(map[string]*failure{"error": f})
	if err != nil {
		text = []byte(`{"error":{"code":"internal","message":"the server failed"}}`)
	}
	write(w, f.status, jsonType, append(text, '\n'))
}
