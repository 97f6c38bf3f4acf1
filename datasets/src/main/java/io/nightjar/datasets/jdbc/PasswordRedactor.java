package io.nightjar.datasets.jdbc;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The passwords of an address: parsed once, and removed from every text. */
final class PasswordRedactor {

    /*
     * Drivers parse addresses differently, and their messages quote the rest of an address that they do not support:
     * the end of a password that contains a slash, or all from the user on. So a password is removed whole, decoded,
     * and in the pieces that such parsers produce. Removing too much is better than too little.
     */

    private static final String HIDDEN = "***";
    private static final int SHORTEST = 2;
    private static final String WORD =
            "[\\w.\\-]*(?:password|passwd|pwd|secret|token|passphrase|crypt_key|hexkey|encryption_key)[\\w.\\-]*";
    private static final String NAME =
            "(?:" + WORD + "|key|rekey)\\s*=\\s*"; // a key that encrypts files, in an address
    private static final String IN_BRACES = "\\{(?:[^}]|}})*}"; // quoted as in SQL Server
    private static final Pattern PARAMETER = Pattern.compile("(?i)(?:(?<=;)" + NAME + "(" + IN_BRACES
            + "|(?:\\\\.|[^;\\\\])*)|(?<=[?&])" + NAME + "([^&]*)|(?<=[(,])" + NAME + "([^),]*))");
    private static final Pattern IN_TEXT = Pattern.compile("(?i)(" + WORD + "\\s*=\\s*)[^&;,\\s)}\\]]*");
    private static final Pattern USER_IN_TEXT = Pattern.compile("(//[^/?#:@\\s]*):[^/?#\\s]*@");
    private static final Pattern ORACLE_USER = Pattern.compile("^jdbc:oracle:\\w+:[^/@]*/(\"[^\"]*\"|[^@]*)@");
    private static final Pattern PORT = Pattern.compile("\\d*([,/].*)?");
    private static final Pattern BORDER = Pattern.compile("[/@:?#&;,\\s]+");

    private final List<String> secrets;

    private PasswordRedactor(Set<String> secrets) {
        this.secrets = List.copyOf(secrets);
    }

    static PasswordRedactor of(String url, @Nullable String... others) {
        Set<String> found =
                new TreeSet<>(Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()));
        for (String other : others) {
            if (other != null) {
                add(other, found);
            }
        }
        String ofUser = passwordOfUser(url);
        if (ofUser != null) {
            addPieces(ofUser, found);
        }
        for (Matcher parameter = PARAMETER.matcher(url); parameter.find(); ) {
            for (int group = 1; group <= parameter.groupCount(); group++) {
                if (parameter.group(group) != null) {
                    addPieces(parameter.group(group).strip(), found);
                }
            }
        }
        return new PasswordRedactor(found);
    }

    /** Returns the text between the colon after the user and the host; null if it is empty. */
    private static @Nullable String passwordOfUser(String url) {
        Matcher oracle = ORACLE_USER.matcher(url);
        if (oracle.find()) {
            return oracle.group(1);
        }
        int first = url.indexOf("//") + 2;
        int colon = url.indexOf(':', first);
        if (first == 1 || colon < 0) {
            return null;
        }
        int end = first;
        while (end < url.length() && url.charAt(end) != '?' && url.charAt(end) != ';') {
            end++;
        }
        int at = url.lastIndexOf('@', end - 1);
        boolean isPort =
                colon >= end || PORT.matcher(url.substring(colon + 1, end)).matches();
        if (at < first && !isPort && url.charAt(first) != '[') {
            at = url.lastIndexOf('@'); // a password with a question mark in it
        }
        return at > colon ? url.substring(colon + 1, at) : null;
    }

    private static void addPieces(String secret, Set<String> found) {
        add(secret, found);
        for (String piece : BORDER.split(secret)) {
            add(piece, found);
        }
        char first = secret.isEmpty() ? 0 : secret.charAt(0);
        boolean isQuoted = secret.length() > 2 && (first == '"' || first == '{');
        if (isQuoted) {
            addPieces(secret.substring(1, secret.length() - 1), found);
        }
    }

    private static void add(String secret, Set<String> found) {
        if (secret.length() >= SHORTEST) {
            found.add(secret);
        }
        try {
            String decoded = URLDecoder.decode(secret, StandardCharsets.UTF_8);
            if (decoded.length() >= SHORTEST) {
                found.add(decoded);
            }
        } catch (IllegalArgumentException notEncoded) {
            return;
        }
    }

    /** Returns a text without them. */
    String hide(String text) {
        String free = text;
        for (String secret : secrets) {
            free = free.replace(secret, HIDDEN);
        }
        free = USER_IN_TEXT.matcher(free).replaceAll("$1:***@");
        return IN_TEXT.matcher(free).replaceAll("$1***");
    }

    /** Returns an address without its passwords, the rest of it as it is. */
    static String hiddenIn(String url) {
        StringBuilder free = new StringBuilder(url);
        for (Matcher parameter = PARAMETER.matcher(url); parameter.find(); ) {
            for (int group = 1; group <= parameter.groupCount(); group++) {
                if (parameter.group(group) != null) {
                    int fromEnd = url.length() - parameter.end(group);
                    int start = free.length() - fromEnd - parameter.group(group).length();
                    free.replace(start, free.length() - fromEnd, HIDDEN);
                }
            }
        }
        String ofUser = passwordOfUser(url);
        if (ofUser != null) {
            int start = free.indexOf(ofUser + "@");
            if (start >= 0) {
                free.replace(start, start + ofUser.length(), HIDDEN);
            }
        }
        return IN_TEXT.matcher(free).replaceAll("$1***");
    }
}
