package additive

import (
	"fmt"
	"os"
)

func init() {
	if s := os.Getenv("PLAN"); s != "" {
		var p plan
		fmt.Sscanf(s, "%d,%d,%d,%d,%d,%d", &p.means, &p.rounds, &p.steps, &p.sample, &p.first, &p.second)
		efforts[Normal] = p
	}
}
