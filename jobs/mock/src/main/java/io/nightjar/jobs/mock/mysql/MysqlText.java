package io.nightjar.jobs.mock.mysql;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Decoder of statement texts: UTF-8, except for raw bytes that drivers write into literals after {@code _binary}. */
final class MysqlText {

    private static final byte[] MARK = "_binary".getBytes(StandardCharsets.US_ASCII);

    private MysqlText() {}

    static String decode(byte[] bytes) {
        ByteArrayOutputStream plain = null;
        int from = 0;
        byte quote = 0;
        for (int at = 0; at < bytes.length; at++) {
            byte letter = bytes[at];
            if (quote != 0) {
                at += letter == '\\' && quote != '`' ? 1 : 0;
                quote = letter == quote ? 0 : quote;
            } else if (literalAfterMark(bytes, at) > 0) {
                int start = literalAfterMark(bytes, at);
                plain = plain == null ? new ByteArrayOutputStream(bytes.length) : plain;
                plain.write(bytes, from, at - from);
                int end = endOf(bytes, start);
                plain.writeBytes(hex(bytes, start, end).getBytes(StandardCharsets.US_ASCII));
                from = end + 1;
                at = end;
            } else if (letter == '\'' || letter == '"' || letter == '`') {
                quote = letter;
            }
        }
        if (plain == null) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        plain.write(bytes, from, bytes.length - from);
        return plain.toString(StandardCharsets.UTF_8);
    }

    /** Returns the position after the opening quote of the literal marked at a position; 0 if it is no mark. */
    private static int literalAfterMark(byte[] bytes, int at) {
        if (bytes[at] != '_' || at + MARK.length >= bytes.length) {
            return 0;
        }
        for (int i = 0; i < MARK.length; i++) {
            if (Character.toLowerCase(bytes[at + i]) != MARK[i]) {
                return 0;
            }
        }
        int quote = at + MARK.length;
        while (quote < bytes.length && bytes[quote] == ' ') {
            quote++;
        }
        return quote < bytes.length && bytes[quote] == '\'' ? quote + 1 : 0;
    }

    /** Returns the position of the quote that ends a literal. */
    private static int endOf(byte[] bytes, int from) {
        for (int at = from; at < bytes.length; at++) {
            if (bytes[at] == '\\') {
                at++;
            } else if (bytes[at] == '\'') {
                if (at + 1 == bytes.length || bytes[at + 1] != '\'') {
                    return at;
                }
                at++;
            }
        }
        return bytes.length - 1;
    }

    private static String hex(byte[] bytes, int from, int end) {
        String literal = "'" + new String(bytes, from, end - from, StandardCharsets.ISO_8859_1) + "'";
        byte[] plain = MysqlRewriter.unquoted(literal).getBytes(StandardCharsets.ISO_8859_1);
        return "X'" + HexFormat.of().formatHex(plain) + "'";
    }
}
