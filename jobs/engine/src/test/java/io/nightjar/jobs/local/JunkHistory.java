package io.nightjar.jobs.local;

import io.nightjar.datasets.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes up small histories in notation that no workload would: values written twice, keys used in several ways,
 * versions and writers named here and there, unknown outcomes, times in disorder.
 */
final class JunkHistory {

    /** The kind of operations on a key; mixed allows all. */
    private enum Use {
        LIST,
        REGISTER,
        SET,
        COUNTER,
        MIXED
    }

    /** Marks of transactions: most are committed, some aborted, some of unknown outcome. */
    private static final List<String> OUTCOMES = List.of("", "", "", "", "!", "?");

    private final SeededRandom random;
    private final int valueCount;
    private final int txnCount;
    private final List<Use> useOf = new ArrayList<>();

    private JunkHistory(long seed) {
        random = new SeededRandom(seed);
        txnCount = between(1, 7);
        valueCount = between(1, 6);
        int keyCount = between(1, 3);
        Use all = Use.values()[random.below(Use.values().length)];
        for (int key = 0; key < keyCount; key++) {
            boolean isOfOneUse = random.below(3) > 0 && all != Use.MIXED;
            useOf.add(isOfOneUse ? all : Use.values()[random.below(Use.values().length)]);
        }
    }

    static String of(long seed) {
        return new JunkHistory(seed).text();
    }

    private String text() {
        boolean hasTimestamps = chance(0.4);
        boolean hasClientTimes = chance(0.6);
        StringBuilder history = new StringBuilder();
        for (int txn = 1; txn <= txnCount; txn++) {
            history.append("s%d T%d%s".formatted(between(1, 3), txn, OUTCOMES.get(random.below(OUTCOMES.size()))));
            if (hasTimestamps) {
                history.append(" [%d,%d]".formatted(between(1, 12), between(1, 12)));
            }
            if (hasClientTimes) {
                int invoke = between(1, 20);
                history.append(" <%d,%d>".formatted(invoke, invoke + random.below(11)));
            }
            history.append(':');
            for (int op = random.below(5); op > 0; op--) {
                history.append(' ').append(operation());
            }
            history.append('\n');
        }
        return history.toString();
    }

    private String operation() {
        int key = random.below(useOf.size());
        Use use = useOf.get(key);
        if (use == Use.MIXED) {
            use = Use.values()[random.below(Use.MIXED.ordinal())];
        }
        char name = (char) ('x' + key);
        return chance(0.5) ? write(name, use) : read(name, use);
    }

    private String write(char key, Use use) {
        String version = chance(0.1) ? "@" + between(1, 4) : "";
        return switch (use) {
                    case LIST -> "append(%s,%d)".formatted(key, value());
                    case SET -> "add(%s,%d)".formatted(key, value());
                    case COUNTER -> "inc(%s,%d)".formatted(key, between(-2, 3));
                    default -> "w(%s,%d)".formatted(key, value());
                }
                + version;
    }

    private String read(char key, Use use) {
        if (chance(0.2)) {
            return "r(%s,_)".formatted(key);
        }
        String writer = chance(0.1) ? "<-T" + between(1, txnCount + 1) : "";
        if (use == Use.REGISTER || use == Use.COUNTER) {
            return "r(%s,%d)".formatted(key, value()) + writer;
        }
        List<String> elements = new ArrayList<>();
        for (int length = random.below(4); length > 0; length--) {
            elements.add(Integer.toString(value()));
        }
        return "r(%s,[%s])".formatted(key, String.join(",", elements)) + writer;
    }

    private int value() {
        return between(1, valueCount);
    }

    private int between(int min, int max) {
        return min + random.below(max - min + 1);
    }

    private boolean chance(double probability) {
        return random.fraction() < probability;
    }
}
