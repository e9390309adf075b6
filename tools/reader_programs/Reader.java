// Java's URI and URL, by the first argument. The protocol is in tools/readers.py.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

class Reader {
    static String hex(String part) {
        if (part == null || part.isEmpty()) return "-";
        return HexFormat.of().formatHex(part.getBytes(StandardCharsets.UTF_8));
    }

    static String answer(String scheme, String login, String host, int port) {
        int colon = login == null ? -1 : login.indexOf(':');
        String user = colon < 0 ? login : login.substring(0, colon);
        String password = colon < 0 ? null : login.substring(colon + 1);
        return String.join(" ", hex(scheme), hex(user), hex(password), hex(host), hex(port < 0 ? null : "" + port));
    }

    static String read(String kind, String text) {
        try {
            if (kind.equals("URL")) {
                URL url = new URL(text);
                String authority = url.getAuthority();
                // URL keeps an authority that it cannot divide, without a host.
                if (authority != null && !authority.isEmpty() && (url.getHost() == null || url.getHost().isEmpty())) return "!";
                return answer(url.getProtocol(), url.getUserInfo(), url.getHost(), url.getPort());
            }
            URI uri = new URI(text);
            if (uri.getRawAuthority() != null && uri.getHost() == null) return "!"; // a registry's name, which no program resolves
            return answer(uri.getScheme(), uri.getRawUserInfo(), uri.getHost(), uri.getPort());
        } catch (Exception refusal) {
            return "!";
        }
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1));
        PrintStream out = new PrintStream(new java.io.BufferedOutputStream(System.out));
        for (String line = in.readLine(); line != null; line = in.readLine())
            out.println(read(arguments[0], new String(HexFormat.of().parseHex(line.substring(1)), StandardCharsets.UTF_8)));
        out.flush();
    }
}
