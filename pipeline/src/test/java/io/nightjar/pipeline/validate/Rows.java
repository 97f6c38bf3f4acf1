package io.nightjar.pipeline.validate;

import io.nightjar.fixtures.SliceSource;
import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.ColumnGroup;
import io.nightjar.formats.history.HistorySlice;
import io.nightjar.formats.history.HistorySource;
import io.nightjar.formats.history.OpKind;
import io.nightjar.formats.history.SliceBuilder;
import io.nightjar.formats.history.SliceReader;
import io.nightjar.formats.history.TxnStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** A history written down in a test, cut into slices and passes as the test likes. */
class Rows implements HistorySource {

    static final String FILE = "t.jsonl";

    private record Row(long id, long session, long seq, Consumer<SliceBuilder> content) {}

    private final List<Row> rows = new ArrayList<>();
    private int rowsPerSlice = Integer.MAX_VALUE;
    int openCount;

    Rows row(long id, long session, long seq) {
        return row(id, session, seq, builder -> {});
    }

    Rows row(long id, long session, long seq, Consumer<SliceBuilder> content) {
        rows.add(new Row(id, session, seq, content));
        return this;
    }

    /** A row whose id is its number and whose session and position are of no interest. */
    Rows txn(Consumer<SliceBuilder> content) {
        return row(rows.size() + 1, rows.size() + 1, 0, content);
    }

    Rows rowsPerSlice(int count) {
        rowsPerSlice = count;
        return this;
    }

    static SliceBuilder write(SliceBuilder builder, String key, long value) {
        return op(builder, OpKind.WRITE, key, value);
    }

    static SliceBuilder read(SliceBuilder builder, String key, long value) {
        return op(builder, OpKind.READ, key, value);
    }

    static SliceBuilder readNothing(SliceBuilder builder, String key) {
        builder.keysAreStrings();
        builder.op(OpKind.READ_NOTHING, builder.keyNames().intern(key), 0);
        return builder;
    }

    static SliceBuilder readList(SliceBuilder builder, String key, long... elements) {
        builder.keysAreStrings();
        builder.valuesAreLongs();
        builder.beginList();
        for (long element : elements) {
            builder.element(element);
        }
        builder.listRead(builder.keyNames().intern(key));
        return builder;
    }

    static SliceBuilder op(SliceBuilder builder, byte kind, String key, long value) {
        builder.keysAreStrings();
        builder.valuesAreLongs();
        builder.op(kind, builder.keyNames().intern(key), value);
        return builder;
    }

    static SliceBuilder named(SliceBuilder builder, byte kind, String key, String value) {
        builder.keysAreStrings();
        builder.valuesAreStrings();
        builder.op(kind, builder.keyNames().intern(key), builder.valueNames().intern(value));
        return builder;
    }

    static SliceBuilder aborted(SliceBuilder builder) {
        return builder.status(TxnStatus.ABORTED);
    }

    static SliceBuilder unknown(SliceBuilder builder) {
        return builder.status(TxnStatus.UNKNOWN);
    }

    List<HistorySlice> slices() {
        return slices(EnumSet.allOf(ColumnGroup.class));
    }

    List<HistorySlice> slices(Set<ColumnGroup> wanted) {
        List<HistorySlice> slices = new ArrayList<>();
        SliceBuilder builder = null;
        long rowNumber = 0;
        for (Row row : rows) {
            if (builder == null) {
                builder = new SliceBuilder(FILE);
            }
            builder.beginTxn(++rowNumber, row.id, row.session, row.seq);
            row.content.accept(builder);
            builder.endTxn();
            if (builder.txnCount() == rowsPerSlice) {
                slices.add(builder.build(wanted));
                builder = null;
            }
        }
        if (builder != null) {
            slices.add(builder.build(wanted));
        }
        return slices;
    }

    /** The passes of a validation over these rows. */
    Validation validated(long memoryBytes) {
        Validation validation = new Validation(memoryBytes);
        do {
            openCount++;
            for (HistorySlice slice : slices(validation.columns())) {
                validation.add(slice);
            }
        } while (validation.needsAnotherPass());
        return validation;
    }

    Validation validated() {
        return validated(64 << 20);
    }

    static LintFinding only(LintRule rule, List<LintFinding> findings) {
        List<LintFinding> matching = new ArrayList<>();
        for (LintFinding finding : findings) {
            if (finding.rule() == rule) {
                matching.add(finding);
            }
        }
        if (matching.size() != 1) {
            throw new AssertionError("expected one finding: rule=" + rule + " findings=" + findings);
        }
        return matching.get(0);
    }

    @Override
    public String uri() {
        return FILE;
    }

    @Override
    public String format() {
        return "test";
    }

    @Override
    public List<Split> splits() {
        return List.of(new Split(FILE, -1, -1, 0));
    }

    @Override
    public SliceReader open(int split, Set<ColumnGroup> wanted, BadRowHandler badRows) {
        openCount++;
        return SliceSource.reader(slices(wanted));
    }

    @Override
    public void close() {}
}
