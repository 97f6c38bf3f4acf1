package io.nightjar.formats.history;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keys that predicate reads of a history are about: all keys that a transaction wrote. With them, a predicate read is a
 * guard of each key that it did not return.
 */
public final class SearchedKeys {

    /** Separates a condition from its parameters in the value of a guard. */
    private static final char PARAMS = '\u0001';

    /** Precedes the answer, the position of its operation and each own row in the value of a computed answer. */
    private static final char ANSWER = '\u0002';

    /** Among the keys to be guarded: all keys of all predicate reads, because a computed answer is wrong. */
    private static final String ANSWERS = String.valueOf(ANSWER);

    /** A count that is 0 if no row matches. */
    private static final Pattern COUNT_OF_ROWS =
            Pattern.compile("(?is)\\s*(select\\s+)?count\\s*\\(\\s*(\\*|1)\\s*\\).*");

    private final Set<String> keys = new LinkedHashSet<>();
    private final Map<String, List<String>> keysOf = new HashMap<>(); // by relation
    private final Map<String, Long> searchesOf = new HashMap<>(); // by relation
    private final Map<String, Set<String>> relationsOf = new LinkedHashMap<>(); // by condition
    private final @Nullable Map<Long, Set<String>> neededOf; // by transaction, keys to be guarded; null for all
    private boolean haveNames;
    private boolean haveTexts = true; // whether no value is a number, so that conditions can be values of guards
    private boolean isComplete = true;
    private boolean haveResults;

    public SearchedKeys() {
        neededOf = null;
    }

    private SearchedKeys(SearchedKeys all, Map<Long, Set<String>> needed) {
        neededOf = needed;
        haveNames = all.haveNames;
        keys.addAll(all.keys);
        keysOf.putAll(all.keysOf);
    }

    /** Returns the same with few guards: only of some keys, by the id of the reading transaction. */
    public SearchedKeys only(Map<Long, Set<String>> needed) {
        return new SearchedKeys(this, needed);
    }

    /** Adds the keys that a slice writes, and its predicate reads. */
    public void add(HistorySlice slice) {
        haveTexts &= slice.valueType != ValueType.LONG;
        haveNames |= slice.keyType == ValueType.STRING;
        for (int txn = 0; txn < slice.txnCount; txn++) {
            for (int op = slice.firstOpOf[txn]; op < slice.firstOpOf[txn + 1]; op++) {
                byte kind = slice.kind[op];
                String key = slice.keyText(op);
                if (OpKind.isWrite(kind) && key != null && keys.add(key)) {
                    keysOf.computeIfAbsent(relationOf(key), absent -> new ArrayList<>())
                            .add(key);
                } else if (OpKind.isPredicate(kind) && slice.status[txn] == TxnStatus.COMMITTED) {
                    searchesOf.merge(key == null ? "" : key, 1L, Long::sum);
                    relationsOf
                            .computeIfAbsent(condition(slice, op), absent -> new HashSet<>())
                            .add(key == null ? "" : key);
                    isComplete &= isGuard(slice, op);
                    haveResults |= slice.kind[op] != OpKind.PREDICATE || areRowsKnown(slice, op);
                }
            }
        }
    }

    /** Returns the relation of a key; empty if it names none. */
    public static String relationOf(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? "" : key.substring(0, slash);
    }

    /** Returns whether keys are texts, and not numbers. */
    boolean haveNames() {
        return haveNames;
    }

    /** Adds that all predicate reads of a transaction are to be guards, with computed answers. */
    public static boolean addAnswers(Map<Long, Set<String>> needed, long txnId) {
        return needed.computeIfAbsent(txnId, absent -> new HashSet<>()).add(ANSWERS);
    }

    /** Returns the keys that are to be guarded by a predicate read. */
    Collection<String> of(HistorySlice slice, int txn, int op) {
        if (neededOf == null) {
            return isGuard(slice, op) ? allOf(slice, op) : List.of();
        }
        Set<String> needed = neededOf.getOrDefault(slice.txnId[txn], Set.of());
        if (needed.contains(ANSWERS)) {
            return isGuard(slice, op) || slice.kind[op] == OpKind.PREDICATE_ANSWER ? allOf(slice, op) : List.of();
        }
        String relation = slice.hasKey(op) ? slice.keyText(op) : null;
        return isGuard(slice, op)
                ? needed.stream()
                        .filter(key -> relation == null || relationOf(key).equals(relation))
                        .toList()
                : List.of();
    }

