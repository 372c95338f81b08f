// Package journal is the durable log of a run: one SQLite file that holds the
// records and, per record, the digests of the effects it caused.
//
// What it promises:
//
//  1. When Append returns nil, its records survive a crash of the process and,
//     as far as the disk keeps its word, of the machine.
//  2. A batch is there as a whole or not at all.
//  3. Only the holder of the newest lease can append.
//  4. What is read is what was written. Every record carries a CRC-32C over
//     itself and its predecessor's, because SQLite has no checksums on its
//     pages; a change, a gap or a swap is a *StateError, never a shorter or
//     different run.
//  5. A file that is refused keeps every byte it had.
//
// Beside FILE there are, while the run lives, SQLite's own FILE-wal and
// FILE-shm and the 16 bytes of FILE-head, which name the last acknowledged
// record: a lost or cut FILE-wal would otherwise look like a shorter run. Seal
// leaves FILE alone.
package journal
