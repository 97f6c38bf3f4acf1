package io.nightjar.jobs.mock.mysql;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Packet buffers of the protocol on a socket, for reading and for writing. Numbers are little-endian. */
final class MysqlWire {

    private static final int BUFFER_BYTES = 1 << 15;
    private static final int MAX_PAYLOAD = 0xFFFFFF;
    private static final int GREATEST_PACKET = 1 << 28;
    private static final int HEADER = 4;
    private static final int NULL_COUNT = 0xFB;

    private final InputStream in;
    private final OutputStream out;
    private int sequence;

    private byte[] message = {};
    private int at;

    private byte[] written = new byte[BUFFER_BYTES];
    private int end;
    private int start;

    MysqlWire(Socket socket) throws IOException {
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
        this.out = socket.getOutputStream();
    }

    // ---------------------------------------------------------------- reading

    /** Reads a packet; returns false at the end. */
    boolean readPacket() throws IOException {
        int first = in.read();
        if (first < 0) {
            return false;
        }
        int length = readPayload(first, 0);
        int whole = length;
        while (length == MAX_PAYLOAD) {
            length = readPayload(readKnown(), whole);
            whole += length;
        }
        at = 0;
        return true;
    }

    /** Appends a payload to those read so far, and returns its length. */
    private int readPayload(int first, int suffixLength) throws IOException {
        int length = first | readKnown() << 8 | readKnown() << 16;
        sequence = readKnown() + 1;
        if (suffixLength + length > GREATEST_PACKET) {
            throw new EOFException("no packet of this protocol: length=" + (suffixLength + length));
        }
        message = Arrays.copyOf(suffixLength == 0 ? new byte[0] : message, suffixLength + length);
        if (in.readNBytes(message, suffixLength, length) < length) {
            throw new EOFException("packet too short");
        }
        return length;
    }

    private int readKnown() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("packet too short");
        }
        return next;
    }

    boolean hasMore() {
        return at < message.length;
    }

    int left() {
        return message.length - at;
    }

    int readByte() throws IOException {
        check(1);
        return message[at++] & 0xFF;
    }

    int readShort() throws IOException {
        return (int) readNumber(Short.BYTES);
    }

    int readInt() throws IOException {
        return (int) readNumber(Integer.BYTES);
    }

    long readLong() throws IOException {
        return readNumber(Long.BYTES);
    }

    private long readNumber(int bytes) throws IOException {
        check(bytes);
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (message[at++] & 0xFFL) << 8 * i;
        }
        return value;
    }

    /** Reads a length-encoded number. */
    long readCount() throws IOException {
        int first = readByte();
        return switch (first) {
            case 0xFC -> readNumber(2);
            case 0xFD -> readNumber(3);
            case 0xFE -> readNumber(8);
            default -> first;
        };
    }

    byte[] readBytes(long count) throws IOException {
        if (count < 0 || count > left()) {
            throw new EOFException("packet too short");
        }
        byte[] bytes = Arrays.copyOfRange(message, at, at + (int) count);
        at += (int) count;
        return bytes;
    }

    byte[] readCounted() throws IOException {
        return readBytes(readCount());
    }

    byte[] readRest() throws IOException {
        return readBytes(left());
    }

    /** Reads text up to a zero byte or the end. */
    String readString() throws IOException {
        int stop = at;
        while (stop < message.length && message[stop] != 0) {
            stop++;
        }
        String text = new String(message, at, stop - at, StandardCharsets.UTF_8);
        at = Math.min(stop + 1, message.length);
        return text;
    }

    private void check(int count) throws IOException {
        if (count > left()) {
            throw new EOFException("packet too short");
        }
    }

    // ---------------------------------------------------------------- writing

    MysqlWire begin() {
        start = end;
        end += HEADER;
        ensureCapacity(0);
        return this;
    }

    private void ensureCapacity(int bytes) {
        if (end + bytes > written.length) {
            written = Arrays.copyOf(written, Math.max(2 * written.length, end + bytes));
        }
    }

    MysqlWire putByte(int value) {
        ensureCapacity(1);
        written[end++] = (byte) value;
        return this;
    }

    MysqlWire putShort(int value) {
        return putNumber(value, Short.BYTES);
    }

    MysqlWire putInt(int value) {
        return putNumber(value, Integer.BYTES);
    }

    MysqlWire putNumber(long value, int bytes) {
        ensureCapacity(bytes);
        for (int i = 0; i < bytes; i++) {
            written[end++] = (byte) (value >>> 8 * i);
        }
        return this;
    }

    MysqlWire putCount(long value) {
        if (value < NULL_COUNT) {
            return putByte((int) value);
        }
        if (value <= 0xFFFF) {
            return putByte(0xFC).putNumber(value, 2);
        }
        return value <= 0xFFFFFF
                ? putByte(0xFD).putNumber(value, 3)
                : putByte(0xFE).putNumber(value, 8);
    }

    MysqlWire putBytes(byte[] bytes) {
        ensureCapacity(bytes.length);
        System.arraycopy(bytes, 0, written, end, bytes.length);
        end += bytes.length;
        return this;
    }

    MysqlWire putCounted(byte[] bytes) {
        return putCount(bytes.length).putBytes(bytes);
    }

    MysqlWire putCounted(String text) {
        return putCounted(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes NULL in a text row. */
    MysqlWire putNull() {
        return putByte(NULL_COUNT);
    }

    MysqlWire putString(String text) {
        return putBytes(text.getBytes(StandardCharsets.UTF_8)).putByte(0);
    }

    /** Sends the complete packet. */
    void end() throws IOException {
        int length = end - start - HEADER;
        if (length >= MAX_PAYLOAD) {
            endInPackets(length);
        } else {
            header(start, length);
        }
        if (end >= BUFFER_BYTES) {
            writeOut();
        }
    }

    private void header(int position, int length) {
        written[position] = (byte) length;
        written[position + 1] = (byte) (length >>> 8);
        written[position + 2] = (byte) (length >>> 16);
        written[position + 3] = (byte) sequence++;
    }

    /** Sends a packet as payloads, each with a header; the last is shorter than the others, and may be empty. */
    private void endInPackets(int length) {
        byte[] whole = Arrays.copyOfRange(written, start + HEADER, end);
        end = start;
        for (int from = 0; from <= length; from += MAX_PAYLOAD) {
            int payload = Math.min(MAX_PAYLOAD, length - from);
            ensureCapacity(HEADER + payload);
            header(end, payload);
            System.arraycopy(whole, from, written, end + HEADER, payload);
            end += HEADER + payload;
        }
    }

    private void writeOut() throws IOException {
        out.write(written, 0, end);
        end = 0;
        if (written.length > 1 << 20) {
            written = new byte[BUFFER_BYTES];
        }
    }

    void flush() throws IOException {
        if (end > 0) {
            writeOut();
        }
        out.flush();
    }
}
