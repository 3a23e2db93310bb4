// Command create_bind_query creates a user, binds it to a role, an organization and a store, and queries it.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"fieldroster.example/signing/signer"
)

type client struct {
	url, appID, appSecret string
	http                  http.Client
}

// fields is a JSON object.
type fields map[string]any

type envelope struct {
	Code    *int            `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

type entry struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type user struct {
	ID       int64   `json:"id"`
	Username string  `json:"username"`
	RealName string  `json:"real_name"`
	Roles    []entry `json:"roles"`
	Orgs     []entry `json:"orgs"`
}

type storeList struct {
	Stores []struct {
		Code string `json:"code"`
	} `json:"stores"`
}

// post sends a body, and reads the envelope's data into data unless that is nil.
func (c *client) post(path string, body fields, data any) error {
	bytes, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.call("POST", path, nil, bytes, data)
}

func (c *client) call(method, path string, query url.Values, body []byte, data any) error {
	address := c.url + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	// The bytes that are signed are the bytes that are sent.
	request, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	headers, err := signer.Sign(signer.Request{
		AppID: c.appID, AppSecret: c.appSecret, Method: method, Target: request.URL.RequestURI(), Body: body,
	})
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", headers.Authorization)
	request.Header.Set("Timestamp", headers.Timestamp)
	request.Header.Set("Nonce", headers.Nonce)
	request.Header.Set("Content-Type", "application/json")
	return c.send(request, data)
}

// send judges the outcome by the envelope's code, not by the HTTP status.
func (c *client) send(request *http.Request, data any) error {
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var answer envelope
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return fmt.Errorf("HTTP %d without an envelope: %w", response.StatusCode, err)
	}
	if answer.Code == nil {
		return fmt.Errorf("%s %s was answered without a code; check FIELDROSTER_URL",
			request.Method, request.URL.Path)
	}
	if *answer.Code != 0 {
		return fmt.Errorf("%s %s failed with code %d: %s",
			request.Method, request.URL.Path, *answer.Code, answer.Message)
	}
	if data == nil {
		return nil
	}
	return json.Unmarshal(answer.Data, data)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	timeoutSeconds, err := strconv.Atoi(optional("FIELDROSTER_TIMEOUT_SECONDS", "30"))
	if err != nil {
		return err
	}
	c := client{
		url:       strings.TrimRight(required("FIELDROSTER_URL"), "/"),
		appID:     required("FIELDROSTER_APP_ID"),
		appSecret: required("FIELDROSTER_APP_SECRET"),
		http:      http.Client{Timeout: time.Duration(timeoutSeconds) * time.Second},
	}
	unique, err := signer.NewUUID()
	if err != nil {
		return err
	}
	username := optional("FIELDROSTER_USERNAME", "example-"+unique)
	var created user
	err = c.post("/user", fields{
		"username":  username,
		"real_name": optional("FIELDROSTER_REAL_NAME", "Li Wei"),
		"password":  optional("FIELDROSTER_PASSWORD", "Gr33n-"+unique),
	}, &created)
	if err != nil {
		return err
	}
	fmt.Println("created user", created.ID)
	storeCode := optional("FIELDROSTER_STORE_CODE", "N-001")
	if err := bind(&c, created.ID, storeCode); err != nil {
		return err
	}
	return query(&c, created.ID, username, storeCode)
}

func bind(c *client, userID int64, storeCode string) error {
	roleID := json.Number(optional("FIELDROSTER_ROLE_ID", "1"))
	if err := c.post("/user/role", fields{"user_id": userID, "role_id": roleID}, nil); err != nil {
		return err
	}
	fmt.Println("bound to role", roleID)
	orgID := json.Number(optional("FIELDROSTER_ORG_ID", "1"))
	if err := c.post("/user/org", fields{"user_id": userID, "org_id": orgID}, nil); err != nil {
		return err
	}
	fmt.Println("bound to organization", orgID)
	if err := c.post("/user/store", fields{"user_id": userID, "store_code": storeCode}, nil); err != nil {
		return err
	}
	fmt.Println("bound to store", storeCode)
	return nil
}

func query(c *client, userID int64, username, storeCode string) error {
	var found user
	if err := c.call("GET", "/user", url.Values{"username": {username}}, nil, &found); err != nil {
		return err
	}
	fmt.Printf("found user %d: %s (%s)\n", found.ID, found.Username, found.RealName)
	fmt.Println("its role:", found.Roles[0].ID)
	fmt.Println("its organization:", found.Orgs[0].ID)
	id := strconv.FormatInt(userID, 10)
	var list storeList
	if err := c.call("GET", "/user/store", url.Values{"user_id": {id}}, nil, &list); err != nil {
		return err
	}
	fmt.Println("its store:", list.Stores[0].Code)
	binding := url.Values{"user_id": {id}, "store_code": {storeCode}}
	if err := c.call("DELETE", "/user/store", binding, nil, nil); err != nil {
		return err
	}
	fmt.Println("unbound from store", storeCode)
	return nil
}

func required(name string) string {
	value := os.Getenv(name)
	if value == "" {
		fmt.Fprintln(os.Stderr, "set the environment variable", name)
		os.Exit(1)
	}
	return value
}

func optional(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}
