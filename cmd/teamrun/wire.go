package main

import (
	"github.com/teamrun/teamrun/runner"
	"github.com/teamrun/teamrun/spec"
	"github.com/teamrun/teamrun/stepsx"
)

// world is everything that can perform effects in this build. Only this file
// knows it.
func world() runner.World { return stepsx.Standard() }

// kinds are the kinds of agent of this build, for the loader.
func kinds() []spec.Kind { return world().SpecKinds() }
