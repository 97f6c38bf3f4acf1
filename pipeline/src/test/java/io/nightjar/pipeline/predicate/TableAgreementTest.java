package io.nightjar.pipeline.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightjar.fixtures.Seeds;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.HistoryColumn;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.verify.FindingReplay;
import it.unimi.dsi.fastutil.longs.LongSets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Small random histories of tables against a literal reading of Adya's definitions: every version, every predicate. */
class TableAgreementTest {

    private static final int HISTORIES = 3_000;
    private static final Set<IsolationLevel> LEVELS = EnumSet.of(
            IsolationLevel.PL_1,
            IsolationLevel.PL_2,
            IsolationLevel.PL_2_99,
            IsolationLevel.PL_SI,
            IsolationLevel.PL_3);

    /** A version of a row: who made it, and its column; null if the row was deleted. */
    private record Made(int txn, Integer column) {}

    /** What a predicate read saw of each key: the place of the version, -1 before all of them. */
    private record Look(int txn, int least, int[] seen) {}

    /** A random history, and what it means. */
    private static final class Small {

        private final int txnCount;
        private final int keyCount;
        private final List<List<Made>> versions = new ArrayList<>();
        private final List<Look> looks = new ArrayList<>();
        private final List<int[]> reads = new ArrayList<>(); // txn, key, place
        private HistorySlice slice;
        private int deletions;
        private int intermediate;
        private boolean hasUnsaid;

        Small(Random random, boolean saysVersions) {
            txnCount = 2 + random.nextInt(4);
            keyCount = 1 + random.nextInt(3);
            for (int key = 0; key < keyCount; key++) {
                List<Made> made = new ArrayList<>();
                List<Integer> writers = new ArrayList<>();
                for (int txn = 0; txn < txnCount; txn++) {
                    if (random.nextInt(3) == 0) {
                        writers.add(random.nextInt(writers.size() + 1), txn);
                    }
                }
                for (int txn : writers) {
                    boolean isDeleted = random.nextInt(4) == 0;
                    deletions += isDeleted ? 1 : 0;
                    made.add(new Made(txn, isDeleted ? null : random.nextInt(4)));
                }
                versions.add(made);
            }
            build(random, saysVersions);
        }

        private void build(Random random, boolean saysVersions) {
            SliceBuilder builder = new SliceBuilder("small");
            builder.keysAreStrings();
            builder.valuesAreStrings();
            for (int txn = 0; txn < txnCount; txn++) {
                builder.beginTxn(txn + 1L, txn + 1L, txn, 0);
                for (int i = random.nextInt(3); i > 0; i--) {
                    if (random.nextBoolean()) {
                        addRead(builder, random, txn);
                    } else {
                        addLook(builder, random, txn, saysVersions);
                    }
                }
                for (int key = 0; key < keyCount; key++) {
                    addWrites(builder, random, txn, key);
                }
                builder.endTxn();
            }
            slice = builder.build();
        }

        private long key(SliceBuilder builder, int key) {
            return builder.keyNames().intern("t/" + key);
        }

        private void addWrites(SliceBuilder builder, Random random, int txn, int key) {
            for (int place = 0; place < versions.get(key).size(); place++) {
                Made made = versions.get(key).get(place);
                if (made.txn() != txn) {
                    continue;
                }
                if (random.nextInt(5) == 0) {
                    intermediate++;
                    builder.op(OpKind.WRITE, key(builder, key), row(builder, random.nextInt(4)));
                    builder.version(10L * (place + 1) - 5);
                }
                if (made.column() == null) {
                    builder.op(OpKind.DELETE, key(builder, key), 0);
                } else {
                    builder.op(OpKind.WRITE, key(builder, key), row(builder, made.column()));
                }
                builder.version(10L * (place + 1));
            }
        }

        private static long row(SliceBuilder builder, int column) {
            return builder.valueNames().intern("{\"c\":" + column + "}");
        }

