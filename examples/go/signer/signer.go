// Package signer signs requests of the cbs scheme with Go's standard library alone.
package signer

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Request holds what is signed, and the credentials. An omitted field takes the default named beside it.
type Request struct {
	AppID, AppSecret string
	Method           string
	Target           string  // path and query exactly as sent, base path included, still percent-encoded
	Body             []byte  // exactly as sent
	Timestamp        *int64  // whole seconds since the Unix epoch; nil is now
	Nonce            *string // nil is a random UUID
	OmitContentMD5   bool    // for image uploads
	PlusLiteral      bool    // "+" in the query is a plus sign rather than a space
}

// Headers are the three headers that the request must carry.
type Headers struct{ Authorization, Timestamp, Nonce string }

// Sign computes the headers. It fails for a request that no server could accept.
func Sign(r Request) (Headers, error) {
	seconds := time.Now().Unix()
	if r.Timestamp != nil {
		seconds = *r.Timestamp
	}
	nonce, err := nonceOf(r)
	if err != nil {
		return Headers{}, err
	}
	resource, err := CanonicalResource(r.Target, r.PlusLiteral)
	if err != nil {
		return Headers{}, err
	}
	timestamp := strconv.FormatInt(seconds, 10)
	text := StringToSign(r.Method, ContentMD5(r.Method, r.Body, r.OmitContentMD5), timestamp, nonce, resource)
	return Headers{Authorization(r.AppID, Signature(r.AppSecret, text)), timestamp, nonce}, nil
}

// ContentMD5 is Base64 of the body's MD5, or "" when it is not part of what is signed.
func ContentMD5(method string, body []byte, omit bool) string {
	method = strings.ToUpper(method)
	if omit || (len(body) == 0 && method != "POST" && method != "PUT") {
		return ""
	}
	digest := md5.Sum(body)
	return base64.StdEncoding.EncodeToString(digest[:])
}

// CanonicalResource is the path as sent, and the decoded parameters sorted by name.
func CanonicalResource(target string, plusLiteral bool) (string, error) {
	path, query, _ := strings.Cut(target, "?")
	type parameter struct{ name, value string }
	var parameters []parameter
	for _, piece := range strings.Split(query, "&") {
		if piece == "" {
			continue
		}
		name, value, _ := strings.Cut(piece, "=")
		name, nameErr := decode(name, plusLiteral)
		value, valueErr := decode(value, plusLiteral)
		if err := firstError(nameErr, valueErr); err != nil {
			return "", err
		}
		parameters = append(parameters, parameter{name, value})
	}
	sort.SliceStable(parameters, func(i, j int) bool {
		return lessUTF16(parameters[i].name, parameters[j].name)
	})
	separator := "?"
	for _, p := range parameters {
		path += separator + p.name + "=" + p.value
		separator = "&"
	}
	return path, nil
}

// StringToSign joins the parts; contentMD5 "" leaves out its line.
func StringToSign(method, contentMD5, timestamp, nonce, resource string) string {
	parts := []string{strings.ToUpper(method)}
	if contentMD5 != "" {
		parts = append(parts, contentMD5)
	}
	return strings.Join(append(parts, timestamp, nonce, resource), "\n")
}

// Signature is Base64 of the HMAC-SHA256.
func Signature(appSecret, text string) string {
	mac := hmac.New(sha256.New, []byte(appSecret))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Authorization is the header's value.
func Authorization(appID, signature string) string {
	return "cbs:" + appID + ":" + signature
}

func nonceOf(r Request) (string, error) {
	if r.Nonce == nil {
		return NewUUID()
	}
	characters := utf8.RuneCountInString(*r.Nonce)
	if characters < 1 || characters > 36 || strings.IndexFunc(*r.Nonce, unicode.IsControl) >= 0 {
		return "", errors.New("a nonce has 1 to 36 characters, none of them a control character")
	}
	return *r.Nonce, nil
}

// NewUUID makes a random UUID, the default nonce.
func NewUUID() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), nil
}

func decode(encoded string, plusLiteral bool) (string, error) {
	unescape := url.QueryUnescape
	if plusLiteral {
		unescape = url.PathUnescape
	}
	text, err := unescape(encoded)
	if err == nil && !utf8.ValidString(text) {
		err = fmt.Errorf("percent-encoded bytes in %q are not UTF-8", encoded)
	}
	return text, err
}

// lessUTF16 orders by UTF-16 code unit, which is not Go's own order beyond U+FFFF.
func lessUTF16(a, b string) bool {
	left, right := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := 0; i < len(left) && i < len(right); i++ {
		if left[i] != right[i] {
			return left[i] < right[i]
		}
	}
	return len(left) < len(right)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
