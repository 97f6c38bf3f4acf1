package io.nightjar.formats.interop;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** One small history in each foreign format, and builders of the binary ones. */
final class Samples {

    static final String PLUME = "w(1,5,7,10)\nr(2,0,7,10)\nw(1,6,7,-1)\nr(1,5,8,11)\n";
    static final String AWDIT = "w 1 5\nr 1 5\n-----\nw 1 6\n=====\nr 1 5\n";
    static final String HIST = "// two sessions\n[x:=1 y==? x==1] [z:=2]!\n---\n[x==1]\n";
    static final String JSON =
            "{\"params\":{\"id\":0},\"info\":\"\",\"data\":[[{\"events\":[{\"Write\":{\"variable\":1,"
                    + "\"version\":5}},{\"Read\":{\"variable\":2,\"version\":null}}],\"committed\":true},{\"events\":[[\"w\",1,6]],"
                    + "\"committed\":false}],[{\"events\":[[\"r\",1,5],[\"r\",3,null]],\"committed\":true}]],\"end\":\"\"}\n";

    private Samples() {}

    /** Returns file names and contents. */
    static Map<String, byte[]> all() {
        Map<String, byte[]> all = new LinkedHashMap<>();
        all.put("a.plume", ascii(PLUME));
        all.put("b.plume", ascii(PLUME + "w(3,9,7,10)\n"));
        all.put("a.awdit", ascii(AWDIT));
        all.put("a.hist", HIST.getBytes(StandardCharsets.UTF_8));
        all.put("a.dbcop.json", ascii(JSON));
        all.put("a.bincode", bincode());
        all.put("T3.log", cobra(false));
        all.put("T4.log", cobra(true));
        return all;
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns two sessions: one commits, then aborts; the other reads. One event of the first failed. */
    static byte[] bincode() {
        Bincode file = new Bincode().header("info").count(2);
        file.count(2);
        file.count(3)
                .event(true, 1, 5, true)
                .event(false, 2, 0, true)
                .event(true, 3, 9, false)
                .bool(true);
        file.count(1).event(true, 1, 6, true).bool(false);
        file.count(1);
        file.count(1).event(false, 1, 5, true).bool(true);
        return file.bytes();
    }

    static byte[] cobra(boolean hasTimes) {
        Cobra log = new Cobra(hasTimes);
        log.start(100, 7).write(1, 11, 111).read(0xbebeebeeL, 0xbebeebeeL, 12, 0);
        log.commit(100, 8);
        log.start(101, 9).read(100, 1, 11, 111).read(0xdeadbeefL, 0xdeadbeefL, 13, 0);
        log.commit(101, 9);
        return log.bytes();
    }

    /** Writes dbcop's bincode. */
    static final class Bincode {

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Bincode header(String info) {
            for (int i = 0; i < 5; i++) {
                count(i);
            }
            for (String text : new String[] {info, "2019-03-21", ""}) {
                count(text.length());
                out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            }
            return this;
        }

        Bincode count(long number) {
            out.writeBytes(ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(number)
                    .array());
            return this;
        }

        Bincode bool(boolean is) {
            out.write(is ? 1 : 0);
            return this;
        }

        Bincode event(boolean isWrite, long variable, long value, boolean isSuccess) {
            return bool(isWrite).count(variable).count(value).bool(isSuccess);
        }

        byte[] bytes() {
            return out.toByteArray();
        }
    }

    /** Writes Cobra's logs. */
    static final class Cobra {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);
        private final boolean hasTimes;

        Cobra(boolean hasTimes) {
            this.hasTimes = hasTimes;
        }

        Cobra start(long txn, long time) {
            return hasTimes ? record('S', txn, time) : record('S', txn);
        }

        Cobra commit(long txn, long time) {
            return hasTimes ? record('C', txn, time) : record('C', txn);
        }

        Cobra write(long id, long key, long value) {
            return record('W', id, key, value);
        }

        Cobra read(long writer, long id, long key, long value) {
            return record('R', writer, id, key, value);
        }

        Cobra record(char letter, long... numbers) {
            try {
                out.writeByte(letter);
                for (long number : numbers) {
                    out.writeLong(number);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return this;
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }
    }
}
