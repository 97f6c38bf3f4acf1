package io.nightjar.pipeline.verify;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.finding.Finding.Expectation;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.TxnStatus;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.formats.level.EdgeEvidence;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.pipeline.verify.RawTables.Op;
import io.nightjar.pipeline.verify.RawTables.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Replays findings about rows read, result sets and aggregates. */
final class TableReadReplay {

    /*
     * Definitions. The expected version of a row is the transaction's own last write to it, or else
     *
     *   at a snapshot        the last version committed at or before its start
     *   in a serial order    the last version of preceding transactions
     *   by versions          the version that the finding names
     */

    private final RawTables tables;
    private final @Nullable SerialOrder givenOrder;
    private @Nullable SerialOrder commitOrder; // made when it is asked for

    /** @param serialOrder ids in the order in which serializability was checked; null for commit order */
    TableReadReplay(RawTables tables, long @Nullable [] serialOrder) {
        this.tables = tables;
        this.givenOrder = serialOrder == null ? null : SerialOrder.given(tables, serialOrder);
    }

    /** Returns why a finding is not borne out; null if it is. */
    @Nullable
    String refutation(Finding finding) {
        return switch (finding.anomaly()) {
            case RESULT_SET_MISMATCH -> finding.key() == null ? answer(finding) : result(finding);
            case PREDICATE_READ_MISS -> miss(finding);
            case GARBAGE_READ -> finding.edges().get(0).predicate() == null ? unwritten(finding) : noMatch(finding);
            case EXT, INT, INTERNAL, FUTURE_READ, G1A, G1B -> read(finding);
            default -> "a finding of a kind that is not known";
        };
    }

    private Txn reader(Finding finding) {
        return tables.txn(finding.participants().get(0).txnId());
    }

    // ---------------------------------------------------------------- expected versions

    private static boolean isByTimestamps(Finding finding) {
        return finding.edges().get(0).evidence() == EdgeEvidence.TIMESTAMP;
    }

    /** Returns the version that a transaction should have seen if it did not write one itself; null for none. */
    private @Nullable Op shown(Finding finding, Op op, String key) {
        return finding.level() != IsolationLevel.SNAPSHOT_ISOLATION
                ? order(finding).lastBefore(key, op.txn())
                : tables.lastLeft(key, Txn::commit, reader(finding).start(), op.txn());
    }

    private SerialOrder order(Finding finding) {
        if (givenOrder != null && !isByTimestamps(finding)) {
            return givenOrder;
        }
        if (commitOrder == null) {
            commitOrder = SerialOrder.byCommit(tables);
        }
        return commitOrder;
    }

    private @Nullable Op expected(Finding finding, Op op, String key) {
        Op own = tables.ownBefore(op, key);
        return own != null ? own : shown(finding, op, key);
    }

    /** Returns the observed and the expected result. */
    private static Expectation expectation(Finding finding) {
        return requireNonNull(finding.expectation());
    }

    /** Returns the key of a finding about one row. */
    private static String key(Finding finding) {
        return requireNonNull(finding.key());
    }

    private static @Nullable String row(@Nullable Op version) {
        return version == null ? null : version.value();
    }

    // ---------------------------------------------------------------- reads

    private @Nullable String read(Finding finding) {
        String key = key(finding);
        if (finding.anomaly() == Anomaly.INTERNAL && missesOwn(finding)) {
            return null;
        }
        Op before = null;
        int endOfRows = -1;
        for (Op op : reader(finding).ops()) {
            if (OpKind.isPredicate(op.kind())) {
                endOfRows = op.rows() == null
                        ? op.position()
                        : op.position() + op.rows().intValue();
            }
            boolean isRead = OpKind.isRead(op.kind()) || !op.makesVersion() && !OpKind.isPredicate(op.kind());
            if (!isRead || !key.equals(op.key())) {
                continue;
            }
            boolean isReturned = OpKind.isRead(op.kind());
            boolean isRepeated = before != null && !RawTables.areAlike(before, op);
            if (Objects.equals(op.value(), expectation(finding).observed())
                    && matchesFinding(finding, op, isRepeated)) {
                return null;
            }
            before = isReturned && op.position() > endOfRows && before == null ? op : before;
        }
        return "no read of the row agrees with the finding";
    }

    private boolean matchesFinding(Finding finding, Op op, boolean isRepeated) {
        Op own = tables.ownBefore(op, op.row());
        boolean isReturned = OpKind.isRead(op.kind());
        return switch (finding.anomaly()) {
            case INT -> isReturned && (own != null ? !tables.isOf(op, own) : isRepeated);
            case INTERNAL -> isReturned && own != null && !tables.isOf(op, own);
            case FUTURE_READ -> {
                Integer position = tables.positionRead(op);
                yield isReturned && own == null && position != null && position >= 0 && isItsOwn(op, position);
            }
            case G1A -> isAborted(op);
            case G1B -> {
                Integer position = tables.positionRead(op);
                yield position != null && position >= 0 && isReplaced(op, position);
            }
            default -> {
                Op shown = shown(finding, op, op.row());
                boolean isExpected =
                        Objects.equals(row(shown), expectation(finding).expected());
                yield isReturned && own == null && isExpected && !tables.isOf(op, shown);
            }
        };
    }

