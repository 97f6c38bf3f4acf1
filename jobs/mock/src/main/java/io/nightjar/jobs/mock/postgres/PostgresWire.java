package io.nightjar.jobs.mock.postgres;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Message buffers of the protocol on a socket, for reading and for writing. */
final class PostgresWire {

    private static final int BUFFER_BYTES = 1 << 15;
    private static final int GREATEST_MESSAGE = 1 << 28;

    /** First bytes of a TLS handshake record, read instead of a length. */
    private static final int TLS = 0x1603;

    private final DataInputStream in;
    private final DataOutputStream out;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final DataOutputStream data = new DataOutputStream(body);
    private char type;

    private ByteBuffer message = ByteBuffer.allocate(0);
    private int announced;

    PostgresWire(Socket socket) throws IOException {
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
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
        byte[] whole = new byte[length];
        in.readFully(whole);
        message = ByteBuffer.wrap(whole);
    }

    boolean hasMore() {
        return message.hasRemaining();
    }

    int readByte() throws IOException {
        check(1);
        return message.get();
    }

    int readShort() throws IOException {
        check(Short.BYTES);
        return message.getShort() & 0xFFFF;
    }

    int readInt() throws IOException {
        check(Integer.BYTES);
        return message.getInt();
    }

    String readString() throws IOException {
        int length = 0;
        while (length < message.remaining() && message.get(message.position() + length) != 0) {
            length++;
        }
        check(length + 1);
        String text = new String(readBytes(length), StandardCharsets.UTF_8);
        message.get(); // the zero
        return text;
    }

    /** Reads bytes preceded by their count, null for -1. */
    byte @Nullable [] readValue() throws IOException {
        int length = readInt();
        if (length < 0) {
            return null;
        }
        check(length);
        return readBytes(length);
    }

    private byte[] readBytes(int count) {
        byte[] bytes = new byte[count];
        message.get(bytes);
        return bytes;
    }

    private void check(int count) throws IOException {
        if (count > message.remaining()) {
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
        out.writeInt(body.size() + Integer.BYTES);
        body.writeTo(out);
    }

    void flush() throws IOException {
        out.flush();
    }
}
