package io.nightjar.jobs.mock.postgres;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Message buffers of the protocol on a socket, for reading and for writing. */
final class PostgresWire {

    private static final int BUFFER_BYTES = 1 << 15;
    private static final int GREATEST_MESSAGE = 1 << 28;

    /** First bytes of a TLS handshake record, read instead of a length. */
    private static final int TLS = 0x1603;

    private final DataInputStream in;
    private final BufferedOutputStream out;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final DataOutputStream data = new DataOutputStream(body);
    private char type;

    private byte[] message = {};
    private int at;
    private int announced;

    PostgresWire(Socket socket) throws IOException {
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
        this.out = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
    }

    // ---------------------------------------------------------------- reading

    /** Reads a message without a type, the format of the first messages. */
    void readStartup() throws IOException {
        readBody();
    }

    /** Returns whether the last length read is the beginning of a TLS handshake. */
    boolean beganWithTls() {
        return (announced + Integer.BYTES) >>> Short.SIZE == TLS;
    }

    /** Reads a message and returns its type, 0 at the end. */
    int readMessage() throws IOException {
        int next = in.read();
        if (next < 0) {
            return 0;
        }
        readBody();
        return next;
    }

    private void readBody() throws IOException {
        int length = in.readInt() - Integer.BYTES;
        announced = length;
        if (length < 0 || length > GREATEST_MESSAGE) {
            throw new EOFException("no message of this protocol: length=" + length);
        }
        message = new byte[length];
        in.readFully(message);
        at = 0;
    }

    boolean hasMore() {
        return at < message.length;
    }

    int readByte() throws IOException {
        check(1);
        return message[at++];
    }

    int readShort() throws IOException {
        check(Short.BYTES);
        int value = (message[at] << 8 | message[at + 1] & 0xFF) & 0xFFFF;
        at += Short.BYTES;
        return value;
    }

    int readInt() throws IOException {
        check(Integer.BYTES);
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = value << 8 | message[at++] & 0xFF;
        }
        return value;
    }

    String readString() throws IOException {
        int end = at;
        while (end < message.length && message[end] != 0) {
            end++;
        }
        check(end - at + 1);
        String text = new String(message, at, end - at, StandardCharsets.UTF_8);
        at = end + 1;
        return text;
    }

    /** Reads bytes preceded by their count, null for -1. */
    byte @Nullable [] readValue() throws IOException {
        int length = readInt();
        if (length < 0) {
            return null;
        }
        check(length);
        byte[] value = new byte[length];
        System.arraycopy(message, at, value, 0, length);
        at += length;
        return value;
    }

    private void check(int count) throws IOException {
        if (count > message.length - at) {
            throw new EOFException("message too short");
        }
    }

    // ---------------------------------------------------------------- writing

    void writeRaw(char letter) throws IOException {
        out.write(letter);
        out.flush();
    }

    PostgresWire begin(char messageType) {
        type = messageType;
        body.reset();
        return this;
    }

    PostgresWire putByte(int value) throws IOException {
        data.writeByte(value);
        return this;
    }

    PostgresWire putShort(int value) throws IOException {
        data.writeShort(value);
        return this;
    }

    PostgresWire putInt(int value) throws IOException {
        data.writeInt(value);
        return this;
    }

    PostgresWire putString(String text) throws IOException {
        data.write(text.getBytes(StandardCharsets.UTF_8));
        data.writeByte(0);
        return this;
    }

    PostgresWire putValue(byte @Nullable [] value) throws IOException {
        if (value == null) {
            data.writeInt(-1);
        } else {
            data.writeInt(value.length);
            data.write(value);
        }
        return this;
    }

    void end() throws IOException {
        out.write(type);
        int length = body.size() + Integer.BYTES;
        out.write(length >>> 24);
        out.write(length >>> 16);
        out.write(length >>> 8);
        out.write(length);
        body.writeTo(out);
    }

    void flush() throws IOException {
        out.flush();
    }
}
