// Go's net/url. The protocol is in tools/readers.py.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"strings"
)

func encode(part string) string {
	if part == "" {
		return "-"
	}
	return hex.EncodeToString([]byte(part))
}

// User is decoded; the protocol's parts are not.
func escape(part string) string {
	var out strings.Builder
	for i := 0; i < len(part); i++ {
		fmt.Fprintf(&out, "%%%02X", part[i])
	}
	return out.String()
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<24)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		text, _ := hex.DecodeString(in.Text()[1:])
		at, err := url.Parse(string(text))
		if err != nil {
			fmt.Fprintln(out, "!")
			continue
		}
		password, _ := at.User.Password()
		user := escape(at.User.Username())
		fmt.Fprintln(out, encode(at.Scheme), encode(user), encode(escape(password)), encode(at.Hostname()), encode(at.Port()))
	}
}
