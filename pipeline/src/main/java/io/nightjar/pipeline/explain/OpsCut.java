package io.nightjar.pipeline.explain;

import io.nightjar.formats.finding.TxnRow;
import io.nightjar.formats.finding.TxnRow.OpRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;

/** The operations of a transaction that matter to a finding, in the notation of text histories. */
final class OpsCut {

    private static final int MAX_OPS = 12;
    private static final int MAX_CHARS = 80;

    private OpsCut() {}

    /**
     * Returns all operations of a short transaction; of a long one those on the keys, and {@code …} for the others.
     *
     * @param keys none if all of them matter
     * @param values elements of lists that must be seen
     */
    static String of(List<OpRow> ops, Set<String> keys, Set<String> values) {
        List<String> words = new ArrayList<>();
        boolean isShort = ops.size() <= MAX_OPS;
        int shown = 0;
        List<IntPredicate> onKeys =
                keys.stream().map(key -> TxnRow.onKey(ops, key)).toList();
        for (int i = 0; i < ops.size(); i++) {
            int op = i;
            boolean isWanted = isShort
                    || shown < 2 * MAX_OPS && (keys.isEmpty() || onKeys.stream().anyMatch(onKey -> onKey.test(op)));
            if (isWanted && ops.get(op).leftOut() == 0) {
                words.add(text(ops.get(op), values));
                shown++;
            } else if (words.isEmpty() || !words.get(words.size() - 1).equals("…")) {
                words.add("…");
            }
        }
        return String.join(" ", words);
    }

    private static String text(OpRow op, Set<String> values) {
        if (op.value() == null) {
            return op.text();
        }
        List<String> wanted = values.stream().filter(Objects::nonNull).toList();
        return op.with(op.key(), ListCut.cut(op.value(), wanted, MAX_CHARS)).text();
    }
}
