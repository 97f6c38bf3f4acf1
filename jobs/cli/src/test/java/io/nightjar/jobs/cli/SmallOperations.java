package io.nightjar.jobs.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A small random history of operations of all kinds, with values that repeat, unknown outcomes and wrong results.
 *
 * @param txns in the order of their rows
 * @param hasTimes whether the client recorded when transactions began and ended
 * @param isOfTables whether values are rows of tables, and not numbers
 */
record SmallOperations(List<Txn> txns, boolean hasTimes, boolean isOfTables) {

    private static final List<String> ROWS = List.of("t/1", "t/2", "t/3");
    private static final int ELEMENTS = 2;

    enum Kind {
        READ,
        WRITE,
        ERASE,
        DELETE,
        INSERT,
        CAS,
        UPDATE,
        INCREMENT,
        INCREMENT_RESULT,
        COUNTER,
        ADD,
        ADD_ABSENT,
        TAKE,
        REMOVE,
        HAS,
        MEMBERS,
        APPEND,
        LIST,
        SEARCH,
        FIRST,
        LAST,
        SOME,
        COUNT,
        SUM,
        MIN,
        MAX;

        /** Returns whether the operation took effect according to its result. */
        boolean isConditional() {
            return this == DELETE
                    || this == INSERT
                    || this == CAS
                    || this == UPDATE
                    || this == ADD_ABSENT
                    || this == REMOVE;
        }

        boolean isLimited() {
            return this == FIRST || this == LAST || this == SOME;
        }

        boolean isSearch() {
            return compareTo(SEARCH) >= 0;
        }
    }

    /**
     * An operation.
     *
     * @param key the register, row, counter, set or list
     * @param value the value written, added or compared with
     * @param old the old value of a compare-and-set, null for none; the limit of a limited search
     * @param seen the result
     */
    record Op(Kind kind, String key, int value, Integer old, Object seen) {

        /** Returns the right result in a state. */
        Object answer(Map<String, Object> state) {
            return switch (kind) {
                case READ -> state.get(key);
                case DELETE, UPDATE -> state.containsKey(key);
                case INSERT -> !state.containsKey(key);
                case CAS -> Objects.equals(state.get(key), old);
                case INCREMENT_RESULT -> (int) state.getOrDefault(key, 0) + value;
                case COUNTER -> state.getOrDefault(key, 0);
                case ADD_ABSENT -> !state.containsKey(element());
                case REMOVE, HAS -> state.containsKey(element());
                case MEMBERS -> elements().filter(state::containsKey).toList();
                case LIST -> state.getOrDefault(key, List.of());
                case SEARCH -> matches(state);
                case FIRST, LAST, SOME -> {
                    TreeMap<String, Integer> rows = new TreeMap<>();
                    matches(state).entrySet().stream()
                            .sorted((a, b) -> isBefore(a.getValue(), b.getValue())
                                    ? -1
                                    : isBefore(b.getValue(), a.getValue()) ? 1 : 0)
                            .limit(old)
                            .forEach(row -> rows.put(row.getKey(), row.getValue()));
                    yield rows;
                }
                case COUNT -> matches(state).size();
                case SUM -> matched(state).reduce(Integer::sum).orElse(null);
                case MIN -> matched(state).min(Integer::compare).orElse(null);
                case MAX -> matched(state).max(Integer::compare).orElse(null);
                default -> null;
            };
        }

        boolean fits(Map<String, Object> state) {
            if (!kind.isLimited()) {
                return Objects.equals(answer(state), seen);
            }
            Map<String, Integer> others = matches(state);
            Map<?, ?> rows = (Map<?, ?>) seen;
            boolean areThere = others.entrySet().containsAll(rows.entrySet()) && rows.size() <= old;
            rows.keySet().forEach(others::remove);
            return areThere
                    && (rows.size() < old
                            ? others.isEmpty()
                            : others.values().stream().noneMatch(other -> rows.values().stream()
                                    .anyMatch(row -> isBefore(other, (Integer) row))));
        }

        /** Returns whether a limited search returns one value before another. */
        private boolean isBefore(int one, int other) {
            return kind == Kind.FIRST && one < other || kind == Kind.LAST && one > other;
        }

        /** Returns the keys of the state on which the result depends. */
        List<String> cellsRead() {
            return switch (kind) {
                case WRITE, ERASE, INCREMENT, ADD, TAKE, APPEND -> List.of();
                case ADD_ABSENT, REMOVE, HAS -> List.of(element());
                case MEMBERS -> elements().toList();
                default -> kind.isSearch() ? ROWS : List.of(key);
            };
        }

