package host

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/teamrun/teamrun/runner"
)

// TestM1_OnlyTheOwnerEndsARun: neither a call without a secret, nor one with the
// token of a member, nor one with that of an earlier lease does.
func TestM1_OnlyTheOwnerEndsARun(t *testing.T) {
	f := newRun(t, newHome(t), team3)
	file := filepath.Join(f.Path(), controlName)
	former := newSecret()
	if err := os.WriteFile(file, []byte(former+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := resumeLive(t, f, newWorld())
	text, err := os.ReadFile(l.prompt.RoomFile)
	if err != nil {
		t.Fatal(err)
	}
	h, _ := holderOf(t, f)
	for name, secret := range map[string]string{"none": "", "wrong": newSecret(), "of a member": tokenOf(t, text), "former": former} {
		line, err := json.Marshal(request{Verb: verbDown, Run: f.ID(), Member: "ann", Epoch: 1, Token: secret})
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := exchange(t.Context(), h.Socket, append(line, '\n'))
		if err != nil || r.OK || r.Refusal == nil || r.Refusal.Code != "bad-token" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	info, err := os.Lstat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	secret, err := os.ReadFile(file)
	if err != nil || len(strings.TrimSpace(string(secret))) != 64 {
		t.Errorf("a secret of %d letters, %v", len(secret), err)
	}
	for _, e := range records(t, f) {
		if _, ok := e.Record.Event.(runner.Control); ok {
			t.Error("the run was told to end")
		}
	}
	if err := Down(t.Context(), f); err != nil {
		t.Error(err)
	}
	if r, err := l.end(); err != nil || r.Outcome != "cancelled" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := os.Lstat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after the lease: %v", err)
	}
	if err := Down(t.Context(), f); !errors.Is(err, ErrNotLive) {
		t.Errorf("err = %v", err)
	}
}