    private boolean isItsOwn(Op predicate, int position) {
        return tables.versions(predicate.row()).get(position).txn() == predicate.txn();
    }

    private boolean isReplaced(Op predicate, int position) {
        Op version = tables.versions(predicate.row()).get(position);
        return version.txn() != predicate.txn() && !tables.isFinal(version);
    }

    private boolean isAborted(Op predicate) {
        for (Txn txn : tables.txns.values()) {
            for (Op op : txn.ops()) {
                boolean saysNoRow = predicate.kind() == OpKind.UNMATCHED && predicate.writer() != null;
                boolean isSame = predicate.version() != null
                        ? predicate.version().equals(op.version())
                        : (predicate.writer() == null || predicate.writer() == op.txn())
                                && (saysNoRow || Objects.equals(predicate.value(), op.value()));
                if (txn.status() == TxnStatus.ABORTED && op.makesVersion() && op.isOn(predicate.key()) && isSame) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether a predicate read omitted an earlier write of its transaction. */
    private boolean missesOwn(Finding finding) {
        String key = key(finding);
        return anyPredicateRead(finding, op -> {
            Op own = op.rows() == null ? null : tables.ownBefore(op, key); // an unknown condition has no rows
            return own != null && returned(op, key) == null && tables.matches(op, key, own.value());
        });
    }

    /** Returns whether a test accepts a predicate read of the relation that a finding is about. */
    private boolean anyPredicateRead(Finding finding, Predicate<Op> test) {
        return reader(finding).ops().stream()
                .filter(op -> OpKind.isPredicate(op.kind()) && RawTables.isOfRelation(finding.key(), op))
                .anyMatch(test);
    }

    /** Returns the row of a key that a predicate read returned; null if none. */
    private @Nullable Op returned(Op predicate, String key) {
        Op row = tables.rowOf(predicate, key);
        return row != null && OpKind.isRead(row.kind()) ? row : null;
    }

    // ---------------------------------------------------------------- result sets

    private @Nullable String result(Finding finding) {
        String key = key(finding);
        boolean isWrong = anyPredicateRead(finding, op -> {
            Op returned = returned(op, key);
            Op shown = expected(finding, op, key);
            boolean isMatch = tables.matches(op, key, row(shown));
            return Objects.equals(row(shown), expectation(finding).expected())
                    && Objects.equals(row(returned), expectation(finding).observed())
                    && (returned == null ? isMatch : !isMatch || !tables.isOf(returned, shown));
        });
        return isWrong ? null : "no predicate read returned other rows than it should have";
    }

    /** Computes an answer anew from every row that should have been seen. */
    private @Nullable String answer(Finding finding) {
        for (Op op : reader(finding).ops()) {
            if (!OpKind.isPredicate(op.kind())
                    || tables.condition(op).asksForRows()
                    || !Objects.equals(op.value(), expectation(finding).observed())) {
                continue;
            }
            ConditionReplay condition = tables.condition(op);
            List<Map<String, Object>> rows = new ArrayList<>();
            for (String key : tables.keys()) {
                String shown = RawTables.isOfRelation(key, op) ? row(expected(finding, op, key)) : null;
                if (tables.matches(op, shown)) {
                    rows.add(tables.row(shown));
                }
            }
            Object computed = condition.computed(rows, RowReading.params(op.params()));
            boolean matchesFinding =
                    ConditionReplay.isAnswer(expectation(finding).expected(), computed);
            if (matchesFinding && !ConditionReplay.isAnswer(op.value(), computed)) {
                return null;
            }
        }
        return "no predicate read has a wrong answer";
    }

    private @Nullable String noMatch(Finding finding) {
        String key = key(finding);
        boolean isWrong = anyPredicateRead(finding, op -> {
            Op row = returned(op, key);
            Integer position = row == null ? null : tables.positionRead(row);
            return position != null && !tables.matches(op, tables.rowAt(key, position));
        });
        return isWrong ? null : "every row that was returned matches";
    }

    private @Nullable String unwritten(Finding finding) {
        String row = expectation(finding).observed();
        String key = key(finding);
        boolean isRead = reader(finding).ops().stream()
                .anyMatch(op -> !op.makesVersion() && op.isOn(key) && row != null && row.equals(op.value()));
        boolean isWritten = tables.txns.values().stream()
                .flatMap(txn -> txn.ops().stream())
                .anyMatch(op -> op.makesVersion() && op.isOn(key) && Objects.equals(row, op.value()));
        return !isRead ? "no transaction read that row" : isWritten ? "a transaction wrote that row" : null;
    }

    private @Nullable String miss(Finding finding) {
        String key = key(finding);
        boolean isMissed = anyPredicateRead(finding, op -> {
            Op row = tables.rowOf(op, key);
            boolean isAnyVersion = row == null || !OpKind.isRead(row.kind()) && tables.positionRead(row) == null;
            return isAnyVersion && tables.remainingPositions(op, key).isEmpty();
        });
        return isMissed ? null : "some version of the row does not match";
    }
}
