"""Lines in the documented shape of each server's log, with documentation addresses, and what a reader finds in them.
Each entry: the source of the shape, the detected name, the line, and some of its columns. logsamples.txt has more, each
with the address of its documentation: `@ source | name | address`, the lines of the log, and the columns of the
last."""

import json
from pathlib import Path
from typing import Any

CLF = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a?b=1 HTTP/1.1" 200 2326'
COMBINED = CLF + ' "http://www.example.com/" "Mozilla/5.0 (X11)"'
ALL = {"url": "/a?b=1", "status": 200}

SAMPLES: list[tuple[str, str, str, dict[str, Any]]] = [
    # Apache httpd, mod_log_config: the formats common, combined, vhost_combined
    ("httpd", "COMMON", CLF, {**ALL, "client": "192.0.2.1", "size": 2326}),
    ("httpd", "COMBINED", COMBINED, {**ALL, "referer": "http://www.example.com/", "agent": "Mozilla/5.0 (X11)"}),
    ("httpd", "VCOMBINED", "www.example.com:443 " + COMBINED, {**ALL, "vhost": "www.example.com:443"}),
    ("httpd", "VCOMMON", "www.example.com " + CLF, {**ALL, "vhost": "www.example.com"}),
    ("httpd, ipv6", "COMBINED", COMBINED.replace("192.0.2.1", "2001:db8::1"), {**ALL, "client": "2001:db8::1"}),
    ("httpd, 408", "COMBINED", COMBINED.replace("GET /a?b=1 HTTP/1.1", "-").replace("200", "408"),
     {"url": None, "status": 408}),
    ("goaccess, X-Forwarded-For", "COMBINED", "203.0.113.1, 10.0.0.1" + COMBINED[9:],
     {**ALL, "client": None, "forwarded": "203.0.113.1, 10.0.0.1"}),
    # kubernetes/ingress-nginx, log format upstreaminfo
    ("ingress-nginx", "INGRESSNGINX", COMBINED + " 512 0.001 [default-web-80] [] [2001:db8::2]:80 612 0.1 200 7e",
     {**ALL, "duration": 0.001, "request_length": 512}),
    # gunicorn's default access log
    ("gunicorn", "COMBINED", CLF + ' "-" "curl/7.68.0"', {**ALL, "agent": "curl/7.68.0"}),
    # HAProxy configuration manual, 8.2.3 HTTP log format, and 8.2.2 TCP log format
    ("haproxy http", "HAPROXY",
     "192.0.2.9:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "
     '{1wt.eu} {} "GET /index.html HTTP/1.1"',
     {"url": "/index.html", "client": "192.0.2.9", "status": 200, "size": 2750, "duration": 0.109}),
    ("haproxy http, no captures", "HAPROXY",
     "192.0.2.9:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 404 275 - - ---- 1/1/1/1/0 0/0 "
     '"GET /a HTTP/1.1"', {"url": "/a", "status": 404}),
    ("haproxy http, aborted", "HAPROXY",
     "192.0.2.9:33317 [06/Feb/2009:12:14:14.655] http-in http-in/<NOSRV> -1/-1/-1/-1/4 400 0 - - CR-- 1/1/0/0/0 0/0 "
     '"<BADREQ>"', {"url": None, "status": 400, "duration": 0.004}),
    ("haproxy tcp", "HAPROXYTCP",
     "192.0.2.9:33312 [06/Feb/2009:12:12:51.443] fnt bck/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0",
     {"url": None, "client": "192.0.2.9", "size": 212, "duration": 5.007}),
    # Envoy, access log default format string; Istio, Envoy access logs
    ("envoy", "ENVOY",
     '[2016-04-15T20:17:00.310Z] "POST /api/v1/locations HTTP/2" 204 - 154 0 226 100 "192.0.2.28" '
     '"nsq2http" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "locations" "tcp://192.0.2.1:80"',
     {"url": "/api/v1/locations", "status": 204, "request_length": 154, "size": 0, "duration": 0.226,
      "forwarded": "192.0.2.28", "request_id": "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2", "vhost": "locations"}),
    ("istio", "ISTIO",
     '[2020-11-25T21:26:18.409Z] "GET /status/418 HTTP/1.1" 418 - via_upstream - "-" 0 135 4 4 "-" '
     '"curl/7.73.0-DEV" "84961386-6d84-929d-98bd-c5aee93b5c88" "httpbin:8000" "192.0.2.1:80" '
     "outbound|8000||httpbin.foo.svc.cluster.local - 192.0.2.2:8000 192.0.2.3:41854 - default",
     {"url": "/status/418", "client": "192.0.2.3", "status": 418, "size": 135, "duration": 0.004,
      "vhost": "httpbin:8000"}),
    # uWSGI, default request log
    ("uwsgi", "UWSGI",
     "[pid: 2209|app: 0|req: 56/270] 192.0.2.1 () {40 vars in 601 bytes} [Mon Oct  5 10:01:34 2015] GET /a?b => "
     "generated 71 bytes in 12 msecs (HTTP/1.1 200) 4 headers in 123 bytes (2 switches on core 0)",
     {"url": "/a?b", "client": "192.0.2.1", "status": 200, "size": 71, "duration": 0.012, "request_length": 601}),
    # Nginx Proxy Manager, proxy.conf
    ("nginx proxy manager", "NPM",
     '[02/Mar/2023:10:05:03 +0000] HIT 200 200 - GET https www.example.com "/a?b" [Client 192.0.2.1] [Length 1234] '
     '[Gzip -] [Sent-to 192.0.2.5] "curl/7" "-"',
     {"url": "/a?b", "client": "192.0.2.1", "status": 200, "size": 1234, "cache_status": "HIT", "agent": "curl/7"}),
    # AWS: server access logs of S3, load balancers
    ("s3 batch delete", "AWSS3",
     "79a59df900b949e5 bucket1 [06/Feb/2019:00:00:38 +0000] - 79a59df900b949e5 3E57427F3EXAMPLE "
     "BATCH.DELETE.OBJECT key - 204 - - 113 - - - - - x= SigV4", {"url": None, "status": 204}),
    ("elb without a request", "AWSELB",
     '2015-05-13T23:39:43.945958Z my-lb 192.0.2.1:2817 - -1 -1 -1 - - 0 0 "- - - " "-" - -', {"url": None}),
    ("alb, malformed request", "AWSALB",
     "http 2018-07-02T22:23:00.186641Z app/lb/50dc6c495c0c9188 192.0.2.1:15070 - -1 -1 -1 400 - 0 272 "
     '"- http://www.example.com:80- -" "-" - - - "-" "-" "-" - 2018-07-02T22:22:48.364000Z "-" "-" "-"',
     {"url": None, "status": 400}),
    # Squid
    ("squid", "SQUID",
     "1286536309.450    192 192.0.2.1 TCP_MISS/200 3454 GET http://example.com/ - HIER_DIRECT/192.0.2.2 text/html",
     {"url": "http://example.com/", "status": 200}),
    # Traefik, access logs in JSON
    ("traefik json", "NGINXJSON",
     '{"ClientAddr":"192.0.2.1:51382","ClientHost":"192.0.2.1","DownstreamContentSize":19,"DownstreamStatus":404,'
     '"Duration":1250000,"RequestHost":"www.example.com","RequestMethod":"GET","RequestPath":"/a?b",'
     '"RequestProtocol":"HTTP/1.1","StartUTC":"2021-02-03T10:05:03.123456789Z","request_User-Agent":"curl/7",'
     '"level":"info","msg":"","time":"2021-02-03T10:05:03Z"}',
     {"url": "/a?b", "client": "192.0.2.1", "status": 404, "duration": 0.00125, "agent": "curl/7", "size": 19}),
    # Cloudflare, Logpush HTTP requests
    ("cloudflare", "NGINXJSON",
     '{"ClientIP":"192.0.2.1","ClientRequestHost":"www.example.com","ClientRequestMethod":"GET",'
     '"ClientRequestURI":"/a?b","EdgeResponseBytes":69045,"EdgeResponseStatus":200,'
     '"EdgeStartTimestamp":1506702504461999900,"RayID":"3a6050bcbe121a87"}',
     {"url": "/a?b", "status": 200, "size": 69045, "request_id": "3a6050bcbe121a87"}),
    # nginx with escape=json and usual keys; Elastic Common Schema; Fastly; Upsun
    ("nginx json", "NGINXJSON",
     '{"time_iso8601":"2021-02-03T10:05:03+00:00","remote_addr":"192.0.2.1","request":"GET /a?b HTTP/1.1",'
     '"status":"200","body_bytes_sent":"612","request_time":"0.012","http_user_agent":"curl/7","http_referer":""}',
     {"url": "/a?b", "status": 200, "size": 612, "duration": 0.012, "client": "192.0.2.1", "referer": None}),
    ("ecs", "NGINXJSON",
     '{"@timestamp":"2021-02-03T10:05:03.000Z","http":{"request":{"method":"GET"},"response":{"status_code":200,'
     '"body":{"bytes":612}}},"url":{"original":"/a?b"},"source":{"ip":"192.0.2.1"},'
     '"user_agent":{"original":"curl/7"}}',
     {"url": "/a?b", "status": 200, "size": 612, "client": "192.0.2.1", "agent": "curl/7", "method": "GET"}),
    ("fastly json", "NGINXJSON",
     '{"timestamp":"2021-02-03T10:05:03+0000","client_ip":"192.0.2.1","host":"www.example.com","url":"/a?b",'
     '"request_method":"GET","request_protocol":"HTTP/1.1","response_status":200,"response_body_size":612}',
     {"url": "/a?b", "status": 200, "size": 612, "vhost": "www.example.com", "protocol": "HTTP/1.1"}),
    ("caddy", "CADDY",
     '{"level":"info","ts":1646861401.5,"logger":"http.log.access","request":{"remote_ip":"192.0.2.1",'
     '"proto":"HTTP/2.0","method":"GET","host":"www.example.com","uri":"/a?b","headers":{}},"duration":0.001,'
     '"size":2326,"status":200}', {"url": "/a?b", "status": 200, "duration": 0.001}),
    ("ecs event", "NGINXJSON",
     '{"@timestamp":"2021-02-03T10:05:03Z","event":{"kind":"event"},"http":{"request":{"method":"GET"},"response":'
     '{"status_code":200}},"url":{"original":"/a?b"},"source":{"ip":"192.0.2.1"}}',
     {"url": "/a?b", "status": 200, "client": "192.0.2.1", "method": "GET"}),
    ("a method in small letters and a status of a text", "LOGFMT",
     'time=2015-05-17T10:05:03Z method=get path=/a status=ok client=192.0.2.1',
     {"url": "/a", "status": None, "client": "192.0.2.1", "method": "get"}),
]  # fmt: skip
# Formats that read the lines of another format, whose name is detected.
READ_AS = {
    "CLOUDFRONT": "W3C", "TRAEFIKCLF": "COMBINED", "NGINX": "NGINXMAIN", "APACHE": "VCOMBINED", "MIXED": "COMBINED",
}  # fmt: skip
SOURCES: dict[str, str] = {}  # the addresses of logsamples.txt
for _sample in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("\n@ "):
    _head, *_lines = _sample.removeprefix("@ ").strip("\n").split("\n")
    _source, _name, SOURCES[_source] = _head.split(" | ")
    SAMPLES.append((_source, _name, "\n".join(_lines[:-1]), json.loads(_lines[-1])))