        /** A place of a version by another transaction, or -1. */
        private int anyPlace(Random random, int txn, int key) {
            int place = random.nextInt(versions.get(key).size() + 1) - 1;
            return place >= 0 && versions.get(key).get(place).txn() == txn ? -1 : place;
        }

        private void addRead(SliceBuilder builder, Random random, int txn) {
            int key = random.nextInt(keyCount);
            int place = anyPlace(random, txn, key);
            Integer column = place < 0 ? null : versions.get(key).get(place).column();
            if (place < 0 && versions.get(key).stream().anyMatch(made -> made.column() == null)) {
                return; // a read of nothing would be one of the deletion
            }
            if (column == null) {
                builder.op(OpKind.READ_NOTHING, key(builder, key), 0);
            } else {
                builder.op(OpKind.READ, key(builder, key), row(builder, column));
            }
            if (place >= 0) {
                builder.version(10L * (place + 1));
            }
            reads.add(new int[] {txn, key, place});
        }

        private void addLook(SliceBuilder builder, Random random, int txn, boolean saysVersions) {
            int least = random.nextInt(4);
            int[] seen = new int[keyCount];
            int at = builder.nextOp();
            builder.op(OpKind.PREDICATE, builder.keyNames().intern("t"), 0);
            builder.opText(HistoryColumn.PREDICATE, "c >= ?");
            builder.opText(HistoryColumn.PARAMS, "[" + least + "]");
            for (int key = 0; key < keyCount; key++) {
                seen[key] = anyPlace(random, txn, key);
                boolean isMatch = matches(key, seen[key], least);
                if (isMatch) {
                    builder.op(
                            OpKind.READ,
                            key(builder, key),
                            row(builder, versions.get(key).get(seen[key]).column()));
                } else if (seen[key] >= 0 && saysVersions) {
                    builder.op(OpKind.UNMATCHED, key(builder, key), 0);
                } else if (saysVersions && !versions.get(key).isEmpty()) {
                    seen[key] = -1;
                    hasUnsaid = true;
                    continue;
                } else {
                    hasUnsaid |= !versions.get(key).isEmpty();
                    continue;
                }
                builder.version(10L * (seen[key] + 1));
                if (isMatch) {
                    reads.add(new int[] {txn, key, seen[key]});
                }
            }
            builder.setOpNumber(HistoryColumn.ROWS, at, builder.nextOp() - at - 1L);
            looks.add(new Look(txn, least, seen));
        }

        /**
         * Whether a predicate read looked at a version that follows one which its own transaction wrote after it. No order
         * has that, and yet the definition sees no dependency if nothing in between changed what matches.
         */
        boolean looksPastOwn() {
            for (Look look : looks) {
                for (int key = 0; key < keyCount; key++) {
                    for (int place = 0; place < look.seen()[key]; place++) {
                        if (versions.get(key).get(place).txn() == look.txn()) {
                            return true;
                        }
                    }
                }
            }
            return false;
        }

        boolean matches(int key, int place, int least) {
            Integer column = place < 0 ? null : versions.get(key).get(place).column();
            return column != null && column >= least;
        }

        // ------------------------------------------------------------ the definitions

        private static final int WW = 1;
        private static final int WR = 2;
        private static final int RW = 4;
        private static final int PREDICATE_RW = 8;

        int[][] edges(List<Look> chosen) {
            int[][] kinds = new int[txnCount][txnCount];
            for (List<Made> made : versions) {
                for (int place = 1; place < made.size(); place++) {
                    kinds[made.get(place - 1).txn()][made.get(place).txn()] |= WW;
                }
            }
            for (int[] read : reads) {
                List<Made> made = versions.get(read[1]);
                if (read[2] >= 0) {
                    kinds[made.get(read[2]).txn()][read[0]] |= WR;
                }
                if (read[2] + 1 < made.size()) {
                    kinds[read[0]][made.get(read[2] + 1).txn()] |= RW;
                }
            }
            for (Look look : chosen) {
                for (int key = 0; key < keyCount; key++) {
                    boolean didChange = false;
                    for (int place = versions.get(key).size() - 1; place >= 0; place--) {
                        boolean changes = matches(key, place, look.least()) != matches(key, place - 1, look.least());
                        int writer = versions.get(key).get(place).txn();
                        if (changes && place > look.seen()[key]) {
                            kinds[look.txn()][writer] |= PREDICATE_RW;
                        } else if (changes && !didChange) {
                            kinds[writer][look.txn()] |= WR;
                            didChange = true;
                        }
                    }
                }
            }
            for (int txn = 0; txn < txnCount; txn++) {
                kinds[txn][txn] = 0;
            }
            return kinds;
        }

