package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"github.com/kdcode/kdcode/learn"
)

// metricsFile is a file with a line of JSON an epoch.
type metricsFile struct {
	f    *os.File
	kept []byte // lines of a resumed run, until the first epoch says how many count
}

// openMetrics opens the file, to go on with what is in it or to begin anew.
func openMetrics(path string, resumed bool) (*metricsFile, error) {
	m := &metricsFile{}
	if resumed {
		text, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		m.kept = text
	}
	var err error
	m.f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if !resumed {
		err = m.f.Truncate(0)
	}
	return m, err
}

// write adds an epoch. A run that was killed may have written epochs after its
// last checkpoint: those that are trained again are replaced.
func (m *metricsFile) write(e learn.Epoch) error {
	if m.kept != nil {
		if err := m.replace(e.Epoch); err != nil {
			return err
		}
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = m.f.Write(append(line, '\n'))
	return err
}

// replace keeps the lines before an epoch.
func (m *metricsFile) replace(epoch int) error {
	var end int64
	for line := range bytes.Lines(m.kept) {
		var e learn.Epoch
		if json.Unmarshal(line, &e) != nil || e.Epoch >= epoch || line[len(line)-1] != '\n' {
			break
		}
		end += int64(len(line))
	}
	m.kept = nil
	if err := m.f.Truncate(end); err != nil {
		return err
	}
	_, err := m.f.Seek(end, 0)
	return err
}

func (m *metricsFile) close() error { return m.f.Close() }
