package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/teamrun/teamrun/cmd/teamrun/document"
	"github.com/teamrun/teamrun/runner"
)

func newVersion(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "print version and build",
		Example: "teamrun version\nteamrun version --json",
		Long:    "version prints what this program was built from. A run is resumed only by a program of\nthe machine version that started it.",
		Args:    verbArgs(0, 0),
		RunE: func(*cobra.Command, []string) error {
			v := version()
			if asJSON {
				return a.printJSON(v)
			}
			a.print(versionLine(v))
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON (schema teamrun/version/v1)")
	return cmd
}

// versionLine is a build in one line, for people.
func versionLine(v document.Version) string {
	return fmt.Sprintf("teamrun %s  revision %s  machine %d  %s\n", v.Version, orUnknown(v.Revision), v.Machine, v.Go)
}

// version is what the build says of itself.
func version() document.Version {
	v := document.Version{Schema: document.VersionSchema, Version: "(devel)", Machine: runner.Version}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Go = info.GoVersion
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = &s.Value
		case "vcs.modified":
			modified := s.Value == "true"
			v.Modified = &modified
		}
	}
	return v
}

func orUnknown(s *string) string {
	if s == nil {
		return "unknown"
	}
	return *s
}
