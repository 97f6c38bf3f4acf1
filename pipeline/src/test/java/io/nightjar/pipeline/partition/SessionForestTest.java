package io.nightjar.pipeline.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.pipeline.primitive.ByteReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SessionForestTest {

    private static final long[] EXTREME_IDS = {Long.MIN_VALUE, Long.MAX_VALUE, -1, 1L << 40};

    @Tag(Seeds.TAG)
    @Test
    void groupsAreTheConnectedSessionsHoweverRowsAreDealtToReaders() {
        int several = 0;
        for (long seed : Seeds.upTo(2_000)) {
            Random random = new Random(seed);
            List<HistorySlice> slices = slices(random);
            Map<Long, Integer> expected = connected(slices);

            GroupedSessions groups = grouped(slices, 1 + random.nextInt(4), random);

            assertThat(groupsOf(groups)).as("seed=%d", seed).isEqualTo(expected);
            assertThat(groups.groupCount()).isEqualTo(new HashSet<>(expected.values()).size());
            several += groups.groupCount() > 1 && groups.groupCount() < groups.sessionCount() ? 1 : 0;
        }
        assertThat(several).isGreaterThan(Seeds.upTo(2_000).length / 10);
    }

    @Test
    void manySessionsAndKeysGoInSeveralChunks() {
        SliceBuilder builder = new SliceBuilder("a.jsonl");
        builder.keysAreLongs();
        for (int session = 0; session < 100_000; session++) {
            builder.beginTxn(session + 1, session, session, 0);
            builder.op(OpKind.WRITE, session / 2, 1);
            builder.op(OpKind.WRITE, 1_000_000_000_000L + session, 1);
            builder.endTxn();
        }

        GroupedSessions groups = grouped(List.of(builder.build()), 2, new Random(1));

        assertThat(groups.groupCount()).isEqualTo(50_000);
        assertThat(groups.groupOf(77_777)).isEqualTo(groups.groupOf(77_776)).isEqualTo(38_888);
    }

    @Test
    void aSessionThatWasNeverSeenHasNoGroup() {
        GroupedSessions groups = new SessionForest().groups();

        assertThat(groups.groupCount()).isZero();
        assertThatThrownBy(() -> groups.groupOf(3))
                .hasMessage(
                        "session not among those grouped: sessionId=3; check whether the history was written to during the check");
    }

    // ---------------------------------------------------------------- readers

    private static GroupedSessions grouped(List<HistorySlice> slices, int readerCount, Random random) {
        List<SessionForest> readers = new ArrayList<>();
        for (int reader = 0; reader < readerCount; reader++) {
            readers.add(new SessionForest());
        }
        slices.forEach(slice -> readers.get(random.nextInt(readerCount)).add(slice));
        List<byte[]> chunks = new ArrayList<>();
        readers.forEach(reader -> reader.encode(sink -> chunks.add(Arrays.copyOf(sink.bytes(), sink.size()))));
        Collections.shuffle(chunks, random);
        SessionForest merged = random.nextBoolean() ? new SessionForest() : readers.get(0);
        for (byte[] chunk : chunks) {
            ByteReader feed = new ByteReader(chunk, 0, chunk.length);
            merged.merge(feed);
            assertThat(feed.isEmpty()).isTrue();
        }
        return merged.groups();
    }

    private static Map<Long, Integer> groupsOf(GroupedSessions groups) {
        Map<Long, Integer> groupOf = new TreeMap<>();
        for (int session = 0; session < groups.sessionCount(); session++) {
            groupOf.put(groups.sessionId(session), groups.groupOf(groups.sessionId(session)));
        }
        return groupOf;
    }

    // ---------------------------------------------------------------- brute force

    /** Spreads the least session id along common keys until nothing changes. */
    private static Map<Long, Integer> connected(List<HistorySlice> slices) {
        Map<Long, Set<String>> keysOf = new TreeMap<>();
        for (HistorySlice slice : slices) {
            for (int txn = 0; txn < slice.txnCount; txn++) {
                Set<String> keys = keysOf.computeIfAbsent(slice.sessionId[txn], any -> new HashSet<>());
                for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                    keys.add(slice.keyText(op));
                }
            }
        }
        Map<Long, Long> minOf = new TreeMap<>();
        keysOf.keySet().forEach(session -> minOf.put(session, session));
        boolean changed = true;
        while (changed) {
            changed = false;
            for (long first : keysOf.keySet()) {
                for (long second : keysOf.keySet()) {
                    boolean share = !Collections.disjoint(keysOf.get(first), keysOf.get(second));
                    if (share && minOf.get(second) < minOf.get(first)) {
                        minOf.put(first, minOf.get(second));
                        changed = true;
                    }
                }
            }
        }
        Map<Long, Integer> numberOf = new HashMap<>();
        Map<Long, Integer> groupOf = new TreeMap<>();
        minOf.forEach((session, min) -> {
            numberOf.putIfAbsent(min, numberOf.size());
            groupOf.put(session, numberOf.get(min));
        });
        return groupOf;
    }

    private static List<HistorySlice> slices(Random random) {
        boolean named = random.nextBoolean();
        int sessionCount = 1 + random.nextInt(10);
        int keyCount = 1 + random.nextInt(30);
        boolean hasExtremeIds = random.nextInt(3) == 0;
        List<HistorySlice> slices = new ArrayList<>();
        long id = 0;
        for (int left = random.nextInt(8); left > 0; left--) {
            SliceBuilder builder = new SliceBuilder("a.jsonl");
            for (int txns = random.nextInt(5); txns > 0; txns--) {
                builder.beginTxn(id + 1, id++, number(random, sessionCount, hasExtremeIds), id);
                builder.status((byte) random.nextInt(3));
                for (int ops = random.nextInt(3); ops > 0; ops--) {
                    addOp(builder, number(random, keyCount, hasExtremeIds), named);
                }
                builder.endTxn();
            }
            slices.add(builder.build());
        }
        return slices;
    }

    private static void addOp(SliceBuilder builder, long key, boolean named) {
        boolean fits = named ? builder.keysAreStrings() : builder.keysAreLongs();
        assertThat(fits).isTrue();
        builder.op(OpKind.READ_NOTHING, named ? builder.keyNames().intern("k" + key) : key, 0);
    }

    private static long number(Random random, int count, boolean hasExtremeIds) {
        return hasExtremeIds && random.nextInt(6) == 0
                ? EXTREME_IDS[random.nextInt(EXTREME_IDS.length)]
                : random.nextInt(count);
    }
}
