package journal

import (
	"path/filepath"
	"testing"
)

// BenchmarkAppendSingle is one durable record after another.
func BenchmarkAppendSingle(b *testing.B) {
	benchmarkAppend(b, 1)
}

// BenchmarkAppendGrouped is batches of 64, as the host makes them under load;
// ns/op is the time of one record.
func BenchmarkAppendGrouped(b *testing.B) {
	benchmarkAppend(b, 64)
}

func benchmarkAppend(b *testing.B, batch uint64) {
	j, err := Create(filepath.Join(b.TempDir(), "run.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	b.ReportAllocs()
	b.ResetTimer()
	n := uint64(b.N)
	for seq := uint64(1); seq <= n; seq += batch {
		if err := j.Append(samples(seq, min(seq+batch-1, n))); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkReplay reads a journal of 100,000 records; ns/op is all of it.
func BenchmarkReplay(b *testing.B) {
	path := filled(b)
	j, err := Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	b.ReportAllocs()
	for b.Loop() {
		if err := j.Replay(func(Entry) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*benchRecords/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkOpen checks a journal of 100,000 records and opens it.
func BenchmarkOpen(b *testing.B) {
	path := filled(b)
	for b.Loop() {
		j, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		j.Close()
	}
}

// BenchmarkOpenSmall is the same for a run of the usual size, 200 records.
func BenchmarkOpenSmall(b *testing.B) {
	path := closed(b, 200)
	for b.Loop() {
		j, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		j.Close()
	}
}

const benchRecords = 100_000

func filled(b *testing.B) string {
	j := create(b, 0)
	for seq := uint64(1); seq <= benchRecords; seq += 1000 {
		if err := j.Append(samples(seq, seq+999)); err != nil {
			b.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		b.Fatal(err)
	}
	return j.Path()
}
