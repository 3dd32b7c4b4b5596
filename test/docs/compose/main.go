// Prints what Docker Compose makes of compose files, as JSON: merged, interpolated from the environment, and
// checked against the Compose Specification by its own library. Exits with 1 and the reason on stderr.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	options, err := cli.NewProjectOptions(os.Args[1:], cli.WithEnv(os.Environ()))
	if err != nil {
		exit(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		exit(err)
	}
	text, err := project.MarshalJSON()
	if err != nil {
		exit(err)
	}
	fmt.Println(string(text))
}

func exit(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
