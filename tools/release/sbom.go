package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// linkedBy is a binary and the machine it is for.
type linkedBy struct {
	target target
	binary []byte
}

// The parts of CycloneDX 1.6 that are used.
type (
	cdxLicence struct {
		License struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	cdxHash struct {
		Alg     string `json:"alg"`
		Content string `json:"content"`
	}
	cdxProperty struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	cdxComponent struct {
		Type       string        `json:"type"`
		Ref        string        `json:"bom-ref"`
		Name       string        `json:"name"`
		Version    string        `json:"version"`
		Hashes     []cdxHash     `json:"hashes,omitempty"`
		Licences   []cdxLicence  `json:"licenses,omitempty"`
		Purl       string        `json:"purl,omitempty"`
		Properties []cdxProperty `json:"properties,omitempty"`
	}
	cdxDependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn"`
	}
	cdxMetadata struct {
		Timestamp string       `json:"timestamp"`
		Component cdxComponent `json:"component"`
	}
	cdx struct {
		Format       string          `json:"bomFormat"`
		Spec         string          `json:"specVersion"`
		Serial       string          `json:"serialNumber"`
		Version      int             `json:"version"`
		Metadata     cdxMetadata     `json:"metadata"`
		Components   []cdxComponent  `json:"components"`
		Dependencies []cdxDependency `json:"dependencies"`
	}
)

// sbom writes down what is linked, in CycloneDX, as the binaries themselves say it. It
// fails where one says something of which no licence is told.
func (m *maker) sbom(binaries []linkedBy) error {
	list, err := m.parts()
	if err != nil {
		return err
	}
	in := map[string][]string{} // the machines whose binary has a module
	var hashes []cdxHash
	for _, b := range binaries {
		info, err := buildinfo.Read(bytes.NewReader(b.binary))
		if err != nil {
			return fmt.Errorf("%s: %w", b.target, err)
		}
		for _, dep := range info.Deps {
			i := slices.IndexFunc(list, func(p part) bool { return p.name == dep.Path })
			if i < 0 || list[i].version != dep.Version || list[i].sum != dep.Sum {
				return fmt.Errorf("%s links %s %s, of which no licence is told", b.target, dep.Path, dep.Version)
			}
			in[dep.Path] = append(in[dep.Path], b.target.String())
		}
	}
	root := cdxComponent{Type: "application", Ref: "pkg:generic/copse@" + m.version, Name: "copse", Version: m.version, Purl: "pkg:generic/copse@" + m.version, Licences: named("Apache-2.0"), Hashes: hashes}
	for _, b := range binaries {
		root.Properties = append(root.Properties, cdxProperty{"copse:sha256:" + b.target.String(), fmt.Sprintf("%x", sha256.Sum256(b.binary))})
	}
	bom := cdx{
		Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: cdxMetadata{m.at.Format(time.RFC3339), root},
	}
	needs := cdxDependency{Ref: root.Ref, DependsOn: []string{}}
	for _, p := range list {
		ids, err := p.spdx()
		if err != nil {
			return err
		}
		c := cdxComponent{Type: "library", Ref: p.purl, Name: p.name, Version: p.version, Purl: p.purl, Licences: named(ids...)}
		if p.sha512 != "" {
			c.Hashes = []cdxHash{{"SHA-512", p.sha512}}
		}
		if p.sum != "" {
			c.Properties = append(c.Properties, cdxProperty{"copse:go.sum", p.sum})
			by := in[p.name]
			if len(by) == 0 {
				continue // it is linked for machines that are not made now
			}
			if len(by) < len(binaries) {
				c.Properties = append(c.Properties, cdxProperty{"copse:only", strings.Join(by, ",")})
			}
		}
		bom.Components = append(bom.Components, c)
		needs.DependsOn = append(needs.DependsOn, p.purl)
	}
	bom.Dependencies = []cdxDependency{needs}
	content, err := json.Marshal(bom)
	if err != nil {
		return err
	}
	bom.Serial = "urn:uuid:" + uuidOf(content)
	raw, err := json.MarshalIndent(bom, "", "  ")
	if err != nil {
		return err
	}
	return m.write("copse-"+m.version+".cdx.json", append(raw, '\n'))
}

func named(ids ...string) (list []cdxLicence) {
	for _, id := range ids {
		var l cdxLicence
		l.License.ID = id
		list = append(list, l)
	}
	return list
}

// uuidOf is a UUID of version 8 that belongs to these bytes.
func uuidOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	h := hex.EncodeToString(sum[:16])
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}
