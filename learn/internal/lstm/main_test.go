package lstm

import (
	"os"
	"testing"

	"github.com/kdcode/kdcode/engine/enginetest"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }
