package io.nightjar.jobs.mock.mysql;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Handshake of a client; any user with any password is accepted.
 *
 * @param database the requested database, empty for none
 * @param attributes the attributes sent by its driver
 * @param abilities capability bits of the client
 */
record MysqlHandshake(String user, String database, Map<String, String> attributes, int abilities) {

    private static final int LONG_PASSWORD = 1;
    private static final int FOUND_ROWS = 1 << 1;
    private static final int LONG_FLAG = 1 << 2;
    private static final int CONNECT_WITH_DB = 1 << 3;
    private static final int IGNORE_SPACE = 1 << 8;
    private static final int PROTOCOL_41 = 1 << 9;
    private static final int INTERACTIVE = 1 << 10;
    private static final int SSL = 1 << 11;
    private static final int TRANSACTIONS = 1 << 13;
    private static final int SECURE_CONNECTION = 1 << 15;
    private static final int MULTI_STATEMENTS = 1 << 16;
    private static final int MULTI_RESULTS = 1 << 17;
    private static final int PREPARED_MULTI_RESULTS = 1 << 18;
    private static final int PLUGIN_AUTH = 1 << 19;
    private static final int CONNECT_ATTRIBUTES = 1 << 20;
    private static final int COUNTED_AUTH_DATA = 1 << 21;

    private static final int ABILITIES = LONG_PASSWORD
            | FOUND_ROWS
            | LONG_FLAG
            | CONNECT_WITH_DB
            | IGNORE_SPACE
            | PROTOCOL_41
            | INTERACTIVE
            | TRANSACTIONS
            | SECURE_CONNECTION
            | MULTI_STATEMENTS
            | MULTI_RESULTS
            | PREPARED_MULTI_RESULTS
            | PLUGIN_AUTH
            | CONNECT_ATTRIBUTES
            | COUNTED_AUTH_DATA;

    private static final int PROTOCOL = 10;
    private static final int SCRAMBLE = 20;
    private static final int FIRST_SALT_BYTES = 8;
    private static final int FILLER = 10;
    private static final int FILLER_OF_ANSWER = 23;
    private static final int FAST_IS_ENOUGH = 3;
    private static final String NATIVE = "mysql_native_password";
    private static final String SHA2 = "caching_sha2_password";
    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * Greets a client and reads its reply; null if it disconnects, or requires an unsupported capability.
     *
     * @param id the client's number
     */
    static @Nullable MysqlHandshake greet(MysqlWire wire, int id, int status) throws IOException {
        byte[] scramble = new byte[SCRAMBLE];
        for (int i = 0; i < SCRAMBLE; i++) {
            scramble[i] = (byte) ('0' + RANDOM.nextInt('z' - '0'));
        }
        wire.begin().putByte(PROTOCOL).putString(MysqlVariables.VERSION).putInt(id);
        wire.putBytes(Arrays.copyOf(scramble, FIRST_SALT_BYTES)).putByte(0).putShort(ABILITIES);
        wire.putByte(MysqlType.UTF8).putShort(status).putShort(ABILITIES >>> 16).putByte(SCRAMBLE + 1);
        wire.putBytes(new byte[FILLER]).putBytes(Arrays.copyOfRange(scramble, FIRST_SALT_BYTES, SCRAMBLE));
        wire.putByte(0).putString(NATIVE).end();
        wire.flush();
        return wire.readPacket() ? read(wire) : null;
    }

    private static @Nullable MysqlHandshake read(MysqlWire wire) throws IOException {
        int abilities = wire.readInt();
        if ((abilities & SSL) != 0 || (abilities & PROTOCOL_41) == 0) {
            return null;
        }
        wire.readInt();
        wire.readByte();
        wire.readBytes(FILLER_OF_ANSWER);
        String user = wire.readString();
        if ((abilities & COUNTED_AUTH_DATA) != 0) {
            wire.readCounted();
        } else {
            wire.readBytes(wire.readByte());
        }
        String database = (abilities & CONNECT_WITH_DB) != 0 && wire.hasMore() ? wire.readString() : "";
        String plugin = (abilities & PLUGIN_AUTH) != 0 && wire.hasMore() ? wire.readString() : NATIVE;
        Map<String, String> attributes = new LinkedHashMap<>();
        if ((abilities & CONNECT_ATTRIBUTES) != 0 && wire.hasMore()) {
            long count = wire.readCount();
            long rest = wire.left() - count;
            while (wire.left() > rest) {
                attributes.put(
                        new String(wire.readCounted(), StandardCharsets.UTF_8),
                        new String(wire.readCounted(), StandardCharsets.UTF_8));
            }
        }
        if (plugin.equals(SHA2)) {
            wire.begin().putByte(1).putByte(FAST_IS_ENOUGH).end();
        }
        return new MysqlHandshake(user, database, attributes, abilities);
    }

    /** Returns whether it may send several statements at once. */
    boolean sendsSeveral() {
        return (abilities & MULTI_STATEMENTS) != 0;
    }

    /** Returns the name that the client gave itself, null if none. */
    @Nullable
    String client() {
        return attributes.getOrDefault("program_name", attributes.get("_client_name"));
    }
}
