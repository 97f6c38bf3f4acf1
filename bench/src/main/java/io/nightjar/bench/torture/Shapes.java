package io.nightjar.bench.torture;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes histories of extreme shapes as JSON Lines: {@code java Shapes.java SHAPE OPERATIONS FILE}, or {@code java
 * Shapes.java} for the names. All operations are in one transaction, on one key or in one session, and every row has
 * timestamps and versions.
 *
 * <p>Depends on none of our classes, so that it runs without a build.
 */
public final class Shapes {

    private static final List<String> NAMES =
            List.of(("reads-of-one-key writes-of-one-key writes-of-many-keys updates-of-many-keys "
                            + "reads-of-own-versions reads-before-writes aborted-reads aborted-reads-of-one-key "
                            + "one-absent reads-from-two-writers many-readers one-key-updates one-key-blind-writes "
                            + "one-session equal-values stale-readers appends-of-one-transaction "
                            + "list-reads-of-one-transaction list-reads-before-appends list-reads-between-appends "
                            + "many-lists one-list")
                    .split(" "));

    private final BufferedWriter out;
    private long txn;
    private long clock;

    private Shapes(BufferedWriter out) {
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        if (args.length == 0) {
            NAMES.forEach(System.out::println);
            return;
        }
        try (BufferedWriter out = Files.newBufferedWriter(Path.of(args[2]))) {
            new Shapes(out).write(args[0], Integer.parseInt(args[1]));
        }
    }

    private void write(String shape, int count) throws IOException {
        switch (shape) {
            case "reads-of-one-key" -> {
                add(1, List.of(w("x", 1, 1)));
                add(2, repeated(count, i -> r("x", 1, 1)));
            }
            case "writes-of-one-key" -> add(1, repeated(count, i -> w("x", i, i)));
            case "writes-of-many-keys" -> add(1, repeated(count, i -> w("k" + i, 1, 1)));
            case "updates-of-many-keys" -> {
                add(1, repeated(count / 3, i -> w("k" + i, 1, 1)));
                add(2, repeated(2 * (count / 3), i -> i % 2 == 1 ? r("k" + (i + 1) / 2, 1, 1) : w("k" + i / 2, 2, 2)));
            }
            case "reads-of-own-versions" ->
                add(1, repeated(count, i -> i <= count / 2 ? w("x", i, i) : r("x", i % 2 + 1, i % 2 + 1)));
            case "reads-before-writes" -> {
                int half = count / 2;
                add(1, repeated(count, i -> i <= half ? r("x", half + i, half + i) : w("x", i, i)));
            }
            case "aborted-reads" -> {
                add(1, "aborted", repeated(count / 2, i -> w("k" + i, 1, 1)));
                add(2, repeated(count / 2, i -> r("k" + i, 1, 1)));
            }
            case "aborted-reads-of-one-key" -> {
                add(1, "aborted", repeated(count / 2, i -> w("x", i, i)));
                add(2, repeated(count / 2, i -> r("x", i, i)));
            }
            case "one-absent" -> {
                add(1, repeated(count / 2, i -> w("k" + i, 1, 1)));
                add(2, repeated(count / 2, i -> r("k" + i, 1, 1)));
                add(3, List.of(absent("k1"), r("k2", 1, 1)));
            }
            case "reads-from-two-writers" -> {
                int keys = count / 3;
                add(1, repeated(keys, i -> w("k" + i, 1, 1)));
                add(2, repeated(keys, i -> w("k" + i, 2, 2)));
                add(3, repeated(keys, i -> r("k" + i, 2 - i % 2, 2 - i % 2)));
            }
            case "many-readers" -> {
                add(0, List.of(w("x", 1, 1)));
                addEach(count, 50, i -> List.of(r("x", 1, 1)));
            }
            case "one-key-updates" ->
                addEach(count / 2, 50, i -> List.of(i == 1 ? absent("x") : r("x", i - 1, i - 1), w("x", i, i)));
            case "one-key-blind-writes" -> addEach(count, 50, i -> List.of(w("x", i, i)));
            case "one-session" -> addEach(count / 2, 1, i -> List.of(absent("k" + i), w("k" + i, 1, 1)));
            case "equal-values" -> addEach(count, 50, i -> List.of(i % 2 == 0 ? w("x", 1, i) : r("x", 1, i - 1)));
            case "stale-readers" -> {
                add(0, List.of(w("x", 1, 1)));
                add(0, List.of(w("x", 2, 2)));
                addEach(count, 50, i -> List.of(r("x", i % 2 + 1, i % 2 + 1)));
            }
            case "appends-of-one-transaction" -> add(1, repeated(count, i -> append("l", i)));
            case "list-reads-of-one-transaction" -> {
                add(1, List.of(append("l", 1)));
                add(2, repeated(count, i -> list("l", 1)));
            }
            case "list-reads-before-appends" -> {
                int half = count / 2;
                add(1, repeated(count, i -> i <= half ? list("l", i == 1 ? half + 1 : 0) : append("l", i - half)));
            }
            case "list-reads-between-appends" ->
                add(1, repeated(count, i -> i % 2 == 0 ? list("l", 0) : append("l", i)));
            case "many-lists" -> {
                add(1, repeated(count / 2, i -> append("l" + i, 1)));
                add(2, repeated(count / 2, i -> list("l" + i, 1)));
            }
            case "one-list" -> {
                addEach(count / 2, 50, i -> List.of(append("l", i)));
                add(0, List.of(list("l", count / 2)));
            }
            default -> throw new IllegalArgumentException("unknown shape: name=" + shape + " expected=" + NAMES);
        }
    }

    private interface Made<T> {
        T of(int i);
    }

    /** Numbers from 1. */
    private static List<String> repeated(int count, Made<String> made) {
        List<String> ops = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            ops.add(made.of(i));
        }
        return ops;
    }

    private void addEach(int count, int sessions, Made<List<String>> made) throws IOException {
        for (int i = 1; i <= count; i++) {
            add(1 + i % sessions, made.of(i));
        }
    }

    private void add(int session, List<String> ops) throws IOException {
        add(session, "committed", ops);
    }

    private void add(int session, String status, List<String> ops) throws IOException {
        clock += 2;
        out.write("{\"txn\":" + ++txn + ",\"session\":" + session + ",\"status\":\"" + status + "\",\"start\":" + clock
                + ",\"commit\":" + (clock + 1) + ",\"ops\":[" + String.join(",", ops) + "]}\n");
    }

    private static String w(String key, int value, int version) {
        return "[\"w\",\"" + key + "\"," + value + ",{\"version\":" + version + "}]";
    }

    private static String r(String key, int value, int version) {
        return "[\"r\",\"" + key + "\"," + value + ",{\"version\":" + version + "}]";
    }

    private static String absent(String key) {
        return "[\"r\",\"" + key + "\",null]";
    }

    private static String append(String key, int element) {
        return "[\"append\",\"" + key + "\"," + element + "]";
    }

    private static String list(String key, int length) {
        return "[\"r\",\"" + key + "\"," + repeated(length, String::valueOf) + "]";
    }
}
