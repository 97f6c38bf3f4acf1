package io.nightjar.jobs.http;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The host names for which a server accepts requests. A malicious page can make its own name resolve to this machine,
 * and would then read the served data; but it cannot make a browser send another name than its own.
 */
final class KnownHosts {

    private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.%]+]");

    private final Set<String> names = new HashSet<>();

    /** @param more names that are allowed in addition to localhost and numbers */
    KnownHosts(List<String> more) {
        names.add("localhost");
        more.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    }

    /** Returns whether a request with this header is accepted. Numbers are: no foreign host name is a number. */
    boolean allow(String hostHeader) {
        String host = hostHeader.strip().toLowerCase(Locale.ROOT);
        int colon = host.lastIndexOf(':');
        if (colon > host.lastIndexOf(']')) {
            String port = host.substring(colon + 1);
            if (!port.matches("\\d{1,5}")) {
                return false;
            }
            host = host.substring(0, colon);
        }
        host = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return names.contains(host) || ADDRESS.matcher(host).matches();
    }

    /** Returns whether a request is from one of our own pages, or from no page at all. */
    static boolean isFromHere(@Nullable String fetchSite, @Nullable String origin, String hostHeader) {
        boolean isSameSite = fetchSite == null || fetchSite.equals("same-origin") || fetchSite.equals("none");
        return isSameSite && (origin == null || origin.equals("http://" + hostHeader));
    }
}
