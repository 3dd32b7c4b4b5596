// Command s3 is an S3 server for tests: the Versity gateway on a folder, embedded.
//
// It prints its URL in one line once it serves, keeps all objects in one folder, and ends on SIGTERM, SIGINT or,
// when asked to, with its standard input.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/versity/versitygw/auth"
	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/s3api"
	"github.com/versity/versitygw/s3api/middlewares"
)

// connections is how many clients are served at a time.
const connections = 256

// parts is how many parts a multipart upload may have, as in S3.
const parts = 10_000

func main() {
	folder := flag.String("folder", "", "existing folder that holds the buckets")
	region := flag.String("region", "us-east-1", "region that signatures name")
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
	root := auth.Account{Access: os.Getenv("S3_ACCESS_KEY"), Secret: os.Getenv("S3_SECRET_KEY"), Role: auth.RoleAdmin}
	if err := serve(ctx, *folder, *region, root); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs the server until ctx is done.
func serve(ctx context.Context, folder, region string, root auth.Account) error {
	if folder == "" {
		return errors.New("name the folder of the buckets: -folder")
	}
	if root.Access == "" || root.Secret == "" {
		return errors.New("name the keys of the server's one account: S3_ACCESS_KEY, S3_SECRET_KEY")
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	// Not every file system has extended attributes, so metadata are files beside the buckets.
	buckets, described := filepath.Join(folder, "buckets"), filepath.Join(folder, "metadata")
	for _, one := range []string{buckets, described} {
		if err := os.MkdirAll(one, 0o700); err != nil {
			return err
		}
	}
	metadata, err := meta.NewSideCar(described)
	if err != nil {
		return err
	}
	files, err := posix.New(buckets, metadata, posix.PosixOpts{SideCarDir: described, Concurrency: connections})
	if err != nil {
		return err
	}
	server, err := s3api.New(
		files, middlewares.RootUserConfig{Access: root.Access, Secret: root.Secret}, region,
		auth.NewIAMServiceSingle(root), nil, nil, nil, nil,
		s3api.WithQuiet(), s3api.WithKeepAlive(),
		s3api.WithConcurrencyLimiter(connections, connections), s3api.WithMpMaxParts(parts),
		s3api.WithOnListen(func() { fmt.Printf("http://%s\n", address) }),
	)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.ServeMultiPort([]string{address}) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		// Connections that clients keep open do not keep the server from ending.
		return nil
	}
}

// freeAddress picks a free port; the server opens its listener itself.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