        /** Returns the key of the state that the operation changed; null if it changed none. */
        String cellWritten() {
            if (kind.isConditional() && !Boolean.TRUE.equals(seen)) {
                return null;
            }
            return switch (kind) {
                case ADD, ADD_ABSENT, TAKE, REMOVE -> element();
                case WRITE, ERASE, DELETE, INSERT, CAS, UPDATE, INCREMENT, INCREMENT_RESULT, APPEND -> key;
                default -> null;
            };
        }

        void apply(Map<String, Object> state) {
            String cell = cellWritten();
            if (cell == null) {
                return;
            }
            switch (kind) {
                case ERASE, DELETE, TAKE, REMOVE -> state.remove(cell);
                case INCREMENT, INCREMENT_RESULT -> state.put(cell, (int) state.getOrDefault(cell, 0) + value);
                case APPEND ->
                    state.put(
                            cell,
                            Stream.concat(((List<?>) state.getOrDefault(cell, List.of())).stream(), Stream.of(value))
                                    .toList());
                default -> state.put(cell, value);
            }
        }

        private String element() {
            return key + ":" + value;
        }

        private Stream<String> elements() {
            return Stream.iterate(0, element -> element + 1).limit(ELEMENTS).map(element -> key + ":" + element);
        }

        private TreeMap<String, Integer> matches(Map<String, Object> state) {
            TreeMap<String, Integer> rows = new TreeMap<>();
            ROWS.stream()
                    .filter(row -> state.get(row) instanceof Integer v && v >= value)
                    .forEach(row -> rows.put(row, (Integer) state.get(row)));
            return rows;
        }

        private Stream<Integer> matched(Map<String, Object> state) {
            return matches(state).values().stream();
        }

        private Op withSeen(Object other) {
            return new Op(kind, key, value, old, other);
        }

        /** Returns the operation with another result. */
        private Op wrong(Random random) {
            if (seen instanceof Boolean was) {
                return withSeen(!was);
            }
            if (seen instanceof List<?> list) {
                return withSeen(list.isEmpty() ? list : list.subList(0, list.size() - 1));
            }
            if (seen instanceof Map<?, ?> rows) {
                TreeMap<String, Integer> fewer = new TreeMap<>();
                rows.forEach((row, v) -> fewer.put((String) row, (Integer) v));
                if (kind.isLimited() && random.nextBoolean()) {
                    fewer.replaceAll((row, v) -> random.nextInt(3));
                } else {
                    fewer.pollFirstEntry();
                }
                return withSeen(fewer);
            }
            boolean isRead = kind == Kind.READ || kind == Kind.SUM || kind == Kind.MIN || kind == Kind.MAX;
            if (isRead && random.nextInt(3) == 0) {
                return withSeen(null);
            }
            int other = seen == null ? random.nextInt(3) : (int) seen + (random.nextBoolean() ? 1 : -1);
            boolean isComputed = isRead || kind.isSearch() || kind == Kind.COUNTER || kind == Kind.INCREMENT_RESULT;
            return isComputed ? withSeen(kind == Kind.COUNT || kind == Kind.READ ? Math.max(0, other) : other) : this;
        }

        // ------------------------------------------------------------ text

        private String text(boolean isRow) {
            return switch (kind) {
                case READ -> "[\"r\",\"%s\",%s]".formatted(key, value((Integer) seen, isRow));
                case WRITE -> "[\"w\",\"%s\",%s]".formatted(key, value(value, isRow));
                case ERASE -> "[\"d\",\"%s\"]".formatted(key);
                case DELETE -> "[\"d\",\"%s\",null,{\"done\":%s}]".formatted(key, seen);
                case INSERT -> "[\"ins\",\"%s\",%s,{\"done\":%s}]".formatted(key, value(value, isRow), seen);
                case CAS ->
                    "[\"cas\",\"%s\",%s,{\"params\":[%s],\"done\":%s}]"
                            .formatted(key, value(value, isRow), value(old, isRow), seen);
                case UPDATE -> "[\"w\",\"%s\",%s,{\"done\":%s}]".formatted(key, value(value, isRow), seen);
                case INCREMENT -> "[\"inc\",\"%s\",%d]".formatted(key, value);
                case INCREMENT_RESULT -> "[\"inc\",\"%s\",%d,{\"result\":%s}]".formatted(key, value, seen);
                case COUNTER -> "[\"r\",\"%s\",%s]".formatted(key, seen.equals(0) ? null : seen);
                case ADD -> "[\"add\",\"%s\",%s]".formatted(key, element(value, isRow));
                case ADD_ABSENT -> "[\"add\",\"%s\",%s,{\"done\":%s}]".formatted(key, element(value, isRow), seen);
                case TAKE -> "[\"rem\",\"%s\",%s]".formatted(key, element(value, isRow));
                case REMOVE -> "[\"rem\",\"%s\",%s,{\"done\":%s}]".formatted(key, element(value, isRow), seen);
                case HAS -> "[\"has\",\"%s\",%s,{\"done\":%s}]".formatted(key, element(value, isRow), seen);
                case MEMBERS ->
                    "[\"r\",\"%s\",%s]"
                            .formatted(
                                    key,
                                    list(
                                            ((List<?>) seen)
                                                    .stream()
                                                            .map(cell -> Integer.parseInt(
                                                                    ((String) cell).substring(key.length() + 1))),
                                            isRow));
                case APPEND -> "[\"append\",\"%s\",%s]".formatted(key, element(value, isRow));
                case LIST ->
                    "[\"r\",\"%s\",%s]"
                            .formatted(key, list(((List<?>) seen).stream().map(Integer.class::cast), isRow));
                case SEARCH, FIRST, LAST, SOME ->
                    "[\"p\",\"v >= ?\",[%2$d],[%3$s],{\"relation\":\"t\"%1$s}]"
                            .formatted(
                                    limit(),
                                    value,
                                    ((Map<?, ?>) seen)
                                            .entrySet().stream()
                                                    .map(row -> "[\"r\",\"%s\",%s]"
                                                            .formatted(
                                                                    row.getKey(),
                                                                    value((Integer) row.getValue(), true)))
                                                    .collect(Collectors.joining(",")));
                default ->
                    "[\"p\",\"%s WHERE v >= ?\",[%d],[],{\"relation\":\"t\",\"value\":%s}]"
                            .formatted(
                                    kind == Kind.COUNT
                                            ? "count(*)"
                                            : kind.name().toLowerCase() + "(v)",
                                    value,
                                    seen == null ? null : "\"" + seen + "\"");
            };
        }

