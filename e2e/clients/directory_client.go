// A client as integrators write them in Go: it walks through the interface once.
// Usage: directory_client URL APPID APPSECRET PREFIX
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Fields that are not set go out as null, and as 0 for the number.
type user struct {
	ID        int64   `json:"id"`
	Username  string  `json:"username"`
	Password  *string `json:"password"`
	RealName  *string `json:"real_name"`
	Email     *string `json:"email"`
	Gender    int32   `json:"gender"`
	Nickname  *string `json:"nickname"`
	UnknownTo string  `json:"unknown_to_the_server"`
}

type envelope struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

var baseURL, appID, appSecret = os.Args[1], os.Args[2], os.Args[3]

func canonicalResource(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	pairs := []string{}
	for name, values := range query {
		pairs = append(pairs, name+"="+values[0])
	}
	sort.Strings(pairs)
	return path + "?" + strings.Join(pairs, "&")
}

func call(code int, method, path string, query url.Values, content any) json.RawMessage {
	body := []byte{}
	if content != nil {
		body, _ = json.Marshal(content)
	}
	random := make([]byte, 16)
	_, _ = rand.Read(random)
	nonce, timestamp := hex.EncodeToString(random), strconv.FormatInt(time.Now().Unix(), 10)
	parts := []string{method}
	if method == "POST" || method == "PUT" {
		digest := md5.Sum(body)
		parts = append(parts, base64.StdEncoding.EncodeToString(digest[:]))
	}
	parts = append(parts, timestamp, nonce, canonicalResource(path, query))
	mac := hmac.New(sha256.New, []byte(appSecret))
	mac.Write([]byte(strings.Join(parts, "\n")))
	target := baseURL + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	request, _ := http.NewRequest(method, target, bytes.NewReader(body))
	request.Header.Set("Authorization", "cbs:"+appID+":"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	request.Header.Set("Timestamp", timestamp)
	request.Header.Set("Nonce", nonce)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require(err == nil, err)
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	require(response.StatusCode == 200, response.Status)
	answer := envelope{}
	require(json.Unmarshal(text, &answer) == nil && answer.Code == code, string(text))
	return answer.Data
}

func require(condition bool, found any) {
	if !condition {
		fmt.Fprintln(os.Stderr, "unexpected:", found)
		os.Exit(1)
	}
}

func main() {
	username, password, nickname := os.Args[4]+" a+b&c=d%40 王芳 🙂", "secret", "芳"
	created := user{}
	_ = json.Unmarshal(call(0, "POST", "/user", nil, user{Username: username, Password: &password}), &created)
	id := created.ID
	text := strconv.FormatInt(id, 10)
	found := user{}
	_ = json.Unmarshal(call(0, "GET", "/user", url.Values{"username": {username}, "name": {"王芳"}}, nil), &found)
	require(found.ID == id && found.Username == username, found)
	call(0, "PUT", "/user", nil, user{ID: id, Username: username, Nickname: &nickname})
	call(0, "POST", "/user/role", nil, map[string]int64{"user_id": id, "role_id": 13})
	call(0, "GET", "/user/role", url.Values{"user_id": {text}}, nil)
	call(0, "POST", "/user/org", nil, map[string]int64{"user_id": id, "org_id": 23})
	call(0, "POST", "/user/store", nil, map[string]any{"user_id": id, "store_code": "S000005"})
	store := url.Values{"user_id": {text}, "store_code": {"S000005"}}
	call(0, "DELETE", "/user/store", store, nil)
	call(1402, "DELETE", "/user/store", store, nil)
	call(0, "POST", "/user/stores", nil, map[string]any{"username": username, "store_codes": []string{"S000003", "S000002"}})
	call(0, "DELETE", "/user/role", url.Values{"user_id": {text}, "role_id": {"13"}}, nil)
	call(0, "DELETE", "/user/org", url.Values{"user_id": {text}, "org_id": {"23"}}, nil)
	printed, _ := json.Marshal(map[string]any{"id": id, "username": username})
	fmt.Println(string(printed))
}
