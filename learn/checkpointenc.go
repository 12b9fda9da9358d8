package learn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/checkpoint"
)

// saveCheckpoint writes the store's variables. GoMLX writes two files in place
// and does not look at every write's error, so they are written to a folder of
// their own, checked, synced, and put in the place of the old one by renaming.
func saveCheckpoint(store *model.Store, dir, name string) error {
	to := filepath.Join(dir, name)
	tmp, old := to+tmpSuffix, to+oldSuffix
	for _, stale := range []string{tmp, old} {
		if err := os.RemoveAll(stale); err != nil {
			return fmt.Errorf("learn: checkpoint: %w", err)
		}
	}
	if err := writeCheckpoint(store, tmp); err != nil {
		_ = os.RemoveAll(tmp)
		return fmt.Errorf("learn: writing the checkpoint %s: %w", to, err)
	}
	if err := os.Rename(to, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("learn: checkpoint: %w", err)
	}
	if err := os.Rename(tmp, to); err != nil {
		return fmt.Errorf("learn: checkpoint: %w", err)
	}
	return os.RemoveAll(old)
}

func writeCheckpoint(store *model.Store, dir string) error {
	before := store.Loader()
	defer store.SetLoader(before) // the handler puts itself there
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	handler, err := checkpoint.Build(store).Dir(dir).Keep(-1).WithCompression(checkpoint.BinUncompressed).Done()
	if err != nil {
		return err
	}
	if err := handler.Save(); err != nil {
		return err
	}
	return checkWritten(store, dir)
}

// checkWritten syncs a checkpoint's files, and returns an error unless all the
// variables' bytes are in them.
func checkWritten(store *model.Store, dir string) error {
	var want, got int64
	for v := range store.IterVariables() {
		want += int64(v.Shape().ByteSize())
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err == nil {
			err = f.Sync()
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		if filepath.Ext(path) == checkpoint.BinDataSuffix {
			got += info.Size()
		}
	}
	if got < want {
		return fmt.Errorf("%d bytes of %d were written: is the disk full?", got, want)
	}
	return nil
}