        private String limit() {
            return switch (kind) {
                case FIRST -> ",\"limit\":" + old + ",\"order\":\"v\"";
                case LAST -> ",\"limit\":" + old + ",\"order\":\"v DESC\"";
                case SOME -> ",\"limit\":" + old;
                default -> "";
            };
        }

        private static String value(Integer of, boolean isRow) {
            return of == null || !isRow ? String.valueOf(of) : "{\"v\":" + of + "}";
        }

        private static String element(int of, boolean isText) {
            return isText ? "\"e" + of + "\"" : String.valueOf(of);
        }

        private static String list(Stream<Integer> of, boolean isText) {
            return of.map(each -> element(each, isText)).collect(Collectors.joining(",", "[", "]"));
        }
    }

    /** A transaction; {@code status} is the first letter of its outcome. */
    record Txn(int id, int session, int seq, char status, long invoke, long complete, List<Op> ops) {

        boolean isCommitted() {
            return status == 'c';
        }

        boolean conflictsWith(Txn other) {
            return ops.stream()
                    .map(Op::cellWritten)
                    .anyMatch(cell -> cell != null && other.ops.stream().anyMatch(op -> cell.equals(op.cellWritten())));
        }

        Txn with(List<Op> others) {
            return new Txn(id, session, seq, status, invoke, complete, others);
        }
    }

    SmallOperations with(List<Txn> others) {
        return new SmallOperations(others, hasTimes, isOfTables);
    }

    boolean has(Predicate<Op> which) {
        return txns.stream().anyMatch(txn -> txn.ops.stream().anyMatch(which));
    }

    /** Returns all histories with a transaction or an operation less. */
    List<SmallOperations> smaller() {
        List<SmallOperations> smaller = new ArrayList<>();
        for (int i = 0; i < txns.size(); i++) {
            List<Txn> fewer = new ArrayList<>(txns);
            Txn txn = fewer.remove(i);
            smaller.add(with(fewer));
            for (int op = 0; op < txn.ops.size(); op++) {
                List<Op> ops = new ArrayList<>(txn.ops);
                ops.remove(op);
                List<Txn> changed = new ArrayList<>(txns);
                changed.set(i, txn.with(ops));
                smaller.add(with(changed));
            }
        }
        return smaller;
    }

