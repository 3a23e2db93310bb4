// Command vectors runs the signer on the vectors of a directory and exits 1 on any difference.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"fieldroster.example/signing/signer"
)

type vector struct {
	ID, AppID, AppSecret, Method, Target, Timestamp, Nonce, Body, Plus, Signer, Authorization string

	BodyBase64                                             []byte
	OmitContentMD5                                         bool
	ContentMD5, CanonicalResource, StringToSign, Signature *string
}

var (
	stages, signed, refused, differences int
	number                               = regexp.MustCompile(`^[0-9]+$`)
)

func main() {
	files, _ := filepath.Glob(filepath.Join(os.Args[1], "*.json"))
	for _, file := range files {
		for _, v := range read(file) {
			check(v)
		}
	}
	fmt.Printf("stages=%d signed=%d refused=%d\n", stages, signed, refused)
	if differences > 0 {
		os.Exit(1)
	}
}

func read(file string) []vector {
	var theme struct{ Vectors []vector }
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &theme)
	}
	if err != nil {
		panic(err)
	}
	return theme.Vectors
}

func check(v vector) {
	if v.StringToSign != nil {
		checkStages(v)
	}
	// The signer's timestamp is a number, so that a text which is none cannot be given to it.
	if v.Signer == "" {
		checkSigner(v)
	} else if v.Signer == "refuses" && number.MatchString(v.Timestamp) {
		checkRefusal(v)
	}
}

func checkStages(v vector) {
	md5 := signer.ContentMD5(v.Method, v.body(), v.OmitContentMD5)
	expected := ""
	if v.ContentMD5 != nil {
		expected = *v.ContentMD5
	}
	expect(v, "contentMd5", md5, expected)
	resource, err := signer.CanonicalResource(v.Target, v.Plus == "literal")
	if err != nil {
		panic(err)
	}
	expect(v, "canonicalResource", resource, *v.CanonicalResource)
	text := signer.StringToSign(v.Method, md5, v.Timestamp, v.Nonce, resource)
	expect(v, "stringToSign", text, *v.StringToSign)
	expect(v, "signature", signer.Signature(v.AppSecret, text), *v.Signature)
	expect(v, "authorization", signer.Authorization(v.AppID, *v.Signature), v.Authorization)
	stages++
}

func checkSigner(v vector) {
	headers, err := v.sign()
	if err != nil {
		panic(err)
	}
	expect(v, "Authorization", headers.Authorization, v.Authorization)
	expect(v, "Timestamp", headers.Timestamp, v.Timestamp)
	expect(v, "Nonce", headers.Nonce, v.Nonce)
	signed++
}

func checkRefusal(v vector) {
	if _, err := v.sign(); err == nil {
		expect(v, "outcome", "signed", "an error")
		return
	}
	refused++
}

func (v vector) sign() (signer.Headers, error) {
	seconds, err := strconv.ParseInt(v.Timestamp, 10, 64)
	if err != nil {
		panic(err)
	}
	return signer.Sign(signer.Request{
		AppID: v.AppID, AppSecret: v.AppSecret, Method: v.Method, Target: v.Target, Body: v.body(),
		Timestamp: &seconds, Nonce: &v.Nonce, OmitContentMD5: v.OmitContentMD5, PlusLiteral: v.Plus == "literal",
	})
}

func (v vector) body() []byte {
	if v.BodyBase64 != nil {
		return v.BodyBase64
	}
	return []byte(v.Body)
}

func expect(v vector, stage, actual, expected string) {
	if actual != expected {
		differences++
		fmt.Fprintf(os.Stderr, "%s: %s is %q, expected %q\n", v.ID, stage, actual, expected)
	}
}