        /** By level, whether it is violated. */
        boolean isViolated(IsolationLevel level, List<Look> chosen) {
            int[][] kinds = edges(chosen);
            int dependencies = WW | WR;
            return switch (level) {
                case PL_1 -> hasCycle(reach(kinds, WW));
                case PL_2 -> hasCycle(reach(kinds, dependencies));
                case PL_2_99 -> hasCycle(reach(kinds, dependencies | RW));
                case PL_SI -> hasCycle(reach(kinds, dependencies)) || hasSpreadCycle(kinds);
                default -> hasCycle(reach(kinds, dependencies | RW | PREDICATE_RW));
            };
        }

        private boolean[][] reach(int[][] kinds, int allowed) {
            boolean[][] reach = new boolean[txnCount][txnCount];
            for (int from = 0; from < txnCount; from++) {
                for (int to = 0; to < txnCount; to++) {
                    reach[from][to] = (kinds[from][to] & allowed) != 0;
                }
            }
            return closed(reach);
        }

        private boolean[][] closed(boolean[][] reach) {
            for (int over = 0; over < txnCount; over++) {
                for (int from = 0; from < txnCount; from++) {
                    for (int to = 0; to < txnCount; to++) {
                        reach[from][to] |= reach[from][over] && reach[over][to];
                    }
                }
            }
            return reach;
        }

        private boolean hasCycle(boolean[][] reach) {
            for (int txn = 0; txn < txnCount; txn++) {
                if (reach[txn][txn]) {
                    return true;
                }
            }
            return false;
        }

        /** A cycle in which no two antidependencies are adjacent. */
        private boolean hasSpreadCycle(int[][] kinds) {
            boolean[][] steps = new boolean[txnCount][txnCount];
            for (int from = 0; from < txnCount; from++) {
                for (int over = 0; over < txnCount; over++) {
                    boolean depends = (kinds[from][over] & (WW | WR)) != 0;
                    steps[from][over] |= depends;
                    for (int to = 0; depends && to < txnCount; to++) {
                        steps[from][to] |= (kinds[over][to] & (RW | PREDICATE_RW)) != 0;
                    }
                }
            }
            return hasCycle(closed(steps));
        }
    }

    private static TableOutcome check(Small small) {
        TableCheck check = new TableCheck(new TableQuestion(LEVELS, false, true, false, null, 1000));
        check.add(small.slice);
        return check.check();
    }

    private static boolean isViolated(TableOutcome outcome, IsolationLevel level) {
        return !outcome.findings().counts(level).isEmpty();
    }