# Lines before which a container or a relay writes a prefix: RFC 3164 and 5424, docker compose, CRI, docker's JSON.
PREFIXES = [
    ("SYSLOG", "May  7 10:05:03 web1 nginx: "),               ("SYSLOG", "<190>May 17 10:05:03 web1 haproxy[14389]: "),
    ("SYSLOG", "<165>1 2015-05-17T10:05:03.003Z web1 nginx 123 - - "),
    ("SYSLOG", "2015-05-17T10:05:03.003+00:00 web1 nginx[7]: "),
    ("COMPOSE", "web_1  | "),                                 ("COMPOSE", "app-web-1 | "),
    ("KUBECTL", "[pod/web-7d9/nginx] "),                      ("TIME", "2015-05-17T10:05:03.123456789Z "),
    ("CRI", "2016-10-06T00:17:09.669794202Z stdout F "),
]  # fmt: skip
# Lines of logs without requests, of which none may be read as a request, nor as a list of URLs.
REFUSED = [
    # nginx, Apache, HAProxy, PHP: errors and connections
    '2015/05/17 10:05:03 [error] 5#5: *1 open() "/usr/a" failed (2: No such file), client: ::1, request: "GET /a"',
    "[Sun May 17 10:05:03.123456 2015] [core:error] [pid 5:tid 7] [client 192.0.2.1:4242] AH00126: Invalid URI GET /a",
    "Connect from 192.0.2.9:33312 to 192.0.2.1:80 (www/HTTP)",
    "[17-May-2015 10:05:03 UTC] PHP Warning:  include(/a.php): failed to open stream in /var/www/b.php on line 3",
    "[17-May-2015 10:05:03] NOTICE: fpm is running, pid 1",
    # AWS: a network load balancer, a flow log
    "tls 2.0 2015-05-17T10:05:03 net/lb/c6e77e28c25b2234 g3d4b5e8bb8464cd 192.0.2.1:51341 192.0.2.9:443 5 2 98 246 - x",
    "2 123456789010 eni-1235b8ca 192.0.2.1 192.0.2.9 20641 22 6 20 4249 1418530010 1418530070 ACCEPT OK",
    # Rails, Java, Python, Go, Kubernetes
    "2015-05-17 10:05:03,123 INFO  [main] org.example.Server - listening on http://localhost:8080/",
    "    at org.example.Server.run(Server.java:42)",
    'File "/usr/lib/python3/a.py", line 3, in <module>',
    "2015/05/17 10:05:03 http: TLS handshake error from 192.0.2.1:4242: EOF",
    "I0517 10:05:03.123456       1 server.go:42] serving on https://192.0.2.9:443/",
    '{"date":"2015-05-17T10:05:03","host_name":"h","item_name":"W32/Exploit.gen","path":"/usr/sbin/a.py","status":0}',
    '{"time":"2015-05-17T10:05:03Z","path":"/etc/passwd","user":"me","action":"read","status":"success"}',
    '{"level":"info","ts":1431857103.5,"caller":"a.go:1","msg":"listening"}',
    '{"time":"2015-05-17T10:05:03Z","level":"ERROR","message":"cannot fetch http://h/a"}',
    'level=info ts=2015-05-17T10:05:03Z caller=main.go:1 msg="Server is ready" url=http://h/',
    'time="2015-05-17T10:05:03Z" level=error msg="user not found" method=POST path=/api/first remote_ip=192.0.2.1',
    '{"timestamp":"2015-05-17T10:05:03Z","event_type":"alert","src_ip":"192.0.2.1","http":{"url":"/a","http_method":"GET"}}',
    '{"timestamp":"2015-05-17T10:05:03.123456+0000","event_type":"alert","src_ip":"192.0.2.1","alert":{"action":"allowed",'
    '"signature_id":2221014},"http":{"url":"/a","http_method":"GET","status":404}}',
    '{"timestamp":"2015-05-17T10:05:03.123456+0000","event_type":"fileinfo","src_ip":"192.0.2.1","http":{"url":"/a",'
    '"http_method":"GET","status":200},"fileinfo":{"filename":"/a","state":"CLOSED"}}',
    '{"@timestamp":"2021-02-03T10:05:03Z","event":{"kind":"alert"},"http":{"request":{"method":"GET"},"response":'
    '{"status_code":200}},"url":{"original":"/a?b"},"source":{"ip":"192.0.2.1"}}',
    '{"@timestamp":"2021-02-03T10:05:03Z","event.kind":"signal","http":{"request":{"method":"GET"},"response":'
    '{"status_code":200}},"url":{"original":"/a?b"},"source":{"ip":"192.0.2.1"}}',
    # a firewall: the method of a login, which has no status of HTTP
    'date=2019-05-13 time=11:45:04 logid="0100032002" type="event" level="alert" user="admin" method="https" '
    'client=192.0.2.1 url="/logincheck" action="login" status="failed"',
    '{"@timestamp":"2021-02-03T10:05:03Z","event.kind":"signal","http":{"request":{"verb":"GET"},"response":'
    '{"code":200}},"url":{"path":"/a?b"},"source":{"ip":"192.0.2.1"}}',
    # systems, databases, mail
    "May 17 10:05:03 h sshd[42]: Failed password for root from 192.0.2.1 port 4242 ssh2",
    "May 17 10:05:03 h kernel: [UFW BLOCK] IN=eth0 OUT= SRC=192.0.2.1 DST=192.0.2.9 PROTO=TCP SPT=4242 DPT=80",
    "2015-05-17 10:05:03.123 UTC [42] LOG:  statement: SELECT 1",
    "# Query_time: 0.000012  Lock_time: 0.000000 Rows_sent: 1  Rows_examined: 1",
    "42:M 17 May 2015 10:05:03.123 * Ready to accept connections tcp",
    "May 17 10:05:03 h postfix/smtpd[42]: connect from unknown[192.0.2.1]",
    "17-May-2015 10:05:03.123 client 192.0.2.1#4242: query: www.example.com IN A + (192.0.2.9)",
    "type=SYSCALL msg=audit(1431857103.123:42): arch=c000003e syscall=59 success=yes exit=0",
]


def _blocks(name: str) -> list[tuple[str, list[str]]]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    blocks = [block.split("\n") for block in text.split("\n@ ")[1:]]
    return [(first, [line for line in lines if line]) for first, *lines in blocks]


# Logs in no built-in format: a name, the lines, and columns of the last line.
PROVEN: list[tuple[str, list[str], dict[str, Any]]] = [
    (name, lines[:-1], json.loads(lines[-1])) for name, lines in _blocks("inferredsamples.txt")
]
# What is no log of requests.
REFUSED = _blocks("refusedsamples.txt")
