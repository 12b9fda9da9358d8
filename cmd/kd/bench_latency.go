package main

import (
	"math/bits"
	"time"
)

// latencies counts durations in buckets that are at most 1/32 wide: percentiles
// of any number of them in a fixed memory.
type latencies struct {
	counts [64 * latencySteps]int64
	n      int64
	most   time.Duration
}

// latencySteps are the buckets between a power of two and the next.
const latencySteps = 32

// bucketOf returns the bucket of a duration in nanoseconds.
func bucketOf(ns uint64) int {
	if ns < latencySteps {
		return int(ns)
	}
	shift := bits.Len64(ns) - 6 // leaves 32 to 63
	return shift*latencySteps + int(ns>>shift)
}

// bucketEnd returns the longest duration of a bucket.
func bucketEnd(bucket int) time.Duration {
	if bucket < 2*latencySteps {
		return time.Duration(bucket)
	}
	shift := bucket/latencySteps - 1
	return time.Duration((uint64(bucket-shift*latencySteps)+1)<<shift - 1)
}

func (l *latencies) add(d time.Duration) {
	l.counts[bucketOf(uint64(max(d, 0)))]++
	l.n++
	l.most = max(l.most, d)
}

func (l *latencies) merge(other *latencies) {
	for i, n := range other.counts {
		l.counts[i] += n
	}
	l.n += other.n
	l.most = max(l.most, other.most)
}

// percentile returns the duration that a share q of all do not exceed.
func (l *latencies) percentile(q float64) time.Duration {
	left := int64(q * float64(l.n))
	for bucket, n := range l.counts {
		if left -= n; left < 0 {
			return min(bucketEnd(bucket), l.most)
		}
	}
	return l.most
}