    /** Returns whether a computed answer is about rows, but no transaction wrote one of its relation. */
    boolean isImpossible(HistorySlice slice, int txn, int op) {
        return neededOf != null
                && neededOf.getOrDefault(slice.txnId[txn], Set.of()).contains(ANSWERS)
                && slice.kind[op] == OpKind.PREDICATE_ANSWER
                && allOf(slice, op).isEmpty()
                && !slice.valueText(slice.value[op]).equals("0");
    }

    private Collection<String> allOf(HistorySlice slice, int op) {
        return slice.hasKey(op) ? keysOf.getOrDefault(slice.keyText(op), List.of()) : keys;
    }

    /** Returns whether the result of a predicate read is a guard of each key that it did not return. */
    public static boolean isGuard(HistorySlice slice, int op) {
        return slice.kind[op] == OpKind.PREDICATE && areRowsKnown(slice, op)
                || slice.kind[op] == OpKind.PREDICATE_ANSWER
                        && slice.valueText(slice.value[op]).equals("0")
                        && COUNT_OF_ROWS
                                .matcher(slice.text(HistoryColumn.PREDICATE, op))
                                .matches();
    }

    /** Returns whether the rows of a predicate read are recorded. */
    public static boolean areRowsKnown(HistorySlice slice, int op) {
        return slice.has(HistoryColumn.ROWS, op);
    }

    /** Returns the condition that rows not returned by a predicate read do not match, as the value of a guard. */
    public static String condition(HistorySlice slice, int op) {
        OmittedCondition omitted = OmittedCondition.of(slice, op);
        return omitted.condition() + (omitted.params() == null ? "" : PARAMS + omitted.params());
    }

    /** Returns a computed answer as the value of guards: with its condition, its place and the rows that are its own. */
    static String answer(HistorySlice slice, int op, int position, List<String> ownRows) {
        StringBuilder answer = new StringBuilder(condition(slice, op))
                .append(ANSWER)
                .append(slice.valueText(slice.value[op]))
                .append(ANSWER)
                .append(position);
        ownRows.forEach(row -> answer.append(ANSWER).append(row));
        return answer.toString();
    }

    /** Returns whether the value of a guard is a computed answer. */
    public static boolean isAnswer(String guard) {
        return guard.indexOf(ANSWER) >= 0;
    }

    /** Returns the condition of a computed answer, as the value of a guard. */
    public static String guardOf(String answer) {
        return answer.substring(0, answer.indexOf(ANSWER));
    }

    /** Returns the number or text that was computed, which is followed by the rows that the transaction wrote itself. */
    public static List<String> answerAndOwnRows(String answer) {
        List<String> parts = new ArrayList<>(List.of(answer.split(ANSWERS, -1)));
        parts.remove(2);
        parts.remove(0);
        return parts;
    }

    /** Returns the condition in the value of a guard. */
    public static String conditionOf(String guard) {
        int end = guard.indexOf(PARAMS);
        return end < 0 ? guard : guard.substring(0, end);
    }

    /** Returns the parameters in the value of a guard; null if it has none. */
    public static @Nullable String paramsOf(String guard) {
        int end = guard.indexOf(PARAMS);
        return end < 0 ? null : guard.substring(end + 1);
    }

    /**
     * Returns the conditions of the predicate reads of committed transactions, as values of guards, but not those about
     * relations of which no transaction writes a row: these are not evaluated.
     */
    public List<String> conditions() {
        List<String> evaluated = new ArrayList<>();
        relationsOf.forEach((condition, relations) -> {
            boolean isAnyWritten = relations.stream()
                    .anyMatch(relation -> relation.isEmpty() ? !keys.isEmpty() : keysOf.containsKey(relation));
            if (isAnyWritten) {
                evaluated.add(condition);
            }
        });
        return evaluated;
    }

    /** Returns whether guards state everything that predicate reads returned. */
    public boolean isComplete() {
        return isComplete && haveTexts;
    }

    /** Returns whether no value is a number, so that guards can state conditions. */
    public boolean haveTexts() {
        return haveTexts;
    }

    /** Returns whether a predicate read has rows or a computed answer, and is not recorded without its result. */
    public boolean haveResults() {
        return haveResults;
    }

    /** Returns an upper bound of the number of guards. */
    public long guardCount() {
        long count = 0;
        for (Map.Entry<String, Long> searches : searchesOf.entrySet()) {
            List<String> ofRelation = keysOf.getOrDefault(searches.getKey(), List.of());
            count += searches.getValue() * (searches.getKey().isEmpty() ? keys.size() : ofRelation.size());
        }
        return count;
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
