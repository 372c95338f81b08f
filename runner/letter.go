package runner

import "slices"

// The kinds of letter.
const (
	letterMail     = "mail"     // from a member; wakes
	letterNote     = "note"     // from the runner; does not wake
	letterUrgent   = "urgent"   // from the runner; wakes
	letterReturned = "returned" // mail that came back; does not wake
)

// The states of a letter. It leaves the mailbox when it is confirmed and the
// work it was said with is over, or when it is returned.
const (
	letterQueued    = "queued"
	letterHanded    = "handed over" // by the member's turn
	letterConfirmed = "confirmed"   // seen; kept to be said again to a session that does not know it
	letterUnknown   = "unknown"     // perhaps seen; never sent again in this epoch
)

// letter is one piece of mail for one member, and stands in its mailbox in the
// order it came. The body of a member's mail stays in the journal.
type letter struct {
	id    string
	from  string
	kind  string
	state string
	seq   uint64 // of the record with the body; 0: text is the body
	text  string
	size  int
	// work is what the letter is said with, nil while it is with none.
	work     *work
	doubtful bool // an earlier session may have seen it
	handedIn int  // the epoch it was last handed over in, unless provably unseen
}

func (l *letter) wakes() bool {
	return l.state == letterQueued && (l.kind == letterMail || l.kind == letterUrgent)
}

func (l *letter) delivery() Delivery {
	return Delivery{ID: l.id, From: l.from, Seq: l.seq, Text: l.text, Doubtful: l.doubtful}
}

// requeue puts a letter back to its place in the queue.
func (l *letter) requeue() { l.state, l.handedIn = letterQueued, 0 }

// unread counts the letters that wait to be handed over.
func (b *member) unread() int {
	n := 0
	for _, l := range b.mailbox {
		n += boolInt(l.state == letterQueued)
	}
	return n
}

// woken reports whether a letter wants to be handed over at once.
func (b *member) woken() bool { return slices.ContainsFunc(b.mailbox, (*letter).wakes) }

// The bounds of the mail that rides along with one prompt.
const (
	mailPerTurn      = 20
	mailBytesPerTurn = 64 << 10
)

// ride ties the oldest queued mail to a work, as much as goes with one prompt,
// and returns it.
func (b *member) ride(w *work) []*letter {
	var taken []*letter
	size := 0
	for _, l := range b.mailbox {
		if l.state != letterQueued {
			continue
		}
		if size += l.size; len(taken) == mailPerTurn || len(taken) > 0 && size > mailBytesPerTurn {
			break
		}
		l.work = w
		taken = append(taken, l)
	}
	return taken
}

// sayable reports whether a prompt of a work has a letter to say.
func (b *member) sayable(w *work) bool {
	return slices.ContainsFunc(b.mailbox, func(l *letter) bool {
		return l.work == w && (l.state == letterQueued || l.state == letterConfirmed)
	})
}

// letGo ends the tie between a work that is over and its letters: confirmed ones
// leave the mailbox, the others wait for another prompt.
func (b *member) letGo(w *work) {
	b.mailbox = slices.DeleteFunc(b.mailbox, func(l *letter) bool { return l.work == w && l.state == letterConfirmed })
	for _, l := range b.mailbox {
		if l.work == w {
			l.work = nil
		}
	}
}

// settleMail settles the letters a turn handed over by what the agent's own log
// says of its prompt.
func (m *Machine) settleMail(t *turn) {
	b := t.member
	for _, l := range b.mailbox {
		if l.state != letterHanded {
			continue
		}
		switch t.ended.Seen {
		case SeenYes:
			l.state = letterConfirmed
			m.fact(Fact{Kind: "mail_confirmed", Member: b.def.Name(), Mail: l.id})
		case SeenNo:
			l.requeue()
		default:
			l.state = letterUnknown
			m.fact(Fact{Kind: "mail_unknown", Member: b.def.Name(), Mail: l.id})
			if from := m.s.byName[l.from]; from != nil {
				m.note(from, letterNote, "Whether "+b.def.Name()+" saw your mail #"+l.id+" is not known: its turn was cut.")
			}
		}
	}
	m.offerAgain(b)
	m.touch("members." + b.def.Name())
}

// offerAgain queues the letters of unknown fate of a member whose session is
// over, marked as doubtful: the next session gets them with their old ids.
func (m *Machine) offerAgain(b *member) {
	if b.session != "" {
		return
	}
	for _, l := range b.mailbox {
		if l.state == letterUnknown {
			l.requeue()
			l.doubtful = true
		}
	}
}

// returnMail gives the letters of a work that could not be done back to their
// senders.
func (m *Machine) returnMail(b *member, w *work, why string) {
	var back []*letter
	b.mailbox = slices.DeleteFunc(b.mailbox, func(l *letter) bool {
		if l.work == w {
			back = append(back, l)
		}
		return l.work == w
	})
	for _, l := range back {
		m.fact(Fact{Kind: "mail_returned", Member: b.def.Name(), Mail: l.id, Text: why})
		if from := m.s.byName[l.from]; from != nil && from.gone == "" {
			m.note(from, letterReturned, "Your mail #"+l.id+" to "+b.def.Name()+" came back: "+why+".")
		}
	}
	m.touch("members." + b.def.Name())
}
