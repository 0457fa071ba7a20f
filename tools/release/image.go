package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// image is the binary of an image and the machine it is for.
type image struct {
	target target
	binary []byte
}

// nobody is who runs the program in an image.
const nobody = 65532

// The parts of the OCI image format that are used.
type (
	descriptor struct {
		MediaType   string            `json:"mediaType"`
		Digest      string            `json:"digest"`
		Size        int               `json:"size"`
		Platform    *platform         `json:"platform,omitempty"`
		Annotations map[string]string `json:"annotations,omitempty"`
	}
	platform struct {
		Architecture string `json:"architecture"`
		OS           string `json:"os"`
		Variant      string `json:"variant,omitempty"`
	}
	manifest struct {
		SchemaVersion int               `json:"schemaVersion"`
		MediaType     string            `json:"mediaType"`
		Config        descriptor        `json:"config"`
		Layers        []descriptor      `json:"layers"`
		Annotations   map[string]string `json:"annotations,omitempty"`
	}
	index struct {
		SchemaVersion int               `json:"schemaVersion"`
		MediaType     string            `json:"mediaType"`
		Manifests     []descriptor      `json:"manifests"`
		Annotations   map[string]string `json:"annotations,omitempty"`
	}
	imageConfig struct {
		Created      string        `json:"created"`
		Architecture string        `json:"architecture"`
		OS           string        `json:"os"`
		Variant      string        `json:"variant,omitempty"`
		Config       runConfig     `json:"config"`
		RootFS       rootFS        `json:"rootfs"`
		History      []historyLine `json:"history"`
	}
	runConfig struct {
		User         string              `json:"User"`
		ExposedPorts map[string]struct{} `json:"ExposedPorts"`
		Env          []string            `json:"Env"`
		Entrypoint   []string            `json:"Entrypoint"`
		Cmd          []string            `json:"Cmd"`
		Volumes      map[string]struct{} `json:"Volumes"`
		WorkingDir   string              `json:"WorkingDir"`
		Labels       map[string]string   `json:"Labels"`
		StopSignal   string              `json:"StopSignal"`
	}
	rootFS struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	}
	historyLine struct {
		Created   string `json:"created"`
		CreatedBy string `json:"created_by"`
	}
)

const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// blobs are the files of a layout, under their digests.
type blobs struct{ files []file }

// add adds a blob.
func (b *blobs) add(mediaType string, raw []byte) descriptor {
	sum := fmt.Sprintf("%x", sha256.Sum256(raw))
	b.files = append(b.files, file{name: "blobs/sha256/" + sum, mode: 0o644, raw: raw})
	return descriptor{MediaType: mediaType, Digest: "sha256:" + sum, Size: len(raw)}
}

// addJSON adds a blob of JSON.
func (b *blobs) addJSON(mediaType string, v any) (descriptor, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return descriptor{}, err
	}
	return b.add(mediaType, raw), nil
}

// layout writes the image for all machines as one archive in the layout of the Open
// Container Initiative. There is nothing in it but the program and its licences.
func (m *maker) layout(images []image) error {
	if len(images) == 0 {
		return nil
	}
	notices, err := os.ReadFile(m.path(noticesFile))
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(m.path("LICENSE"))
	if err != nil {
		return err
	}
	labels := map[string]string{
		"org.opencontainers.image.title":       "Copse",
		"org.opencontainers.image.description": "Board games about trees, as one server",
		"org.opencontainers.image.version":     m.version,
		"org.opencontainers.image.licenses":    "Apache-2.0",
		"org.opencontainers.image.created":     m.at.Format(time.RFC3339),
	}
	var kept blobs
	all := index{SchemaVersion: 2, MediaType: indexType, Annotations: labels}
	for _, i := range images {
		layer, err := tarred([]file{
			{name: "usr/bin/copse", mode: 0o755, raw: i.binary},
			{name: "usr/share/doc/copse/LICENSE", mode: 0o644, raw: licence},
			{name: "usr/share/doc/copse/licences.txt", mode: 0o644, raw: notices},
			{name: "etc/passwd", mode: 0o644, raw: fmt.Appendf(nil, "root:x:0:0:root:/:/sbin/nologin\ncopse:x:%d:%d:Copse:/var/lib/copse:/sbin/nologin\n", nobody, nobody)},
			{name: "etc/group", mode: 0o644, raw: fmt.Appendf(nil, "root:x:0:\ncopse:x:%d:\n", nobody)},
			{name: "var/lib/copse/", mode: 0o700, owner: nobody},
			{name: "tmp/", mode: 0o1777},
		}, m.at)
		if err != nil {
			return err
		}
		small, err := packed(layer)
		if err != nil {
			return err
		}
		config, err := kept.addJSON(configType, imageConfig{
			Created: m.at.Format(time.RFC3339), Architecture: i.target.image, OS: "linux", Variant: i.target.variant,
			Config: runConfig{
				User: fmt.Sprintf("%d:%d", nobody, nobody), ExposedPorts: map[string]struct{}{"8080/tcp": {}},
				Env:        []string{"PATH=/usr/bin", "COPSE_ADDR=:8080", "COPSE_DATA=/var/lib/copse"},
				Entrypoint: []string{"/usr/bin/copse"}, Cmd: []string{"serve"}, Volumes: map[string]struct{}{"/var/lib/copse": {}},
				WorkingDir: "/var/lib/copse", Labels: labels, StopSignal: "SIGTERM",
			},
			RootFS:  rootFS{Type: "layers", DiffIDs: []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
			History: []historyLine{{m.at.Format(time.RFC3339), "make release"}},
		})
		if err != nil {
			return err
		}
		one, err := kept.addJSON(manifestType, manifest{
			SchemaVersion: 2, MediaType: manifestType, Config: config, Layers: []descriptor{kept.add(layerType, small)}, Annotations: labels,
		})
		if err != nil {
			return err
		}
		one.Platform = &platform{i.target.image, "linux", i.target.variant}
		all.Manifests = append(all.Manifests, one)
	}
	top, err := kept.addJSON(indexType, all)
	if err != nil {
		return err
	}
	top.Annotations = map[string]string{"org.opencontainers.image.ref.name": m.version}
	raw, err := json.Marshal(index{SchemaVersion: 2, MediaType: indexType, Manifests: []descriptor{top}})
	if err != nil {
		return err
	}
	seen, files := map[string]bool{}, []file{{name: "oci-layout", mode: 0o644, raw: []byte(`{"imageLayoutVersion":"1.0.0"}`)}, {name: "index.json", mode: 0o644, raw: raw}}
	for _, f := range kept.files {
		if !seen[f.name] {
			seen[f.name] = true
			files = append(files, f)
		}
	}
	whole, err := tarred(files, m.at)
	return errors.Join(err, m.write("copse-"+m.version+"-oci.tar", bytes.Clone(whole)))
}