    @Test
    void levelsAreThoseOfTheDefinitionWhereVersionsAreSaid() {
        int[] violated = new int[IsolationLevel.values().length];
        int deletions = 0;
        int intermediate = 0;
        int apart = 0;
        int undecided = 0;
        for (int i = 0; i < HISTORIES * Integer.getInteger("nightjar.scale", 1); i++) {
            long seed = Seeds.seed(40_000 + i);
            Small small = new Small(new Random(seed), true);
            if (small.hasUnsaid) {
                continue;
            }
            TableOutcome outcome = check(small);
            deletions += small.deletions;
            intermediate += small.intermediate;
            for (IsolationLevel level : LEVELS) {
                boolean expected = small.isViolated(level, small.looks);
                violated[level.ordinal()] += expected ? 1 : 0;
                assertThat(isViolated(outcome, level))
                        .as(
                                "seed=%d level=%s doubt=%s",
                                seed, level, outcome.answers().get(level))
                        .isEqualTo(expected);
                String doubt = outcome.answers().get(level).doubt();
                if (doubt != null && small.looksPastOwn()) { // to claim that it holds would go too far
                    assertThat(doubt)
                            .as("seed=%d level=%s", seed, level)
                            .startsWith("the order that versions give does not explain every value read");
                    undecided++;
                } else {
                    assertThat(doubt).as("seed=%d level=%s", seed, level).isNull();
                }
            }
            apart += isViolated(outcome, IsolationLevel.PL_3) && !isViolated(outcome, IsolationLevel.PL_2_99) ? 1 : 0;
            confirm(small, outcome, seed);
        }
        System.out.printf(
                "tables: G0 %d, G1 %d, PL-SI %d, PL-2.99 %d, PL-3 %d, of predicates alone %d, deletions %d, own versions %d, undecided %d%n",
                violated[IsolationLevel.PL_1.ordinal()],
                violated[IsolationLevel.PL_2.ordinal()],
                violated[IsolationLevel.PL_SI.ordinal()],
                violated[IsolationLevel.PL_2_99.ordinal()],
                violated[IsolationLevel.PL_3.ordinal()],
                apart,
                deletions,
                intermediate,
                undecided);
        assertThat(List.of(apart, deletions, intermediate, violated[IsolationLevel.PL_1.ordinal()]))
                .allSatisfy(count -> assertThat(count).isPositive());
    }

    @Test
    void byEliminationALevelIsViolatedOnlyIfEveryChoiceOfVersionsIs() {
        int violated = 0;
        for (int i = 0; i < HISTORIES * Integer.getInteger("nightjar.scale", 1); i++) {
            long seed = Seeds.seed(80_000 + i);
            Small small = new Small(new Random(seed), false);
            TableOutcome outcome = check(small);
            confirm(small, outcome, seed);
            for (IsolationLevel level : LEVELS) {
                if (isViolated(outcome, level)) {
                    violated++;
                    assertThat(isViolatedByEveryChoice(small, level, new ArrayList<>(), 0, 0))
                            .as("seed=%d level=%s", seed, level)
                            .isTrue();
                }
            }
        }
        assertThat(violated).isPositive();
    }

    private static boolean isViolatedByEveryChoice(
            Small small, IsolationLevel level, List<Look> chosen, int look, int key) {
        if (look == small.looks.size()) {
            return small.isViolated(level, chosen);
        }
        Look original = small.looks.get(look);
        if (key == 0) {
            chosen.add(
                    new Look(original.txn(), original.least(), original.seen().clone()));
        }
        if (key == small.keyCount) {
            boolean all = isViolatedByEveryChoice(small, level, chosen, look + 1, 0);
            return all;
        }
        Look current = chosen.get(look);
        boolean all = true;
        if (small.matches(key, original.seen()[key], original.least())) {
            all = isViolatedByEveryChoice(small, level, chosen, look, key + 1);
        } else {
            for (int place = -1; all && place < small.versions.get(key).size(); place++) {
                boolean isOwn = place >= 0 && small.versions.get(key).get(place).txn() == original.txn();
                if (!isOwn && !small.matches(key, place, original.least())) {
                    current.seen()[key] = place;
                    all = isViolatedByEveryChoice(small, level, chosen, look, key + 1);
                }
            }
        }
        if (key == 0) {
            chosen.remove(look);
        }
        return all;
    }

    private static void confirm(Small small, TableOutcome outcome, long seed) {
        List<Finding> findings = outcome.findings().inTime();
        FindingReplay replay = new FindingReplay(findings, null, level -> LongSets.EMPTY_SET, LongSets.EMPTY_SET);
        replay.observe(small.slice);
        replay.endOfPass();
        assertThat(replay.refuted()).as("seed=%d", seed).isEmpty();
    }
}
