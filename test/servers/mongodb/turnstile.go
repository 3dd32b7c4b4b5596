package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
)

const (
	headerBytes = 16
	opMsg       = 2013
	// moreToCome in the flags of a message: no answer to it follows, or another message does.
	moreToCome = 1 << 1
	// mostWrites bounds the writes of one command: FerretDB holds one of its 100 connections to SQLite for
	// each until all are done, so it would wait for itself for ever.
	mostWrites = 50
	// longestMessage is MongoDB's own bound, 48 MB.
	longestMessage = 48_000_000
)

// changing are the commands that must not run at the same time: FerretDB reads what matches, then writes
// by id without looking again, where MongoDB changes each document atomically.
var changing = map[string]bool{
	"insert": true, "update": true, "delete": true, "findAndModify": true, "findandmodify": true,
	"create": true, "createIndexes": true, "collMod": true, "dropIndexes": true,
	"drop": true, "dropDatabase": true, "renameCollection": true,
}

// turnstile forwards the wire protocol to the server behind it and lets changing commands through one by one.
type turnstile struct {
	behind string
	turn   sync.Mutex
}

// serve accepts connections until the listener is closed.
func (t *turnstile) serve(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		go t.forward(client)
	}
}

// forward carries requests and answers of one connection until either side closes it.
func (t *turnstile) forward(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", t.behind)
	if err != nil {
		return
	}
	defer server.Close()
	for {
		request, err := readMessage(client)
		if err != nil {
			return
		}
		answers, err := t.ask(server, request)
		if err != nil {
			return
		}
		if _, err = client.Write(answers); err != nil {
			return
		}
	}
}

// ask sends one request and returns what answers it, nothing if no answer is wanted.
func (t *turnstile) ask(server net.Conn, request []byte) ([]byte, error) {
	if changing[commandOf(request)] {
		t.turn.Lock()
		defer t.turn.Unlock()
	}
	if _, err := server.Write(request); err != nil {
		return nil, err
	}
	if flagsOf(request)&moreToCome != 0 {
		return nil, nil
	}
	var answers []byte
	for {
		answer, err := readMessage(server)
		if err != nil {
			return nil, err
		}
		lowerMostWrites(answer)
		answers = append(answers, answer...)
		if flagsOf(answer)&moreToCome == 0 {
			return answers, nil
		}
	}
}

// lowerMostWrites changes what the server says of itself in its greeting.
func lowerMostWrites(answer []byte) {
	// An int32 of this name.
	if _, value, found := bytes.Cut(answer, []byte("\x10maxWriteBatchSize\x00")); found {
		binary.LittleEndian.PutUint32(value, mostWrites)
	}
}

func readMessage(from io.Reader) ([]byte, error) {
	header := make([]byte, headerBytes)
	if _, err := io.ReadFull(from, header); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32(header)
	if length < headerBytes || length > longestMessage {
		return nil, fmt.Errorf("a message of %d bytes", length)
	}
	message := make([]byte, length)
	copy(message, header)
	_, err := io.ReadFull(from, message[headerBytes:])
	return message, err
}

func isOpMsg(message []byte) bool {
	return len(message) > headerBytes+4 && binary.LittleEndian.Uint32(message[12:]) == opMsg
}

func flagsOf(message []byte) uint32 {
	if !isOpMsg(message) {
		return 0
	}
	return binary.LittleEndian.Uint32(message[headerBytes:])
}

// commandOf is the name of the first element of the body, which is the command's name.
func commandOf(message []byte) string {
	// Header, flags, kind of section 0, length of the document and type of its first element.
	const start = headerBytes + 4 + 1 + 4 + 1
	if !isOpMsg(message) || len(message) <= start || message[headerBytes+4] != 0 {
		return ""
	}
	name, _, _ := bytes.Cut(message[start:], []byte{0})
	return string(name)
}
