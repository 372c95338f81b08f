package journal

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// childJournal tells the test binary to be a runner that appends until it is
// killed.
const childJournal = "JOURNAL_TEST_APPEND"

func TestMain(m *testing.M) {
	if path := os.Getenv(childJournal); path != "" {
		if err := appendForever(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// appendForever says on standard output what it was acknowledged: batches of
// changing size, so that a kill finds it at any place.
func appendForever(path string) error {
	j, err := Open(path)
	if err != nil {
		return err
	}
	if _, err := j.Lease(start, os.Getpid(), "here"); err != nil {
		return err
	}
	end, err := readEnd(path, j.stmt.end.QueryRowContext(ctx))
	if err != nil {
		return err
	}
	for seq := end.seq; ; {
		n := seq%7 + 1
		if err := j.Append(samples(seq+1, seq+n)); err != nil {
			return err
		}
		seq += n
		fmt.Println(seq)
	}
}

// Twenty runners are killed in the middle of their appends, one after another
// on one journal: what was acknowledged is there, and nothing else than what
// was appended.
func TestKilledRunnerLosesNothingAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.db")
	j, err := Create(path)
	must(t, err)
	must(t, j.Close())
	exe, err := os.Executable()
	must(t, err)
	random := rand.New(rand.NewPCG(3, 4))
	acked := uint64(0)
	for round := range 20 {
		acked = max(acked, killAfter(t, exe, path, 1+random.IntN(120)))
		var got []Entry
		if round%2 == 0 { // a reader must see it before a writer repairs
			got, err = readAsReader(path)
		} else {
			got, err = readAll(t, path)
		}
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if uint64(len(got)) < acked {
			t.Fatalf("round %d: %d records were acknowledged, %d are there", round, acked, len(got))
		}
		for i, e := range got {
			if want := sample(uint64(i + 1)); fmt.Sprint(e) != fmt.Sprint(want) {
				t.Fatalf("round %d: entry %d is %v, want %v", round, i+1, e, want)
			}
		}
	}
	if acked < 100 {
		t.Errorf("only %d records in all rounds", acked)
	}
}

// killAfter runs a child, kills it when it has acknowledged so many batches and
// returns the last record it acknowledged.
func killAfter(t *testing.T, exe, path string, batches int) uint64 {
	t.Helper()
	child := exec.Command(exe)
	child.Env = append(os.Environ(), childJournal+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	var last uint64
	for lines := bufio.NewScanner(out); lines.Scan(); {
		// A line the kill cut is a smaller number, never a larger one.
		if seq, err := strconv.ParseUint(lines.Text(), 10, 64); err == nil {
			last = max(last, seq)
		}
		if batches--; batches == 0 {
			must(t, child.Process.Kill())
		}
	}
	if err := child.Wait(); err == nil || child.ProcessState.ExitCode() != -1 {
		t.Fatalf("the child was not killed: %v", err)
	}
	if last == 0 {
		t.Fatal("the child acknowledged nothing")
	}
	return last
}
