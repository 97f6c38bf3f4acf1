package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import java.util.Arrays;

/** Resolved histories, or parts of them, as bytes for the wire. */
public final class ClientHistoryCodec {

    /*
     *   sessionCount { transactions }          columns packed
     *   txnCount { id } { reads } { writes }   ids as differences to the previous id
     *   { key of a read } { writer of a read } { key of a write }
     *   keyCount { log key }
     *   knowsVersions [{ versions of a key } { writer of a version }]
     *   hintCount [{ number }]                 as differences to the previous number
     */

    private ClientHistoryCodec() {}

    public static void encode(ClientHistory history, ByteWriter to) {
        int txnCount = history.txnCount;
        to.putVarint(history.sessionCount);
        PackedLongs.putFirsts(history.firstTxnOf, history.sessionCount, to);
        to.putVarint(txnCount);
        putDifferences(history.txnIdOf, txnCount, to);
        PackedLongs.putFirsts(history.firstReadOf, txnCount, to);
        PackedLongs.putFirsts(history.firstWriteOf, txnCount, to);
        PackedLongs.putInts(history.keyOfRead, history.readCount, to);
        PackedLongs.putInts(history.writerOf, history.readCount, to);
        PackedLongs.putInts(history.keyOfWrite, history.writeCount, to);
        to.putVarint(history.keyCount);
        PackedLongs.putInts(history.logKeyOf, history.keyCount, to);
        to.putByte(history.knowsVersionOrders() ? 1 : 0);
        if (history.knowsVersionOrders()) {
            PackedLongs.putFirsts(history.firstVersionOf, history.keyCount, to);
            PackedLongs.putInts(history.txnOfVersion, history.firstVersionOf[history.keyCount], to);
        }
        to.putVarint(history.hints.length);
        for (long[] hint : history.hints) {
            putDifferences(hint, txnCount, to);
        }
    }

    public static ClientHistory decode(ByteReader from) {
        int sessionCount = from.getCount();
        int[] firstTxnOf = PackedLongs.getFirsts(from, sessionCount);
        int txnCount = from.getCount();
        long[] txnIdOf = getDifferences(from, txnCount);
        int[] firstReadOf = PackedLongs.getFirsts(from, txnCount);
        int[] firstWriteOf = PackedLongs.getFirsts(from, txnCount);
        int[] keyOfRead = getInts(from, firstReadOf[txnCount]);
        int[] writerOf = getInts(from, firstReadOf[txnCount]);
        int[] keyOfWrite = getInts(from, firstWriteOf[txnCount]);
        int[] logKeyOf = getInts(from, from.getCount());

        ClientHistory.Builder builder = new ClientHistory.Builder();
        builder.expect(txnCount, firstReadOf[txnCount], firstWriteOf[txnCount]);
        for (int session = 0; session < sessionCount; session++) {
            builder.beginSession();
            for (int txn = firstTxnOf[session]; txn < firstTxnOf[session + 1]; txn++) {
                builder.beginTxn(txnIdOf[txn]);
                for (int read = firstReadOf[txn]; read < firstReadOf[txn + 1]; read++) {
                    builder.read(keyOfRead[read], writerOf[read]);
                }
                for (int write = firstWriteOf[txn]; write < firstWriteOf[txn + 1]; write++) {
                    builder.write(keyOfWrite[write]);
                }
            }
        }
        builder.logKeys(logKeyOf);
        if (from.getByte() == 1) {
            builder.versions(getVersions(from, logKeyOf.length));
        }
        long[][] hints = new long[from.getCount()][];
        for (int hint = 0; hint < hints.length; hint++) {
            hints[hint] = getDifferences(from, txnCount);
        }
        return builder.hints(hints).build();
    }

    private static int[][] getVersions(ByteReader from, int keyCount) {
        int[] firstVersionOf = PackedLongs.getFirsts(from, keyCount);
        int[] txnOfVersion = getInts(from, firstVersionOf[keyCount]);
        int[][] writersByKey = new int[keyCount][];
        for (int key = 0; key < keyCount; key++) {
            writersByKey[key] = Arrays.copyOfRange(txnOfVersion, firstVersionOf[key], firstVersionOf[key + 1]);
        }
        return writersByKey;
    }

    private static int[] getInts(ByteReader from, int count) {
        int[] numbers = new int[count];
        PackedLongs.getInts(from, numbers, count);
        return numbers;
    }

    private static void putDifferences(long[] numbers, int count, ByteWriter to) {
        long[] differences = new long[count];
        long before = 0;
        for (int i = 0; i < count; i++) {
            differences[i] = numbers[i] - before;
            before = numbers[i];
        }
        PackedLongs.put(differences, count, to);
    }

    private static long[] getDifferences(ByteReader from, int count) {
        long[] numbers = new long[count];
        PackedLongs.get(from, numbers, count);
        long before = 0;
        for (int i = 0; i < count; i++) {
            before += numbers[i];
            numbers[i] = before;
        }
        return numbers;
    }
}
