package journal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/sethvargo/go-retry"
)

// How long Seal waits for readers that are in the middle of a page.
const (
	sealWait  = 2 * time.Second
	sealPause = 10 * time.Millisecond
)

// Seal ends the journal: it takes nothing more, and becomes one file that can
// be read anywhere, also on a read-only disk. Sealing it again is no error. A
// reader that does not let go for two seconds leaves it whole but with its
// -wal, and a Warning.
func (j *Journal) Seal() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.write(func(m meta) error {
		if m.sealed > 0 {
			return nil
		}
		if err := j.mayWrite(m); err != nil {
			return err
		}
		end, err := readEnd(j.path, j.stmt.end.QueryRowContext(ctx))
		if err != nil {
			return err
		}
		m.sealed = end.seq
		return j.putMeta(m)
	})
	if err != nil {
		return err
	}
	if err := j.fold(); err != nil {
		if code(err)&0xff != codeBusy {
			return explain(j.path, err)
		}
		j.warn("a reader holds the journal, so it keeps its -wal file")
		return nil
	}
	return j.removeHead()
}

// fold moves the -wal into the file. SQLite does not wait for readers here.
func (j *Journal) fold() error {
	pause := retry.WithMaxDuration(sealWait, retry.NewConstant(sealPause))
	return retry.Do(ctx, pause, func(context.Context) error {
		err := j.pragma("journal_mode", "delete")
		if code(err)&0xff == codeBusy {
			return retry.RetryableError(err)
		}
		return err
	})
}

func (j *Journal) removeHead() error {
	if j.head != nil {
		j.head.Close()
		j.head = nil
	}
	if err := os.Remove(j.path + headSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return explainFile(j.path+headSuffix, err)
	}
	return nil
}
