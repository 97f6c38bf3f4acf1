package io.nightjar.pipeline.infer;

import io.nightjar.pipeline.primitive.ByteReader;
import io.nightjar.pipeline.primitive.ByteWriter;
import io.nightjar.pipeline.primitive.PackedLongs;
import java.util.Arrays;

/** Resolved histories, or parts of them, as bytes for the wire. */
public final class ClientHistoryCodec {

    /*
     * Layout.
     *
     *   sessionCount { transactions }          columns packed
     *   txnCount { id } { reads } { writes }   ids as differences to the previous id
     *   { key of a read } { writer of a read } { key of a write }
     *   keyCount { log key }
     *   knowsVersions [{ versions of a key } { writer of a version }]
     *   hintCount [{ number }]                 as differences to the previous number
     *   hasObservations [{ observations } { set } setCount { key } { includes initial } { candidates } { candidate }
     *                          hasSums { sum } { delta }
     *                          { answers } { min } { max } { keys } { key }
     *                          { parts } { key } { writer } { part }]
     */

    private ClientHistoryCodec() {}

    public static void encode(ClientHistory history, ByteWriter to) {
        int txnCount = history.txnCount;
        to.putVarint(history.sessionCount);
        PackedLongs.putFirsts(history.firstTxnOf, history.sessionCount, to);
        to.putVarint(txnCount);
        PackedLongs.putDifferences(history.txnIdOf, txnCount, new long[txnCount], to);
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
            PackedLongs.putDifferences(hint, txnCount, new long[txnCount], to);
        }
        to.putByte(history.observations == null ? 0 : 1);
        if (history.observations != null) {
            encode(history.observations, txnCount, to);
        }
    }

    private static void encode(Observations observations, int txnCount, ByteWriter to) {
        PackedLongs.putFirsts(observations.firstOf, txnCount, to);
        PackedLongs.putInts(observations.setOf, observations.count, to);
        int setCount = observations.setCount;
        to.putVarint(setCount);
        PackedLongs.putInts(observations.keyOf, setCount, to);
        for (boolean acceptsInitial : observations.acceptsInitial) {
            to.putByte(acceptsInitial ? 1 : 0);
        }
        PackedLongs.putFirsts(observations.firstCandidateOf, setCount, to);
        PackedLongs.putInts(observations.candidate, observations.firstCandidateOf[setCount], to);
        to.putByte(observations.hasSums() ? 1 : 0);
        PackedLongs.put(observations.sumOf, observations.sumOf.length, to);
        PackedLongs.put(observations.delta, observations.delta.length, to);
        Answers answers = observations.answers;
        PackedLongs.putFirsts(answers.firstOf, txnCount, to);
        PackedLongs.put(answers.min, answers.count, to);
        PackedLongs.put(answers.max, answers.count, to);
        PackedLongs.putFirsts(answers.firstKeyOf, answers.count, to);
        PackedLongs.putInts(answers.keys, answers.keys.length, to);
        PackedLongs.putFirsts(answers.firstPartOf, answers.count, to);
        PackedLongs.putInts(answers.keyOf, answers.keyOf.length, to);
        PackedLongs.putInts(answers.writerOf, answers.writerOf.length, to);
        PackedLongs.put(answers.part, answers.part.length, to);
    }

    private static Answers decodeAnswers(ByteReader from, int txnCount) {
        int[] firstOf = PackedLongs.getFirsts(from, txnCount);
        long[] min = getLongs(from, firstOf[txnCount]);
        long[] max = getLongs(from, min.length);
        int[] firstKeyOf = PackedLongs.getFirsts(from, min.length);
        int[] keys = getInts(from, firstKeyOf[min.length]);
        int[] firstPartOf = PackedLongs.getFirsts(from, min.length);
        int[] keyOf = getInts(from, firstPartOf[min.length]);
        int[] writerOf = getInts(from, keyOf.length);
        long[] part = getLongs(from, keyOf.length);
        return new Answers(firstOf, min, max, firstKeyOf, keys, firstPartOf, keyOf, writerOf, part);
    }

    private static Observations decodeObservations(ByteReader from, int txnCount) {
        int[] firstOf = PackedLongs.getFirsts(from, txnCount);
        int[] setOf = getInts(from, firstOf[txnCount]);
        int[] keyOf = getInts(from, from.getCount());
        boolean[] acceptsInitial = new boolean[keyOf.length];
        for (int set = 0; set < keyOf.length; set++) {
            acceptsInitial[set] = from.getByte() == 1;
        }
        int[] firstCandidateOf = PackedLongs.getFirsts(from, keyOf.length);
        int[] candidate = getInts(from, firstCandidateOf[keyOf.length]);
        boolean hasSums = from.getByte() == 1;
        long[] sumOf = getLongs(from, hasSums ? keyOf.length : 0);
        long[] delta = getLongs(from, hasSums ? candidate.length : 0);
        Answers answers = decodeAnswers(from, txnCount);
        return new Observations(
                firstOf, setOf, new int[0], keyOf, acceptsInitial, firstCandidateOf, candidate, sumOf, delta, answers);
    }

    public static ClientHistory decode(ByteReader from) {
        int sessionCount = from.getCount();
        int[] firstTxnOf = PackedLongs.getFirsts(from, sessionCount);
        int txnCount = from.getCount();
        long[] txnIdOf = PackedLongs.getDifferences(from, txnCount);
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
            hints[hint] = PackedLongs.getDifferences(from, txnCount);
        }
        builder.hints(hints);
        if (from.getByte() == 1) {
            builder.observations(decodeObservations(from, txnCount));
        }
        return builder.build();
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

    private static long[] getLongs(ByteReader from, int count) {
        long[] numbers = new long[count];
        PackedLongs.get(from, numbers, count);
        return numbers;
    }

    private static int[] getInts(ByteReader from, int count) {
        int[] numbers = new int[count];
        PackedLongs.getInts(from, numbers, count);
        return numbers;
    }
}
