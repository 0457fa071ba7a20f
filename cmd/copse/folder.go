package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// folderFlag is where a server keeps its games, for the commands that look after
// them.
type folderFlag struct {
	Data string `env:"COPSE_DATA" placeholder:"FOLDER" type:"path" help:"The data folder of the server; by default the folder of this user for such things."`
}

// folder is the data folder. Unlike a server, these commands make none.
func (f folderFlag) folder() (string, error) {
	if f.Data != "" {
		return f.Data, nil
	}
	usual, err := usualFolder()
	if err != nil {
		return "", fmt.Errorf("this user has no folder to keep games in (%w): name one with --data", err)
	}
	return usual, nil
}

// database is the file in the data folder, which must exist.
func (f folderFlag) database() (string, error) {
	folder, err := f.folder()
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, databaseName)
	if _, err := os.Stat(file); err != nil {
		return "", fmt.Errorf("no games are kept in %s: name the data folder of the server with --data (%w)", folder, err)
	}
	return file, nil
}

// keyName is the file of the server's key in the data folder, and the end of its
// name beside a backup.
const keyName = "key"