    /** Returns the history as JSON Lines. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (Txn txn : txns) {
            String status = txn.isCommitted() ? "committed" : txn.status == 'a' ? "aborted" : "unknown";
            text.append("{\"txn\":%d,\"session\":%d,\"seq\":%d,\"status\":\"%s\","
                    .formatted(txn.id, txn.session, txn.seq, status));
            if (hasTimes) {
                text.append("\"invoke\":%d,\"complete\":%d,".formatted(txn.invoke, txn.complete));
            }
            text.append(txn.ops.stream()
                    .map(op -> op.text(isOfTables))
                    .collect(Collectors.joining(",", "\"ops\":[", "]}\n")));
        }
        return text.toString();
    }

    // ---------------------------------------------------------------- histories

    /** Returns a history of a serial store, or one with snapshots, of which some results are changed. */
    static SmallOperations of(Random random) {
        boolean isOfTables = random.nextBoolean();
        List<Kind> kinds = kinds(random, isOfTables);
        double wrongShare = new double[] {0, 0, 0.1, 0.3}[random.nextInt(4)];
        double openShare = random.nextInt(3) == 0 ? 0.25 : 0;
        boolean hasSnapshots = random.nextBoolean();
        int sessions = 1 + random.nextInt(4);
        int[] seqs = new int[sessions];
        int[] seenBy = new int[sessions];
        long[] ends = new long[sessions];
        List<Map<String, Object>> states = new ArrayList<>(List.of(new HashMap<>()));
        List<Txn> txns = new ArrayList<>();
        int count = 2 + random.nextInt(4);
        for (int id = 1; id <= count; id++) {
            int session = random.nextInt(sessions);
            int newest = states.size() - 1;
            int snapshot = hasSnapshots ? seenBy[session] + random.nextInt(newest - seenBy[session] + 1) : newest;
            Map<String, Object> seen = new HashMap<>(states.get(snapshot));
            char status = random.nextDouble() >= openShare ? 'c' : random.nextBoolean() ? 'a' : 'u';
            List<Op> ops = new ArrayList<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                Op op = operation(random, kinds.get(random.nextInt(kinds.size())), 10 * id + i);
                op = op.withSeen(op.answer(seen));
                op = random.nextDouble() < wrongShare ? op.wrong(random) : op;
                ops.add(op);
                op.apply(seen);
            }
            long invoke = Math.max(ends[session] + 1, 10L * id - random.nextInt(25) + 30);
            long complete = Math.max(invoke, 10L * id + 30) + random.nextInt(15);
            txns.add(new Txn(id, session, seqs[session]++, status, invoke, complete, ops));
            ends[session] = complete;
            if (status == 'c' || status == 'u' && random.nextBoolean() || random.nextInt(10) == 0) {
                Map<String, Object> left = new HashMap<>(states.get(newest));
                ops.forEach(op -> op.apply(left));
                states.add(left);
                seenBy[session] = states.size() - 1;
            }
        }
        return new SmallOperations(txns, random.nextBoolean(), isOfTables);
    }

    /** Returns the kinds of a history, those of one or two groups more often than all others. */
    private static List<Kind> kinds(Random random, boolean isOfTables) {
        List<List<Kind>> groups = new ArrayList<>(List.of(
                List.of(Kind.READ, Kind.READ, Kind.WRITE, Kind.CAS, Kind.INSERT, Kind.UPDATE, Kind.DELETE, Kind.ERASE),
                List.of(Kind.ADD, Kind.ADD_ABSENT, Kind.TAKE, Kind.REMOVE, Kind.HAS, Kind.MEMBERS, Kind.MEMBERS),
                List.of(Kind.APPEND, Kind.LIST)));
        groups.add(
                isOfTables
                        ? List.of(
                                Kind.SEARCH,
                                Kind.SEARCH,
                                Kind.FIRST,
                                Kind.LAST,
                                Kind.SOME,
                                Kind.COUNT,
                                Kind.SUM,
                                Kind.MIN,
                                Kind.MAX,
                                Kind.WRITE)
                        : List.of(Kind.INCREMENT, Kind.INCREMENT_RESULT, Kind.COUNTER));
        List<Kind> kinds = new ArrayList<>();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            kinds.addAll(groups.get(random.nextInt(groups.size())));
        }
        if (isOfTables && random.nextBoolean()) {
            kinds.removeAll(List.of(Kind.COUNT, Kind.SUM, Kind.MIN, Kind.MAX));
        }
        return kinds;
    }

    private static Op operation(Random random, Kind kind, int unique) {
        int value = random.nextInt(3);
        return switch (kind) {
            case READ, WRITE, ERASE, DELETE, INSERT, CAS, UPDATE ->
                new Op(
                        kind,
                        random.nextInt(3) == 0 ? "x" : ROWS.get(random.nextInt(ROWS.size())),
                        value,
                        random.nextInt(4) == 0 ? null : (Integer) random.nextInt(3),
                        null);
            case INCREMENT, INCREMENT_RESULT ->
                new Op(kind, "c", new int[] {1, 1, 2, -1}[random.nextInt(4)], null, null);
            case COUNTER -> new Op(kind, "c", 0, null, null);
            case ADD, ADD_ABSENT, TAKE, REMOVE, HAS, MEMBERS -> new Op(kind, "s", value % ELEMENTS, null, null);
            case FIRST, LAST, SOME -> new Op(kind, "t", value, 1 + random.nextInt(2), null);
            case APPEND, LIST -> new Op(kind, random.nextBoolean() ? "l" : "m", unique, null, null);
            default -> new Op(kind, "t", value, null, null);
        };
    }
}
