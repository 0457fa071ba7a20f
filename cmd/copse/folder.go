package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	return databaseIn(folder, "--data")
}

// databaseIn is the file in a data folder that a flag names. It must exist.
func databaseIn(folder, flag string) (string, error) {
	if err := unfinished(folder); err != nil {
		return "", err
	}
	file := filepath.Join(folder, databaseName)
	if _, err := os.Stat(file); err != nil {
		return "", fmt.Errorf("no games are kept in %s: name the data folder of the server with %s (%w)", folder, flag, err)
	}
	return file, nil
}

// halfName is the file of a copy that is not finished, of the house of a name.
func halfName(folder, house string) string { return filepath.Join(folder, databaseName+".of-"+house) }

// unfinished refuses a folder with half a copy in it, and no house.
func unfinished(folder string) error {
	if _, err := os.Lstat(filepath.Join(folder, databaseName)); err == nil {
		return nil
	}
	return otherHalf(folder, "")
}

// otherHalf refuses a folder with half a copy in it, unless it is of one house.
func otherHalf(folder, house string) error {
	list, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, f := range list {
		of, half := strings.CutPrefix(f.Name(), databaseName+".of-")
		if half && !strings.Contains(of, "-") && of != house { // the others are SQLite's, beside it
			return fmt.Errorf("a copy into %s is not finished: run copse copy again as before, or delete %s", folder, filepath.Join(folder, f.Name()))
		}
	}
	return err
}

// keyName is the file of the server's key in the data folder, and the end of its
// name beside a backup.
const keyName = "key"
