<?php // PHP's parse_url. The protocol is in tools/readers.py.
while (($line = fgets(STDIN)) !== false) {
    $url = parse_url(hex2bin(substr(rtrim($line, "\n"), 1)));
    if ($url === false) {
        echo "!\n";
        continue;
    }
    $parts = [];
    foreach (['scheme', 'user', 'pass', 'host', 'port'] as $name) {
        $part = (string) ($url[$name] ?? '');
        $parts[] = $part === '' ? '-' : bin2hex($part);
    }
    echo implode(' ', $parts), "\n";
}
