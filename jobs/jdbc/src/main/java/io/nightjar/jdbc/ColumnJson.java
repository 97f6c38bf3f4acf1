package io.nightjar.jdbc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Timestamp;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Encoder of database values as JSON. The same value has the same text in every statement and session. */
final class ColumnJson {

    private static final int MAX_TEXT_LENGTH = 1_000;

    private ColumnJson() {}

    /** Appends a value as a driver returns it. */
    static void put(@Nullable Object value, StringBuilder into) throws SQLException {
        if (value == null || value instanceof Boolean) {
            into.append(value);
        } else if (value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte
                || value instanceof BigInteger) {
            into.append(value);
        } else if (value instanceof BigDecimal decimal) {
            into.append(decimal.toPlainString());
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isFinite(number)) {
                into.append(new BigDecimal(value.toString()).toPlainString());
            } else {
                putText(value.toString(), into);
            }
        } else {
            putText(shortened(text(value)), into);
        }
    }

    private static String text(Object value) throws SQLException {
        if (value instanceof Timestamp time) {
            return time.toInstant().toString(); // the same in every time zone of a session
        }
        if (value instanceof OffsetDateTime time) {
            return time.toInstant().toString();
        }
        if (value instanceof byte[] bytes) {
            return hex(bytes);
        }
        if (value instanceof Clob clob) {
            return clob.getSubString(1, (int) Math.min(clob.length(), Integer.MAX_VALUE));
        }
        if (value instanceof Blob blob) {
            return hex(allOf(blob));
        }
        if (value instanceof SQLXML xml) {
            return xml.getString();
        }
        if (value instanceof Array array) {
            return array.toString();
        }
        return String.valueOf(value);
    }

    private static byte[] allOf(Blob blob) throws SQLException {
        try (InputStream in = blob.getBinaryStream()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            in.transferTo(bytes);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new SQLException(e);
        }
    }

    private static String hex(byte[] bytes) {
        return "0x" + HexFormat.of().formatHex(bytes);
    }

    /** Replaces long texts by their hash: hashes are equal if and only if the texts are. */
    private static String shortened(String text) {
        if (text.length() <= MAX_TEXT_LENGTH) {
            return text;
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256:" + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Appends a text in quotes. */
    static void putText(String text, StringBuilder into) {
        into.append('"');
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            switch (letter) {
                case '"' -> into.append("\\\"");
                case '\\' -> into.append("\\\\");
                case '\n' -> into.append("\\n");
                case '\r' -> into.append("\\r");
                case '\t' -> into.append("\\t");
                default -> {
                    boolean isAlone = Character.isSurrogate(letter)
                            && !(Character.isHighSurrogate(letter)
                                    && i + 1 < text.length()
                                    && Character.isLowSurrogate(text.charAt(i + 1)))
                            && !(Character.isLowSurrogate(letter)
                                    && i > 0
                                    && Character.isHighSurrogate(text.charAt(i - 1)));
                    if (letter < ' ') {
                        into.append(String.format("\\u%04x", (int) letter));
                    } else {
                        into.append(isAlone ? '\uFFFD' : letter);
                    }
                }
            }
        }
        into.append('"');
    }
}
