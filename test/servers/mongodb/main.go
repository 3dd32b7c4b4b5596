// Command mongodb is a MongoDB server for tests: FerretDB on SQLite, embedded.
//
// It prints its connection string in one line once it serves, keeps all state in one folder, and ends
// on SIGTERM, SIGINT or, when asked to, with its standard input.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/FerretDB/FerretDB/ferretdb"
)

// patience is how long connections may take to end once the server is told to.
const patience = time.Second

func main() {
	address := flag.String("address", "127.0.0.1:0", "TCP address to serve at; port 0 picks a free one")
	folder := flag.String("folder", "", "existing folder that holds the state")
	replicaSet := flag.String("replica-set", "", "name of the replica set whose only member it says to be; clients must then reach it at -host")
	host := flag.String("host", "", "name and port of the member of the replica set")
	withInput := flag.Bool("end-with-input", false, "end when standard input ends, so with the parent process")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *withInput {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			stop()
		}()
	}
	config := ferretdb.Config{ReplSetName: *replicaSet, ReplSetHost: *host}
	if err := serve(ctx, *address, *folder, config); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs the server as configured, with its state in a folder, until ctx is done.
func serve(ctx context.Context, address, folder string, config ferretdb.Config) error {
	if folder == "" {
		return errors.New("name the folder of the state: -folder")
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	config.Listener = ferretdb.ListenerConfig{TCP: "127.0.0.1:0"}
	config.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	config.Handler = "sqlite"
	// Made for tests, so a power cut may take the last writes.
	config.SQLiteURL = "file:" + strings.TrimSuffix(folder, "/") + "/?_pragma=synchronous(off)"
	server, err := ferretdb.New(&config)
	if err != nil {
		return err
	}
	go func() {
		// The address behind is known once the server runs.
		behind, err := url.Parse(server.MongoDBURI())
		if err != nil {
			panic(err)
		}
		fmt.Printf("mongodb://%s/\n", listener.Addr())
		(&turnstile{behind: behind.Host}).serve(listener)
	}()
	defer listener.Close()
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	<-ctx.Done()
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		// A client that stays connected does not keep the server from ending.
		return nil
	}
}
